"""Turns a loaded model into the smaller one that a changed config describes: selects the kept places of its tensors,
updates its modules' values, and verifies the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from core.kernels.base import surgery
from core.kernels.base.outline import Cut

PROBE = 16  # tokens on which the smaller model is compared
#: How far it may be from the whole one with what goes silenced, of the logits: sums of fewer terms round differently.
_ROUNDING, _ROUNDING_FP32 = 0.2, 1e-3


def probe(model: Any) -> Tensor:
    """Return logits [1, PROBE, V] in fp32 of the tokens that models are compared on."""
    ids = torch.arange(1, PROBE + 1, device=next(model.parameters()).device)[None]
    return model(ids, use_cache=False).logits.float()


def select(model: Any, cut: Cut, index: Tensor) -> None:
    """Keep these places in a dimension of a parameter or buffer, in new storage, so that the rest is freed."""
    module, _, name = cut.parameter.rpartition(".")
    owner = model.get_submodule(module)
    tensor = getattr(owner, name).detach()
    kept = tensor.index_select(cut.dim, index.to(tensor.device))
    if name in owner._parameters:
        setattr(owner, name, nn.Parameter(kept, requires_grad=False))
    else:
        owner.register_buffer(name, kept, persistent=name not in owner._non_persistent_buffers_set)
    if surgery.is_linear(owner) and name == "weight" and not isinstance(owner, Conv1D):
        owner.out_features, owner.in_features = owner.weight.shape


def settle(model: Any, values: Iterable[tuple[str, str, Any]], changes: Mapping[str, Any]) -> None:
    """Set the values of modules (module, name, value), and those of the text config."""
    for module, name, value in values:
        setattr(model.get_submodule(module), name, value)
    text = model.config.get_text_config(decoder=True)
    for name, value in changes.items():
        setattr(text, name, value)


def is_same(model: Any, found: Tensor, wanted: Tensor) -> bool:
    """Return whether the smaller model's logits equal the whole one's up to rounding; False if one is NaN."""
    allowed = _ROUNDING_FP32 if model.dtype == torch.float32 else _ROUNDING
    apart = (found - wanted).square().mean().sqrt()
    return bool(apart <= allowed * wanted.square().mean().sqrt())
