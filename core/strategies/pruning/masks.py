"""Setting weights to zero before quantizing. Knows the choices and their proof; the work is in
`core.kernels.pruning`, `core.kernels.sparsegpt` and `core.kernels.semi_structured`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from core.events import JsonValue, Receipt
from core.script import MATERIALIZE
from core.strategies.base import Strategy
from core.strategies.calibrated import LAPACK, Calibrated
from core.strategies.pruning.base import packed

if TYPE_CHECKING:
    from core.engine.runtime import Runtime
    from core.environment import Environment
    from core.footprint import Footprint
    from core.kernels.pruning import Sparsity
    from core.models import ModelFacts
    from core.script import Script
    from core.spec import Variant, Workload

MASKED = "masked"
KERNELS = {"masked": "masked", "semi_structured": "semi-structured"}
ACTIVE = "2:4 kernel active"
_UNREACHED = "no calibration token reached it"
_LISTED = 20  # names of layers in a receipt, at most


class Masked(Strategy):
    """The parameters, the receipt and the badge; subclasses choose the weights."""

    slot: ClassVar[str] = "pruning"
    among: ClassVar[str] = "each row"  # within what the lowest are compared

    ratio: float = Field(
        0.5, gt=0, lt=1, title="Ratio", description="share of the weights to set to zero; N:M patterns have their own"
    )
    pattern: Literal["unstructured", "2:4", "4:8"] = Field(
        "unstructured",
        title="Pattern",
        description="unstructured uses the ratio; 2:4 sets two of every four inputs of a row to zero, 4:8 four of 8",
    )
    kernel: Literal["masked", "semi_structured"] = Field(
        "masked",
        title="Kernel",
        description=(
            "masked keeps the zeros in place; semi-structured leaves them out: 2:4 only, 16 bits, NVIDIA GPUs of "
            "compute capability 8.0, faster for large batches and long prompts, slower at batch 1"
        ),
        json_schema_extra={"words": {**KERNELS}},
    )

    # -- before loading -------------------------------------------------------------------------------------
    def unavailable_as_set(self, environment: Environment) -> str:
        if self.kernel == "semi_structured":
            if not environment.devices:
                return "the semi-structured kernel needs an NVIDIA GPU: choose the masked one"
            device = environment.devices[0]
            if float(device.capability or 0) < 8.0:
                return f"the semi-structured kernel needs compute capability 8.0: {device.name} has {device.capability}"
        return super().unavailable_as_set(environment)

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = super().conflicts(variant, facts, workload)
        reasons += packed(facts)
        if not getattr(variant.quantization, "keeps_zeros", True):
            reasons.append("int4 groups have no exact zero, so the mask would be lost: use int8 weights or NF4")
        if self.pattern != "unstructured" and facts is not None:
            group = int(self.pattern.split(":")[1])
            heads = facts.heads * facts.head_dim if facts.heads and facts.head_dim else None
            inputs = {"q, k, v, gate, up": facts.hidden, "o": heads, "down": facts.intermediate}
            reasons += [
                f"{name}: {k} inputs are not a multiple of {group}" for name, k in inputs.items() if k and k % group
            ]
        if self.kernel == "semi_structured":
            if self.pattern != "2:4":
                reasons.append("the semi-structured kernel multiplies 2:4 patterns only: choose pattern = 2:4")
            if variant.quantization is not None:
                reasons.append("the semi-structured kernel multiplies 16-bit weights: leave the quantization out")
            if variant.precision is not None and variant.precision.key not in ("bf16", "fp16"):
                reasons.append(f"the semi-structured kernel multiplies bf16 and fp16, not {variant.precision.key}")
            if variant.fusion is not None:
                reasons.append("weights in the semi-structured kernel's form cannot be joined: leave the fusion out")
        return reasons

    # -- in the engine --------------------------------------------------------------------------------------
    def script(self, out: Script) -> None:
        out.cannot(self, MATERIALIZE)

    def prune(self, runtime: Runtime, wanted: Sparsity) -> dict[str, str]:
        """Set weights to zero in place; the layers that could not be pruned, and why."""
        raise NotImplementedError

    def wanted(self) -> Sparsity:
        from core.kernels.pruning import sparsity

        return sparsity(self.ratio, self.pattern)

    def transform(self, runtime: Runtime) -> None:
        from core.kernels import surgery
        from core.kernels.semi_structured import compress_

        left_out = self.prune(runtime, self.wanted())
        if self.kernel == "semi_structured":
            head = surgery.head_name(runtime.model)
            for name, module in surgery.linears(runtime.model):
                if name == head or name in left_out:
                    continue
                try:
                    compress_(module)
                except ValueError as error:
                    left_out[name] = str(error)
        runtime.work.setdefault(self.slot, {})["left_out"] = left_out

    def receipt(self, runtime: Runtime) -> Receipt:
        """Counts the zeros in the weights as they are now, after quantization too, and looks into every group."""
        from core.kernels import pruning, semi_structured, surgery

        head, wanted = surgery.head_name(runtime.model), self.wanted()
        layers = {name: m for name, m in surgery.linear_like(runtime.model).items() if name != head}
        reasons: dict[str, str] = runtime.work.get(self.slot, {}).get("left_out", {})
        found = total = expected = short = active = 0
        faults = []
        for name, module in layers.items():
            mask = pruning.zeros(module)
            if mask is None:
                faults.append(f"{name}: its format hides which weights are zero")
                continue
            n, k = surgery.shape(module)
            here, least, groups = int(mask.sum()), wanted.least(n, k), pruning.overfull_groups(mask, wanted)
            found, total, expected, short = found + here, total + n * k, expected + least, short + groups
            compressed = semi_structured.is_compressed(module)
            active += compressed
            if here < least or groups or compressed != (self.kernel == "semi_structured"):
                faults.append(f"{name}: {reasons.get(name, _what_is_wrong(here, least, groups, compressed))}")

        experts = surgery.joint_experts(runtime.model)
        faults += [f"{name}: its experts are one tensor, not Linear layers" for name in experts]
        share = found / total if total else 0.0
        badge = ACTIVE if active and active == len(layers) else MASKED if found else ""
        words = {ACTIVE: ACTIVE, MASKED: "masked: saves neither time nor memory"}.get(badge, "nothing is masked")
        if active and badge != ACTIVE:
            words = f"2:4 kernel in {active} of them only"
        detail: dict[str, JsonValue] = {
            "badge": badge,
            "zeros": found,
            "weights": total,
            "expected": expected,
            "groups_short_of_zeros": short,
            "compressed_layers": active,
            "weights_bytes_before": runtime.weights_bytes_before,
            "weights_bytes": surgery.storage_bytes(runtime.model),
            "left_out": faults[:_LISTED] + ([f"… and {len(faults) - _LISTED} more"] if len(faults) > _LISTED else []),
        }
        return Receipt(
            slot=self.slot,
            requested=self._wanted() + (", 2:4 kernel" if self.kernel == "semi_structured" else ""),
            effective=f"{share:.1%} zeros in {len(layers)} Linear layers; {words}"
            + (f"; experts of {len(experts)} layers not masked" if experts else ""),
            matches=total > 0 and not faults,
            detail=detail,
        )

    def _wanted(self) -> str:
        if self.pattern == "unstructured":
            return f"{self.ratio:.0%} of {self.among} zero"
        of_each, group = self.pattern.split(":")
        return f"{of_each} of every {group} inputs zero"


def _what_is_wrong(found: int, least: int, groups: int, compressed: bool) -> str:
    if found < least:
        return f"{found} zeros, {least} were asked for"
    if groups:
        return f"{groups} groups have too few zeros"
    return "compressed, although it was to be masked" if compressed else "not compressed"


class Magnitude(Masked):
    key: ClassVar[str] = "magnitude"
    title: ClassVar[str] = "Magnitude (masked)"
    summary: ClassVar[str] = (
        "Sets the smallest weights of every row to zero, the head excepted. A study of quality and the lower bound for "
        "wanda and sparsegpt: a mask by itself saves no memory and no time."
    )
    pays: ClassVar[str] = (
        "As the lower bound in a study of quality; as a 2:4 pattern on GPUs whose kernel is used, where "
        "arithmetic is the limit."
    )
    pays_not: ClassVar[str] = (
        "For speed or memory by itself. At 50 % it costs most: perplexity 14.89 on WikiText-2 with LLaMA-2-7B, "
        "against 6.42 with Wanda and 5.12 dense."
    )
    source: ClassVar[str] = "Han et al. 2015; compared per output row as in Wanda, Sun et al. 2023"

    def prune(self, runtime: Runtime, wanted: Sparsity) -> dict[str, str]:
        from core.kernels import surgery
        from core.kernels.pruning import mask_

        head, left_out = surgery.head_name(runtime.model), {}
        for name, module in surgery.linears(runtime.model):
            if name != head:
                try:
                    mask_(surgery.as_linear(module), wanted)  # a Conv1D's is a view of its weight
                except ValueError as error:
                    left_out[name] = str(error)
        return left_out


class Wanda(Calibrated, Masked):
    key: ClassVar[str] = "wanda"
    title: ClassVar[str] = "Wanda (masked)"
    summary: ClassVar[str] = (
        "Sets the weights with the smallest |w|·‖x‖ of every row to zero, x being what a calibration text feeds them. "
        "Nearly as good as sparsegpt in a fraction of the time; a mask by itself saves no memory and no time."
    )
    pays: ClassVar[str] = (
        "To see how much of a model can be zero at little cost, after seconds of calibration: perplexity 6.42 at "
        "50 % with LLaMA-2-7B on WikiText-2, against 5.12 dense."
    )
    pays_not: ClassVar[str] = (
        "For speed or memory by itself. A 2:4 pattern costs it more (11.02), and decoding with the 2:4 kernel was "
        "12 % slower on an RTX 4090."
    )
    source: ClassVar[str] = "Wanda, Sun et al. 2023"

    def prune(self, runtime: Runtime, wanted: Sparsity) -> dict[str, str]:
        from core.kernels import surgery
        from core.kernels.pruning import mask_

        left_out = _unreached(runtime)
        for layer in self._fed_layers(runtime, hessian=False):
            for name, fed in layer.items():
                left_out.pop(name, None)
                try:
                    mask_(surgery.as_linear(fed.module), wanted, fed.inputs.norms)
                except ValueError as error:
                    left_out[name] = str(error)
        return left_out

    def receipt(self, runtime: Runtime) -> Receipt:
        proof = super().receipt(runtime)
        return proof.model_copy(update={"detail": {**proof.detail, **self._calibration_detail(runtime)}})


class SparseGpt(Calibrated, Masked):
    key: ClassVar[str] = "sparsegpt"
    title: ClassVar[str] = "SparseGPT (masked)"
    summary: ClassVar[str] = (
        "Sets weights to zero and changes the rest of their rows so that the outputs on a calibration text stay close. "
        "The best quality of a mask at the same share of zeros, for minutes of preparation; a mask by itself saves no "
        "memory and no time."
    )
    pays: ClassVar[str] = (
        "Where the best quality at the same share of zeros is wanted, most of all as a 2:4 pattern: perplexity "
        "10.17 with LLaMA-2-7B on WikiText-2, against 11.02 with Wanda and 54.59 by magnitude."
    )
    pays_not: ClassVar[str] = (
        "For speed or memory by itself. It takes minutes to prepare, and at 50 % Wanda is as good (6.42 against 6.51)."
    )
    source: ClassVar[str] = "SparseGPT, Frantar and Alistarh 2023"
    among: ClassVar[str] = "every 128 columns"

    damp: float = Field(
        0.01,
        gt=0,
        le=1,
        title="Damping",
        description="added to the Hessian's diagonal, as a share of its mean; more trusts the calibration text less",
    )

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        return super().footprint(size, workload).allowing("LAPACK", LAPACK)

    def prune(self, runtime: Runtime, wanted: Sparsity) -> dict[str, str]:
        from core.kernels import surgery
        from core.kernels.sparsegpt import prune_

        left_out, damped = _unreached(runtime), []
        for layer in self._fed_layers(runtime, hessian=True):
            for name, fed in layer.items():
                left_out.pop(name, None)
                try:
                    took = prune_(surgery.as_linear(fed.module), fed.inputs.hessian, wanted, self.damp)
                except ValueError as error:
                    left_out[name] = str(error)
                    continue
                if took > self.damp:
                    damped.append(f"{name}: {took:g}")
        runtime.work[self.slot]["damped"] = damped
        return left_out

    def receipt(self, runtime: Runtime) -> Receipt:
        proof = super().receipt(runtime)
        damped: list[str] = runtime.work.get(self.slot, {}).get("damped", [])
        detail = {**proof.detail, **self._calibration_detail(runtime), "damped": damped[:_LISTED]}
        return proof.model_copy(update={"detail": detail})


def _unreached(runtime: Runtime) -> dict[str, str]:
    """Every layer that is to be pruned, with the reason that holds unless the calibration meets it."""
    from core.kernels import surgery

    head = surgery.head_name(runtime.model)
    return {name: _UNREACHED for name, _ in surgery.linears(runtime.model) if name != head}
