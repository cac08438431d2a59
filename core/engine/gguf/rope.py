"""Turns a GGUF file's rotary scaling into transformers' `rope_parameters`. Linear: Chen et al. 2023 (arXiv:2306.15595).
YaRN: Peng et al. 2023 (arXiv:2309.00071). LongRoPE: Ding et al. 2024 (arXiv:2402.13753). Llama 3: transformers'
`_compute_llama3_parameters`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.model.gguf_header import GgufTensor, Header
from core.model.model_error import ModelError

_AGAIN = "Get the file again, or convert the model anew."
#: llama.cpp's values where a file states none.
_THETA, _BETA_FAST, _BETA_SLOW = 10_000.0, 32.0, 1.0
#: What Llama 3.1 and 3.2 were trained with; a file holds only the divisors that follow from it.
_LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
_KNOWN = {
    "rope.dimension_count", "rope.freq_base", "rope.freq_base_swa", "rope.scale_linear", "rope.scaling.type",
    "rope.scaling.factor", "rope.scaling.attn_factor", "rope.scaling.original_context_length",
    "rope.scaling.finetuned", "rope.scaling.yarn_attn_factor", "rope.scaling.yarn_beta_fast",
    "rope.scaling.yarn_beta_slow", "rope.dimension_count_swa",
}  # fmt: skip
#: Values that leave the function as it is without the key.
_NEUTRAL = {
    "rope.scaling.yarn_ext_factor": (-1, 1),
    "rope.scaling.yarn_log_multiplier": (0,),
    "rope.scaling.alpha": (0,),
}
_FREQUENCIES = ("rope_freqs.weight", "rope_factors_short.weight", "rope_factors_long.weight")


def is_of_rope(tensor: str) -> bool:
    """Return whether a tensor describes the rotary embedding; transformers has no weight for it."""
    return tensor in _FREQUENCIES or tensor.endswith((".attn_rot_embd.weight", ".rope_freqs.weight"))


def rope_parameters(
    config: Any,
    width: int | None,
    context: int,
    values: Mapping[str, Any],
    source: Path,
    named: Path,
    header: Header,
    refusal: Callable[[str], ModelError],
) -> dict[str, Any]:
    """Return the changes of a config, for heads of `width` and a context in tokens. Raises ModelError for a scaling
    that transformers lacks."""
    stated = getattr(config, "rope_parameters", None)
    scaling = _scaling(values, context, refusal)
    divisors = {t.name: _read(source, named, header, t) for t in header.tensors if t.name in _FREQUENCIES}
    if not stated or width is None:
        if scaling or divisors:
            raise refusal(next(iter(divisors), "rope.scaling.type"))
        return {}
    for name, value in values.items():
        if name.startswith("rope.") and name not in _KNOWN and value not in _NEUTRAL.get(name, ()):
            raise refusal(name)
    theta = float(values.get("rope.freq_base", _THETA))
    turned = int(values.get("rope.dimension_count", width))
    changes: dict[str, Any] = {}
    if divisors and (full := stated.get("full_attention", stated)).get("rope_type") == "proportional":
        _check_proportional(divisors, full, width, refusal)
        divisors = {}
    if divisors:
        scaling = _divided(divisors, values, theta, turned, context, named)
        if "original_max_position_embeddings" in (getattr(config, "__dict__", {}) or {}):
            changes["original_max_position_embeddings"] = scaling["original_max_position_embeddings"]
    if "full_attention" in stated:  # the layers with a window are not scaled
        new = {kind: dict(parameters) for kind, parameters in stated.items() if isinstance(parameters, dict)}
        if "rope.freq_base" in values:
            new["full_attention"]["rope_theta"] = theta
        new["full_attention"] |= scaling
        if "rope.freq_base_swa" in values:
            new["sliding_attention"]["rope_theta"] = float(values["rope.freq_base_swa"])
        return changes | {"rope_parameters": new}
    flat = {
        k: v for k, v in stated.items() if k in ("rope_theta", "partial_rotary_factor", "mrope_section", "rope_type")
    }
    flat |= {"rope_theta": theta, **scaling}
    if turned != round(width * flat.get("partial_rotary_factor", 1.0)):
        flat["partial_rotary_factor"] = turned / width
        if "partial_rotary_factor" in (getattr(config, "__dict__", {}) or {}):
            changes["partial_rotary_factor"] = turned / width
    return changes | {"rope_parameters": flat}


def _scaling(values: Mapping[str, Any], context: int, refusal: Callable[[str], ModelError]) -> dict[str, Any]:
    """Return the scaling by the keys alone; empty without scaling. A file without a type means linear."""
    kind = values.get("rope.scaling.type", "linear")
    factor = float(values.get("rope.scaling.factor") or values.get("rope.scale_linear") or 1.0)
    if kind in ("none", "longrope") or (kind == "linear" and factor == 1.0):
        return {}
    if kind == "linear":
        return {"rope_type": "linear", "factor": factor}
    if kind != "yarn":
        raise refusal("rope.scaling.type")
    usual = 0.1 * math.log(factor) + 1.0 if factor > 1 else 1.0
    more = float(values.get("rope.scaling.yarn_attn_factor", 1.0)) * float(values.get("rope.scaling.attn_factor", 1.0))
    return {
        "rope_type": "yarn",
        "factor": factor,
        "original_max_position_embeddings": int(values.get("rope.scaling.original_context_length") or context),
        "attention_factor": usual * more,
        "beta_fast": float(values.get("rope.scaling.yarn_beta_fast", _BETA_FAST)),
        "beta_slow": float(values.get("rope.scaling.yarn_beta_slow", _BETA_SLOW)),
    }


def _divided(
    divisors: Mapping[str, np.ndarray],
    values: Mapping[str, Any],
    theta: float,
    turned: int,
    context: int,
    named: Path,
) -> dict[str, Any]:
    """Return the scaling by tensors that divide each frequency: Llama 3's, or any others as LongRoPE."""
    original = int(values.get("rope.scaling.original_context_length") or context)
    short = divisors.get("rope_factors_short.weight", divisors.get("rope_freqs.weight"))
    long = divisors.get("rope_factors_long.weight", short)
    if short is None or long is None or {short.size, long.size} != {turned // 2}:
        raise ModelError(f"{named}: {min(divisors)} does not have one number for each pair of channels", _AGAIN)
    if short is long and (found := _as_llama3(short, theta, turned)):
        return found
    return {
        "rope_type": "longrope",
        "short_factor": short.tolist(),
        "long_factor": long.tolist(),
        "original_max_position_embeddings": original,
        "attention_factor": float(values.get("rope.scaling.attn_factor", 1.0)),
    }


def _as_llama3(divisors: np.ndarray, theta: float, turned: int) -> dict[str, Any]:
    """Return Llama 3's parameters if the divisors follow from them, else an empty dict."""
    factor = float(divisors.max())
    lengths = 2 * math.pi * theta ** (np.arange(0, turned, 2) / turned)  # in positions
    low, high = _LLAMA3["low_freq_factor"], _LLAMA3["high_freq_factor"]
    smooth = np.clip((_LLAMA3["original_max_position_embeddings"] / lengths - low) / (high - low), 0, 1)
    expected = 1 / ((1 - smooth) / factor + smooth)
    if not np.allclose(divisors, expected, rtol=1e-5):
        return {}
    return {"rope_type": "llama3", "factor": factor, **_LLAMA3}


def _check_proportional(
    divisors: Mapping[str, np.ndarray], stated: Mapping[str, Any], width: int, refusal: Callable[[str], ModelError]
) -> None:
    """Check Gemma 4's partial rotation: a file divides the frequencies of unrotated channels by a huge number. Raises
    ModelError."""
    found = divisors.get("rope_freqs.weight", np.zeros(0))
    turned = int(float(stated.get("partial_rotary_factor", 1.0)) * found.size)
    if not (found.size and np.allclose(found[:turned], 1) and (found[turned:] > 1e6).all()):
        raise refusal(min(divisors))


def _read(source: Path, named: Path, header: Header, tensor: GgufTensor) -> np.ndarray:
    if tensor.type != "F32":
        raise ModelError(f"{named}: {tensor.name} must be of type F32 (it is {tensor.type})", "Convert the model anew.")
    with source.open("rb") as file:
        file.seek(header.data_start + tensor.offset)
        return np.frombuffer(file.read(tensor.bytes), "<f4").astype(np.float64)
