"""int8 and int4 weights in Dyno's own Linears."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.spec.script_builder import Code, call, expression
from core.strategies.quantization.base import Quantization

if TYPE_CHECKING:
    from core.machine.environment import Environment
    from core.model.facts import ModelFacts
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class Int8WeightOnly(Quantization):
    key: ClassVar[str] = "int8_weight_only"
    title: ClassVar[str] = "int8 weights"
    summary: ClassVar[str] = (
        "int8 weights with one scale per output channel, computed in bf16. Pays at batch 1, where reading the "
        "weights is the limit; not for long prompts or large batches."
    )
    pays: ClassVar[str] = (
        "At batch 1, where reading the weights is the limit: compiled, a 7B model decoded at 155.6 tok/s, against "
        "104.9 in bf16, on an A100 (gpt-fast)."
    )
    pays_not: ClassVar[str] = (
        "For long prompts, batches and verifying drafts, which multiply several tokens at once; with activations "
        "in fp32, for which its kernel is slow."
    )
    source: ClassVar[str] = "torch._weight_int8pack_mm"
    by_rows: ClassVar[bool] = True
    becomes: ClassVar[str] = "Int8Linear"
    loaded_with: ClassVar[str] = "compressed-tensors"

    def script(self, out: Script) -> None:
        out.define("weights/linears.py", "CannotQuantize", "Int8Linear", "_finish", "_bias")
        _replace(self, out, "Int8Linear.from_linear")

    def quantize(self, runtime: LoadedModel, linear: Any) -> Any:
        from core.kernels.weights.linears import Int8Linear

        return Int8Linear.from_linear(linear)


class Int4(Quantization):
    """The int4 format, however its codes are found."""

    by_rows: ClassVar[bool] = True
    becomes: ClassVar[str] = "Int4Linear"
    loaded_with: ClassVar[str] = "compressed-tensors"
    keeps_zeros: ClassVar[bool] = False  # a group's grid goes through its least and greatest weight, not through 0
    how: ClassVar[str] = "rounded"  # how the layer must say that its weights were found

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
        reasons = super().conflicts(variant, facts, workload)
        if facts is None:
            return reasons
        heads = facts.heads * facts.head_dim if facts.heads and facts.head_dim else None
        inputs = {"q, k, v, gate, up": facts.hidden, "o": heads, "down": facts.intermediate}
        inputs["experts' down"] = facts.expert_intermediate if facts.expert_parameters else None
        for layers, k in inputs.items():
            if k and k % self.group_size:
                fits = [str(g) for g in (32, 64, 128, 256) if all(v % g == 0 for v in inputs.values() if v)]
                way_out = f"a group size of {' or '.join(fits)} fits" if fits else "no group size fits this model"
                reasons.append(f"{layers}: {k} inputs are not a multiple of the group of {self.group_size}; {way_out}")
        return reasons

    def quantize(self, runtime: LoadedModel, linear: Any) -> Any:
        from core.kernels.weights.linears import Int4Linear

        return Int4Linear.from_linear(linear, self.group_size)

    def bits(self) -> float:
        return 4 + 32 / self.group_size

    def is_done(self, module: Any) -> bool:
        return super().is_done(module) and module.how == self.how and module.group_size == self.group_size

    def requested(self) -> str:
        return super().requested().replace(self.key, f"{self.key} g{self.group_size}", 1)

    def words(self, modules: list[Any]) -> str:
        found = {("" if m.how == "rounded" else f"{m.how} ", m.group_size) for m in modules}
        return " and ".join(f"{how}int4 g{size}" for how, size in sorted(found)) or "int4"


class Int4WeightOnly(Int4):
    key: ClassVar[str] = "int4_weight_only"
    title: ClassVar[str] = "int4 weights"
    summary: ClassVar[str] = (
        "4-bit weights in groups, rounded to nearest, computed in bf16. The fewest bytes and the fastest at batch "
        "1; the quality of small models suffers, and long prompts gain nothing."
    )
    pays: ClassVar[str] = (
        "Most of all at batch 1: compiled, a 7B model decoded at 196.8 tok/s, against 104.9 in bf16, on an A100 "
        "(gpt-fast). Also where memory is short."
    )
    pays_not: ClassVar[str] = (
        "For small models, whose quality suffers; for long prompts and batches, which gain nothing."
    )
    source: ClassVar[str] = "torch int4pack kernels (tinygemm on CUDA)"

    def script(self, out: Script) -> None:
        out.define(
            "weights/linears.py", "CannotQuantize", "Int4Linear", "int4_fault", "quantize_int4", "int4_grid",
            "int4_codes", "_pack_int4", "_finish",
        )  # fmt: skip
        _replace(self, out, "Int4Linear.from_linear", self.group_size)


def _replace(quantization: Quantization, out: Script, make: str, *more: int) -> None:
    """Add the loop that replaces Linears by a class that the script contains."""
    out.every_linear()
    out.note("the quantized layers are Dyno's (Apache-2.0); they need torch and nothing else")
    linear = call(make, Code("linear"), *more)
    out.after += [
        f"for name, linear in linears({out.model}, {expression(quantization.patterns(out))}):",
        "    try:",
        f"        {out.model}.set_submodule(name, {linear})",
        "    except CannotQuantize:",
        "        pass  # its kernel takes no layer of this shape; Dyno leaves it as it is too",
    ]
    head = call(make, Code(f"{out.model}.get_output_embeddings()"), *more)
    quantization.script_head(out, [f"{out.model}.set_output_embeddings({head})"])
