"""The rows of the comparison table: each variant with its contrast, from one run or several.

The forest shows contrasts of comparable runs, each against its own run's baseline; rows of other runs are in the table
and not in the forest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from app.base.core_text import said as shown
from app.charts.forest_plot import Scale
from app.compare import columns
from app.text.recipe_text import recipe_in
from core.analysis.comparison_row import Comparison, Row
from core.analysis.contrast import Contrast, contrasts
from core.analysis.measures import Measure
from core.results.results import Results
from core.wording import contrast_text


@dataclass(frozen=True)
class CompareRow:
    """One row. `index` is the place of its letter and hue, `run` its run's label ("" for a single run), `base` the row
    that it is compared with, `recipe` its recipe in words. Without a contrast it is not in the forest, and `unlike`
    says why."""

    row: Row
    contrast: Contrast | None
    base: Row
    index: int
    place: int
    run: str = ""
    unlike: str = ""
    recipe: str = ""
    edited: bool = False  # since it was measured: drawn hatched

    @property
    def name(self) -> tuple[str, str]:
        """The row's unique key in the table."""
        return self.run, self.row.variant


@dataclass(frozen=True)
class Sheet:
    """All that the table shows; `letter` is the reference's."""

    entries: tuple[CompareRow, ...] = ()
    measure: Measure | None = None
    letter: str = "A"
    margin: float = 0.03
    scale: Scale = Scale()  # noqa: RUF009 — it is frozen
    deltas: bool = True
    run: str = ""  # mark of the present experiment, where there are several

    @property
    def first(self) -> Row | None:
        return self.entries[0].row if self.entries else None


def entries_of(
    results: Results,
    comparison: Comparison,
    by: Measure,
    index_of: Callable[[str], int],
    reference: str = "",
    run: str = "",
    unlike: str = "",
    start: int = 0,
    edited: Collection[str] = (),
) -> list[CompareRow]:
    """Return the rows of one run in the order of its variants. `start` is the place of the first; `edited` names
    variants whose settings have changed since."""
    names = [row.variant for row in comparison.variants]
    base = comparison.variants[names.index(reference)] if reference in names else comparison.baseline
    found: list[Contrast | None] = [*contrasts(results, comparison, by, base.variant)]
    if unlike:
        found = [None] * len(names)
    return [
        CompareRow(
            row,
            contrast,
            base,
            index_of(row.variant),
            start + place,
            run,
            unlike,
            recipe_in(results, row.variant),
            row.variant in edited,
        )
        for place, (row, contrast) in enumerate(zip(comparison.variants, found, strict=True))
    ]


def scale_of(entries: list[CompareRow], by: Measure, limit: float = 0.0) -> Scale:
    """Return an axis that contains every contrast of the forest."""
    found = [e.contrast for e in entries if e.contrast is not None]
    return Scale.of_amounts(found, limit) if by.amount else Scale.of(found)


def said(entry: CompareRow, by: Measure, margin: float) -> tuple[str, str]:
    """Return the verdict in words without an arrow, and the interval or the reason for having none."""
    if entry.contrast is None:
        return "", shown(entry.unlike)
    if by.amount:
        head, tail = contrast_text.amount(by, entry.row, entry.contrast)
        return shown(head), shown(tail)
    head = contrast_text.ratio(entry.contrast, margin, by.key == "speed")
    tail = contrast_text.interval(entry.contrast) or contrast_text.no_interval(by, entry.contrast)
    return shown(head), shown(tail)


def copied(entry: CompareRow, by: Measure, keys: Sequence[str]) -> dict[str, Any]:
    """Return a row for the clipboard: plain numbers under the names of comparison.csv, None if not available."""
    row, found = entry.row, entry.contrast
    line: dict[str, Any] = {"experiment": row.experiment, "variant": row.variant, "recipe": row.recipe}
    line |= {"status": row.status, "compared_by": by.key, "reference": entry.base.variant}
    line |= {name: getattr(found, name, None) for name in ("ratio", "low", "high", "verdict")}
    return line | {columns.meaning_of(key, row): columns.value(row, key) for key in keys}
