"""Ranks what to try next: which bottleneck binds, which rules apply to it, and how much each can gain at most. Every
piece of advice cites the measurement behind it. A rule without its measurement gives no advice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.analysis.case import Case
from core.analysis.comparison_row import Advice
from core.analysis.disturbance import noisy
from core.analysis.roofline import Place, Step, place
from core.machine.environment import Environment, capacity_bytes
from core.machine.machine_roof import MachineRoof
from core.spec.variant import SLOTS, Variant
from core.spec.workload import Workload

Bottleneck = Literal["memory", "concurrency", "quality", "speed"]
#: In this order: a model must fit before it can be scheduled, and be right before it is fast.
BOTTLENECKS: tuple[Bottleneck, ...] = ("memory", "concurrency", "quality", "speed")
#: Share of the memory from which on it binds: a second model, or a few more users, would not fit.
TIGHT = 0.6


@dataclass(frozen=True)
class Situation:
    """The measurements and settings that advice rules read. The first case and the first variant are the baseline's."""

    cases: Sequence[Case]
    variants: Sequence[Variant]
    workload: Workload
    environment: Environment | None = None
    machine: MachineRoof | None = None

    @property
    def base(self) -> Case:
        return self.cases[0]

    @property
    def others(self) -> list[tuple[Case, Variant]]:
        return list(zip(self.cases, self.variants, strict=True))[1:]

    @property
    def disturbed(self) -> bool:
        """Whether most rounds of the baseline were disturbed. Every time is compared with the baseline's."""
        return noisy(self.base.row)

    def tried(self, slot: str) -> list[Case]:
        """Return the measured variants that use the slot, the baseline included."""
        pairs = zip(self.cases, self.variants, strict=True)
        return [case for case, variant in pairs if getattr(variant, slot) is not None and case.row.trials]

    def own(self, variant: Variant) -> set[str]:
        """Return the slots in which a variant differs from the baseline."""
        return {slot for slot in SLOTS if getattr(variant, slot) != getattr(self.variants[0], slot)}

    def only(self, slot: str) -> list[tuple[Case, Variant]]:
        """Return the measured variants that differ from the baseline in that slot alone."""
        return [(c, v) for c, v in self.others if c.row.trials and [s.slot for s in v.strategies()] == [slot]]

    @property
    def memory_share(self) -> float | None:
        """The largest memory peak of the baseline as a share of the machine's memory."""
        capacity = capacity_bytes(self.environment) if self.environment is not None else None
        row = self.base.row
        peak = row.peak_allocated_bytes if row.peak_allocated_bytes is not None else row.peak_process_bytes
        return peak / capacity if peak and capacity else None

    def binds(self) -> set[Bottleneck]:
        """Return the bottlenecks that the measurements show; speed if they show none."""
        found: set[Bottleneck] = set()
        if any(c.row.status == "out_of_memory" for c in self.cases) or (self.memory_share or 0) >= TIGHT:
            found.add("memory")
        waits = (self.base.row.queue_ms_p50 or 0) > (self.base.row.decode_ms or float("inf"))
        if self.workload.concurrency > 1 and waits:
            found.add("concurrency")
        if any(c.row.gate in ("amber", "red") for c in self.cases):
            found.add("quality")
        return found or {"speed"}

    def ceiling(self, rows: float = 1.0, bits: float | None = None) -> Place | None:
        """Return the highest place under the roofline that the baseline's step can reach with `rows` requests at once,
        or with `bits` per weight. None without a roofline."""
        base, anatomy = self.base, self.base.anatomy
        if base.place is None or anatomy is None or self.machine is None or base.place.ceiling_tok_s is None:
            return None
        if bits is not None:
            head = round(anatomy.head_weights * bits / 8)
            experts = round(anatomy.expert_weights * bits / 8)
            others = anatomy.matrix_weights - anatomy.head_weights - anatomy.expert_weights * anatomy.experts_met(1)
            sizes = {"head_bytes": head, "body_bytes": round(others * bits / 8) + experts, "expert_bytes": experts}
            anatomy = anatomy.model_copy(update=sizes)
        share = rows / base.place.tokens_per_step
        step = base.place.step
        wider = {name: getattr(step, name) * share for name in ("tokens_out", "tokens_in", "logits", "kv_read")}
        return place(anatomy, Step.model_validate({**step.model_dump(), **wider}), self.machine)


@dataclass(frozen=True)
class AdviceRule:
    """One rule of advice. `order` sorts the rules of one bottleneck: certain, cheap and exact changes come first."""

    name: str
    bottleneck: Bottleneck
    order: int
    advise: Callable[[Situation], tuple[str, str, float | None] | None]  # what, because, ceiling in tok/s
    joins: Callable[[Situation], Sequence[str]] = lambda situation: ()  # the names of variants to be put into one
    timed: bool = True  # it rests on times, which say nothing where others used the machine


def advised(situation: Situation, rules: Sequence[AdviceRule]) -> list[Advice]:
    """Return the advice, sorted by the bottleneck that binds first. If most rounds of the baseline were disturbed, its
    times describe the machine and not the variant; then no rule that needs times is asked."""
    binding = situation.binds()
    found = []
    if situation.disturbed:
        rules = [rule for rule in rules if not rule.timed]
    for rule in sorted(rules, key=lambda r: (r.bottleneck not in binding, BOTTLENECKS.index(r.bottleneck), r.order)):
        said = rule.advise(situation)
        if said is not None:
            what, because, ceiling = said
            found.append(
                Advice(
                    rule=rule.name,
                    bottleneck=rule.bottleneck,
                    binds=rule.bottleneck in binding,
                    what=what,
                    because=because,
                    ceiling_tok_s=ceiling,
                    joins=list(rule.joins(situation)),
                )
            )
    return found
