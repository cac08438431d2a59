"""Detects how a checkpoint was quantized, from its config.json, the files beside it, and the names, types and shapes of
its tensors, which decide. Formats: GPTQ (AutoGPTQ, GPTQModel); AWQ (AutoAWQ, GEMM); compressed-tensors
(github.com/vllm-project); ModelOpt, Quark and FBGEMM FP8 (a code times a scale)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.base.files import parse_json, read_whole
from core.base.value import Value
from core.model.safetensors_header import SafetensorsTensor

Layout = Literal["gptq", "awq", "compressed", "scaled", "nvfp4"]
_Owners = Mapping[str, Mapping[str, SafetensorsTensor]]


class SchemeError(ValueError):
    """Neither Dyno nor transformers reads these weights correctly. `hint` says what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class Scheme(Value):
    """The quantization of a checkpoint. `layout` is how Dyno reads the codes; None if transformers reads them, with
    `packages`. `plain` means that dequantized weights come out, so the figures are not those of the scheme
    (transformers keeps some formats quantized on a GPU)."""

    method: str  # GPTQ, AWQ, …
    words: str  # with its bits and groups
    layout: Layout | None = None
    plain: bool = False
    packages: tuple[str, ...] = ()
    transformers: bool = True  # whether it reads these weights, with the packages
    gpu: bool = False
    activations: bool = False  # which programs of the maker's quantize too, and Dyno does not
    kernels: str = ""  # the package with which transformers multiplies codes as they are, on a GPU
    zero_offset: int = 0  # the offset that GPTQ's first format subtracted from zero points
    bits: int = 0  # of a code, where the config says so
    block: tuple[int, int] | None = None  # of weights that share a scale, where the config says so


@dataclass(frozen=True)
class _Method:
    """A quantization method. `packages` are those with which transformers reads it; None means that it does not, and
    `elsewhere` says what does."""

    name: str
    packages: tuple[str, ...] | None = None
    gpu: bool = False
    plain: bool = False
    elsewhere: str = ""


#: By quant_method, with _ for -. What the layout of the tensors lets Dyno read itself needs none of these packages.
_METHODS = {
    "gptq": _Method("GPTQ", ("gptqmodel", "optimum")),
    "awq": _Method("AWQ", ("gptqmodel",)),
    "auto_round": _Method("AutoRound", ("auto-round",)),
    "compressed_tensors": _Method("compressed-tensors", ("compressed-tensors",)),
    "bitsandbytes": _Method("bitsandbytes", ("bitsandbytes",)),
    "torchao": _Method("torchao", ("torchao",)),
    "fp8": _Method("fine-grained FP8", (), plain=True),
    "mxfp8": _Method("MXFP8", (), plain=True),
    "mxfp4": _Method("MXFP4", (), plain=True),
    "bitnet": _Method("BitNet", ()),
    "fbgemm_fp8": _Method("FBGEMM FP8", ("fbgemm-gpu-genai",), gpu=True),
    "quark": _Method("Quark", ("amd-quark",)),
    "hqq": _Method("HQQ", ("hqq",), gpu=True),
    "aqlm": _Method("AQLM", ("aqlm",)),
    "eetq": _Method("EETQ", ("kernels",), gpu=True),
    "quanto": _Method("Quanto", ("optimum-quanto",)),
    "vptq": _Method("VPTQ", ("vptq",), gpu=True),
    "spqr": _Method("SpQR", ("spqr-quant",), gpu=True),
    "higgs": _Method("HIGGS", ("flute-kernel",), gpu=True),
    "fp_quant": _Method("FP-Quant", ("fp-quant",), gpu=True),
    "sinq": _Method("SINQ", ("sinq",)),
    "modelopt": _Method("ModelOpt", elsewhere="vLLM, SGLang or TensorRT-LLM"),
    "nvfp4": _Method("NVFP4", elsewhere="vLLM, SGLang or TensorRT-LLM"),
    "exl2": _Method("EXL2", elsewhere="exllamav2"),
    "exl3": _Method("EXL3", elsewhere="exllamav3"),
    "mlx": _Method("MLX", elsewhere="mlx-lm"),
}
#: Methods by the parts of a layer that only they have.
_SIGNATURES = (
    ("exl3", {"trellis"}), ("exl2", {"q_weight"}), ("hqq", {"W_q"}), ("aqlm", {"codebooks"}), ("vptq", {"centroids"}),
    ("bitsandbytes", {"absmax", "SCB"}), ("torchao", {"_weight_qdata"}),
)  # fmt: skip
#: Files in which some programs state the quantization beside a silent config.json.
_FILES = (("hf_quant_config.json", "modelopt"), ("quantize_config.json", "gptq"), ("quant_config.json", "awq"))
_WHOLE = {"weight_scale_2", "weight_global_scale"}  # of a tensor, over the scales of its blocks
_FLOAT_CODES = ("F8_E4M3", "F8_E5M2")
_CODES = (*_FLOAT_CODES, "F8_E8M0", "I8", "U8", "I16", "U16", "I32", "U32", "I64", "U64")
_SCALES = ("weight_scale", "weight_scale_inv")
#: What may stand beside a code and its scale without a change to w = (code − zero point)·scale.
_BESIDE = {
    "weight", "bias", *_SCALES, "weight_zero_point", "weight_shape", "input_scale", "input_zero_point", "output_scale",
    "activation_scale", "k_scale", "v_scale", "q_scale",
}  # fmt: skip
#: Last parts of names that belong to a quantization. Such a tensor that no layer of a model takes was forgotten.
_PART = re.compile(
    r"(^|\.)(qweight|qzeros|scales|g_idx|perm|W_q|SCB|absmax|codebooks|centroids|trellis|suh|svh|q_weight|q_scale"
    r"|weight_(scale(_inv|_2)?|global_scale|zero_point|packed|scales|shape|g_idx)"
    r"|pre_quant_scale|\w+_(blocks|scale_inv)|_weight_(qdata|scale|zero_point))$"
)
_ORIGINAL = "Choose the model as it was before it was quantized, or another quantization of it."


def find(config: Mapping[str, Any], folder: Path, tensors: Sequence[SafetensorsTensor]) -> Scheme | None:
    """Return the scheme of a checkpoint; None for ordinary weights. Raises SchemeError if nothing here reads it
    correctly."""
    stated = _stated(config, folder)
    owners = _owners(tensors)
    layout = _layout(owners)
    key = _key(stated) or _signature(owners)
    method = _METHODS.get(key) or _Method(key.replace("_", "-"), elsewhere="the program that made them")
    if layout is not None and not _is_for_transformers(key, owners):
        return _own(layout, owners, key, method, stated)
    if not key and not stated:
        _refuse_naked(tensors)
        return None
    if method.packages is None or not key:
        words = f"quantized with {method.name}" if key else "quantized by a method that config.json does not name"
        raise SchemeError(
            f"the weights are {words}, which neither Dyno nor transformers reads",
            f"They are read by {method.elsewhere}. Here, choose the model as it was before it was quantized.",
        )
    return Scheme(
        method=method.name, words=method.name, plain=method.plain, packages=method.packages, gpu=method.gpu,
    )  # fmt: skip


def is_part(name: str) -> bool:
    """Return whether a tensor's name belongs to a quantization. If such a tensor is unused, codes are being taken for
    weights."""
    return _PART.search(name) is not None


def parameters(scheme: Scheme | None, tensors: Sequence[SafetensorsTensor]) -> int | None:
    """Return the number of weights, packed codes counted as the weights they encode; None if the headers do not
    tell."""
    if scheme is None:
        return sum(t.elements for t in tensors) or None
    if scheme.layout is None:
        return None
    kept = [t for t in tensors if not is_part(t.name) and t.name.rpartition(".")[2] not in _BESIDE - {"weight", "bias"}]
    packed = [t for t in tensors if t.name.endswith((".qweight", ".weight_packed"))]
    if scheme.layout == "nvfp4":  # two to a byte
        return sum(t.elements * (2 if t.dtype == "U8" else 1) for t in {*kept, *packed})
    if packed and not scheme.bits:
        return None
    return sum(t.elements for t in kept) + sum(t.elements * 32 // scheme.bits for t in packed)


def _stated(config: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the quantization settings, from whichever file has them."""
    text = config.get("text_config")
    for owner in (config, text if isinstance(text, dict) else {}):
        for name in ("quantization_config", "compression_config"):
            found = owner.get(name)
            if isinstance(found, dict) and found:
                return {**found, "quant_method": found.get("quant_method") or _unnamed(found)}
    if isinstance(found := config.get("quantization"), dict) and "bits" in found:
        return {**found, "quant_method": "mlx"}
    for name, method in _FILES:
        try:
            found = parse_json(read_whole(folder / name))
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            inner = found.get("quantization")
            return {**(inner if isinstance(inner, dict) else found), "quant_method": method}
    return {}


def _unnamed(found: Mapping[str, Any]) -> str:
    """Return the method of settings without a name: bitsandbytes once wrote none, MLX never does."""
    if "load_in_8bit" in found or "load_in_4bit" in found:
        return "bitsandbytes"
    return "mlx" if set(found) <= {"group_size", "bits", "mode"} and found else ""


def _key(stated: Mapping[str, Any]) -> str:
    key = str(stated.get("quant_method") or "").lower().replace("-", "_").rpartition("/")[2]
    if key == "modelopt" and "NVFP4" in str(stated.get("quant_algo")).upper():
        return "nvfp4"
    return {"autoround": "auto_round", "modelopt_fp4": "nvfp4"}.get(key, key)


def _owners(tensors: Sequence[SafetensorsTensor]) -> dict[str, dict[str, SafetensorsTensor]]:
    """Return the tensors of each layer by the last parts of their names."""
    found: dict[str, dict[str, SafetensorsTensor]] = defaultdict(dict)
    for tensor in tensors:
        owner, _, part = tensor.name.rpartition(".")
        found[owner][part] = tensor
    return found


def _layout(owners: _Owners) -> Layout | None:
    for parts in owners.values():
        if "qweight" in parts and "scales" in parts and parts["qweight"].dtype == "I32":
            wide = parts["qweight"].shape[-1:] == parts["scales"].shape[-1:]
            return "gptq" if wide else "awq"
        if "weight_packed" in parts and "weight_scale" in parts and parts["weight_packed"].dtype == "I32":
            return "compressed"
        weight = parts.get("weight")
        packed = parts.get("weight_packed") or weight
        if packed and packed.dtype == "U8" and "weight_scale" in parts and _WHOLE & set(parts):
            return "nvfp4"
        if weight and weight.dtype in (*_FLOAT_CODES, "I8") and any(scale in parts for scale in _SCALES):
            return "scaled"
    return None


def _is_for_transformers(key: str, owners: _Owners) -> bool:
    """Return whether an fp8 layer has a form that only transformers reads: experts in one tensor, or exponents as
    bytes."""
    strange = (
        (part not in ("weight", *_SCALES) and t.dtype in _FLOAT_CODES) or (part in _SCALES and t.dtype == "U8")
        for parts in owners.values()
        for part, t in parts.items()
    )
    return key in ("fp8", "mxfp8") and any(strange)


def _signature(owners: _Owners) -> str:
    """Return the method that only the tensors reveal, or ""."""
    for parts in owners.values():
        for method, own in _SIGNATURES:
            if own & set(parts):
                return method
        weight = parts.get("weight")
        if weight and weight.dtype == "U32" and "scales" in parts:
            return "mlx"
    return ""


def _own(layout: Layout, owners: _Owners, key: str, method: _Method, stated: Mapping[str, Any]) -> Scheme:
    """Return the scheme of codes that Dyno reads. Raises SchemeError if something prevents it."""
    name = method.name if key else {"gptq": "GPTQ", "awq": "AWQ", "compressed": "compressed-tensors"}.get(layout, "")
    bits, group = _bits(stated), _group(stated)
    _check_zero_points(owners, stated)
    if layout in ("scaled", "nvfp4"):
        return _scaled(owners, name, stated, method.packages)
    if layout == "gptq":
        layout, offset = _gptq(key, stated)
    else:
        offset = 0
        _check_packed(layout, owners, stated)
    if not bits:
        parts = next(p for p in owners.values() if "qweight" in p or "weight_packed" in p)
        if "qweight" in parts:
            narrow = parts["qweight"] if layout == "awq" else parts.get("qzeros")
            bits = 32 * narrow.shape[-1] // parts["scales"].shape[-1] if narrow else 0
    words = [name, f"{bits}-bit" if bits else "", f"g{group}" if group > 0 else ""]
    return Scheme(
        method=name, words=" ".join(filter(None, words)), layout=layout, packages=method.packages or (),
        transformers=method.packages is not None, zero_offset=offset, bits=bits, activations=_activations(stated),
    )  # fmt: skip


def _gptq(key: str, stated: Mapping[str, Any]) -> tuple[Layout, int]:
    """Return the layout of GPTQ codes, and the offset of their zero points: the first format stores a zero point minus
    one, the second the zero point, and only the config tells."""
    packing = str(stated.get("packing_format") or "")
    if key not in ("gptq", "auto_round") or (key == "auto_round" and packing and "gptq" not in packing):
        raise SchemeError(
            "the weights are packed as GPTQ packs them, and no config says which of its formats for zero points it is",
            "Get config.json with its quantization_config (or quantize_config.json) from where the weights came from.",
        )
    form = str(stated.get("checkpoint_format") or stated.get("format") or "gptq").lower()
    if form not in ("gptq", "gptq_v2"):
        raise SchemeError(
            f"the weights are quantized with GPTQ and stored in the format {form}, which only its own kernels read",
            _ORIGINAL,
        )
    return "gptq", 0 if form == "gptq_v2" else 1


def _check_packed(layout: Layout, owners: _Owners, stated: Mapping[str, Any]) -> None:
    if layout == "awq":
        version = str(stated.get("version") or "gemm").lower()
        shaped = all(
            p["qweight"].shape[0] % p["scales"].shape[0] == 0 and p["qweight"].shape[1] < p["scales"].shape[1]
            for p in owners.values()
            if "qweight" in p and len(p["qweight"].shape) == 2 == len(p["scales"].shape)
        )
        if version != "gemm" or not shaped:
            raise SchemeError(
                f"the weights are quantized with AWQ in the order of its {version} kernel, which Dyno does not read",
                _ORIGINAL,
            )
        return
    sparse = stated.get("sparsity_config") or {}
    form = str(sparse.get("format") or "dense") if isinstance(sparse, dict) else "dense"
    marlin = any("meta" in p and "weight_packed" in p for p in owners.values())
    if stated.get("transform_config") or form != "dense" or marlin:
        raise SchemeError(
            "the weights are packed by compressed-tensors together with rotations or a sparse format, which Dyno does "
            "not read",
            _ORIGINAL,
        )


def _check_zero_points(owners: _Owners, stated: Mapping[str, Any]) -> None:
    """Raise SchemeError if the config gives every group zero points and a layer of codes has none."""
    groups = stated.get("config_groups")
    weights = [g.get("weights") for g in groups.values() if isinstance(g, dict)] if isinstance(groups, dict) else []
    if not weights or not all(isinstance(w, dict) and w.get("symmetric") is False for w in weights):
        return
    for owner, parts in owners.items():
        codes = "weight_packed" in parts or ("weight" in parts and parts["weight"].dtype == "I8")
        if codes and "weight_zero_point" not in parts:
            raise SchemeError(
                f"the config says that the codes have zero points, and {owner} has no weight_zero_point",
                "Get the complete model again, from where it came.",
            )


def _scaled(owners: _Owners, name: str, stated: Mapping[str, Any], packages: tuple[str, ...] | None) -> Scheme:
    """Return the scheme of codes multiplied by one or two scales. Raises SchemeError if a layer has an unknown part."""
    kinds: set[str] = set()
    for owner, parts in owners.items():
        weight = parts.get("weight_packed") or parts.get("weight")
        if weight is None or weight.dtype not in _CODES or len(weight.shape) < 2:
            continue
        kinds.add(weight.dtype)
        four = {"weight_packed", "input_global_scale", *_WHOLE} if weight.dtype == "U8" else set()
        strange = sorted(set(parts) - _BESIDE - four)
        readable = _WHOLE & set(parts) if four else weight.dtype in (*_FLOAT_CODES, "I8")
        if strange or not readable or not any(scale in parts for scale in _SCALES):
            what = f"{owner}.{strange[0]}" if strange else f"{owner}.weight ({weight.dtype})"
            raise SchemeError(
                f"the weights are codes with scales, and {what} has a meaning that no config states and Dyno does not "
                "know",
                _ORIGINAL,
            )
    kind = "nvfp4" if "U8" in kinds else "int8" if kinds == {"I8"} else "fp8" if "I8" not in kinds else "fp8 and int8"
    words = f"{name} {kind}".strip() if kind.lower() not in name.lower() else name
    return Scheme(
        method=name or kind,
        words=words,
        layout="nvfp4" if "U8" in kinds else "scaled",
        plain="I8" not in kinds,
        packages=packages or (),
        transformers=packages is not None,
        bits=8,
        block=_block(stated),
        activations=_activations(stated) or any("input_scale" in parts for parts in owners.values()),
        kernels="kernels" if stated.get("quant_method") == "fp8" else "",
    )


def _refuse_naked(tensors: Sequence[SafetensorsTensor]) -> None:
    """Raise SchemeError if weights are codes without anything that decodes them."""
    naked = [t for t in tensors if t.name.endswith(".weight") and t.dtype in _CODES and len(t.shape) > 1]
    if naked:
        raise SchemeError(
            f"{len(naked)} weights are stored as {naked[0].dtype} ({naked[0].name} is the first), and neither "
            "config.json nor a tensor of scales says what these codes stand for",
            "Get the complete model with its quantization_config, or the model as it was before it was quantized.",
        )


def _bits(stated: Mapping[str, Any]) -> int:
    found = stated.get("bits") or stated.get("w_bit") or _weights_of(stated).get("num_bits")
    return found if type(found) is int and 0 < found <= 8 else 0


def _group(stated: Mapping[str, Any]) -> int:
    found = stated.get("group_size") or stated.get("q_group_size") or _weights_of(stated).get("group_size")
    return found if type(found) is int else 0


def _activations(stated: Mapping[str, Any]) -> bool:
    groups = stated.get("config_groups")
    found = groups.values() if isinstance(groups, dict) else ()
    return any(isinstance(g, dict) and g.get("input_activations") for g in found) or bool(
        stated.get("activation_scheme")
    )


def _block(stated: Mapping[str, Any]) -> tuple[int, int] | None:
    found = stated.get("weight_block_size") or _weights_of(stated).get("block_structure")
    if isinstance(found, list) and len(found) == 2 and all(type(n) is int and n > 0 for n in found):
        return found[0], found[1]
    return None


def _weights_of(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return compressed-tensors' settings of the first group of layers, if all groups have the same number of bits."""
    groups = stated.get("config_groups")
    found = [g.get("weights") for g in groups.values() if isinstance(g, dict)] if isinstance(groups, dict) else []
    first = found[0] if found and isinstance(found[0], dict) else {}
    alike = all(isinstance(w, dict) and w.get("num_bits") == first.get("num_bits") for w in found)
    return first if alike else {}
