"""Removes whole layers and updates everything that refers to layers.

A config gives the layers' kinds by a list or a rule (every eighth is attention), and some kinds depend on another layer
(the last ones of Gemma 3n and 4 read the keys of earlier ones). So not every selection of layers is a model that a
config can describe: `describes` tells.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn
from transformers import DynamicCache
from transformers.cache_utils import CacheLayerMixin

from core.kernels.base import surgery
from core.kernels.checks import agreement

#: Lists with one value for each layer, whose keys do not say so.
_ONE_EACH = ("intermediate_size", "activation_sparsity_pattern")
#: Lists of the numbers of some layers.
_NUMBERS = ("attn_layer_indices", "full_attn_idxs", "hybrid_layer_ids", "mlp_only_layers", "moe_layers")
#: Counts of layers at the beginning that are otherwise than the rest.
_LEADING = ("num_dense_layers", "first_k_dense_replace", "moe_layer_start_index")
#: The names of a module's layer index.
_OWN_NUMBER = {"layer_idx", "layer_id"}
_INDESCRIBABLE = "no configuration of this kind of model describes the layers that would be left"


def drop_layers(model: Any, drop: Sequence[int], loads: bool = True) -> None:
    """Remove the layers with these indices and make the rest consistent: number, layer indices (which address the
    cache), the config's entries per layer, inputs and keys that layers own or share. `loads` means that the model is to
    be loaded again from its config. Raises ValueError if the rest is no model."""
    name, layers = surgery.decoder_layers(model)
    keep = [i for i in range(len(layers)) if i not in set(drop)]
    config = model.config.get_text_config(decoder=True)
    if not keep:
        raise ValueError("at least one layer must stay")
    kinds = _kinds(config)
    if any(map(_is_attention, kinds)) and not any(_is_attention(kinds[i]) for i in keep if i < len(kinds)):
        raise ValueError("none of the layers that would be left has attention, and transformers cannot do without")
    if not describes(model, drop, loads):
        raise ValueError(_INDESCRIBABLE)
    before = {id(value): key for key, value in vars(config).items() if isinstance(value, list)}
    _keep_inputs(model, config, keep, len(layers))
    _follow(config, keep, len(layers))
    rest = nn.ModuleList(layers[i] for i in keep)
    for index, layer in enumerate(rest):
        for module in layer.modules():
            for key in _OWN_NUMBER & set(vars(module)):
                setattr(module, key, index)
    model.set_submodule(name, rest)
    _tell_modules(model, config, rest, before)
    if loads and not _reads_as(model):
        raise ValueError(_INDESCRIBABLE)
    try:
        with torch.inference_mode():
            agreement.in_parts(model, agreement.PROMPTS[0], [5, 1])
    except (RuntimeError, ValueError, LookupError, AttributeError, TypeError) as error:
        if agreement.says_nothing(error):
            raise
        raise ValueError("the layers of this model know each other by their numbers") from error


def describes(model: Any, drop: Sequence[int], loads: bool = True) -> bool:
    """Return whether a config can describe the remaining layers as they are, with attention among them if there was
    any; with `loads` also after it was written and read."""
    total = len(surgery.decoder_layers(model)[1])
    keep = [i for i in range(total) if i not in set(drop)]
    config = model.config.get_text_config(decoder=True)
    less = copy.deepcopy(config)
    try:
        kinds = _kinds(config)
        wanted = [kinds[i] for i in keep]
        _follow(less, keep, total)
        read = type(less).from_dict(less.to_dict()) if loads else less
        if _kinds(less) != wanted or _kinds(read) != wanted or _types(less) != _types(read):
            return False
        return any(map(_is_attention, wanted)) or not any(map(_is_attention, kinds))
    except (ValueError, IndexError, KeyError, AttributeError, TypeError):
        return False


def _reads_as(model: Any) -> bool:
    """Return whether a model made from the config has the same parameters, by name and size, as far as an outline can
    tell."""
    config = copy.deepcopy(model.config)
    if getattr(config, "quantization_config", None) is not None:
        return True
    try:
        with torch.device("meta"):
            made = type(model)(config)
    except (RuntimeError, NotImplementedError):  # what it computes while it is made needs memory
        return True
    packed = {n for n, m in surgery.linear_like(model).items() if not isinstance(getattr(m, "weight", 0), nn.Parameter)}
    return _sizes(made, packed) == _sizes(model, packed)


def _sizes(model: Any, but: set[str]) -> dict[str, torch.Size]:
    return {n: p.shape for n, p in model.named_parameters() if n.rpartition(".")[0] not in but}


def _kinds(config: Any) -> list[type]:
    """Return the kind of each layer's cache: rows, a window, a state, none."""
    return [type(layer) for layer in DynamicCache(config=config).layers]


def _types(config: Any) -> list[str] | None:
    return getattr(config, "layer_types", None)


def _is_attention(kind: type) -> bool:
    return issubclass(kind, CacheLayerMixin)


def _follow(config: Any, keep: list[int], total: int) -> None:
    """Update a config for the kept layers, in their new order."""
    number = {old: new for new, old in enumerate(keep)}
    changed: dict[str, Any] = {}
    for key, value in vars(config).items():
        if not isinstance(value, list):
            continue
        if key in _NUMBERS:
            changed[key] = [number[i] for i in value if i in number]
        elif len(value) == total and ("layer" in key or key in _ONE_EACH):
            changed[key] = [value[i] for i in keep]
    if "attention_layers" in changed and hasattr(config, "attention_types"):  # from which GPT-Neo makes the former
        changed["attention_types"] = [[[kind], 1] for kind in changed["attention_layers"]]
    if shared := getattr(config, "num_kv_shared_layers", 0):
        changed["num_kv_shared_layers"] = sum(i >= total - shared for i in keep)
    for key in _LEADING:
        if leading := getattr(config, key, None):
            changed[key] = sum(i < leading for i in keep)
    if getattr(config, "scale_depth", None):  # of each layer's branch: scale_depth / sqrt(layers)
        changed["scale_depth"] = config.scale_depth * math.sqrt(len(keep) / total)
    config.num_hidden_layers = len(keep)
    for key, value in changed.items():
        setattr(config, key, value)
    spec = getattr(config, "_heterogeneity_spec", None)
    if spec is not None:
        spec.per_layer_overrides = {number[i]: own for i, own in spec.per_layer_overrides.items() if i in number}


def _keep_inputs(model: Any, config: Any, keep: list[int], total: int) -> None:
    """Keep the kept layers' parts of what every layer receives beside the hidden states (Gemma 3n, 4). The first layers
    share the memory of the whole."""
    size = getattr(config, "hidden_size_per_layer_input", 0)
    if not size:
        return
    first = keep == list(range(len(keep)))
    places = torch.tensor([i * size + j for i in keep for j in range(size)])

    def part(weight: torch.Tensor, dim: int) -> nn.Parameter:
        kept = weight.narrow(dim, 0, len(places)) if first else weight.index_select(dim, places.to(weight.device))
        return nn.Parameter(kept.detach(), requires_grad=False)

    inside = surgery.decoder_layers(model)[0] + "."
    for name, module in model.named_modules():
        if name.startswith(inside) or "per_layer" not in name.rpartition(".")[2]:
            continue
        if isinstance(module, nn.Embedding) and module.embedding_dim == total * size:
            module.weight, module.embedding_dim = part(module.weight, 1), len(places)
        elif isinstance(module, nn.Linear) and module.out_features == total * size:
            module.weight, module.out_features = part(module.weight, 0), len(places)


def _tell_modules(model: Any, config: Any, layers: nn.ModuleList, before: dict[int, str]) -> None:
    """Update what modules copied from the config when they were made: its lists, and who stores keys for others."""
    modes = getattr(config, "kv_sharing_modes", None)
    for module in model.modules():
        for key, value in vars(module).items():
            if id(value) in before:
                setattr(module, key, getattr(config, before[id(value)]))
        if modes is not None and "first_kv_shared_layer_idx" in vars(module):
            module.first_kv_shared_layer_idx = len(layers) - config.num_kv_shared_layers
    for mode, layer in zip(modes or (), layers, strict=False):
        for module in layer.modules():
            if "store_full_length_kv" in vars(module):
                module.store_full_length_kv = mode == "store"
