"""Checks whether a strategy that claims to be exact changes the model's answers while loading."""

from __future__ import annotations

from typing import Any

import torch

from core.engine.base.runtime import Runtime
from core.kernels.checks.exactness import Trace, first_difference
from core.protocol.events import EXACTNESS

#: Slots whose strategies leave the numbers alone where they are exact; the others change the weights, and what they
#: make of them is what both ways decode.
DECODING = ("attention", "fusion", "compilation", "kv_cache", "prefix_cache", "speculation", "batching", "parallelism")
TOKENS = 24


@torch.inference_mode()
def answers(model: Any) -> Trace:
    """Return the model's outputs after some tokens, without a cache, to compare before and after an exact transform."""
    known = min(model.config.get_text_config(decoder=True).vocab_size, 1000)
    ids = [(7 * i + i * i) % (known - 1) + 1 for i in range(TOKENS)]
    device = next(model.parameters()).device
    rows = model(torch.tensor([ids], device=device), use_cache=False).logits[0].float()
    return Trace(rows.argmax(-1).tolist(), list(rows))


def note_change(runtime: Runtime, before: Trace) -> None:
    """Note for the receipt if the model's outputs changed in an exact transform."""
    place = first_difference(before, answers(runtime.model), runtime.rounding)
    if place is not None and not place.is_rounding:
        runtime.work[EXACTNESS] = {"changed": place}
