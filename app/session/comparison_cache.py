"""The comparison of a run, computed once for all views, also by another thread."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from core.analysis.compare import compare
from core.analysis.comparison_row import Comparison
from core.machine.environment import capacity_bytes as environment_capacity
from core.results.results import Results
from core.run.continuation import whole_rounds_begun
from core.run.stopping_rule import least_rounds, rounds_expected
from core.spec.workload import Workload

_known: WeakKeyDictionary[Results, tuple[tuple, Comparison]] = WeakKeyDictionary()

FAILURES = ("failed", "out_of_memory", "refused")


def comparison_of(results: Results | None) -> Comparison | None:
    """Return the present comparison, or None before a run; recomputed only after a relevant change."""
    if results is None or results.started is None or results.experiment is None:
        return None
    state = _state(results)
    before = _known.get(results)
    if before is not None and before[0] == state:
        return before[1]
    comparison = compare(results)
    _known[results] = (state, comparison)
    return comparison


def remember(results: Results, comparison: Comparison) -> None:
    """Cache a comparison of these results that was computed elsewhere from the same events."""
    _known[results] = (_state(results), comparison)


def _state(results: Results) -> tuple:
    """Return the state that a comparison depends on."""
    return (
        results.finished,
        results.interrupted,
        results.resumed,
        results.environment,
        results.machine,
        results.margin,
        tuple(
            (
                (v.phase is None, len(v.trials), v.failed, v.loaded, v.warm, len(v.receipts), v.receipt_ok),
                (v.quality is None, v.quality_failed, len(v.answers), v.suite is None, v.interface is None),
            )
            for v in results.variants.values()
        ),
    )


def trial_tokens(workload: Workload) -> int:
    """Return the tokens that one trial generates over all its requests."""
    return workload.new_tokens * workload.request_count


def rounds_planned(results: Results) -> int:
    """Return the expected rounds of a run: the requested ones, or those that its precision needs; at least as many as
    have begun, since the baseline of a sequence has a second pass. A finished run has what it has."""
    if results.experiment is None:
        return 0
    work = results.experiment.workload
    begun = whole_rounds_begun(results)
    if results.finished is not None and results.finished.reason in ("precise", "budget"):
        return max(1, results.rounds_done)
    if results.resumed is not None and (results.finished is not None or results.interrupted):
        return work.trials  # an interrupted round has a number and does not count
    return max(rounds_expected(results) or least_rounds(work) if work.until_pct else work.trials, begun)


def capacity_bytes(comparison: Comparison | None) -> int | None:
    """Return the memory that the engines of a run had to fit into."""
    environment = comparison.environment if comparison is not None else None
    return environment_capacity(environment) if environment is not None else None
