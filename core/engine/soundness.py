"""Whether what was loaded is a causal language model at all, and can be decoded with a cache: a few short forward
passes, judged by their logits.

Weights full of NaN decode as fast as any, an encoder answers to a causal model's name, and a model that does not know
the argument that it is handed its cache by sees one token a step; all would be measured without a word. Knows models
and logits; knows no strategy.
"""

from __future__ import annotations

from typing import Any

import torch

from core.engine.failures import is_out_of_memory
from core.kernels import agreement, caches

#: Between two rows that differ in their last token, how much earlier logits may differ, as a share of the last ones:
#: a causal model's do so by rounding alone, while in an encoder every position sees the change.
_ROUNDING, _ROUNDING_FP32 = 0.1, 1e-3


def faults(model: Any) -> str:
    """What is wrong with a model as it was loaded, or ""."""
    logits = probe_logits(model).float()
    if not _is_finite(logits):
        return "its logits are not finite"
    change = (logits[0] - logits[1]).nan_to_num(0.0).abs().amax(-1)
    if change[:-1].max() > (_ROUNDING_FP32 if agreement.is_fp32(model) else _ROUNDING) * change[-1]:
        return "every position sees the tokens after it, so it is not a causal language model"
    return ""


def cache_fault(model: Any) -> str:
    """Why a model cannot be decoded step by step with a cache, or ""."""
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
