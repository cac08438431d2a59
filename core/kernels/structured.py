"""Narrower layers: MLP channels and groups of attention heads, judged and taken out of every decoder layer. Knows
the Llama-like layout (gate, up, down; q, k, v, o); knows no strategy.

A part is judged by the norm of what it adds to its layer's output over the calibration tokens. For channel j of the
MLP that is ‖X_j‖₂·‖W_:j‖₂, with X the input and W the weight of the down projection: Wanda's |W|·‖X‖ (Sun et al.
2023) for a whole column. For a KV group it is ‖X_g·W_gᵀ‖, over the inputs of the o projection that its heads fill.
The same number goes from every layer, so that one number in the configuration describes the model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import torch
from torch import Tensor, nn

from core.kernels import surgery
from core.kernels.layers import chunks


def mlps(model: Any) -> list[Any]:
    """The MLP of every layer. Raises ValueError where one is not made of gate_proj, up_proj and down_proj."""
    found = []
    width = getattr(model.config.get_text_config(decoder=True), "intermediate_size", None)
    for i, layer in enumerate(surgery.decoder_layers(model)[1]):
        mlp: Any = getattr(layer, "mlp", None)
        _need_linears(mlp, f"layer {i}: its MLP", ("gate_proj", "up_proj", "down_proj"))
        if mlp.down_proj.in_features != width:
            raise ValueError(f"layer {i} has {mlp.down_proj.in_features} MLP channels, the configuration says {width}")
        found.append(mlp)
    return found


def attentions(model: Any) -> list[Any]:
    """The attention of every layer. Raises ValueError where it is not q, k, v, o over whole heads."""
    found = []
    config = model.config.get_text_config(decoder=True)
    heads = config.num_attention_heads
    kv_heads = getattr(config, "num_key_value_heads", heads)
    for i, layer in enumerate(surgery.decoder_layers(model)[1]):
        attention: Any = getattr(layer, "self_attn", None)
        where = f"layer {i}: its attention"
        _need_linears(attention, where, ("q_proj", "k_proj", "v_proj", "o_proj"))
        size = attention.head_dim
        if (attention.o_proj.in_features, attention.v_proj.out_features) != (heads * size, kv_heads * size):
            raise ValueError(f"{where} does not have the {heads} heads and {kv_heads} KV heads of the configuration")
        for name, parameter in attention.named_parameters():
            if not name.startswith(("q_proj", "k_proj", "v_proj", "o_proj")) and parameter.numel() != size:
                raise ValueError(f"{where} has {name}, which is not known to work within one head")
        found.append(attention)
    return found


def _need_linears(module: Any, where: str, names: Sequence[str]) -> None:
    missing = [n for n in names if type(getattr(module, n, None)) is not nn.Linear]
    if missing:
        raise ValueError(f"{where} has no {', '.join(missing)}: only Llama-like layers can be made narrower")


def channel_norms(model: Any, ids: Sequence[int]) -> list[Tensor]:
    """What every MLP channel adds, layer by layer: [channels] each."""

    def squares(x: Tensor, weight: Tensor) -> Tensor:
        return x.square().sum(0) * weight.square().sum(0)

    return _norms(model, ids, [mlp.down_proj for mlp in mlps(model)], squares)


def group_norms(model: Any, ids: Sequence[int]) -> list[Tensor]:
    """What every KV head with its query heads adds, layer by layer: [KV heads] each."""
    found = attentions(model)
    kv_heads = found[0].v_proj.out_features // found[0].head_dim

    def squares(x: Tensor, weight: Tensor) -> Tensor:
        parts = zip(x.chunk(kv_heads, dim=1), weight.chunk(kv_heads, dim=1), strict=True)
        return torch.stack([(fed @ w.T).square().sum() for fed, w in parts])

    return _norms(model, ids, [attention.o_proj for attention in found], squares)


@torch.inference_mode()
def _norms(
    model: Any, ids: Sequence[int], linears: list[nn.Linear], squares: Callable[[Tensor, Tensor], Tensor]
) -> list[Tensor]:
    """√Σ squares(X, W) of every Linear over chunks of its inputs X [tokens, K]."""
    totals: list[Any] = [0.0] * len(linears)

    def watch(i: int) -> Any:
        def hook(module: Any, args: tuple[Any, ...]) -> None:
            totals[i] = totals[i] + squares(args[0].flatten(0, -2).float(), module.weight.float())

        return hook

    handles = [linear.register_forward_pre_hook(watch(i)) for i, linear in enumerate(linears)]
    try:
        for chunk in chunks(model, ids):
            model(chunk, use_cache=False, logits_to_keep=1)
    finally:
        for handle in handles:
            handle.remove()
    return [total.sqrt() for total in totals]


def largest(norms: Tensor, count: int) -> Tensor:
    """The indices of the `count` largest, in their order in the layer."""
    return norms.topk(count).indices.sort().values


def keep_channels(model: Any, keep: Sequence[Tensor]) -> None:
    """Leave only these channels of every layer's MLP; as many in every layer."""
    for mlp, channels in zip(mlps(model), keep, strict=True):
        _select(mlp.gate_proj, 0, channels)
        _select(mlp.up_proj, 0, channels)
        _select(mlp.down_proj, 1, channels)
        if hasattr(mlp, "intermediate_size"):
            mlp.intermediate_size = len(channels)
    model.config.get_text_config(decoder=True).intermediate_size = len(keep[0])


def keep_groups(model: Any, keep: Sequence[Tensor]) -> None:
    """Leave only these KV heads of every layer, each with its query heads; as many in every layer.

    Raises ValueError, before changing anything, where transformers has no such model."""
    found = attentions(model)
    config = model.config.get_text_config(decoder=True)
    size, repeat = found[0].head_dim, config.num_attention_heads // config.num_key_value_heads
    kv_heads = len(keep[0])
    changed = {"head_dim": size, "num_attention_heads": kv_heads * repeat, "num_key_value_heads": kv_heads}
    _check(config, changed)
    for attention, groups in zip(found, keep, strict=True):
        own, theirs = _spread(groups, size), _spread(groups, size * repeat)
        _select(attention.q_proj, 0, theirs)
        _select(attention.k_proj, 0, own)
        _select(attention.v_proj, 0, own)
        _select(attention.o_proj, 1, theirs)
        for name, value in (("num_heads", kv_heads * repeat), ("num_key_value_heads", kv_heads)):
            if hasattr(attention, name):
                setattr(attention, name, value)
    for name, value in changed.items():
        setattr(config, name, value)


def _check(config: Any, changed: dict[str, int]) -> None:
    """Some kinds of model ask for hidden_size % num_attention_heads = 0 although head_dim is given: a checkpoint
    that breaks this could not be loaded again."""
    candidate = deepcopy(config)
    for name, value in changed.items():
        setattr(candidate, name, value)
    if hasattr(candidate, "validate_architecture"):
        candidate.validate_architecture()


def _spread(groups: Tensor, size: int) -> Tensor:
    return (groups[:, None] * size + torch.arange(size, device=groups.device)).flatten()


def _select(linear: nn.Linear, dim: int, index: Tensor) -> None:
    """Keep these outputs (dim 0) or inputs (dim 1), in storage of their own, so that the rest is given back."""
    linear.weight = nn.Parameter(linear.weight.detach().index_select(dim, index), requires_grad=False)
    if dim == 0 and linear.bias is not None:
        linear.bias = nn.Parameter(linear.bias.detach().index_select(0, index), requires_grad=False)
    linear.out_features, linear.in_features = linear.weight.shape
