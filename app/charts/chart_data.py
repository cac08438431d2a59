"""A chart's figures as columns: the source of its CSV file and its table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.report.table_export import safe

Column = Sequence | np.ndarray
Keys = list[tuple[int, str]]  # index and name of each variant in a chart


@dataclass(frozen=True)
class ChartData:
    """Columns of equal length; `names` contain the units. NaN and None mean not available."""

    names: tuple[str, ...]
    columns: tuple[Column, ...]

    @staticmethod
    def of_rows(names: Sequence[str], rows: Iterable[Sequence]) -> ChartData:
        """Return the data of one tuple per row."""
        found = list(rows)
        return ChartData(tuple(names), tuple(zip(*found, strict=True)) if found else tuple(() for _ in names))

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def cell(self, row: int, column: int, digits: int = 12) -> str:
        """Return a cell as written: a plain figure of `digits` digits without unit, empty if not available."""
        return _plain(self.columns[column][row], digits)

    def is_figure(self, column: int) -> bool:
        """Return whether a column holds figures."""
        return all(not isinstance(self.columns[column][row], str) for row in range(min(len(self), 20)))

    def row(self, number: int) -> list[str]:
        return [self.cell(number, column) for column in range(len(self.names))]

    def text(self, separator: str = ",", rows: Iterable[int] | None = None) -> str:
        """Return one header and one line per row, of all rows unless `rows` are given."""
        out = io.StringIO()
        writer = csv.writer(out, delimiter=separator, lineterminator="\n")
        writer.writerow([safe(name) for name in self.names])
        writer.writerows(self.row(i) for i in (range(len(self)) if rows is None else rows))
        return out.getvalue()


def _plain(value: object, digits: int) -> str:
    if value is None:
        return ""
    if isinstance(value, float | np.floating):
        if np.isnan(value):
            return ""
        return f"{value:.{min(digits, 7) if isinstance(value, np.float32) else digits}g}"
    return str(safe(value))
