"""Masks: sets weights to zero before quantizing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.model.receipt import JsonValue, Receipt, listed
from core.spec.script_builder import MATERIALIZE
from core.spec.variant import Strategy
from core.strategies.calibrated import LAPACK, CalibratedStrategy
from core.strategies.pruning.base import packed

if TYPE_CHECKING:
    from core.kernels.pruning.masks import Sparsity
    from core.machine.environment import Environment
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload

MASKED = "masked"
KERNELS = {"masked": "masked", "semi_structured": "semi-structured"}
ACTIVE = "2:4 kernel active"
_UNREACHED = "no calibration token reached it"
#: Of the weights that are to be masked, what layers may hold that no calibration can reach: Mamba reads the weight of
#: dt_proj by itself, which is 2 % of the 2.8B.
SMALL = 0.03


class Masked(Strategy):
    """The parameters, the receipt and the badge of masks; subclasses choose the weights."""

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

    def prune(self, runtime: LoadedModel, wanted: Sparsity, layers: dict[str, Any]) -> dict[str, str]:
        """Set weights of these Linears to zero in place; return the reasons of those that could not be pruned,
        by name."""
        raise NotImplementedError

    def wanted(self) -> Sparsity:
        from core.kernels.pruning.masks import sparsity

        return sparsity(self.ratio, self.pattern)

    def transform(self, runtime: LoadedModel) -> None:
        from core.kernels.base import surgery
        from core.kernels.experts import experts
        from core.kernels.pruning.semi_structured import compress_

        model = runtime.model
        apart = {surgery.head_name(model), *(stack.router for stack in experts.stacks(model))}
        with experts.opened(model) as whole:
            layers = {name: module for name, module in surgery.linears(model) if name not in apart}
            left_out = self.prune(runtime, self.wanted(), layers)
            if self.kernel == "semi_structured":
                for name, module in layers.items():
                    if name in left_out:
                        continue
                    try:
                        compress_(module)
                    except ValueError as error:
                        left_out[name] = str(error)
        runtime.work.setdefault(self.slot, {})["left_out"] = {**whole, **left_out}

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt with the counted zeros in the present weights, after quantization too, and in
        every group."""
        from core.kernels.experts import experts

        with experts.opened(runtime.model) as whole:
            return self._counted(runtime, whole)

    def _counted(self, runtime: LoadedModel, whole: dict[str, str]) -> Receipt:
        from core.kernels.base import surgery
        from core.kernels.experts import experts
        from core.kernels.pruning import masks, semi_structured

        model, wanted = runtime.model, self.wanted()
        stacks = experts.stacks(model)
        apart = {surgery.head_name(model), *(stack.router for stack in stacks)}
        layers = {name: m for name, m in surgery.linear_like(model).items() if name not in apart}
        of_experts = {part for stack in stacks for part in stack.parts}
        work = runtime.work.get(self.slot, {})
        reasons: dict[str, str] = work.get("left_out", {})
        found = total = expected = short = active = kept = 0
        faults, certain = [], False  # certain: one of them counts however few weights it is about
        for name, module in layers.items():
            mask = masks.zeros(module)
            if mask is None:
                faults.append(f"{name}: its format hides which weights are zero")
                certain = True
                continue
            n, k = surgery.shape(module)
            here, least, groups = int(mask.sum()), wanted.least(n, k), masks.overfull_groups(mask, wanted)
            found, total, expected, short = found + here, total + n * k, expected + least, short + groups
            compressed = semi_structured.is_compressed(module)
            active += compressed
            if here < least or groups or compressed != (self.kernel == "semi_structured"):
                faults.append(f"{name}: {reasons.get(name, _what_is_wrong(here, least, groups, compressed))}")
                kept, certain = kept + n * k, certain or name not in reasons

        faults += [f"{name}: {reason}" for name, reason in whole.items()]
        odd = experts.odd_fault(model)
        small = not (certain or whole or odd) and kept <= SMALL * total
        if odd:
            faults.append(odd)
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
            "left_out": listed(faults),
        }
        return Receipt(
            slot=self.slot,
            requested=self._wanted() + (", 2:4 kernel" if self.kernel == "semi_structured" else ""),
            effective=f"{share:.1%} zeros in {_where(len(layers), len(of_experts))}; {words}" + self._unmet(runtime),
            matches=total > 0 and (small or not faults),
            detail=detail,
        )

    def _unmet(self, runtime: LoadedModel) -> str:
        """Return how experts that the calibration text did not reach were pruned; empty if it reached all."""
        unmet: list[str] = runtime.work.get(self.slot, {}).get("unmet", [])
        return f"; {len(unmet)} matrices of experts that no calibration token reached: by magnitude" if unmet else ""

    def _wanted(self) -> str:
        if self.pattern == "unstructured":
            return f"{self.ratio:.0%} of {self.among} zero"
        of_each, group = self.pattern.split(":")
        return f"{of_each} of every {group} inputs zero"


def _where(layers: int, of_experts: int) -> str:
    if not of_experts:
        return f"{layers} Linear layers"
    return f"{layers - of_experts} Linear layers and {of_experts} matrices of experts"


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

    def prune(self, runtime: LoadedModel, wanted: Sparsity, layers: dict[str, Any]) -> dict[str, str]:
        return _by_magnitude(layers, wanted)


class Wanda(CalibratedStrategy, Masked):
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

    def prune(self, runtime: LoadedModel, wanted: Sparsity, layers: dict[str, Any]) -> dict[str, str]:
        from core.kernels.base import surgery
        from core.kernels.pruning.masks import mask_

        unmet, left_out = dict(layers), {}
        for layer in self._fed_layers(runtime, hessian=False):
            for name, fed in layer.items():
                if unmet.pop(name, None) is None:
                    continue
                try:
                    mask_(surgery.as_linear(fed.module), wanted, fed.inputs.norms)
                except ValueError as error:
                    left_out[name] = str(error)
        return left_out | _unreached(runtime, unmet, wanted)

    def receipt(self, runtime: LoadedModel) -> Receipt:
        proof = super().receipt(runtime)
        detail = {**proof.detail, **self._calibration_detail(runtime), "unmet": _unmet_names(runtime)}
        return proof.model_copy(update={"detail": detail})


class SparseGpt(CalibratedStrategy, Masked):
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

    def prune(self, runtime: LoadedModel, wanted: Sparsity, layers: dict[str, Any]) -> dict[str, str]:
        from core.kernels.base import surgery
        from core.kernels.pruning.sparsegpt import prune_

        unmet, left_out, damped = dict(layers), {}, []
        for layer in self._fed_layers(runtime, hessian=True):
            for name, fed in layer.items():
                if unmet.pop(name, None) is None:
                    continue
                try:
                    took = prune_(surgery.as_linear(fed.module), fed.inputs.hessian, wanted, self.damp)
                except ValueError as error:
                    left_out[name] = str(error)
                    continue
                if took > self.damp:
                    damped.append(f"{name}: {took:g}")
        runtime.work[self.slot]["damped"] = damped
        return left_out | _unreached(runtime, unmet, wanted)

    def receipt(self, runtime: LoadedModel) -> Receipt:
        proof = super().receipt(runtime)
        damped: list[str] = runtime.work.get(self.slot, {}).get("damped", [])
        detail = {
            **proof.detail,
            **self._calibration_detail(runtime),
            "damped": listed(damped),
            "unmet": _unmet_names(runtime),
        }
        return proof.model_copy(update={"detail": detail})


def _by_magnitude(layers: dict[str, Any], wanted: Sparsity) -> dict[str, str]:
    from core.kernels.base import surgery
    from core.kernels.pruning.masks import mask_

    left_out = {}
    for name, module in layers.items():
        try:
            mask_(surgery.as_linear(module), wanted)  # a Conv1D's is a view of its weight
        except ValueError as error:
            left_out[name] = str(error)
    return left_out


def _unreached(runtime: LoadedModel, unmet: dict[str, Any], wanted: Sparsity) -> dict[str, str]:
    """Prune experts that the calibration did not reach by magnitude, and return the reasons of other layers, which are
    left out."""
    from core.kernels.experts import experts

    of_experts = {part for stack in experts.stacks(runtime.model) for part in stack.parts}
    idle = {name: module for name, module in unmet.items() if name in of_experts}
    runtime.work["pruning"]["unmet"] = sorted(idle)
    return _by_magnitude(idle, wanted) | {name: _UNREACHED for name in unmet if name not in idle}


def _unmet_names(runtime: LoadedModel) -> list[str]:
    unmet: list[str] = runtime.work.get("pruning", {}).get("unmet", [])
    return listed(unmet)
