"""The comparison in long form for metrics.csv: one row per variant and metric, with estimate, ratio to the baseline,
both intervals and the verdict."""

from __future__ import annotations

from typing import Any

from core.analysis.comparison_row import Comparison, Row
from core.analysis.contrast import Contrast, contrast, spread
from core.analysis.measures import MEASURES, Measure
from core.results.results import Results
from core.wording.column_meanings import MEANING

COLUMNS = [
    "schema_version", "experiment", "created", "model", "variant", "letter", "metric",
    "unit", "better", "estimate", "low", "high", "ratio", "ratio_low",
    "ratio_high", "verdict", "rounds_paired", "interval_method", "smallest_detectable_pct", "flags",
]  # fmt: skip


def metrics_table(results: Results, comparison: Comparison) -> list[dict[str, Any]]:
    """Return rows with the columns above, by variant; metrics without a figure are left out."""
    base = comparison.baseline
    return [
        _line(results, comparison, by, row, contrast(results, comparison, by, row, base))
        for row in comparison.variants
        for by in MEASURES
        if by.value(row) is not None
    ]


def _line(results: Results, comparison: Comparison, by: Measure, row: Row, found: Contrast) -> dict[str, Any]:
    own = spread(results, row, by) if row.variant in results.variants else None
    # Estimate and interval come from the same rounds by the same mean; what has no rounds is as its column has it.
    estimate, low, high = (own.ratio, own.low, own.high) if own is not None else (by.value(row), None, None)
    if by.amount:
        low, high = found.low, found.high
    return {
        "schema_version": row.schema_version,
        "experiment": row.experiment,
        "created": comparison.created,
        "model": row.model,
        "variant": row.variant,
        "letter": row.letter,
        "metric": _metric(by, row),
        "unit": _unit(by, row),
        "better": by.better,
        "estimate": estimate,
        "low": low,
        "high": high,
        "ratio": found.ratio,
        "ratio_low": None if by.amount else found.low,
        "ratio_high": None if by.amount else found.high,
        "verdict": found.verdict,
        "rounds_paired": found.rounds,
        "interval_method": found.method or (own.method if own is not None else ""),
        "smallest_detectable_pct": found.smallest_detectable_pct,
        "flags": row.flags,
    }


def _metric(by: Measure, row: Row) -> str:
    """Return the column of the figure; speed and peak memory have different columns by workload and device."""
    if by.key == "speed":
        if row.arrival == "poisson":
            return "e2e_rate"
        return "decode_tok_s" if row.concurrency == 1 else "aggregate_tok_s"
    if by.key == "peak_memory" and row.peak_allocated_bytes is not None:
        return "peak_allocated_bytes"
    return by.column


def _unit(by: Measure, row: Row) -> str:
    name = _metric(by, row)
    return MEANING[name].unit if name in MEANING else "1/s"
