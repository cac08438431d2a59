"""A variant beside the baseline, with everything that explanations and advice read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.analysis.comparison_row import Row
from core.analysis.disturbance import disturbance
from core.analysis.roofline import Place
from core.machine.machine_roof import MachineRoof
from core.model.receipt import JsonValue, Receipt
from core.model.step_anatomy import Anatomy

if TYPE_CHECKING:
    from core.results.results import Results


@dataclass(frozen=True)
class Case:
    """One variant beside the baseline. The baseline is compared with itself."""

    row: Row
    base: Row
    place: Place | None = None
    base_place: Place | None = None
    machine: MachineRoof | None = None
    anatomy: Anatomy | None = None
    receipts: dict[str, Receipt] = field(default_factory=dict)  # by slot

    @property
    def computes_in(self) -> str:
        return self.anatomy.computes_in if self.anatomy is not None else ""

    @property
    def is_baseline(self) -> bool:
        return self.row.verdict == "baseline"

    @property
    def disturbed(self) -> str:
        """The flag that makes step times doubtful, or an empty string."""
        return disturbance(self.row)

    @property
    def undecided(self) -> bool:
        """Whether the difference may be noise; then it is not explained."""
        return self.row.verdict == "undecided"

    @property
    def slower(self) -> bool:
        """Whether the variant is slower: by its verdict, or by the ratio while there is no verdict."""
        if self.row.verdict in ("faster", "within_margin", "undecided", "baseline"):
            return False
        return self.row.verdict == "slower" or (self.row.speed_ratio or 1.0) < 1

    @property
    def step_ratio(self) -> float | None:
        """The time of a step divided by the baseline's."""
        if self.is_baseline or self.place is None or self.base_place is None:
            return None
        return self.place.step_s / self.base_place.step_s

    @property
    def bytes_ratio(self) -> float | None:
        """The bytes that a step reads divided by the baseline's."""
        if self.is_baseline or self.place is None or self.base_place is None:
            return None
        return self.place.bytes_per_step / self.base_place.bytes_per_step

    def detail(self, slot: str, name: str) -> JsonValue:
        return self.receipts[slot].detail.get(name) if slot in self.receipts else None


def cases(results: Results, rows: Sequence[Row], places: Sequence[Place | None]) -> list[Case]:
    """Return one case per variant, from its row and its place under the roofline."""
    assert results.experiment is not None
    found = []
    for variant, row, place in zip(results.experiment.variants, rows, places, strict=True):
        state = results.variants[variant.name]
        found.append(
            Case(
                row=row,
                base=rows[0],
                place=place,
                base_place=places[0],
                machine=results.machine_of(variant),
                anatomy=state.loaded.anatomy if state.loaded is not None else None,
                receipts={r.slot: r for r in state.receipts},
            )
        )
    return found
