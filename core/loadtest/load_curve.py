"""The latency-throughput curve of a load sweep, computed from its runs. A point holds plain figures, so that a load
test of another server can make points too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.analysis.measures import latencies_ms, measure, median_of
from core.loadtest.load_sweep import SweepMark, mark_of
from core.results import metrics, variant_letters
from core.results.pairing import by_round
from core.results.ratio_statistics import paired_interval
from core.results.results import Results, VariantState
from core.results.trials import Request, Trial
from core.spec import experiment as spec

THROUGHPUTS = ("aggregate_tok_s", "request_rate")
LATENCIES = ("ttft_ms_p50", "ttft_ms_p95", "itl_ms_p50", "itl_ms_p95", "e2e_ms_p50", "e2e_ms_p95")
FIGURES = (
    *THROUGHPUTS,
    "per_user_tok_s",
    *LATENCIES,
)  # columns of a comparison, which `core.wording.column_meanings` explains


@dataclass(frozen=True)
class IntervalEstimate:
    """A figure with its 95 % interval, if it has one."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class LoadPoint:
    """One variant under one load: the swept value, and its figures by the names in `FIGURES`. Figures that are not
    available are absent."""

    variant: str
    value: float
    figures: Mapping[str, IntervalEstimate]
    place: int = 0  # of the variant's letter
    trials: int = 0
    experiment: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)  # columns that only a file has

    @property
    def label(self) -> str:
        return f"{self.value:g}"


def load_curve(runs: Iterable[Results]) -> list[LoadPoint]:
    """Return the points of a sweep's runs, by variant and swept value. A later run replaces an earlier one of the same
    value; runs without a counted trial are left out."""
    found: dict[tuple[str, float], LoadPoint] = {}
    for results in sorted(runs, key=lambda r: r.started.created if r.started else ""):
        at = mark_of(results)
        if at is not None:
            for name, state in results.variants.items():
                if any(t.ok for t in state.trials):
                    found[name, at.value] = _point(results, state, at)
    order = list(dict.fromkeys(name for name, _ in found))
    return sorted(found.values(), key=lambda p: (order.index(p.variant), p.value))


def lines(points: Sequence[LoadPoint], x: str, y: str) -> dict[str, list[LoadPoint]]:
    """Return the points that have both figures, by variant and load: one curve each."""
    found: dict[str, list[LoadPoint]] = {}
    for point in sorted(points, key=lambda p: p.value):
        if x in point.figures and y in point.figures:
            found.setdefault(point.variant, []).append(point)
    return found


def available(points: Iterable[LoadPoint]) -> list[str]:
    """Return the figures that any point has."""
    there = {name for point in points for name in point.figures}
    return [name for name in FIGURES if name in there]


def _point(results: Results, state: VariantState, at: SweepMark) -> LoadPoint:
    assert results.experiment is not None
    assert results.started is not None
    figures = {name: _by_rounds(state, of) for name, of in _OF_TRIAL.items()}
    good = [t for t in state.trials if t.ok]
    for name, of in _OF_TRIALS.items():
        value = metrics.percentile(of(good), 95)
        figures[name] = IntervalEstimate(value) if value is not None else None
    return LoadPoint(
        variant=state.name,
        value=at.value,
        figures={name: figure for name in FIGURES if (figure := figures[name]) is not None},
        place=variant_letters.recorded(results)[state.name],
        trials=len(good),
        experiment=results.run_id,
        details={
            "sweep": at.sweep,
            "field": at.field,
            "model": results.experiment.model.source,
            "recipe": next(v.recipe() for v in results.experiment.variants if v.name == state.name),
            "created": results.started.created,
        },
    )


def _by_rounds(state: VariantState, of: Callable[[Trial], float | None]) -> IntervalEstimate | None:
    """Return the geometric mean over the rounds with a t interval on the logs; one round has no interval."""
    found = list(by_round(state, of).values())
    interval = paired_interval(found)
    if interval is not None:
        return IntervalEstimate(interval.ratio, interval.low, interval.high)
    return IntervalEstimate(found[0]) if found else None


def _per_user(trial: Trial) -> float | None:
    return median_of(trial, metrics.decode_tok_s)


#: Of one round each: functions of a module, since what they gave is kept under their names.
_OF_TRIAL: dict[str, Callable[[Trial], float | None]] = {
    "aggregate_tok_s": metrics.trial_aggregate_tok_s,
    "request_rate": metrics.trial_request_rate,
    "per_user_tok_s": _per_user,
    **{by.column: by.of_trial for by in map(measure, ("ttft", "itl_p50", "e2e")) if by.of_trial is not None},
}
#: A round has too few requests for these: they are of the requests of all rounds, and have no interval.
_OF_TRIALS: dict[str, Callable[[list[Trial]], list[float]]] = {
    "ttft_ms_p95": lambda good: _all(good, metrics.ttft_ms),
    "itl_ms_p95": lambda good: [float(x) for t in good for x in latencies_ms(t)],
    "e2e_ms_p95": lambda good: _all(good, metrics.e2e_ms),
}


def _all(good: list[Trial], of: Callable[[Request], float | None]) -> list[float]:
    return [x for t in good for r in t.requests if (x := of(r)) is not None]


COLUMNS = [
    "schema_version", "sweep", "field", "value", "experiment", "created", "model", "variant", "letter", "recipe",
    "trials", *(f"{name}{end}" for name in FIGURES for end in ("", "_low", "_high")),
]  # fmt: skip


def load_table(points: Iterable[LoadPoint]) -> list[dict[str, Any]]:
    """Return one row per point with the columns above; None where a figure is absent."""
    rows = []
    for point in points:
        row = dict.fromkeys(COLUMNS) | dict(point.details)
        row |= {
            "schema_version": spec.SCHEMA_VERSION,
            "value": point.value,
            "experiment": point.experiment,
            "variant": point.variant,
            "letter": variant_letters.letter(point.place),
            "trials": point.trials,
        }
        for name, found in point.figures.items():
            row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
        rows.append(row)
    return rows
