"""Feeds a given text through a decoder token by token, and yields what the model predicts at each place. The variant's
own cache and forward pass are used, so that a quantized or windowed cache, fused projections and a compiled step count.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from core.kernels.caches.cache_layers import QuantizedKvLayer, SinkWindowLayer
from core.kernels.decoding.decoders import Plain

#: Tokens a forward pass, where that gives what single tokens give but for rounding. LLM.int8() is the exception that
#: is allowed: it takes the outliers of all tokens of a pass into 16 bits, so that one of 8 is a little more faithful.
PASS = 8


@torch.inference_mode()
def forced_logits(decoder: Plain, context: list[int], targets: list[int], room: int = 0) -> Iterator[Tensor]:
    """Yield the logits [n, V] that predict the next n targets, until all have been predicted. The context (at least one
    token) is read in one pass, as a prompt is. `room` is the least number of positions of the cache, so that a compiled
    step is reused."""
    prefixes, decoder.prefixes = decoder.prefixes, None  # no text of a quality pass is kept for later prompts
    try:
        decoder.begin(max(room, len(context) + len(targets)))
        yield _fed(decoder, context, 1)
        size = _pass_tokens(decoder)
        for start in range(0, len(targets) - 1, size):
            part = targets[start : min(start + size, len(targets) - 1)]
            yield _fed(decoder, part, len(part))
    finally:
        decoder.prefixes = prefixes


def _fed(decoder: Plain, tokens: list[int], keep: int) -> Tensor:
    logits = decoder.feed(tokens, keep)
    if decoder.will_roll_back:
        decoder.rollback(0)
    return logits


def _pass_tokens(decoder: Plain) -> int:
    """Return the tokens per pass: 1 if the step is compiled for one, or if the cache drops positions after
    every pass."""
    lossy = any(isinstance(layer, QuantizedKvLayer | SinkWindowLayer) for layer in getattr(decoder.cache, "layers", []))
    return 1 if lossy or decoder.forward_one is not None else PASS
