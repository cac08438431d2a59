"""Writes a model with int4 and int8 layers in compressed-tensors' format, which other programs load."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from core.kernels.base import surgery
from core.kernels.base.outline import outline
from core.kernels.packed import compressed_tensors, layer_storage
from core.model.materialized_note import ASIDE, Materialized, StoredLayer


@dataclass
class Packing:
    """The part of a model that fits compressed-tensors' format: its layers' tensors and common settings, and the layers
    written twice, as plain weights for others and packed for Dyno: the head, which other programs expect unpacked, and
    layers packed differently from most."""

    parts: dict[str, dict[str, torch.Tensor]]
    arguments: dict[str, Any]
    aside: list[str]

    def more_bytes(self, model: Any) -> int:
        """Return the bytes on disk beyond those in memory, of layers written twice."""
        shapes = [surgery.shape(model.get_submodule(name)) for name in self.aside]
        return sum(n * k for n, k in shapes) * model.dtype.itemsize


def packing(model: Any, own: dict[str, Any]) -> tuple[Packing | None, str]:
    """Return Dyno's layers in compressed-tensors' format, or None and the reason."""
    outer = outline(model.config, trust_remote_code=True) if own else None  # the class is loaded already
    head, found = surgery.head_name(model), {}
    for name, layer in own.items():
        try:
            if outer is None or type(surgery.submodule(outer, name)) is not torch.nn.Linear:
                raise compressed_tensors.CannotPack("is no Linear layer in transformers")
            if name != head:
                found[name] = compressed_tensors.pack(layer)
        except compressed_tensors.CannotPack as error:
            return None, f"{name}: {error}"
    if not found:
        return None, ""
    counts = Counter(tuple(said.items()) for _, said in found.values())
    most = dict(counts.most_common(1)[0][0])
    parts = {name: tensors for name, (tensors, said) in found.items() if said == most}
    return Packing(parts, most, [name for name in own if name not in parts]), ""


def write_packed(model: Any, own: dict[str, Any], packed: Packing, folder: Path, note: Materialized) -> Materialized:
    """Write the model as transformers does, with packed tensors in place of plain ones; return the note."""
    state = {n: t for n, t in model.state_dict().items() if n.rpartition(".")[0] not in own}
    state |= {f"{name}.{part}": t for name, parts in packed.parts.items() for part, t in parts.items()}
    beside: dict[str, torch.Tensor] = {}
    layers: dict[str, StoredLayer] = {}
    for name in packed.aside:
        tensors, settings = layer_storage.store(own[name])
        outputs, inputs = surgery.shape(own[name])
        layers[name] = StoredLayer(kind=type(own[name]).__name__, outputs=outputs, inputs=inputs, settings=settings)
        beside |= {f"{name}.{part}": t for part, t in tensors.items()}
        state[f"{name}.weight"] = compressed_tensors.plain(own[name]).to(model.dtype)
        if own[name].bias is not None:
            state[f"{name}.bias"] = own[name].bias
    plain = [name for name in surgery.linear_like(model) if name not in packed.parts]
    model.config.quantization_config = compressed_tensors.configuration(packed.arguments, plain)
    model.config.dtype = model.dtype
    try:
        model.save_pretrained(folder, state_dict=state)
    finally:
        del model.config.quantization_config
    if beside:
        save_file(beside, folder / ASIDE, {"format": "pt"})
    found = {name: str(getattr(own[name], "how", "")) for name in packed.parts}
    return note.model_copy(update={"codes": found, "layers": layers})
