"""Fewer bits per weight, by replacing Linears after loading. Knows which layer becomes what, and how to prove
it; the arithmetic is in `core.kernels.linears` and in bitsandbytes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.events import JsonValue, Receipt
from core.strategies.base import Strategy

if TYPE_CHECKING:
    from core.engine.runtime import Runtime
    from core.environment import Environment
    from core.models import ModelFacts
    from core.spec import Variant, Workload

Head = Literal["keep", "int8", "same"]
_HEAD_DESCRIPTION = (
    "the output head, often a fifth of a small model: keep it as loaded, int8, or the same format as the rest; "
    "a head that is tied to the embedding gets its own copy first"
)
#: What a class of Linear is called in a receipt.
_NAMES = {
    "Linear": "not quantized",
    "Conv1D": "not quantized",
    "Int8Linear": "int8",
    "Int4Linear": "int4",
    "Linear4bit": "nf4",
    "Linear8bitLt": "LLM.int8()",
}
_LISTED = 20  # names of layers in a receipt, at most


class _Quantization(Strategy):
    slot: ClassVar[str] = "quantization"
    becomes: ClassVar[str] = ""  # the class that a quantized layer has

    head: Head = Field("int8", title="Head", description=_HEAD_DESCRIPTION)

    def quantize(self, runtime: Runtime, linear: Any) -> Any:
        """The replacement of one Linear. Raises ValueError with the reason where there can be none."""
        raise NotImplementedError

    def transform(self, runtime: Runtime) -> None:
        from core.kernels import linears, surgery

        head = surgery.head_name(runtime.model)
        if self.head != "keep":
            surgery.untie_head(runtime.model)

        def make(name: str, linear: Any) -> Any:
            if name == head and self.head == "int8":
                return linears.Int8Linear.from_linear(linear)
            return self.quantize(runtime, linear)

        skip = {head: "kept as loaded, as asked for"} if head and self.head == "keep" else {}
        _, left_out = surgery.replace_linears(runtime.model, make, skip)
        runtime.work[self.slot] = {"left_out": left_out}

    def receipt(self, runtime: Runtime) -> Receipt:
        """Counts classes in the loaded model; only the reasons for leaving layers out come from the transform."""
        from core.kernels import surgery

        layers = surgery.linear_like(runtime.model)
        head = surgery.head_name(runtime.model)
        kinds = {name: type(module).__name__ for name, module in layers.items()}
        body = [name for name in kinds if name != head]
        done = [name for name in body if kinds[name] == self.becomes]
        left_out = [name for name in body if kinds[name] != self.becomes]
        reasons: dict[str, str] = runtime.work.get(self.slot, {}).get("left_out", {})

        head_kind = kinds.get(head or "", "")
        wanted = {"keep": ("Linear",), "int8": ("Int8Linear",), "same": (self.becomes,)}[self.head]
        faults = [f"{name}: {reasons.get(name, 'not quantized')}" for name in left_out]
        if head and head_kind not in wanted:
            faults.append(f"{head}: {reasons.get(head, 'not as asked for')}")

        label = self._found([layers[name] for name in done])
        head_words = f"; {head} {_NAMES.get(head_kind, head_kind)}" if head else ""
        detail: dict[str, JsonValue] = {
            "quantized_layers": len(done),
            "layers": len(body),
            "classes": [f"{kind}: {n}" for kind, n in Counter(kinds.values()).most_common()],
            "weights_bytes_before": runtime.weights_bytes_before,
            "weights_bytes": surgery.storage_bytes(runtime.model),
            "left_out": faults[:_LISTED] + ([f"… and {len(faults) - _LISTED} more"] if len(faults) > _LISTED else []),
        }
        return Receipt(
            slot=self.slot,
            requested=self._requested(),
            effective=f"{label}: {len(done)} of {len(body)} Linear layers{head_words}",
            matches=bool(done) and not faults,
            detail=detail,
        )

    def _requested(self) -> str:
        return f"{self.key}, head {self.head}"

    def _found(self, modules: list[Any]) -> str:
        """What the quantized layers are, in words."""
        return _NAMES[self.becomes]


class Int8WeightOnly(_Quantization):
    key: ClassVar[str] = "int8_weight_only"
    title: ClassVar[str] = "int8 weights"
    summary: ClassVar[str] = (
        "int8 weights with one scale per output channel, computed in bf16. Pays at batch 1, where reading the "
        "weights is the limit; not for long prompts or large batches."
    )
    source: ClassVar[str] = "torch._weight_int8pack_mm"
    becomes: ClassVar[str] = "Int8Linear"

    def quantize(self, runtime: Runtime, linear: Any) -> Any:
        from core.kernels.linears import Int8Linear

        return Int8Linear.from_linear(linear)


class Int4WeightOnly(_Quantization):
    key: ClassVar[str] = "int4_weight_only"
    title: ClassVar[str] = "int4 weights"
    summary: ClassVar[str] = (
        "4-bit weights in groups, rounded to nearest, computed in bf16. The fewest bytes and the fastest at batch "
        "1; the quality of small models suffers, and long prompts gain nothing."
    )
    source: ClassVar[str] = "torch int4pack kernels (tinygemm on CUDA)"
    becomes: ClassVar[str] = "Int4Linear"

    group_size: Literal[32, 64, 128, 256] = Field(
        32,
        title="Group size",
        description="weights that share a scale and a zero: smaller is more faithful and costs 32/group bits more",
    )

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        device = environment.devices[0] if environment.devices else None
        if device and float(device.capability or 0) < 8.0:
            return f"needs a GPU of compute capability 8.0; {device.name} has {device.capability or 'an unknown one'}"
        return ""

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        if facts is None:
            return []
        heads = facts.heads * facts.head_dim if facts.heads and facts.head_dim else None
        inputs = {"q, k, v, gate, up": facts.hidden, "o": heads, "down": facts.intermediate}
        reasons = []
        for layers, k in inputs.items():
            if k and k % self.group_size:
                fits = [str(g) for g in (32, 64, 128, 256) if all(v % g == 0 for v in inputs.values() if v)]
                way_out = f"group_size = {' or '.join(fits)} fits" if fits else "no group size fits this model"
                reasons.append(f"{layers}: {k} inputs are not a multiple of the group of {self.group_size}; {way_out}")
        return reasons

    def quantize(self, runtime: Runtime, linear: Any) -> Any:
        from core.kernels.linears import Int4Linear

        return Int4Linear.from_linear(linear, self.group_size)

    def _requested(self) -> str:
        return f"int4 g{self.group_size}, head {self.head}"

    def _found(self, modules: list[Any]) -> str:
        sizes = sorted({m.group_size for m in modules})
        return "int4" + "".join(f" g{size}" for size in sizes)


class _BitsAndBytes(_Quantization):
    head: Head = Field("keep", title="Head", description=_HEAD_DESCRIPTION)

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        if "bitsandbytes" not in environment.versions:
            return "bitsandbytes is not installed in the engine's Python: pip install bitsandbytes"
        return ""

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        return ["bitsandbytes layers cannot be compiled"] if variant.compilation is not None else []


class Nf4(_BitsAndBytes):
    key: ClassVar[str] = "nf4"
    title: ClassVar[str] = "NF4 (bitsandbytes)"
    summary: ClassVar[str] = (
        "4-bit normal-float weights in blocks of 64. Saves memory; fast on GPUs and, with AVX-512-BF16, on CPUs; "
        "cannot be compiled."
    )
    source: ClassVar[str] = "QLoRA, Dettmers et al. 2023; bitsandbytes"
    becomes: ClassVar[str] = "Linear4bit"

    double_quant: bool = Field(
        True, title="Double quantization", description="quantize the scales too: 0.4 bits per weight less"
    )

    def quantize(self, runtime: Runtime, linear: Any) -> Any:
        from core.kernels.bits_and_bytes import nf4

        return nf4(linear, runtime.dtype, self.double_quant)


class LlmInt8(_BitsAndBytes):
    key: ClassVar[str] = "llm_int8"
    title: ClassVar[str] = "LLM.int8() (bitsandbytes)"
    summary: ClassVar[str] = (
        "int8 weights and activations, with outlier channels in 16 bits. Saves memory, not time: on GPUs 0.2–0.5 "
        "times the speed of 16-bit at batch 1, and no fast CPU kernel."
    )
    source: ClassVar[str] = "LLM.int8(), Dettmers et al. 2022; bitsandbytes"
    becomes: ClassVar[str] = "Linear8bitLt"

    threshold: float = Field(
        6.0, ge=0, le=100, title="Outlier threshold", description="activations above it stay in 16 bits; 0 is off"
    )

    def quantize(self, runtime: Runtime, linear: Any) -> Any:
        from core.kernels.bits_and_bytes import llm_int8

        return llm_int8(linear, self.threshold)
