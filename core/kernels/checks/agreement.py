"""Checks whether a model computes the same in two ways that should agree: at once or with a cache, alone or beside
padding. Each check uses a few prompts and fails only if all of them fail: in a mixture of experts, rounding may send a
token to another expert, which changes its logits as much as a fault would."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from core.base.out_of_memory import is_out_of_memory
from core.kernels.caches import caches, rollback

PROMPTS = ([1, 2, 3, 4, 5, 6], [7, 5, 3, 2, 4, 8], [9, 1, 8, 2, 7, 3])

#: How far logits may be apart, as a share of their own spread (the standard deviation over the vocabulary), in fp32
#: and in less. Rounding gives some 1e-6 in fp32 and some 0.02 in bf16; another position or a lost state 0.05 to 1.5;
#: kernels that clamp in one way and not in the other some 1e-3, which is a fault only where tokens have to be equal.
ROUNDING, COARSE, LOW_PRECISION = 1e-4, 0.01, 0.25


def is_fp32(model: Any) -> bool:
    """Return whether nothing in the model is rounded below fp32: no tensor except constants, no quantized layer (whose
    weight is codes or a tensor subclass), no product."""
    if torch.get_float32_matmul_precision() != "highest":
        return False
    tensors = [t for t in chain(model.parameters(), model.buffers()) if t.numel() > 1]
    plain = all(type(t.data) is Tensor for t in tensors)
    return plain and all(t.element_size() >= 4 or t.dtype == torch.bool for t in tensors)


Logits = Callable[[list[int]], Tensor]  # of a prompt, [n, V]


@torch.inference_mode()
def agree(model: Any, one: Logits, other: Logits, rounding: float = ROUNDING) -> bool:
    """Return whether two ways of computing logits agree on at least one prompt. `rounding` is fp32's tolerance."""
    limit = rounding if is_fp32(model) else LOW_PRECISION
    return any(_distance(one(prompt), other(prompt)) <= limit for prompt in PROMPTS)


def whole(model: Any, prompt: list[int]) -> Tensor:
    """Return logits [n, V] of all positions, computed at once without a cache."""
    return model(_row(model, prompt), use_cache=False).logits[0]


def in_parts(model: Any, prompt: list[int], sizes: list[int], cache: Any = None) -> Tensor:
    """Return logits [n, V] of all positions, computed in passes of these sizes on one dynamic cache."""
    name, _ = caches.forward_arguments(model)
    options: dict[str, Any] = {name: cache or caches.dynamic(model)(len(prompt)), "use_cache": True}
    found, start, limited = [], 0, rollback.limited(model)
    for size in sizes:
        ids = _row(model, prompt[start : start + size])
        if caches.takes_positions(model):
            options["position_ids"] = torch.arange(start, start + size, device=ids.device)[None]
        with rollback.as_steps(limited if start > 0 else []):
            found.append(model(ids, **options).logits[0])
        start += size
    return torch.cat(found)


def runs_with_cache(model: Any) -> bool:
    """Return whether a step with a cache equals the pass without one."""
    return agree(model, lambda p: in_parts(model, p, [5, 1])[-1:], lambda p: whole(model, p)[-1:], COARSE)


def computes_alike(model: Any) -> bool:
    """Return whether a context computed at once equals its steps up to rounding; their kernels may differ."""
    return agree(model, lambda p: whole(model, p)[3:], lambda p: in_parts(model, p, [3, 1, 1, 1])[3:])


def eager_is_sdpa(model: Any) -> bool:
    """Return whether eager attention computes what sdpa, transformers' default, computes; True if the model has no
    sdpa. They are implemented separately: Falcon's scale ALiBi differently."""
    if not getattr(model, "_supports_sdpa", False):
        return True

    def with_attention(kind: str) -> Logits:
        def logits(prompt: list[int]) -> Tensor:
            model.config._attn_implementation = kind  # older kinds of model look there in every pass
            return whole(model, prompt)

        return logits

    try:
        return agree(model, with_attention("sdpa"), with_attention("eager"))
    finally:
        model.config._attn_implementation = "eager"


@torch.inference_mode()
def state_fault(model: Any) -> str:
    """Return why a pass of several tokens after others is wrong, or an empty string. A cache of rows needs no check
    beyond attention's; a state must be passed on, and some kernels do not take one."""
    cache = caches.dynamic(model)(1)
    layers = rollback.stateful(cache)
    if not layers:
        return ""
    in_parts(model, PROMPTS[0], [6], cache)
    if not all(any(t is not None for t in (*x.conv_states.values(), *x.recurrent_states.values())) for x in layers):
        return "this model keeps its state in its layers, not in the cache, so it can be neither saved nor put back"
    if agree(model, lambda p: in_parts(model, p, [3, 3])[3:], lambda p: in_parts(model, p, [3, 1, 1, 1])[3:]):
        return ""
    return (
        "several tokens at once, after others, do not come out as they do one by one: the kernels of this model take "
        "no state there, or compute otherwise"
    )


def says_nothing(error: Exception) -> bool:
    """Return whether a check failed for a reason unrelated to the model: out of memory, a failed device."""
    return is_out_of_memory(error) or isinstance(error, torch.AcceleratorError)


def _row(model: Any, ids: list[int]) -> Tensor:
    return torch.tensor([ids], device=next(model.parameters()).device)


def _distance(a: Tensor, b: Tensor) -> float:
    """Return the largest difference ÷ the spread; infinite if only one is finite."""
    a, b = a.float(), b.float()
    finite = a.isfinite() & b.isfinite()
    if not torch.equal(a.isfinite(), b.isfinite()) or not finite.any():
        return float("inf")
    spread = float(b[finite].std())
    return float((a - b)[finite].abs().max()) / spread if spread > 0 else 0.0
