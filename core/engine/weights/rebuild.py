"""Rebuilds a model from a materialized folder with Dyno's layers."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import torch
from accelerate import init_empty_weights
from safetensors import safe_open
from torch import Tensor, nn
from transformers import AutoConfig, AutoModelForCausalLM, GenerationConfig

from core.engine.base.runtime import Runtime
from core.feasibility.compatibility import recipe_of, repeated
from core.kernels.base import surgery
from core.kernels.experts import experts
from core.kernels.packed import layer_storage
from core.model.materialized_note import WEIGHTS, Materialized
from core.model.model_error import ModelError

_GET_AGAIN = "Materialize the preset again."
_ALIGNMENT = 64  # bytes: torch's own


def rebuild(folder: Path, note: Materialized, device: torch.device, options: dict[str, Any], **trusted: Any) -> Any:
    """Return the model with its layers as they were written. `options` are those of `from_pretrained`; floating-point
    tensors outside the quantized layers get its dtype. Raises ModelError."""
    dtype = options["dtype"]
    config = AutoConfig.from_pretrained(folder, **trusted)
    kept = {k: v for k, v in options.items() if k != "device_map"}  # one device holds these layers
    with init_empty_weights(include_buffers=False):  # buffers that are in no file (rotary tables) are computed
        model = AutoModelForCausalLM.from_config(config, trust_remote_code=trusted["trust_remote_code"], **kept)
    rest: dict[str, Tensor] = {}
    parts: dict[str, dict[str, Tensor]] = defaultdict(dict)
    with safe_open(folder / WEIGHTS, framework="pt", device=str(device)) as file:
        for name in file.keys():  # noqa: SIM118  (it is no dictionary)
            layer, _, part = name.rpartition(".")
            tensor = file.get_tensor(name)
            if layer in note.layers:
                parts[layer][part] = _aligned(tensor)
            else:
                rest[name] = tensor.to(dtype) if tensor.is_floating_point() else tensor
    # The layer of an expert says which way round the tensor was that it was a slice of.
    said = {name: layer.settings.get("transposed") for name, layer in note.layers.items()}
    experts.split(model, ways={name.rpartition(".")[0]: bool(way) for name, way in said.items() if way is not None})
    for name, layer in note.layers.items():
        try:
            made = layer_storage.restore(layer.kind, parts[name], layer.settings)
            wanted = surgery.shape(model.get_submodule(name))
            if not surgery.shape(made) == (layer.outputs, layer.inputs) == wanted:
                raise ValueError(f"its shape is {surgery.shape(made)}, the configuration asks for {wanted}")
        except (ValueError, AttributeError) as error:
            raise ModelError(f"{folder}: {name} cannot be rebuilt: {error}", _GET_AGAIN) from error
        _keep_bias_in(made, dtype)
        model.set_submodule(name, made)
    left_over = model.load_state_dict(rest, strict=False, assign=True).unexpected_keys
    model.tie_weights()
    missing = [name for name, parameter in model.named_parameters() if parameter.device.type == "meta"]
    if missing or left_over:
        first = f"{missing[0]} is missing" if missing else f"{left_over[0]} belongs nowhere"
        raise ModelError(f"{folder / WEIGHTS}: does not fit its configuration: {first}", _GET_AGAIN)
    with contextlib.suppress(OSError):  # not every model has one
        model.generation_config = GenerationConfig.from_pretrained(folder, local_files_only=True)
    return model.to(device)


def _aligned(tensor: Tensor) -> Tensor:
    """Return the tensor, copied if it is not aligned as torch's allocator would. safetensors guarantees multiples of 8
    bytes and torch's int8pack kernel needs 16: measured, torch 2.13, AVX-512 without AMX, it ends the process from four
    rows on."""
    return tensor if tensor.data_ptr() % _ALIGNMENT == 0 else tensor.clone()


def _keep_bias_in(layer: nn.Module, dtype: torch.dtype) -> None:
    bias = getattr(layer, "bias", None)
    if bias is not None:
        layer.bias = bias.to(dtype)


def take_over(runtime: Runtime, note: Materialized) -> None:
    """Mark the strategies that are in the weights already as applied, so that they are not run again; their receipts
    are read from the weights."""
    runtime.applied = frozenset(repeated(note, runtime.variant))
    runtime.work = {slot: note.work.get(slot, {}) for slot in runtime.applied}
    if runtime.applied:
        runtime.weights_bytes_before = note.weights_bytes_before
    runtime.notes += note.notes
    runtime.notes.append(
        f"the weights were written by Dyno {note.dyno_version} from {note.name}: {recipe_of(note).recipe()}"
    )
