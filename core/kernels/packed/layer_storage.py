"""Stores Dyno's layers as plain tensors and restores them. int4 codes are stored two per byte and not in a kernel's
layout, which differs between processors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from core.kernels.base import surgery
from core.kernels.experts import experts
from core.kernels.weights.linears import Int4Linear, Int8Linear

Tensors = dict[str, Tensor]
Settings = dict[str, Any]  # JSON

_ROWS = 256  # of the identity that reads codes out of a packed weight


@dataclass(frozen=True)
class _Class:
    store: Callable[[Any], tuple[Tensors, Settings]]
    restore: Callable[[Tensors, Settings], nn.Module]


def _store_int8(layer: Int8Linear) -> tuple[Tensors, Settings]:
    return _with_bias(layer, {"weight": layer.weight, "scale": layer.scale}), {}


def _restore_int8(tensors: Tensors, settings: Settings) -> nn.Module:
    return Int8Linear(tensors["weight"], tensors["scale"], tensors.get("bias"))


def _store_int4(layer: Int4Linear) -> tuple[Tensors, Settings]:
    q = codes(layer)
    pairs = (q[:, ::2] | q[:, 1::2] << 4).to(torch.uint8)
    tensors = {"codes": pairs, "scale_zero": layer.scale_zero}
    return _with_bias(layer, tensors), {"group_size": layer.group_size, "how": layer.how}


def _restore_int4(tensors: Tensors, settings: Settings) -> nn.Module:
    pairs = tensors["codes"].to(torch.int32)
    q = torch.stack([pairs & 0xF, pairs >> 4], dim=-1).flatten(1)
    return Int4Linear(q, tensors["scale_zero"], settings["group_size"], tensors.get("bias"), settings["how"])


_CLASSES = {
    "Int8Linear": _Class(_store_int8, _restore_int8),
    "Int4Linear": _Class(_store_int4, _restore_int4),
}


def _with_bias(layer: Any, tensors: Tensors) -> Tensors:
    return tensors if layer.bias is None else {**tensors, "bias": layer.bias}


def codes(layer: Int4Linear) -> Tensor:
    """Return the codes int32 [N, K] in 0…15, exactly as they were packed: with scale 1 and zero 0 the layer maps the
    rows of the identity to q − 8."""
    k = layer.in_features
    plain = torch.zeros_like(layer.scale_zero)
    plain[..., 0] = 1
    probe = Int4Linear.__new__(Int4Linear)
    nn.Module.__init__(probe)
    probe.in_features, probe.out_features, probe.group_size = k, layer.out_features, layer.group_size
    probe.packed, probe.scale_zero, probe.bias = layer.packed, plain, None
    columns = []
    for start in range(0, k, _ROWS):
        rows = torch.zeros(min(_ROWS, k - start), k, dtype=torch.bfloat16, device=layer.packed.device)
        rows[torch.arange(len(rows)), start + torch.arange(len(rows))] = 1
        columns.append(probe(rows))
    return (torch.cat(columns).T.float() + 8).round().to(torch.int32)


def own_layers(model: nn.Module) -> dict[str, nn.Module]:
    """Return Dyno's layers by name."""
    return {name: m for name, m in surgery.linear_like(model).items() if type(m).__name__ in _CLASSES}


def unstorable(model: nn.Module) -> list[str]:
    """Return why some layers or tensors of the model cannot be written, one line per kind."""
    known = {"Linear", "Conv1D", "Linear4bit", "Linear8bitLt", *_CLASSES}
    reasons: dict[str, str] = {}
    for name, module in surgery.linear_like(model).items():
        kind = type(module).__name__
        if kind not in known:
            reasons.setdefault(kind, f"{name} is a {kind}, which has no form on disk")
    for stack in experts.stacks(model):
        foreign = [name for name, m in stack.parts.items() if type(m).__name__ in ("Linear4bit", "Linear8bitLt")]
        if foreign:
            reasons.setdefault(
                "experts", f"{foreign[0]} is an expert, and transformers loads none in bitsandbytes' layers"
            )
    for name, parameter in model.named_parameters():
        if hasattr(parameter, "__tensor_flatten__"):
            kind = type(parameter.data).__name__
            reasons.setdefault(kind, f"{name} is a {kind}, a wrapper that safetensors cannot hold")
    return list(reasons.values())


def store(layer: nn.Module) -> tuple[Tensors, Settings]:
    """Return a layer of `own_layers` as contiguous tensors and settings."""
    tensors, settings = _CLASSES[type(layer).__name__].store(layer)
    return {name: tensor.contiguous() for name, tensor in tensors.items()}, settings


def restore(kind: str, tensors: Tensors, settings: Settings) -> nn.Module:
    """Return the layer from what `store` returned; nothing is quantized again. Raises ValueError if the parts do not
    fit."""
    if kind not in _CLASSES:
        raise ValueError(f"this version of Dyno has no layer {kind!r}")
    try:
        return _CLASSES[kind].restore(tensors, settings).eval()
    except (KeyError, RuntimeError, TypeError, IndexError) as error:
        raise ValueError(f"its parts do not make a {kind}: {error}") from error
