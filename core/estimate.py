"""How much memory a variant will need, before it is loaded. Knows facts and recipes; measures nothing.

Measured against the demo model on a CPU, resident set at its highest while measuring, in MiB (estimate → measured):
fp32 965 → 963, bf16 702 → 693, int8 688 → 703, int4 650 → 655, nf4 612 → 654. A test repeats it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.footprint import Footprint

if TYPE_CHECKING:
    from core.models import ModelFacts
    from core.spec import Variant, Workload

TIGHT = 0.95  # of the memory that there is: what is estimated beyond it is worth a warning
_BYTES = {"fp32": 4, "bf16": 2, "fp16": 2}
#: Python, torch and transformers themselves, resident (CPU build): 395 MiB, and the tokenizer's tables.
_RUNTIME_BYTES = 395 << 20
_TOKENIZER_BYTES = 950  # per entry of the vocabulary
#: Quantizing a layer holds its fp32 copy and up to four results of the same size; the head is the largest layer.
_HEAD_COPIES = 5


def estimate_bytes(
    facts: ModelFacts, variant: Variant, workload: Workload, default_precision: str = "fp32"
) -> tuple[int, dict[str, int]]:
    """Highest resident bytes of the engine while it warms up and measures, and what they are made of.

    `default_precision` is what a variant without a precision gets on that machine."""
    size = footprint(facts, variant, workload, default_precision)
    parts = {
        "weights": size.weights_bytes,
        "kv_cache": size.kv_bytes,
        "activations": size.activation_bytes,
        "runtime": _RUNTIME_BYTES + _TOKENIZER_BYTES * (facts.vocab or 0),
    }
    return sum(parts.values()), parts


def loading_bytes(facts: ModelFacts, variant: Variant, workload: Workload, default_precision: str = "fp32") -> int:
    """Highest bytes while it loads and transforms. Pages of the weights' file are not counted: the system takes them
    back when it needs them."""
    bare = variant.model_copy(update={"pruning": None, "quantization": None})
    _, parts = estimate_bytes(facts, bare, workload, default_precision)
    size = footprint(facts, variant, workload, default_precision)
    head = _HEAD_COPIES * 4 * size.embedding if size.head_bits is not None and size.stored is None else 0
    return parts["weights"] + parts["runtime"] + head


def footprint(facts: ModelFacts, variant: Variant, workload: Workload, default_precision: str) -> Footprint:
    """The sizes of the model after all that the variant does to it."""
    vocab, hidden = facts.vocab or 0, facts.hidden or 0
    parameters = facts.parameters or facts.file_bytes // 2  # pickled: no header to count in, mostly 16 bits
    embedding = min(vocab * hidden, parameters)
    made = facts.materialized
    body = max(0, parameters - embedding * (1 if facts.tied else 2))
    size = Footprint(
        layers=facts.layers or 0,
        hidden=hidden,
        intermediate=facts.intermediate or 0,
        heads=facts.heads or 0,
        kv_heads=facts.kv_heads or 0,
        head_dim=facts.head_dim or 0,
        body=body,
        expert_share=min(1.0, facts.expert_parameters / body) if body else 0.0,
        embedding=embedding,
        tied=bool(facts.tied),
        element=_BYTES.get(default_precision, 4),
        uncached=facts.uncached_layers,
        sliding=facts.sliding_layers,
        window=facts.window or 0,
        prompt_tokens=workload.prompt_tokens,
        tokens=workload.prompt_tokens + workload.new_tokens,
        stored=facts.file_bytes if facts.quantized or (made is not None and made.has("quantization")) else None,
    )
    done = made.repeats(variant) if made is not None else []
    for strategy in variant.strategies():
        if strategy.slot not in done:
            size = strategy.footprint(size, workload)
    return size
