"""Layer drop: removes whole layers before quantizing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.model.receipt import Receipt
from core.strategies.pruning.base import Structured, calibration_field

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class LayerDrop(Structured):
    key: ClassVar[str] = "layer_drop"
    title: ClassVar[str] = "Layer drop"
    summary: ClassVar[str] = (
        "Removes the layers that matter least. Physically smaller and faster everywhere, in proportion; quality "
        "falls quickly, most of all in small models."
    )
    pays: ClassVar[str] = (
        "On every device, in proportion to the layers that go: dropping 20 % of them, chosen by perplexity, gave "
        "SLEB 1.27×."
    )
    pays_not: ClassVar[str] = (
        "Where quality matters and is not checked: it falls quickly, most of all in small models, which have few "
        "layers to spare."
    )
    source: ClassVar[str] = "ShortGPT, Men et al. 2024 (influence); SLEB, Song et al. 2024 (perplexity)"

    layers: int = Field(
        0, ge=0, le=1000, title="Layers", description="how many layers to remove; 0 uses the ratio instead"
    )
    ratio: float = Field(0.2, gt=0, lt=1, title="Ratio", description="share of the layers to remove, 0 to 1")
    by: Literal["influence", "perplexity"] = Field(
        "influence",
        title="Criterion",
        description="influence: how little a layer turns the residual, one pass; perplexity: remove one after the "
        "other the layer whose absence raises it least, a pass for every layer that is left at every step",
    )
    calibration_tokens: int = calibration_field()

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        facts = facts.before(self.slot) if facts else None
        if facts and facts.layers and self.layers >= facts.layers:
            return [f"the model has {facts.layers} layers; at least one must stay, so at most {facts.layers - 1}"]
        return []

    def remove(self, runtime: LoadedModel, ids: Sequence[int]) -> dict[str, Any]:
        from core.kernels.base import surgery
        from core.kernels.pruning import layer_drop as layers
        from core.kernels.pruning import skipped_layers

        def fits(gone: list[int]) -> bool:
            return skipped_layers.describes(model, gone)

        model = runtime.model
        before = len(surgery.decoder_layers(model)[1])
        count = self._count(before)
        if self.by == "influence":
            scores = layers.block_influence(model, ids)
            dropped: list[int] = []
            for i in sorted(range(before), key=scores.__getitem__):
                if len(dropped) < count and fits([*dropped, i]):
                    dropped.append(i)
            why = [f"{i}: {value:.4f}" for i, value in enumerate(scores)]
        else:
            removed = layers.least_missed(
                model, ids, count, lambda done, total: runtime.report(done, total, "layers tried"), fits
            )
            dropped = [i for i, _ in removed]
            why = [f"{i}: perplexity {value:.4g} without it" for i, value in removed]
        if len(dropped) < count:
            raise ValueError(
                f"only {len(dropped)} of its layers can be taken out, not {count}: no configuration of this kind of "
                "model describes what would be left"
            )
        skipped_layers.drop_layers(model, dropped)
        return {"before": before, "dropped": sorted(dropped), "why": why}

    def _count(self, layers: int) -> int:
        return self.layers or min(layers - 1, max(1, round(layers * self.ratio)))

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        kept = max(0, size.layers - self._count(size.layers))
        body = round(size.body * kept / size.layers) if size.layers else size.body
        share = kept / size.layers if size.layers else 1
        windows = {"sliding": round(size.sliding * share), "uncached": round(size.uncached * share)}
        return size.model_copy(update={"layers": kept, "body": body, **windows})

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt with the counted remaining layers."""
        from core.kernels.base import surgery

        _, left = surgery.decoder_layers(runtime.model)
        work = runtime.work.get(self.slot, {})
        before = work.get("before") or runtime.facts.layers or len(left)
        wanted = self._count(before)
        dropped: list[int] = work.get("dropped", [])
        which = f"; removed {', '.join(map(str, dropped))}" if dropped else ""
        return Receipt(
            slot=self.slot,
            requested=f"{wanted} of {before} layers removed",
            effective=f"{len(left)} of {before} layers left{which}{self.lost(runtime)}",
            matches=len(left) == before - wanted,
            detail={
                "layers_before": before,
                "layers": len(left),
                "dropped": dropped,
                "block_influence" if self.by == "influence" else "removed_in_order": work.get("why", []),
                **self.detail(runtime),
            },
        )
