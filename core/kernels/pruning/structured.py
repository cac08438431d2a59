"""Narrows layers: scores MLP channels and groups of attention heads, and removes them from every decoder layer.

A part is scored by the norm of what it adds to its layer's output over the calibration tokens. For channel j of the MLP
that is ‖X_j‖₂·‖W_:j‖₂, with X the input and W the weight of the down projection: Wanda's |W|·‖X‖ (Sun et al. 2023) for
a whole column. For a KV group it is ‖X_g·W_gᵀ‖ over the inputs of the output projection that its heads fill.

The same number is removed from every layer, so that one number in the config describes the model. The removal is
verified: the narrower model must compute what the whole one computes with those parts silenced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from core.kernels.base import surgery
from core.kernels.base.outline import Cut, cuts, runs, settings, twin
from core.kernels.pruning import narrowing
from core.kernels.pruning.layer_drop import chunks

#: Config names of the MLP width and of the number of KV heads, by family.
_WIDTHS = ("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "shared_intermediate_size")
_KV_HEADS = ("num_key_value_heads", "num_kv_heads")
_TRIED = 16  # a width at which it is seen what a configuration changes


@dataclass(frozen=True)
class Parts:
    """The removable parts of every decoder layer, `count` each: MLP channels, or KV heads with their query heads."""

    count: int
    outputs: list[str]  # of each layer, the Linear that they feed
    changes: Callable[[int], dict[str, Any]]  # of the text configuration, for a number that stays
    joined: Callable[[int, int], list[int]]  # outputs of a joined projection and inputs after it: the sizes in it


# -- what there is ----------------------------------------------------------------------------------------------------
def channels(model: Any) -> Parts:
    """Return the MLP channels. Raises ValueError with the reason if they cannot be removed from every layer."""
    text = model.config.get_text_config(decoder=True)
    whole = twin(model, {})
    for key in (k for k in _WIDTHS if hasattr(text, k)):
        value = getattr(text, key)

        def changes(kept: int, key: str = key, value: Any = value) -> dict[str, Any]:
            return {key: [kept] * len(value) if isinstance(value, list) else kept}

        found = cuts(whole, twin(model, changes(_TRIED)))
        if found:
            # A joined projection has a multiple of it, and a configuration may leave it to the hidden size.
            counts = {c.before * _TRIED // c.after for c in found if c.after % _TRIED == 0}
            if len(counts) != 1:
                raise ValueError(f"its MLPs are not all as wide as {key} says")

            def none(i: int, key: str = key) -> str:
                return f"layer {i} has no MLP of its own that is as wide as {key} says"

            outputs = _outputs(whole, found, none)
            return Parts(counts.pop(), outputs, changes, lambda size, inputs: [inputs] * (size // inputs))
    raise ValueError(
        "no setting of its configuration decides how wide its MLPs are: a narrower model could not be loaded"
    )


def groups(model: Any) -> Parts:
    """Return the KV heads, each with its query heads. Raises ValueError with the reason if they cannot be removed."""
    text = model.config.get_text_config(decoder=True)
    heads = getattr(text, "num_attention_heads", None)
    if not isinstance(heads, int):
        raise ValueError("it has no attention heads")
    key = next((k for k in _KV_HEADS if isinstance(getattr(text, k, None), int)), None)
    count = getattr(text, key) if key else heads
    size = getattr(text, "head_dim", None) or text.hidden_size // heads

    def changes(kept: int) -> dict[str, Any]:
        more = {key: kept} if key else {}
        return {"num_attention_heads": kept * (heads // count), **more, "head_dim": size}

    whole, others = twin(model, {}), [*range(count - 1, 0, -1), count + 1]  # of a single head, what two would change
    found = cuts(whole, twin(model, changes(next((n for n in others if _loads(model, changes(n))), others[0]))))
    if not found:
        raise ValueError("its heads share a fixed width: a model with fewer of the same size could not be loaded")
    outputs = _outputs(
        whole, found, lambda i: f"layer {i} has no output projection that becomes narrower with fewer attention heads"
    )
    return Parts(count, outputs, changes, lambda size, inputs: [inputs, *[(size - inputs) // 2] * 2])


def _loads(model: Any, changes: dict[str, Any]) -> bool:
    try:
        twin(model, changes)
    except ValueError:
        return False
    return True


def _outputs(model: Any, found: list[Cut], none: Callable[[int], str]) -> list[str]:
    """Return the Linear of each layer whose inputs are the parts. Raises ValueError."""
    where, layers = surgery.decoder_layers(model)
    outputs = []
    for i in range(len(layers)):
        mine = [c for c in found if c.parameter.startswith(f"{where}.{i}.") and _is_input(model, c)]
        if not mine:
            raise ValueError(none(i))
        if len(mine) > 1:
            names = " and ".join(c.parameter.removesuffix(".weight") for c in mine)
            raise ValueError(f"layer {i} feeds them to {names}, not to one projection")
        outputs.append(mine[0].parameter.rpartition(".")[0])
    return outputs


def _is_input(model: Any, cut: Cut) -> bool:
    owner = _owner(model, cut)
    return surgery.is_linear(owner) and cut.parameter.endswith(".weight") and cut.dim == int(not _turned(owner))


def _turned(module: nn.Module) -> bool:
    return isinstance(module, Conv1D)


def _owner(model: Any, cut: Cut) -> Any:
    return model.get_submodule(cut.parameter.rpartition(".")[0])


def widths(model: Any, parts: Parts) -> list[tuple[int, int]]:
    """Return the number of inputs that the parts fill in every layer: in the loaded model, quantized or not, and by its
    config."""
    whole = twin(model, {})
    return [tuple(surgery.shape(m.get_submodule(name))[1] for m in (model, whole)) for name in parts.outputs]  # type: ignore[misc]


# -- how much each adds -----------------------------------------------------------------------------------------------
def channel_norms(model: Any, ids: Sequence[int]) -> list[Tensor]:
    """Return the norm of what every MLP channel adds, per layer: [channels]."""

    def squares(x: Tensor, weight: Tensor) -> Tensor:
        return x.square().sum(0) * weight.square().sum(0)

    return _norms(model, ids, channels(model).outputs, squares)


def group_norms(model: Any, ids: Sequence[int]) -> list[Tensor]:
    """Return the norm of what every KV head with its query heads adds, per layer: [KV heads]."""
    found = groups(model)

    def squares(x: Tensor, weight: Tensor) -> Tensor:
        parts = zip(x.chunk(found.count, dim=1), weight.chunk(found.count, dim=1), strict=True)
        return torch.stack([(fed @ w.T).square().sum() for fed, w in parts])

    return _norms(model, ids, found.outputs, squares)


@torch.inference_mode()
def _norms(
    model: Any, ids: Sequence[int], names: list[str], squares: Callable[[Tensor, Tensor], Tensor]
) -> list[Tensor]:
    """Return √Σ squares(X, W) of every Linear over chunks of its inputs X [tokens, K]."""
    totals: list[Any] = [None] * len(names)

    def watch(i: int) -> Any:
        def hook(module: nn.Module, args: tuple[Any, ...]) -> None:
            found = squares(args[0].flatten(0, -2).float(), surgery.as_linear(module).weight.float())
            totals[i] = found if totals[i] is None else totals[i] + found

        return hook

    handles = [model.get_submodule(n).register_forward_pre_hook(watch(i)) for i, n in enumerate(names)]
    try:
        for chunk in chunks(model, ids):
            model(chunk, use_cache=False)
    finally:
        for handle in handles:
            handle.remove()
    if any(total is None for total in totals):
        raise ValueError(f"{names[totals.index(None)]} is not reached by the calibration text")
    return [total.sqrt() for total in totals]


def largest(norms: Tensor, count: int) -> Tensor:
    """Return the indices of the `count` largest, in the layer's order."""
    return norms.topk(count).indices.sort().values


# -- taking out -------------------------------------------------------------------------------------------------------
def keep_channels(model: Any, keep: Sequence[Tensor]) -> None:
    """Leave only these channels in every layer's MLP; the same number in each. Raises ValueError, before any change, if
    transformers has no such model."""
    _keep(model, channels(model), keep)


def keep_groups(model: Any, keep: Sequence[Tensor]) -> None:
    """Leave only these KV heads in every layer, each with its query heads; the same number in each. Raises ValueError,
    before any change, if transformers has no such model."""
    _keep(model, groups(model), keep)


def check(model: Any, parts: Parts, kept: int) -> tuple[list[Cut], list[tuple[str, str, Any]]]:
    """Return the cuts that `kept` parts per layer make, and the values that modules then have: module, name, value.
    Raises ValueError with the reason if parts cannot be removed from such layers."""
    whole, other = twin(model, {}), twin(model, parts.changes(kept))
    found = cuts(whole, other)
    where, _ = surgery.decoder_layers(model)
    for cut in found:
        owner, module = _owner(model, cut), cut.parameter.rpartition(".")[0]
        if not cut.parameter.startswith(f"{where}."):
            raise ValueError(f"{module} is beside the layers, and would have to change too")
        if owner.get_parameter(cut.parameter.rpartition(".")[2]).dim() > 2:
            raise ValueError(f"{module} holds its experts in one tensor")
        if cut.before * kept != cut.after * parts.count:
            raise ValueError(f"{module} would be {cut.after} wide, not {cut.before}, which takes no whole parts away")
        if not surgery.is_linear(owner) and not any(owner.children()):
            raise ValueError(f"{module} works on all of a layer's parts together, so none can go alone")
    changed = list(settings(whole, other))
    for name, key, mine, theirs in changed:
        if not isinstance(theirs, int | list | tuple) or isinstance(theirs, bool):
            raise ValueError(f"with fewer of them, {name}.{key} would be {theirs} instead of {mine}")
    if runs(whole) and not runs(other):
        raise ValueError("with fewer of them, its layers do not fit each other")
    return found, [(name, key, theirs) for name, key, _, theirs in changed]


def _keep(model: Any, parts: Parts, keep: Sequence[Tensor]) -> None:
    found, values = check(model, parts, len(keep[0]))
    with torch.no_grad():
        for name, kept in zip(parts.outputs, keep, strict=True):
            weight = surgery.as_linear(model.get_submodule(name)).weight.data  # of a Conv1D, a view of its own
            silent = torch.ones(parts.count, dtype=torch.bool, device=weight.device)
            silent[kept] = False
            weight.masked_fill_(silent.repeat_interleave(weight.shape[1] // parts.count), 0)
        silenced = narrowing.probe(model)
        where, _ = surgery.decoder_layers(model)
        for i, (output, kept) in enumerate(zip(parts.outputs, keep, strict=True)):
            mine = [c for c in found if c.parameter.startswith(f"{where}.{i}.")]
            places = _places(model, parts, mine, output, kept)
            for cut, index in zip(mine, places, strict=True):
                narrowing.select(model, cut, index)
        narrowing.settle(model, values, parts.changes(len(keep[0])))
        try:
            narrow = narrowing.probe(model)
        except RuntimeError as error:
            raise ValueError("with fewer of them, its layers do not fit each other") from error
    if not narrowing.is_same(model, narrow, silenced):
        raise ValueError("without these parts its layers compute something else than with these parts at zero")


def _places(model: Any, parts: Parts, found: list[Cut], output: str, kept: Tensor) -> list[Tensor]:
    """Return the places of the kept parts in each dimension of a layer that holds them. Parts lie consecutively. A
    joined projection (gate and up; q, k and v), which has more outputs than the layer after it has inputs, holds them
    once per joined projection."""
    inputs = surgery.shape(model.get_submodule(output))[1]
    feeding = {c.parameter.rpartition(".")[0] for c in found if surgery.is_linear(_owner(model, c))} - {output}
    places = []
    for cut in found:
        joined = len(feeding) == 1 and cut.before > inputs
        index, start = [], 0
        for size in parts.joined(cut.before, inputs) if joined else [cut.before]:
            each = size // parts.count
            steps = torch.arange(each, device=kept.device)
            index.append((start + kept[:, None] * each + steps).flatten())
            start += size
        places.append(torch.cat(index))
    return places
