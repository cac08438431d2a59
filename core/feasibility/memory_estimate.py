"""How much memory a variant will need, before it is loaded.

Measured on 2 cores with AVX-512-BF16, 128 + 32 tokens, resident set at its highest in warm-up and trials, in MiB
(estimate → measured): demo model, bf16 709 → 710, fp32 971 → 975, int8 634 → 637, int4 596 → 596, gptq 608 → 609, nf4
600 → 597, llm_int8 722 → 692, self_draft 872 → 873, eager 751 → 751, compiled 899 → 847 from the cache and 946 without.
Random Llamas of 98M, 8 layers: nf4 605 → 606, llm_int8 654 → 641, self_draft 721 → 726, compiled 718 → 691 and 728; of
69M, 4 layers: nf4 527 → 527, llm_int8 578 → 556, self_draft 647 → 645, compiled 673 → 658 and 685. The constants come
from these three; of a fourth, 59M, that gave none: bf16 555 → 553, fp32 660 → 662, int8 508 → 502, nf4 542 → 539.
`tests.bench.memory` measures another machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.feasibility.compatibility import repeated
from core.feasibility.staging import is_staged
from core.model.memory_footprint import MIB, Allowance, Footprint

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.spec.variant import Variant
    from core.spec.workload import Workload

TIGHT = 0.95  # of the memory that there is: what is estimated beyond it is worth a warning
#: Parts of an estimate that stay on the host where the model is on a device.
HOST = ("runtime", "unread_weights")
_BYTES = {"fp32": 4, "bf16": 2, "fp16": 2}
#: Python, torch and transformers themselves after some passes, resident (CPU build): 424 to 436 MiB were measured.
_RUNTIME_BYTES = 430 * MIB
_TOKENIZER_BYTES = 350  # per entry of the vocabulary: 254 to 398 were measured for BPE
#: Quantizing a layer holds its fp32 copy and up to four results of the same size: bytes a weight.
_COPIES = 5 * 4
#: The weights that some formats quantize at a time (`core.kernels.weights.linears`).
_ROWS = 1 << 24
#: Of a card: CUDA's context and the workspaces of its libraries, in each process.
_CONTEXT_BYTES = 512 * MIB
#: What one row of a mapped embedding brings in, since the kernel maps the pages around a fault as well: measured.
_AROUND_A_ROW = 100 << 10
_DISTINCT = 0.4  # of the tokens of a run: 0.33 to 0.48 in the built-in prompts


@dataclass(frozen=True)
class MemoryEstimate:
    """The resident bytes of an engine during warm-up and trials, by part, with a lower and an upper bound: allowances
    and the embedding rows that prompts touch vary."""

    parts: dict[str, int]
    least: int
    most: int

    @property
    def total(self) -> int:
        """The likely peak in bytes."""
        return sum(self.parts.values())


def memory_estimate(
    facts: ModelFacts, variant: Variant, workload: Workload, default_precision: str = "fp32"
) -> MemoryEstimate:
    """Return the memory that a variant will need. `default_precision` is the machine's precision for variants without
    one."""
    size = footprint(facts, variant, workload, default_precision)
    allowed = size.allowances.values()
    idle = unread(size, facts, variant, workload)
    runtime = _RUNTIME_BYTES + _TOKENIZER_BYTES * (facts.vocab or 0)
    parts = {
        "weights": size.weights_bytes,
        "kv_cache": size.kv_bytes,
        "activations": size.activation_bytes,
        "runtime": runtime + size.kernel_bytes + sum(a.likely for a in allowed),
        "unread_weights": -idle.likely,
    }
    total = sum(parts.values())
    least = total - sum(a.likely - a.least for a in allowed) - (idle.most - idle.likely)
    most = total + sum(a.most - a.likely for a in allowed) + (idle.likely - idle.least)
    return MemoryEstimate(parts, least, most)


def on_device(parts: Mapping[str, int]) -> int:
    """Return the bytes of an estimate's parts that must fit on a device."""
    return sum(size for part, size in parts.items() if part not in HOST)


def card_bytes(parts: Mapping[str, int]) -> int:
    """Return the bytes of a card that an engine takes, CUDA's own included."""
    return on_device(parts) + _CONTEXT_BYTES


def card_loading_bytes(facts: ModelFacts, variant: Variant, workload: Workload, default_precision: str = "bf16") -> int:
    """Return the peak bytes of a card while a variant loads and transforms there."""
    size = footprint(facts, variant, workload, default_precision)
    done = memory_estimate(facts, variant, workload, default_precision).parts
    most = max(done["weights"] + _copies(size, variant), on_device(done))
    if not is_staged(variant, facts):
        bare = variant.model_copy(update={"pruning": None, "quantization": None})
        most = max(most, memory_estimate(facts, bare, workload, default_precision).parts["weights"])
    return most + _CONTEXT_BYTES


def unread(size: Footprint, facts: ModelFacts, variant: Variant, workload: Workload) -> Allowance:
    """Return the embedding bytes that stay in the weights' file. While no strategy changes the weights or their type,
    transformers maps them, and rows of absent tokens are never read. A tied head reads the whole embedding."""
    precision = variant.precision.key if variant.precision is not None else None
    changed = any(strategy.changes_model for strategy in variant.strategies())
    if facts.kind != "folder" or facts.tied is not False or changed or facts.quantized or facts.materialized:
        return Allowance(least=0, likely=0, most=0)
    if (precision or ("bf16" if size.bf16 else "fp32")) != facts.dtype:
        return Allowance(least=0, likely=0, most=0)
    table = round(size.embedding * size.element)
    tokens = _DISTINCT * (workload.prompt_tokens + workload.new_tokens)

    def left(passes: float) -> int:
        return round(table * math.exp(-passes * tokens * _AROUND_A_ROW / table)) if table else 0

    return Allowance(least=0, likely=left(workload.request_count * workload.trials + 2), most=left(1))


def loading_bytes(facts: ModelFacts, variant: Variant, workload: Workload, default_precision: str = "fp32") -> int:
    """Return the peak bytes while a variant loads and transforms. Mapped pages of the weights' file are not counted,
    since the system can reclaim them."""
    bare = variant.model_copy(update={"pruning": None, "quantization": None})
    parts = memory_estimate(facts, bare, workload, default_precision).parts
    size = footprint(facts, variant, workload, default_precision)
    return parts["weights"] + parts["runtime"] + _copies(size, variant)


def _copies(size: Footprint, variant: Variant) -> int:
    """Return the bytes beside the weights while the largest layer is quantized, which is the head."""
    quantization = variant.quantization
    if quantization is None or size.head_bits is None or size.stored is not None:
        return 0
    by_rows = quantization.by_rows or getattr(quantization, "head", "") != "same"
    return _COPIES * (min(_ROWS, size.embedding) if by_rows else size.embedding)


def footprint(facts: ModelFacts, variant: Variant, workload: Workload, default_precision: str) -> Footprint:
    """Return the model's sizes after all strategies of the variant."""
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
        row=facts.kv_row or 0,
        state=facts.state_elements,
        bf16=default_precision == "bf16",
        prompt_tokens=workload.prompt_tokens,
        new_tokens=workload.new_tokens,
        tokens=workload.prompt_tokens + workload.new_tokens,
        stored=facts.file_bytes if facts.quantized or (made is not None and made.has("quantization")) else None,
    )
    done = repeated(made, variant) if made is not None else []
    for strategy in variant.strategies():
        if strategy.slot not in done:
            size = strategy.footprint(size, workload)
    return size
