"""Reads a packed checkpoint without the packer's library: codes become Dyno's int4 and int8 Linears if a kernel takes
them, and plain weights otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor, nn
from transformers import AutoConfig, GenerationConfig
from transformers.pytorch_utils import Conv1D
from transformers.quantizers.auto import AUTO_QUANTIZER_MAPPING
from transformers.quantizers.base import HfQuantizer
from transformers.utils.quantization_config import QuantizationConfigMixin

from core.engine.weights.text_part import TextPart
from core.kernels.base import surgery
from core.kernels.base.outline import outline
from core.kernels.packed import layer_storage, packed_codes
from core.kernels.weights.linears import Int4Linear
from core.model.facts import ModelFacts
from core.model.finder import weight_files
from core.model.materialized_note import ASIDE, Materialized
from core.model.model_error import ModelError
from core.model.quantization_schemes import Scheme

_METHOD = "dyno-codes"
_AGAIN = "Get the complete model again, from where it came."
_CODE_PARTS = ("qweight", "weight_packed", "weight")  # the one that holds the codes
_CODE_TYPES = (torch.int32, torch.int8, torch.uint8, torch.float8_e4m3fn, torch.float8_e5m2)


def read_codes(
    facts: ModelFacts,
    scheme: Scheme,
    device: torch.device,
    options: dict[str, Any],
    text: TextPart | None = None,
    **trusted: Any,
) -> tuple[Any, dict[str, Any], dict[str, str]]:
    """Return the model, transformers' account of its tensors, and the dequantized layers with the reasons; of a
    multimodal model its `text` part. What Dyno wrote is unchanged. Raises ModelError, and what transformers raises."""
    folder = Path(facts.path)
    config = _plain(AutoConfig.from_pretrained(folder, **trusted) if text is None else text.config)
    skeleton = outline(config, trusted["trust_remote_code"])
    model_class = type(skeleton)
    dtype = options["dtype"]
    rest: dict[str, Tensor] = {}
    made: dict[str, nn.Module] = {}
    multiplied: dict[str, str] = {}
    left_out: list[str] = []
    for stored_as, names, load in _owners(folder):
        if text is not None and not text.holds(names[0]):
            left_out += names
            continue
        owner = stored_as if text is None else text.renamed(f"{stored_as}.weight").removesuffix(".weight")
        parts = load(device)
        code = next((parts[part] for part in _CODE_PARTS if part in parts), None)
        if code is None or code.dtype not in _CODE_TYPES:
            rest |= {f"{owner}.{part}".lstrip("."): tensor for part, tensor in parts.items()}
            continue
        module, bias = surgery.submodule(skeleton, owner), parts.get("bias")
        try:
            codes = _decode(scheme, parts)
            layer = _layer(codes, module, None if bias is None else bias.to(dtype))
            if isinstance(layer, nn.Module):
                made[owner] = layer.eval()
                continue
            if isinstance(codes, packed_codes.Codes):
                multiplied[owner] = layer
                codes = codes.weight()
        except KeyError as error:
            raise ModelError(f"{folder}: {owner} lacks its tensor {error.args[0]}", _AGAIN) from error
        except (ValueError, RuntimeError, IndexError) as error:
            raise ModelError(f"{folder}: {owner} cannot be read as {scheme.words}: {error}", _AGAIN) from error
        weight = codes.to(dtype)
        rest[f"{owner}.weight"] = weight.T.contiguous() if isinstance(module, Conv1D) else weight
        if bias is not None:
            rest[f"{owner}.bias"] = bias
    del skeleton
    AUTO_QUANTIZER_MAPPING[_METHOD] = _WithHoles
    model, info = model_class.from_pretrained(
        None, config=config, state_dict=rest, quantization_config=_Holes(list(made)), output_loading_info=True,
        local_files_only=True, **options,
    )  # fmt: skip
    note = facts.materialized
    for name, layer in made.items():
        if note is not None and isinstance(layer, Int4Linear):
            layer.how = note.codes.get(name, layer.how)
        model.set_submodule(name, layer)
    if note is not None and note.layers:
        _set_aside(model, folder, note, dtype)
    if (folder / "generation_config.json").is_file():
        model.generation_config = GenerationConfig.from_pretrained(folder, local_files_only=True)
    return model, {**info, "unexpected_keys": {*info["unexpected_keys"], *left_out}}, multiplied


def _set_aside(model: Any, folder: Path, note: Materialized, dtype: torch.dtype) -> None:
    """Put layers as Dyno wrote them in place of the plain weights written for others. Raises ModelError."""
    parts: dict[str, dict[str, Tensor]] = defaultdict(dict)
    with safe_open(folder / ASIDE, framework="pt", device=str(model.device)) as file:
        for full in file.keys():  # noqa: SIM118  (it is no dictionary)
            name, _, part = full.rpartition(".")
            tensor = file.get_tensor(full).clone()  # in memory of torch's, aligned as its kernels need
            parts[name][part] = tensor.to(dtype) if part == "bias" else tensor
    for name, layer in note.layers.items():
        try:
            made = layer_storage.restore(layer.kind, parts[name], layer.settings)
            if surgery.shape(made) != surgery.shape(model.get_submodule(name)):
                raise ValueError(f"its shape is {surgery.shape(made)}")
        except (ValueError, AttributeError) as error:
            raise ModelError(f"{folder}: {name} cannot be rebuilt: {error}", _AGAIN) from error
        model.set_submodule(name, made)


def _layer(codes: packed_codes.Codes | Tensor, module: nn.Module | None, bias: Tensor | None) -> nn.Module | str:
    """Return a Linear of Dyno's in place of `module`, or the reason why there is none. Raises ValueError."""
    if not isinstance(codes, packed_codes.Codes):
        return "it has more than one scale for an output"
    if type(module) is not nn.Linear:
        return "it is no Linear layer of this model"
    if codes.q.shape != (module.out_features, module.in_features):
        raise ValueError(f"its codes are of shape {list(codes.q.shape)}")
    try:
        return codes.linear(bias)
    except packed_codes.CannotQuantize as error:
        return str(error)


def _decode(scheme: Scheme, parts: Mapping[str, Tensor]) -> packed_codes.Codes | Tensor:
    """Return the decoded codes or weights, by the layer's own parts: some checkpoints pack layers in several ways.
    Raises ValueError and KeyError."""
    if "qweight" in parts:
        return packed_codes.awq(parts) if scheme.layout == "awq" else packed_codes.gptq(parts, scheme.zero_offset)
    if {"weight_scale_2", "weight_global_scale"} & set(parts):
        return packed_codes.nvfp4(parts)
    if "weight_packed" in parts:
        return packed_codes.compressed(parts, scheme.bits)
    return packed_codes.scaled(parts, scheme.block)


def _plain(config: Any) -> Any:
    """Return the config without its quantization."""
    for owner in {id(c): c for c in (config, config.get_text_config(decoder=True))}.values():
        for name in ("quantization_config", "compression_config"):
            if hasattr(owner, name):
                delattr(owner, name)
    return config


def _owners(folder: Path) -> Iterator[tuple[str, list[str], Callable[[torch.device], dict[str, Tensor]]]]:
    """Yield each layer's name in the files, its tensors' names, and a function that reads them."""
    places: dict[str, dict[str, Path]] = defaultdict(dict)
    for path in weight_files(folder):
        with safe_open(path, framework="pt") as file:
            for name in file.keys():  # noqa: SIM118  (it is no dictionary)
                owner, _, part = name.rpartition(".")
                places[owner][part] = path

    def reader(owner: str, parts: Mapping[str, Path]) -> Callable[[torch.device], dict[str, Tensor]]:
        def read(device: torch.device) -> dict[str, Tensor]:
            found = {}
            for part, path in parts.items():
                with safe_open(path, framework="pt", device=str(device)) as file:
                    found[part] = file.get_tensor(f"{owner}.{part}".lstrip("."))
            return found

        return read

    for owner, parts in places.items():
        yield owner, [f"{owner}.{part}".lstrip(".") for part in parts], reader(owner, parts)


class _Holes(QuantizationConfigMixin):
    """Tells transformers' loader which layers to skip."""

    def __init__(self, names: list[str]) -> None:
        self.quant_method = _METHOD
        self.names = names


class _WithHoles(HfQuantizer):
    """Removes the layers that are made elsewhere from a model while the rest is loaded."""

    def _process_model_before_weight_loading(self, model: Any, **_: Any) -> None:
        for name in self.quantization_config.names:
            model.set_submodule(name, nn.Identity())

    def _process_model_after_weight_loading(self, model: Any, **_: Any) -> None:
        self.remove_quantization_config(model)

    def is_serializable(self) -> bool:
        return False

    @property
    def is_trainable(self) -> bool:
        return False
