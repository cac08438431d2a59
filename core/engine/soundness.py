"""Whether what was loaded is a causal language model at all: one short forward pass, judged by its logits.

Weights full of NaN decode as fast as any, and an encoder answers to a causal model's name; both would be measured
without a word. Knows models and logits; knows no strategy.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import torch

#: Between two rows that differ in their last token, how much earlier logits may differ, as a share of the last ones:
#: a causal model's do so by rounding alone, while in an encoder every position sees the change.
_ROUNDING, _ROUNDING_FP32 = 0.1, 1e-3


def faults(model: Any) -> str:
    """What is wrong with a model as it was loaded, or ""."""
    logits = probe_logits(model).float()
    if not _is_finite(logits):
        return "its logits are not finite"
    change = (logits[0] - logits[1]).nan_to_num(0.0).abs().amax(-1)
    if change[:-1].max() > (_ROUNDING_FP32 if _is_fp32(model) else _ROUNDING) * change[-1]:
        return "every position sees the tokens after it, so it is not a causal language model"
    return ""


def is_finite(model: Any) -> bool:
    """Whether a model still yields numbers, after something was done to it."""
    return _is_finite(probe_logits(model).float())


@torch.no_grad()
def probe_logits(model: Any) -> torch.Tensor:
    """Logits [2, 4, V] of two rows of four tokens, which differ in the last one."""
    ids = torch.tensor([[1, 2, 3, 4], [1, 2, 3, 5]], device=next(model.parameters()).device)
    return model(ids, use_cache=False).logits


def _is_finite(logits: torch.Tensor) -> bool:
    """Minus infinity is how some models forbid a token; NaN and plus infinity say nothing."""
    return not (logits.isnan().any() or logits.isposinf().any() or logits.isneginf().all(-1).any())


def _is_fp32(model: Any) -> bool:
    """Nothing in it is rounded to less, quantized layers included."""
    tensors = chain(model.parameters(), model.buffers())
    return all(t.element_size() >= 4 or t.dtype == torch.bool for t in tensors)
