"""Reads from a loaded model how its checkpoint was quantized."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from typing import Any

import torch

from core.engine.base.failures import Refused
from core.engine.base.runtime import Runtime
from core.kernels.base import surgery
from core.model import layer_map
from core.model.facts import ModelFacts
from core.model.quantization_schemes import Scheme
from core.model.receipt import JsonValue, Receipt
from core.spec.variant import Variant
from core.strategies.quantization.base import layer_class

_PLAIN = ("Linear", "Conv1D")
_WORDS = {"Int4Linear": "as int4 codes", "Int8Linear": "as int8 codes"}


def is_plain(facts: ModelFacts, model: Any) -> bool:
    """Return whether every weight is an ordinary floating-point tensor, so that only the scheme's rounding remains."""
    if facts.scheme is None:
        return True
    ordinary = all(
        type(p.data) is torch.Tensor and p.is_floating_point() and p.element_size() > 1 for p in model.parameters()
    )
    return ordinary and all(layer_class(m) in _PLAIN for m in surgery.linear_like(model).values())


def check_changes(facts: ModelFacts, model: Any, variant: Variant) -> None:
    """Raise Refused if the variant changes weights that stay packed on this device: a layer that is no plain Linear
    would be skipped."""
    changing = [s for s in (variant.pruning, variant.quantization) if s is not None]
    if facts.scheme is not None and facts.scheme.plain and changing and not is_plain(facts, model):
        raise Refused(
            f"{changing[0].title} cannot be used: on this device the weights stay packed as {facts.scheme.words}",
            "Leave it out, or choose the model as it was before it was quantized.",
        )


def stays_packed(scheme: Scheme, device: torch.device) -> bool:
    """Return whether transformers multiplies the packed weights directly: fine-grained FP8 on a GPU that supports it,
    with the kernels' package."""
    if not scheme.kernels or device.type != "cuda" or find_spec(scheme.kernels) is None:
        return False
    return torch.cuda.get_device_capability(device) >= (8, 9)


def dequantized(runtime: Runtime, slot: str) -> str:
    """Return the sentence for the precision's receipt if the weights had another type on disk; else ""."""
    return f", dequantized from {runtime.source_type}" if slot == "precision" and runtime.source_type else ""


def makers_receipt(runtime: Runtime, scheme: Scheme) -> Receipt:
    """Return the receipt of the checkpoint's quantization: how many layers run as codes, of which kind, and how many
    were dequantized."""
    kinds = {name: layer_class(module) for name, module in surgery.linear_like(runtime.model).items()}
    codes = Counter(kind for kind in kinds.values() if kind not in _PLAIN)
    plain = is_plain(runtime.facts, runtime.model)
    parts = [f"{n} of {len(kinds)} Linear layers {_WORDS.get(kind, f'as {kind}')}" for kind, n in codes.most_common()]
    effective = f"{scheme.words}, dequantized" if plain else f"{scheme.words}: {', '.join(parts)}"
    detail: dict[str, JsonValue] = {
        "quantized_layers": sum(codes.values()),
        "layers": len(kinds),
        "weights_bytes": surgery.storage_bytes(runtime.model),
        "layer_map": layer_map.lines(kinds),
    }
    return Receipt(
        slot="quantization", requested="as quantized by its maker", effective=effective, matches=True, detail=detail
    )
