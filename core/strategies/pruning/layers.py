"""Taking whole layers out before quantizing. Knows the choice and its proof; the work is in
`core.kernels.pruning`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from core.events import Receipt
from core.strategies.base import Strategy

if TYPE_CHECKING:
    from core.engine.runtime import Runtime
    from core.models import ModelFacts
    from core.spec import Variant, Workload


class LayerDrop(Strategy):
    slot: ClassVar[str] = "pruning"
    key: ClassVar[str] = "layer_drop"
    title: ClassVar[str] = "Layer drop"
    summary: ClassVar[str] = (
        "Removes the layers that change the residual stream least. Physically smaller and faster everywhere, in "
        "proportion; quality falls quickly, most of all in small models."
    )
    source: ClassVar[str] = "ShortGPT, Men et al. 2024"

    layers: int = Field(
        0, ge=0, le=1000, title="Layers", description="how many layers to remove; 0 uses the ratio instead"
    )
    ratio: float = Field(0.2, gt=0, lt=1, title="Ratio", description="share of the layers to remove, 0 to 1")
    calibration_tokens: int = Field(
        512,
        ge=32,
        le=4096,
        title="Calibration tokens",
        description="tokens of built-in text on which each layer's influence is measured, at most",
    )

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        if facts and facts.layers and self.layers >= facts.layers:
            return [f"the model has {facts.layers} layers; at least one must stay, so at most {facts.layers - 1}"]
        return []

    def transform(self, runtime: Runtime) -> None:
        from core.kernels import pruning, surgery
        from core.kernels.calibration import calibration_ids

        before = len(surgery.decoder_layers(runtime.model)[1])
        ids = calibration_ids(runtime.tokenizer, self.calibration_tokens)
        influence = pruning.block_influence(runtime.model, ids)
        least = sorted(range(before), key=influence.__getitem__)[: self._count(before)]
        pruning.drop_layers(runtime.model, least)
        runtime.work[self.slot] = {
            "before": before,
            "dropped": sorted(least),
            "influence": [f"{i}: {value:.4f}" for i, value in enumerate(influence)],
            "tokens": len(ids),
        }

    def _count(self, layers: int) -> int:
        return self.layers or min(layers - 1, max(1, round(layers * self.ratio)))

    def receipt(self, runtime: Runtime) -> Receipt:
        """Counts the layers that are left and checks that the configuration agrees with them."""
        from core.kernels import surgery

        _, left = surgery.decoder_layers(runtime.model)
        work = runtime.work.get(self.slot, {})
        before = runtime.facts.layers or work.get("before") or len(left)
        wanted = self._count(before)
        dropped: list[int] = work.get("dropped", [])
        which = f"; removed {', '.join(map(str, dropped))}" if dropped else ""
        return Receipt(
            slot=self.slot,
            requested=f"{wanted} of {before} layers removed",
            effective=f"{len(left)} of {before} layers left{which}",
            matches=len(left) == before - wanted,
            detail={
                "layers_before": before,
                "layers": len(left),
                "dropped": dropped,
                "block_influence": work.get("influence", []),
                "calibration_tokens": work.get("tokens"),
                "weights_bytes_before": runtime.weights_bytes_before,
                "weights_bytes": surgery.storage_bytes(runtime.model),
            },
        )
