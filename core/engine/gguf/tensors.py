"""Maps each tensor of a GGUF file to a model's parameter, and checks the result. A file with an unmapped tensor, or a
parameter without a tensor, is refused by the tensor's name: transformers would go on without it, or with random
numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from transformers import AutoModelForCausalLM
from transformers.core_model_loading import WeightConverter, WeightRenaming, rename_source_key
from transformers.integrations.gguf import get_gguf_conversion_mapping, is_gguf_arch_supported
from transformers.modeling_gguf_pytorch_utils import TENSOR_PROCESSORS, TensorProcessor, get_gguf_hf_weights_map

from core.engine.gguf.rope import is_of_rope
from core.model.gguf_header import Header
from core.model.model_error import ModelError

_HINT = "Use the model's safetensors folder instead."
#: Blocks that guess further tokens: beside the model, not in it.
_GUESSES = re.compile(r"\.nextn\.|^mtp\.")
_BLOCK = re.compile(r"^blk\.(\d+)\.")
#: How far the sum of squares of a tensor may be off, as a share: rounding to bf16 changes it by less than 2⁻⁸.
_CLOSE = {torch.float32: 1e-4, torch.bfloat16: 4e-3, torch.float16: 1e-3}

Places = dict[str, list[str]]  # parameter of the model → tensors of the file that fill it


def account(config: Any, header: Header, source: Path) -> Places:
    """Return the place of each tensor of the file. Raises ModelError for missing tensors and tensors without a
    place."""
    family = str(header.metadata["general.architecture"])
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    _check_turned(model, family, header, source)
    names = [t.name for t in header.tensors if not is_of_rope(t.name)]
    parameters = [name for name, _ in model.named_parameters()]  # tied ones once
    read = _new_places if is_gguf_arch_supported(family) else _old_places
    places, wanted = read(model, config, family, names)
    found = {name for tensors in places.values() for name in tensors}
    if missing := _missing(parameters, places, wanted):
        hint = "Get the complete file, or all parts of the model."
        if len(missing) == 1:
            raise ModelError(f"{source}: 1 tensor is missing, {missing[0]}", hint)
        raise ModelError(f"{source}: {len(missing):,} tensors are missing, the first is {missing[0]}", hint)
    layers = config.get_text_config(decoder=True).num_hidden_layers
    left = [n for n in names if n not in found and not _GUESSES.search(n) and _block(n) < layers]
    if left:
        raise ModelError(
            f"{source}: transformers has no place for {len(left):,} of its tensors in a model of the kind {family}, "
            f"the first is {left[0]}",
            _HINT,
        )
    state = set(model.state_dict())
    return {name: tensors for name, tensors in places.items() if name in state}


def _check_turned(model: Any, family: str, header: Header, source: Path) -> None:
    """Check the number of rotated channels per head against what the model will rotate: some architectures rotate all
    of them, whatever their config says. Raises ModelError."""
    turned = header.metadata.get(f"{family}.rope.dimension_count")
    widths = sorted({2 * len(b) for name, b in model.named_buffers() if name.endswith("inv_freq") and b.ndim == 1})
    if turned is not None and widths and turned not in widths:
        raise ModelError(
            f"{source}: {turned} channels of each head are turned by position, and models of the kind {family} in "
            f"transformers turn {', '.join(map(str, widths))}",
            _HINT,
        )


def _block(name: str) -> int:
    found = _BLOCK.match(name)
    return int(found[1]) if found else -1


def _missing(parameters: Iterable[str], places: Places, wanted: Mapping[str, set[str]]) -> list[str]:
    """Return the missing tensors by their names in the file: a parameter's, or half of an expert stack."""
    missing = []
    for name in parameters:
        have, need = set(places.get(name, ())), wanted.get(name, set())
        if not have:
            missing.append(min(need, default=name))
        elif any("_exps" in tensor for tensor in have):
            missing += sorted(need - have)
    return missing


def _old_places(model: Any, config: Any, family: str, names: list[str]) -> tuple[Places, dict[str, set[str]]]:
    """Return the places and wanted parts by the `gguf` package's name table of each architecture."""
    processor = TENSOR_PROCESSORS.get(family, TensorProcessor)(config=config.to_dict())
    table = get_gguf_hf_weights_map(model, processor)
    full = {_with_weight(tensor, names): parameter for tensor, parameter in table.items()}
    if "output.weight" in names and "output.weight" not in full:
        full["output.weight"] = "lm_head.weight"
    places, wanted = defaultdict(list), defaultdict(set)
    for tensor, parameter in full.items():
        wanted[parameter].add(tensor)
    for name in names:
        if name in full:
            places[full[name]].append(name)
    return dict(places), dict(wanted)


def _with_weight(tensor: str, names: list[str]) -> str:
    """Return a tensor's name with the `.weight` that the table leaves out for expert stacks and scalars."""
    bare = not tensor.endswith((".weight", ".bias")) and tensor not in names
    return f"{tensor}.weight" if bare and ("_exps" in tensor or f"{tensor}.weight" in names) else tensor


def _new_places(model: Any, config: Any, family: str, names: list[str]) -> tuple[Places, dict[str, set[str]]]:
    """Return the places and wanted parts by transformers' own renamings, which some architectures have."""
    mapping = deepcopy(get_gguf_conversion_mapping(family, config))
    renamings = [entry for entry in mapping if isinstance(entry, WeightRenaming)]
    converters = [entry for entry in mapping if isinstance(entry, WeightConverter)]
    state, places, wanted = set(model.state_dict()), defaultdict(list), defaultdict(set)
    for name in names:
        parameter, _ = rename_source_key(name, renamings, converters)
        if parameter in state:
            places[parameter].append(name)
            wanted[parameter].add(name)
            for this, other in (("_gate_exps", "_up_exps"), ("_up_exps", "_gate_exps")):
                if this in name:
                    wanted[parameter].add(name.replace(this, other))
    return dict(places), dict(wanted)


@torch.no_grad()
def fill(model: Any, missing: Iterable[str], places: Places, source: Path) -> list[str]:
    """Copy tensors into parameters that transformers left out because the file names them differently (a layer's
    scalar). Returns the parameters still missing."""
    state, stored = model.state_dict(), {t.name: t for t in gguf.GGUFReader(str(source)).tensors}
    left = []
    for name in missing:
        tensors = places.get(name, [])
        if len(tensors) == 1 and state[name].ndim < 2 and state[name].numel() == stored[tensors[0]].n_elements:
            values = np.array(gguf.dequantize(stored[tensors[0]].data, stored[tensors[0]].tensor_type))
            state[name].copy_(torch.from_numpy(values).reshape(state[name].shape))
        else:
            left.append(name)
    return left


def compare(model: Any, places: Places, header: Header, source: Path, named: Path) -> None:
    """Check the loaded model against the file by each tensor's sum of squares, which reordering rows or channels
    preserves. A small model is checked whole, a large one outside its blocks and in three blocks. Only matrices are
    compared: a vector may be shifted on purpose (a norm stored as its weight plus 1), and so may a state's decay.
    Raises ModelError."""
    stored = {tensor.name: tensor for tensor in gguf.GGUFReader(str(source)).tensors}
    blocks = sorted({_block(name) for name in stored})
    few = {-1, blocks[-1], blocks[len(blocks) // 2], min(b for b in [*blocks, 0] if b >= 0)}
    large = sum(t.elements for t in header.tensors) > 1_000_000_000
    parameters = model.state_dict()
    for name, tensors in places.items():
        is_matrix = len(stored[tensors[0]].shape) > 1 and tensors[0].endswith(".weight")
        if not is_matrix or (large and _block(tensors[0]) not in few):
            continue
        wanted = sum(_squares(gguf.dequantize(stored[t].data, stored[t].tensor_type)) for t in tensors)
        have = float(parameters[name].detach().double().pow(2).sum())
        if not abs(have - wanted) <= _CLOSE.get(parameters[name].dtype, 4e-3) * wanted:
            raise ModelError(f"{named}: {tensors[0]} is not in the model as it is in the file", _HINT)


def _squares(values: Any) -> float:
    return float(np.square(values, dtype=np.float64).sum())
