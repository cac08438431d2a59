"""How much memory a variant will need, before it is loaded. Knows facts and recipes; measures nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.strategies import Strategy

if TYPE_CHECKING:
    from core.models import ModelFacts
    from core.spec import Variant, Workload

_BYTES = {"fp32": 4, "bf16": 2, "fp16": 2}
#: Python, torch and transformers themselves, resident (CPU build, measured: 0.4 GB).
_RUNTIME_BYTES = 400 << 20


def estimate_bytes(
    facts: ModelFacts, variant: Variant, workload: Workload, default_precision: str = "fp32"
) -> tuple[int, dict[str, int]]:
    """Peak bytes of the engine, and what they are made of.

    Weights count in the precision in which they are loaded: a quantization starts from there.
    `default_precision` is what a variant without a precision gets on that machine."""
    precision = variant.precision.key if variant.precision is not None else default_precision
    element = _BYTES.get(precision, 4)
    parameters = facts.parameters or facts.file_bytes // 2  # pickled: no header to count in, mostly 16 bits
    tokens = workload.prompt_tokens + workload.new_tokens
    transforms = any(type(s).transform is not Strategy.transform for s in variant.strategies())
    untied = facts.tied and transforms  # the head becomes a tensor of its own
    head = (facts.vocab or 0) * (facts.hidden or 0) * element if untied else 0
    # A pass over the whole prompt keeps a few hidden-sized and MLP-sized rows a token, and one row of logits.
    width = 6 * (facts.hidden or 0) + 3 * (facts.intermediate or 0)
    parts = {
        "weights": parameters * element + head,
        "kv_cache": tokens * (facts.kv_bytes_per_token(element) or 0),
        "activations": workload.prompt_tokens * width * element + 4 * (facts.vocab or 0),
        "runtime": _RUNTIME_BYTES,
    }
    return sum(parts.values()), parts
