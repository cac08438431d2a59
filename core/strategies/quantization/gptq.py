"""GPTQ: int4 weights calibrated on activations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from core.model.receipt import Receipt
from core.strategies.calibrated import LAPACK, CalibratedStrategy
from core.strategies.quantization.weight_only import Int4

if TYPE_CHECKING:
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.workload import Workload


UNMET = "rounded_unmet"  # how a layer says that the calibration text did not reach it


class Gptq(CalibratedStrategy, Int4):
    key: ClassVar[str] = "gptq"
    title: ClassVar[str] = "int4 weights, calibrated (GPTQ)"
    summary: ClassVar[str] = (
        "4-bit weights in the format and with the speed of plain int4 weights, but each column's rounding error is "
        "made up for by the columns after it, so that the outputs on a calibration text stay close. Pays wherever int4 "
        "does and its quality is not enough; preparing it takes seconds for a small model and minutes for a large one."
    )
    pays: ClassVar[str] = "Wherever int4 does, and rounding to nearest costs too much quality: the speed is the same."
    pays_not: ClassVar[str] = (
        "Where the calibration text is unlike what will be asked; on weights that lie on a 4-bit grid already, "
        "which have nothing to gain."
    )
    source: ClassVar[str] = "GPTQ, Frantar et al. 2022; torch int4pack kernels"
    how: ClassVar[str] = "gptq"
    moves_layers: ClassVar[bool] = False  # it runs the model on the calibration text

    damp: float = Field(
        0.01,
        gt=0,
        le=1,
        title="Damping",
        description="added to the Hessian's diagonal, as a share of its mean; more trusts the calibration text less",
    )

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        return super().footprint(size, workload).allowing("LAPACK", LAPACK)

    def script(self, out: Script) -> None:
        out.cannot(self, "it calibrates the weights in layers of Dyno's own, which no other program reads")

    def maker(self, runtime: LoadedModel, left_alone: set[str]) -> Callable[[str, Any], Any]:
        from core.kernels.base import surgery
        from core.kernels.experts import experts
        from core.kernels.weights import gptq

        ready: dict[str, Any] = {}
        calibrated: set[str] = set()
        faults: dict[str, str] = {}
        errors, rounded, damped = 0.0, 0.0, []
        for layer in self._fed_layers(runtime, hessian=True):
            self._put(runtime.model, ready)  # the layer before has fed this one, so its weights can go
            for name, fed in layer.items():
                if name in left_alone:
                    continue
                linear = surgery.as_linear(fed.module)  # a Conv1D's is a view of its weight
                try:
                    done = gptq.calibrate_(linear, fed.inputs.hessian, self.group_size, self.damp)
                except ValueError as error:
                    faults[name] = str(error)
                    continue
                ready[name] = done.linear
                calibrated.add(name)
                errors, rounded = errors + done.error, rounded + done.rounded_error
                if done.damp > self.damp:
                    damped.append(f"{name}: {done.damp:g}")
        self._put(runtime.model, ready)
        runtime.work[self.slot].update(error_ratio=errors / rounded if rounded else None, damped=damped)

        idle = {part for stack in experts.stacks(runtime.model) for part in stack.parts} - {*calibrated, *faults}
        runtime.work[self.slot]["unmet"] = unmet = []

        def make(name: str, linear: Any) -> Any:
            if name not in idle:
                raise ValueError(faults.get(name, "no calibration token reached it"))
            rounded = self.quantize(runtime, linear)  # an expert that the text has no use for
            rounded.how = UNMET
            unmet.append(name)
            return rounded

        return make

    def _put(self, model: Any, ready: dict[str, Any]) -> None:
        """Put the layers into the model, and forget them."""
        for name, linear in ready.items():
            model.set_submodule(name, linear.eval())
        ready.clear()

    def is_done(self, module: Any) -> bool:
        rounded = getattr(module, "how", "") == UNMET and module.group_size == self.group_size
        return rounded or super().is_done(module)

    def words(self, modules: list[Any]) -> str:
        return super().words([m for m in modules if m.how != UNMET])

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt: the layers record how their weights were found; the error is the one measured while
        calibrating."""
        proof = super().receipt(runtime)
        work = runtime.work.get(self.slot, {})
        ratio = work.get("error_ratio")
        words = "" if ratio is None else f"; output error {ratio:.0%} of round-to-nearest's"
        unmet = work.get("unmet", [])
        if unmet:
            words += f"; {len(unmet)} matrices of experts that no calibration token reached: rounded to nearest"
        detail = {
            **proof.detail,
            **self._calibration_detail(runtime),
            "output_error_ratio": ratio,
            "damped": work.get("damped", [])[:20],
            "unmet": unmet[:20],
        }
        return proof.model_copy(update={"effective": proof.effective + words, "detail": detail})
