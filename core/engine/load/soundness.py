"""Checks by a few short forward passes that a loaded model is a causal language model and can be decoded with a cache.

Weights full of NaN decode as fast as any, an encoder may load under a causal model's name, and a model that ignores the
cache argument sees one token per step: all of them would be measured silently.
"""

from __future__ import annotations

from typing import Any

import torch

from core.base.out_of_memory import is_out_of_memory
from core.kernels.caches import caches
from core.kernels.checks import agreement

#: Where the last token alone is another, how much earlier logits may differ, as a share of the last ones. A causal
#: model's hardly do: each position is computed from the same numbers by the same kernels, and only experts, whose
#: tokens are sorted, may round differently. Measured in bf16: below 1e-4 in 105 architectures, 0.017 in an encoder with
#: untrained weights, which looks at its neighbours least. LLM.int8() looks for outliers in all rows at once.
_ROUNDING, _ROUNDING_FP32, _ROUNDING_PACKED = 0.008, 1e-3, 0.1


def faults(model: Any, logits: torch.Tensor | None = None) -> str:
    """Return what is wrong with a model as loaded, or ""; `logits` are its `probe_logits`, if known."""
    logits = (probe_logits(model) if logits is None else logits).float()
    other = probe_logits(model, last=6).float()
    if not _is_finite(logits):
        return "its logits are not finite"
    change = (logits[0] - other[0]).nan_to_num(0.0).abs().amax(-1)
    packed = any(not p.is_floating_point() for p in model.parameters())
    allowed = _ROUNDING_PACKED if packed else _ROUNDING_FP32 if agreement.is_fp32(model) else _ROUNDING
    if change[:-1].max() > allowed * change[-1]:
        return "every position sees the tokens after it, so it is not a causal language model"
    return ""


def cache_fault(model: Any) -> str:
    """Return why a model cannot be decoded step by step with a cache, or ""."""
    if not caches.takes_cache(model):
        return (
            f"{type(model).__name__} takes no cache (an argument cache or past_key_values): what it keeps from token "
            "to token is of a kind of its own"
        )
    try:
        if agreement.runs_with_cache(model):
            return ""
    except (ValueError, TypeError, LookupError, AttributeError, RuntimeError) as error:
        if is_out_of_memory(error):
            raise
        return f"{type(model).__name__} does not run on the caches that transformers makes for its layers"
    return f"{type(model).__name__} computes other logits with a cache than without one"


def is_finite(model: Any) -> bool:
    """Return whether a model still yields finite logits after a transform."""
    return _is_finite(probe_logits(model).float())


@torch.no_grad()
def probe_logits(model: Any, last: int = 4) -> torch.Tensor:
    """Return logits [2, 4, V] of two rows of four tokens; `last` is the first row's last token."""
    ids = torch.tensor([[1, 2, 3, last], [1, 2, 3, 5]], device=next(model.parameters()).device)
    return model(ids, use_cache=False).logits


def _is_finite(logits: torch.Tensor) -> bool:
    """Return whether logits are numbers. Minus infinity is allowed (some models forbid tokens with it), NaN and plus
    infinity are not."""
    return not (logits.isnan().any() or logits.isposinf().any() or logits.isneginf().all(-1).any())
