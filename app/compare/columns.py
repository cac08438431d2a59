"""The columns of the comparison table: their short titles and their cells.

Every column of comparison.csv is available, with its definition of `core.wording.column_meanings`; the workload's kind
determines the initial ones. `rate` and `peak` stand for the rate and the memory that variants are compared by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said
from core.analysis import measures, verdict_text
from core.analysis.column import compared
from core.analysis.comparison_row import Row
from core.analysis.measures import peak_bytes
from core.base import formatting
from core.report import table_export
from core.wording import quality_text
from core.wording.column_meanings import MEANING

#: Shown at first where a trial is one request, and where it is several: what all get, what each gets, and the waiting.
FIRST = ("rate", "ttft_ms_p50", "itl_ms_p50", "peak", "kld_mean")
SEVERAL = (
    "rate", "per_user_tok_s", "ttft_ms_p50", "ttft_ms_p95", "e2e_ms_p50", "e2e_ms_p95", "queue_ms_p50", "request_rate",
    "peak", "kld_mean",
)  # fmt: skip
_IN_FRONT = ("variant", "recipe")  # every row begins with them
_ORDER = (
    "rate", "aggregate_tok_s", "per_user_tok_s", "ttft_ms_p50", "ttft_ms_p95", "itl_ms_p50", "e2e_ms_p50", "e2e_ms_p95",
    "queue_ms_p50", "request_rate", "peak", "kld_mean",
)  # fmt: skip
KEYS = (*_ORDER, *(n for n in table_export.COMPARISON_COLUMNS if n not in _ORDER and n not in _IN_FRONT))
GIB = 2**30
#: Pixels that a column gets at first; the others get as many as their titles need.
WIDTHS = {"rate": 92, "ttft_ms_p50": 66, "itl_ms_p50": 62, "peak": 72, "kld_mean": 92}


def proposed(first: Row | None) -> tuple[str, ...]:
    """Return the keys shown until the user chooses others; `first` is the baseline."""
    if first is None or (first.requests == 1 and first.arrival != "poisson"):
        return FIRST
    # At random arrivals variants are compared by the wait of a user, so the rate of all is a column of its own.
    return (*SEVERAL, "aggregate_tok_s") if first.arrival == "poisson" or first.concurrency == 1 else SEVERAL


@dataclass(frozen=True)
class Title:
    """A column's titles; `long` is for the list of columns, `tip` defines the column."""

    short: str
    long: str
    tip: str


def title(key: str, first: Row | None) -> Title:
    """Return a column's titles; the workload of the baseline `first` determines which rate is compared."""
    of = meaning_of(key, first)
    meaning = MEANING[of]
    name = said(meaning.title)
    unit = "GiB" if meaning.unit == "B" else meaning.unit
    long = f"{name}, {unit}" if unit and unit != "×" else name
    if key in ("rate", "peak"):
        long = _tr("{column} (compared by)").format(column=long)
    short = {
        "rate": said(measures.compared_rate(first)[1]) if first is not None else _tr("tok/s"),
        "ttft_ms_p50": _tr("TTFT ms"),
        "itl_ms_p50": _tr("ITL ms"),
        "aggregate_tok_s": _tr("All tok/s"),
        "per_user_tok_s": _tr("User tok/s"),
        "ttft_ms_p95": _tr("TTFT p95 ms"),
        "e2e_ms_p50": _tr("E2E ms"),
        "e2e_ms_p95": _tr("E2E p95 ms"),
        "queue_ms_p50": _tr("Queue ms"),
        "request_rate": _tr("Requests/s"),
        "itl_ms_p95": _tr("ITL p95 ms"),
        "itl_ms_p99": _tr("ITL p99 ms"),
        "peak": _tr("Peak GiB"),
        "kld_mean": _tr("KL, nats"),
    }.get(key, long)
    source = f"\n{meaning.source}" if meaning.source else ""
    return Title(short, long, said(f"{meaning.title}\n{meaning.formula}{source}"))


def meaning_of(key: str, first: Row | None) -> str:
    """Return the column of comparison.csv behind a key."""
    if key == "peak":
        on_device = first is not None and first.peak_allocated_bytes is not None
        return "peak_allocated_bytes" if on_device else "peak_process_bytes"
    if key == "rate":
        if first is None or (first.arrival != "poisson" and first.concurrency == 1):
            return "decode_tok_s"
        return "e2e_ms_p50" if first.arrival == "poisson" else "aggregate_tok_s"
    return key


def value(row: Row, key: str) -> Any:
    """Return the value that a column is sorted by; None if not available."""
    if key == "rate":
        return measures.compared_rate(row)[0]
    if key == "peak":
        return peak_bytes(row)
    found = getattr(row, key)
    return None if found == "" else int(found) if isinstance(found, bool) else found


def text(row: Row, key: str) -> str:
    """Return a cell's text: figures with three digits, bytes in GiB, `—` if not available."""
    found = value(row, key)
    if key == "kld_mean":
        return quality_text.divergence(row)
    if key == "status":
        return said(verdict_text.STATUS.get(row.status, row.status))
    if isinstance(getattr(row, key, None), bool):
        return _tr("yes") if found else _tr("no")
    if found is None or isinstance(found, str):
        return said(found or "") or "—"
    if is_bytes(key):
        return formatting.number(found / GIB)
    if isinstance(found, int):
        return formatting.whole(found)
    return formatting.number(found)


def delta(row: Row, base: Row | None, key: str) -> str:
    """Return a figure's difference from the reference's: `+12 %`, or `−3.1 pts` for percentages; empty if it means
    nothing."""
    if base is None or row is base or key in UNCOMPARED:
        return ""
    mine, theirs = value(row, key), value(base, key)
    if isinstance(mine, str) or isinstance(theirs, str) or mine is None or not theirs:
        return ""
    if isinstance(getattr(row, key, None), bool):
        return ""
    if key.endswith("_pct"):
        return _tr("{x} pts").format(x=_signed(mine - theirs, 1))
    return percent(mine / theirs)


def percent(ratio: float) -> str:
    """Return the difference of a ratio from 1: `+12 %`."""
    return f"{_signed(100 * (ratio - 1), 0)} %"


#: Columns whose difference says nothing: ratios to the baseline, and columns that measure nothing.
UNCOMPARED = frozenset(name for name, field in Row.model_fields.items() if not compared(field))


def _signed(x: float, decimals: int) -> str:
    text = f"{x:+,.{decimals}f}".replace(",", "\u2009").replace("-", "−")
    return f"{0:.{decimals}f}" if float(f"{x:.{decimals}f}") == 0 else text


def is_bytes(key: str) -> bool:
    return key == "peak" or (MEANING.get(key) is not None and MEANING[key].unit == "B")


def is_text(key: str) -> bool:
    """Return whether a column's cells are words, which are left-aligned."""
    return key in _TEXTS


_TEXTS = frozenset(
    name
    for name, field in Row.model_fields.items()
    if "str" in str(field.annotation) or "Literal" in str(field.annotation)
)


def _tr(source: str) -> str:
    return QCoreApplication.translate("Columns", source)
