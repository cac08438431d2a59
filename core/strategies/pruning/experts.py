"""Expert drop: removes the least used experts of a mixture before quantizing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from core.model.receipt import Receipt
from core.strategies.pruning.base import Structured, calibration_field, packed

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class ExpertDrop(Structured):
    key: ClassVar[str] = "expert_drop"
    title: ClassVar[str] = "Expert drop"
    summary: ClassVar[str] = (
        "Removes from every mixture of experts those that the calibration text uses least. Less memory in proportion; "
        "a step of one token reads as much as before, since it meets as many experts."
    )
    pays: ClassVar[str] = (
        "Where a mixture does not fit: most of its weights are in experts, and routers use them unevenly. Batches, "
        "which meet nearly all experts, also read less."
    )
    pays_not: ClassVar[str] = (
        "For the speed of a single request, which reads as many experts as before. For tasks unlike the calibration "
        "text: the experts that they need may be among those that went."
    )
    source: ClassVar[str] = "heavy-hitters counting: SEER-MoE, Muzio et al. 2024"

    ratio: float = Field(0.25, gt=0, lt=1, title="Ratio", description="share of each layer's experts to remove, 0 to 1")
    calibration_tokens: int = calibration_field()

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        if reasons := packed(facts):
            return reasons
        facts = facts.before(self.slot) if facts else None
        if facts is not None and facts.parameters and not facts.expert_parameters:
            return ["the model is no mixture of experts: every token meets all of its weights"]
        return []

    def misfits(self, outline: Any) -> list[str]:
        from core.kernels.experts import expert_drop

        try:
            found = expert_drop.mixture(outline)
            expert_drop.check(outline, found, found.kept(self.ratio))
        except ValueError as error:
            return [str(error)]
        return []

    def remove(self, runtime: LoadedModel, ids: Sequence[int]) -> dict[str, Any]:
        from core.kernels.experts import expert_drop

        found = expert_drop.mixture(runtime.model)
        kept = found.kept(self.ratio)
        counts = expert_drop.usage(runtime.model, ids)
        chosen = [expert_drop.most_used(c, kept, found.groups) for c in counts]
        expert_drop.keep(runtime.model, chosen)
        lost = [1 - sum(c[i] for i in k) / max(1, sum(c)) for c, k in zip(counts, chosen, strict=True)]
        return {"before": found.count, "wanted": kept, "kept": chosen, "routed_elsewhere": lost}

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        gone = round(size.body * size.expert_share * self.ratio)
        body = size.body - gone
        share = (size.body * size.expert_share - gone) / body if body else 0.0
        return size.model_copy(update={"body": body, "expert_share": share})

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt with the counted experts of every mixture, and the config's number."""
        from core.kernels.experts import expert_drop, experts

        found = expert_drop.mixture(runtime.model)
        work = runtime.work.get(self.slot, {})
        before = work.get("before") or found.count
        wanted = work.get("wanted")
        sizes = sorted({stack.experts for stack in experts.stacks(runtime.model)})
        left = " and ".join(map(str, sizes))
        lost: list[float] = work.get("routed_elsewhere", [])
        elsewhere = f"; {max(lost):.0%} of a layer's tokens at most went to those removed" if lost else ""
        return Receipt(
            slot=self.slot,
            requested=f"{self.ratio:.0%} of the experts removed from every layer",
            effective=f"{left} of {before} experts left in {len(found.routers)} layers{elsewhere}{self.lost(runtime)}",
            matches=sizes == [wanted] and found.count == wanted and found.count < before,
            detail={
                "experts_before": before,
                "experts": found.count,
                "experts_per_token": found.chosen,
                "kept": [
                    f"{r}: {', '.join(map(str, k))}" for r, k in zip(found.routers, work.get("kept", []), strict=False)
                ],
                "routed_elsewhere": [f"{share:.4f}" for share in lost],
                **self.detail(runtime),
            },
        )
