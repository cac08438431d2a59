"""Reads a model and its tokenizer from files: as transformers does, from a maker's codes, or from a materialized
folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from core.base.out_of_memory import is_out_of_memory
from core.engine.base.load_errors import is_of_the_machine, unloadable, unreadable_tokenizer
from core.engine.weights.packed_checkpoint import is_plain, stays_packed
from core.engine.weights.text_part import text_part
from core.kernels.base import dtypes
from core.model import quantization_schemes
from core.model.facts import ModelFacts
from core.model.model_error import ModelError
from core.model.quantization_schemes import Scheme
from core.model.source import ModelSource

#: How a folder that was materialized has its int4 and int8 layers.
_PACKED = Scheme(method="compressed-tensors", words="compressed-tensors", layout="compressed")


def read_model(
    facts: ModelFacts,
    source: ModelSource,
    device: torch.device,
    options: dict[str, Any],
    notes: list[str] | None = None,
) -> Any:
    """Return the model; `notes` receives what a user should know of its weights. Raises ModelError."""
    if device.type == "cuda":
        options.setdefault("device_map", {"": device})
    made = facts.materialized
    scheme = _PACKED if made is not None and made.codes else facts.scheme
    try:
        if made is not None and not made.for_others:
            from core.engine.weights.rebuild import rebuild

            model = rebuild(Path(facts.path), made, device, options, **_trusted(source))
            return model.eval().requires_grad_(False)
        part, multiplied = text_part(Path(facts.path), **_trusted(source)), dict[str, str]()
        if scheme is not None and scheme.layout is not None and not stays_packed(scheme, device):
            from core.engine.weights.stored_codes import read_codes

            model, info, multiplied = read_codes(facts, scheme, device, options, part, **_trusted(source))
        else:
            model, info = AutoModelForCausalLM.from_pretrained(
                facts.path,
                use_safetensors=None if source.allow_pickle else True,
                output_loading_info=True,
                **_trusted(source),
                **options,
                **(part.options() if part is not None else {}),
            )
    except ModelError:
        raise
    except Exception as error:
        if is_out_of_memory(error) or is_of_the_machine(error):
            raise
        raise unloadable(facts, error) from error
    missing = sorted(info["missing_keys"])
    if missing:  # transformers would go on with random numbers there
        raise ModelError(
            f"{facts.path}: {len(missing)} tensors are missing from the weights, the first is {missing[0]}",
            "Get the complete model.",
        )
    unused = sorted(info["unexpected_keys"])
    if parts := [name for name in unused if quantization_schemes.is_part(name)]:  # transformers took codes for weights
        raise ModelError(
            f"{facts.path}: {len(parts)} tensors that weights are quantized with are not used, the first is "
            f"{parts[0]}: codes would be taken for weights",
            "Choose the model as it was before it was quantized, or another quantization of it.",
        )
    if notes is not None:
        if part is not None:
            others = [name for name in unused if not part.holds(name)]
            unused = [name for name in unused if part.holds(name)]
            notes.append(
                f"the text part of {facts.architecture} is measured: {len(others)} tensors of its other parts are "
                "left out"
            )
        if unused:
            notes.append(f"{len(unused)} tensors of the weights are not used by the model, the first is {unused[0]}")
        notes += _of_the_scheme(facts, model, multiplied)
    return model.eval().requires_grad_(False)


def _of_the_scheme(facts: ModelFacts, model: Any, multiplied: dict[str, str]) -> list[str]:
    """Return notes on what became of a quantized checkpoint's codes."""
    scheme = facts.scheme
    if scheme is None:
        return []
    dtype = dtypes.name(model.dtype)
    notes = [f"the weights are as their maker quantized them: {scheme.words}"]
    if is_plain(facts, model):
        notes = [
            f"the weights were dequantized from {scheme.words} to {dtype}: memory and speed are those of {dtype}, the "
            f"rounding is that of {scheme.method}"
        ]
    elif multiplied:
        name, reason = next(iter(multiplied.items()))
        notes = [
            f"{len(multiplied)} layers were dequantized from {scheme.words} to {dtype}, since no kernel here takes "
            f"their codes; the first is {name}: {reason}"
        ]
    if scheme.activations:
        notes.append("activations stay as they are here; the programs that the weights were made for quantize them too")
    return notes


def _trusted(source: ModelSource) -> dict[str, Any]:
    return {"local_files_only": True, "trust_remote_code": source.trust_remote_code}


def read_tokenizer(facts: ModelFacts, source: ModelSource) -> Any:
    try:
        return AutoTokenizer.from_pretrained(facts.path, **_trusted(source))
    except Exception as error:
        if is_out_of_memory(error):
            raise
        raise unreadable_tokenizer(facts, error, source.trust_remote_code) from error
