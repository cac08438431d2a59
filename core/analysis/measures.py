"""The measures that variants can be compared by: speed, latencies, memory, energy, divergence."""

from __future__ import annotations

import statistics as stats
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.analysis.comparison_row import Row
from core.results import metrics
from core.results.trials import Quantity, Request, Trial

Key = Literal[
    "speed", "ttft", "itl_p50", "itl_p99", "e2e", "prefill", "peak_memory", "weights", "energy", "kld",
]  # fmt: skip


@dataclass(frozen=True)
class Measure:
    """One measure. `column` is its column in a row (`core.wording.column_meanings`). `of_trial` computes its figure in
    one round; without `of_trial` there are no rounds and no interval. `amount` marks an amount against the baseline,
    which has no ratio."""

    key: Key
    column: str
    better: Literal["higher", "lower"]
    of_trial: Quantity | None = None
    amount: bool = False

    def value(self, row: Row) -> float | None:
        """Return the row's figure in the unit of the measure's column."""
        return value_of(row, self.key, self.column)


def value_of(row: Row, key: Key, column: str) -> float | None:
    """Return the row's figure for a measure."""
    match key:
        case "speed":
            return compared_rate(row)[0]
        case "peak_memory":
            return peak_bytes(row)
        case "kld":
            return 0.0 if row.quality_status == "reference" else row.kld_mean
    return getattr(row, column)


def peak_bytes(row: Row) -> int | None:
    """Return the memory peak that variants are compared by: allocated on a device, else resident in the process."""
    return row.peak_allocated_bytes if row.peak_allocated_bytes is not None else row.peak_process_bytes


def median_of(trial: Trial, of: Callable[[Request], float | None]) -> float | None:
    """Return the median of a figure over the trial's requests that have it; None without any."""
    known = [x for x in map(of, trial.requests) if x is not None]
    return stats.median(known) if known else None


def _ttft(trial: Trial) -> float | None:
    return median_of(trial, metrics.ttft_ms)


def _e2e(trial: Trial) -> float | None:
    return median_of(trial, metrics.e2e_ms)


def _prefill(trial: Trial) -> float | None:
    return median_of(trial, metrics.prefill_tok_s)


def latencies_ms(trial: Trial) -> np.ndarray:
    """Return the inter-token latencies of a trial in ms, as `metrics.itl_ms` defines them. Arrays are used because a
    window asks for thousands of trials."""
    parts = []
    for request in trial.requests:
        tokens = np.asarray(request.tokens[1:], dtype=np.int64)
        gaps = np.diff(np.asarray(request.at_ns, dtype=np.int64)) / 1e6
        parts.append(np.repeat(gaps / np.maximum(tokens, 1), tokens))
    return np.concatenate(parts) if parts else np.empty(0)


def _itl(trial: Trial, p: int) -> float | None:
    """Return a percentile of the inter-token latencies in ms, as `metrics.percentile` defines it."""
    values = latencies_ms(trial)
    return float(np.percentile(values, p)) if len(values) >= metrics.NEEDED[p] else None


def _itl_p50(trial: Trial) -> float | None:
    return _itl(trial, 50)


def _itl_p99(trial: Trial) -> float | None:
    return _itl(trial, 99)


MEASURES: tuple[Measure, ...] = (
    Measure("speed", "decode_tok_s", "higher", metrics.trial_rate),
    Measure("ttft", "ttft_ms_p50", "lower", _ttft),
    Measure("itl_p50", "itl_ms_p50", "lower", _itl_p50),
    Measure("itl_p99", "itl_ms_p99", "lower", _itl_p99),
    Measure("e2e", "e2e_ms_p50", "lower", _e2e),
    Measure("prefill", "prefill_tok_s", "higher", _prefill),
    Measure("peak_memory", "peak_process_bytes", "lower"),
    Measure("weights", "weights_bytes", "lower"),
    Measure("energy", "j_per_token", "lower", metrics.j_per_token),
    Measure("kld", "kld_mean", "lower", amount=True),
)
SPEED = MEASURES[0]


def known(rows: Iterable[Row]) -> frozenset[Key]:
    """Return the measures that any row has a figure for. The reference's divergence from itself does not count."""
    found = list(rows)
    return frozenset(
        by.key
        for by in MEASURES
        if any(by.value(row) is not None and (not by.amount or row.quality_status != "reference") for row in found)
    )


def measure(key: str) -> Measure:
    """Return the measure of a key; speed if the key is unknown."""
    return next((m for m in MEASURES if m.key == key), SPEED)


def compared_rate(row: Row) -> tuple[float | None, str]:
    """Return the rate that variants are compared by, and its name: per request, aggregate over concurrent requests, or
    per waiting user if requests arrive at random."""
    if row.arrival == "poisson":
        return 1000 / row.e2e_ms_p50 if row.e2e_ms_p50 else None, "1 ÷ end-to-end time, 1/s"
    if row.concurrency == 1:
        return row.decode_tok_s, "decode tok/s"
    return row.aggregate_tok_s, "aggregate tok/s"
