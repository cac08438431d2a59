"""Fusion: fewer, larger matrix products."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from core.model.receipt import Receipt
from core.spec.variant import Strategy, Unsuitable

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload

_JOINABLE = ("int8_weight_only", "int4_weight_only", "gptq")


class FusedProjections(Strategy):
    slot: ClassVar[str] = "fusion"
    key: ClassVar[str] = "fused_projections"
    title: ClassVar[str] = "Fused projections"
    summary: ClassVar[str] = (
        "Joins q, k and v, and gate and up, into one Linear each: the same numbers in fewer calls. Pays where calls "
        "cost more than arithmetic, as in small models at batch 1."
    )
    pays: ClassVar[str] = "For small models at batch 1, where calls cost more than their arithmetic."
    pays_not: ClassVar[str] = "For large models, whose steps are bound by reading the weights: the bytes are the same."
    source: ClassVar[str] = "vLLM's QKVParallelLinear and MergedColumnParallelLinear"
    exact: ClassVar[bool] = True

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        if variant.quantization is not None and variant.quantization.key not in _JOINABLE:
            return [f"{variant.quantization.title} cannot be joined: use int8 or int4 weights, or none"]
        if facts and facts.scheme is not None and facts.quantized and facts.scheme.layout is None:
            return [f"layers that {facts.quantized} packed cannot be joined: choose the original"]
        return []

    def script(self, out: Script) -> None:
        out.cannot(
            self, "the joined layers are modules of Dyno's own; without them the numbers are the same, in more calls"
        )

    def transform(self, runtime: LoadedModel) -> None:
        from core.kernels.weights.fusion import fuse_projections

        joined, left_out = fuse_projections(runtime.model)
        if not joined and not left_out:
            raise Unsuitable("fusion: this model has no separate projections; they may be fused already")
        runtime.work[self.slot] = {"left_out": left_out}

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt with the counted fused Linears of the loaded model."""
        from core.kernels.base import surgery
        from core.kernels.weights.fusion import Fused

        found = [m for m in runtime.model.modules() if isinstance(m, Fused)]
        left_out: dict[str, str] = runtime.work.get(self.slot, {}).get("left_out", {})
        replaced = sum(len(m.sizes) for m in found)
        words = f"{replaced} Linears joined into {len(found)}"
        return Receipt(
            slot=self.slot,
            requested="q/k/v and gate/up joined",
            effective=words + (f"; {len(left_out)} groups left apart" if left_out else ""),
            matches=bool(found) and not left_out,
            detail={
                "joined": replaced,
                "into": len(found),
                "left_out": [f"{name}: {why}" for name, why in list(left_out.items())[:20]],
                "weights_bytes": surgery.storage_bytes(runtime.model),
            },
        )
