"""Reorders channels so that the model's function is unchanged and its layout changes.

A model from a 4-bit file has its weights on the grid of that file's groups. Quantizing it again with the same groups
would reproduce them exactly, and 4 bits would seem to cost nothing. After a permutation no group is aligned, and the
logits are unchanged.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from core.kernels.base import surgery

_ATTENTION = ("q_proj", "k_proj", "v_proj", "o_proj")
_MLP = ("gate_proj", "up_proj", "down_proj")
_PER_HEAD_NORMS = ("q_norm", "k_norm")  # work inside a head, where nothing moves


@torch.no_grad()
def permute_(model: Any, seed: int) -> None:
    """Permute, in place: the residual channels, the MLP channels of each layer, the value channels within each KV head.
    Raises ValueError, before any change, for a layer that is not Llama-like."""
    _, layers = surgery.decoder_layers(model)
    hidden = model.config.get_text_config(decoder=True).hidden_size
    embedding, head = model.get_input_embeddings(), model.get_output_embeddings()
    final = _final_norms(model, layers)
    for layer in layers:
        _check(layer, hidden)
    generator = torch.Generator().manual_seed(seed)
    residual = torch.randperm(hidden, generator=generator).to(embedding.weight.device)

    embedding.weight.copy_(embedding.weight[:, residual])
    if head.weight is not embedding.weight:
        head.weight.copy_(head.weight[:, residual])
    for norm in final:
        _permute_rows(norm, residual)
    for layer in layers:
        _permute_layer(layer, residual, generator)


def _permute_layer(layer: nn.Module, residual: Tensor, generator: torch.Generator) -> None:
    attention: Any = layer.self_attn
    mlp: Any = layer.mlp
    device = residual.device
    for linear in (attention.q_proj, attention.k_proj, attention.v_proj, mlp.gate_proj, mlp.up_proj):
        linear.weight.copy_(linear.weight[:, residual])
    for linear in (attention.o_proj, mlp.down_proj):
        _permute_rows(linear, residual)
    for name, module in layer.named_modules():
        if _is_norm(name, module) and not name.endswith(_PER_HEAD_NORMS):
            _permute_rows(module, residual)

    channels = torch.randperm(mlp.down_proj.in_features, generator=generator).to(device)
    _permute_rows(mlp.gate_proj, channels)
    _permute_rows(mlp.up_proj, channels)
    mlp.down_proj.weight.copy_(mlp.down_proj.weight[:, channels])

    size = attention.head_dim
    kv_heads = attention.v_proj.out_features // size
    repeat = attention.o_proj.in_features // (kv_heads * size)
    within = [torch.randperm(size, generator=generator).to(device) for _ in range(kv_heads)]
    _permute_rows(attention.v_proj, torch.cat([p + h * size for h, p in enumerate(within)]))
    outputs = torch.cat([within[h // repeat] + h * size for h in range(kv_heads * repeat)])
    attention.o_proj.weight.copy_(attention.o_proj.weight[:, outputs])


def _permute_rows(module: Any, order: Tensor) -> None:
    """Permute the first dimension of weight and bias: output channels of a Linear, all channels of a norm."""
    module.weight.copy_(module.weight[order])
    if getattr(module, "bias", None) is not None:
        module.bias.copy_(module.bias[order])


def _is_norm(name: str, module: nn.Module) -> bool:
    weight = getattr(module, "weight", None)
    return "norm" in name and isinstance(weight, Tensor) and weight.ndim == 1


def _final_norms(model: Any, layers: nn.ModuleList) -> list[nn.Module]:
    """Return the norms outside the layers. Raises ValueError if anything else there has weights."""
    inside = {id(module) for module in layers.modules()}
    ends = {id(model.get_input_embeddings()), id(model.get_output_embeddings())}
    norms = []
    for name, module in model.named_modules():
        if id(module) in inside | ends or not list(module.parameters(recurse=False)):
            continue
        if not _is_norm(name, module):
            raise ValueError(f"{name} ({type(module).__name__}) is not known: the model is not Llama-like")
        norms.append(module)
    return norms


def _check(layer: nn.Module, hidden: int) -> None:
    known = {f"self_attn.{n}" for n in _ATTENTION} | {f"mlp.{n}" for n in _MLP}
    found = set()
    for name, module in layer.named_modules():
        if not list(module.parameters(recurse=False)):
            continue
        if name in known and type(module) is nn.Linear:
            found.add(name)
        elif not _is_norm(name, module):
            raise ValueError(f"{name} ({type(module).__name__}) is not known: the layer is not Llama-like")
        elif not name.endswith(_PER_HEAD_NORMS) and module.weight.numel() != hidden:
            raise ValueError(f"{name} does not have {hidden} channels: the layer is not Llama-like")
    if missing := known - found:
        raise ValueError(f"no {', '.join(sorted(missing))}: the layer is not Llama-like")
