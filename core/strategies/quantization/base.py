"""Fewer bits per weight, by replacing Linears after loading. Knows which layer becomes what, and how to prove
it; knows no format."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.events import JsonValue, Receipt
from core.strategies.base import Strategy

if TYPE_CHECKING:
    from core.engine.runtime import Runtime

Head = Literal["keep", "int8", "same"]
HEAD_DESCRIPTION = (
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


class Quantization(Strategy):
    slot: ClassVar[str] = "quantization"
    becomes: ClassVar[str] = ""  # the class that a quantized layer has

    head: Head = Field("int8", title="Head", description=HEAD_DESCRIPTION)

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
