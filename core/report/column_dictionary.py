"""The dictionary of columns: the columns of each table in order, with their definitions."""

from __future__ import annotations

from core.base.value import Value
from core.report import table_export
from core.wording.column_meanings import MEANING


class Column(Value):
    """A column's definition. `tables` names the files that have it; `unit` is "" for counts, ratios and words."""

    name: str
    tables: str
    title: str
    unit: str
    formula: str
    source: str


def columns() -> list[Column]:
    """Return the columns of comparison.csv in order, then those that only trials.csv, memory.csv or metrics.csv has.
    Raises KeyError for a column without a definition."""
    files = {
        "comparison.csv": table_export.COMPARISON_COLUMNS,
        "trials.csv": table_export.TRIAL_COLUMNS,
        "memory.csv": table_export.MEMORY_COLUMNS,
        "metrics.csv": table_export.METRIC_COLUMNS,
    }
    names = dict.fromkeys(name for header in files.values() for name in header)
    return [
        Column(
            name=name,
            tables=", ".join(file for file, header in files.items() if name in header),
            title=MEANING[name].title,
            unit=MEANING[name].unit,
            formula=MEANING[name].formula,
            source=MEANING[name].source,
        )
        for name in names
    ]
