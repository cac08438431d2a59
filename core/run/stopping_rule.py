"""Decides when a run until precise may end, and predicts how long that takes. It ends by the width of the intervals and
never by a verdict: ending as soon as verdicts settle gave 15 % false ones in simulation. Pure functions of the results
so far."""

from __future__ import annotations

import math
from typing import Literal

from core.results import metrics
from core.results.pairing import paired
from core.results.ratio_statistics import MIN_ROUNDS_UNTIL, Interval, rounds_for
from core.results.results import Results, VariantState
from core.spec.workload import Workload

#: "rounds": all that were asked for; "precise": every interval is narrow enough; "budget" and "cap": it is not.
Reason = Literal["rounds", "precise", "budget", "cap"]
_GUESS_FROM = 3  # rounds; the noise of fewer says nothing of how many it will take


def least_rounds(work: Workload) -> int:
    """Return the rounds before which narrow intervals do not end a run."""
    return max(work.trials, MIN_ROUNDS_UNTIL)


def reason_to_end(results: Results) -> Reason | None:
    """Return the reason to end, asked after every round; None to go on."""
    work, done = _workload(results), results.rounds_done
    if work.until_pct and done >= least_rounds(work):
        width = widest_pct(results)
        if width is not None and width <= work.until_pct:
            return "precise"
        if not _compared(results):
            return "rounds"  # there is nothing that could become precise
    if done >= work.most_rounds:
        return "cap" if work.until_pct else "rounds"
    if work.budget_s and done and elapsed_s(results) * (done + 1) / done > work.budget_s:
        return "budget"
    return None


def ended_words(results: Results, reason: Reason) -> str:
    """Return why a run ended, with figures; empty if it did all that was asked."""
    work, done, width = _workload(results), results.rounds_done, widest_pct(results)
    widest = f"; the widest interval is ±{width:.1f} %" if width is not None else ""
    match reason:
        case "precise":
            return f"every interval is within ±{work.until_pct:g} % after {done} rounds{widest}"
        case "budget":
            return f"the budget of {work.budget_s:g} s ended it after {done} rounds{widest}"
        case "cap":
            return f"it ended after the most rounds that it may have, {done}{widest}"
    return "" if not work.until_pct else f"it ended after {done} rounds: there is nothing to compare"


def widest_pct(results: Results) -> float | None:
    """Return half the width in % of the widest 95 % interval among the continuing variants; None while one has no
    interval."""
    found = [interval for _, interval in _compared(results)]
    if not found or any(interval is None for interval in found):
        return None
    return max(interval.half_width_pct for interval in found if interval is not None)


def elapsed_s(results: Results) -> float:
    """Return the seconds from the first arrival of the first trial to the end of the last, without pauses and gaps
    between sessions."""
    return sum(end - start for start, end in results.stretches) / 1e9


def round_s(results: Results) -> float | None:
    """Return the mean seconds of a round of the continuing variants; None before each has a trial."""
    spans = [[metrics.span_s(t) for t in s.trials] for s in results.variants.values() if s.failed is None]
    return sum(sum(of) / len(of) for of in spans) if spans and all(spans) else None


def rounds_expected(results: Results) -> int | None:
    """Return the expected total rounds if the noise stays the same; None before that can be estimated."""
    work = _workload(results)
    if not work.until_pct or results.turns == "sequence":
        return work.trials
    if results.rounds_done < _GUESS_FROM:
        return None
    needed = least_rounds(work)
    for _, interval in _compared(results):
        if interval is None:
            return None
        limit = math.log1p(work.until_pct / 100)
        needed = max(needed, rounds_for(interval.sd, limit, interval.rounds, work.max_trials) or work.max_trials)
    return min(needed, work.max_trials)


def remaining_s(results: Results) -> float | None:
    """Return the estimated seconds left, from the finished trials; None before the first."""
    if results.experiment is None or results.started is None:
        return None
    left = 0.0
    for state in results.variants.values():
        count = trials_left(results, state)
        if count is None:
            return None
        if not results.takes_part(state):
            continue
        spans = [metrics.span_s(t) for t in state.trials]
        if not spans:
            if state.warm is None:
                return None
            spans = [state.warm.warmup_s / max(1, state.warm.passes)]
        left += count * sum(spans) / len(spans)
    budget = results.experiment.workload.budget_s
    return min(left, max(0.0, budget - elapsed_s(results))) if budget else left


def trials_left(results: Results, state: VariantState) -> int | None:
    """Return the expected remaining trials of a variant; None before that can be estimated."""
    rounds = rounds_expected(results)
    if rounds is None or results.experiment is None:
        return None
    if not results.takes_part(state):
        return 0
    passes = 2 if results.turns == "sequence" and state.name == results.experiment.baseline.name else 1
    return max(0, passes * _rounds_of(results, rounds) - results.session_rounds(state))


def _rounds_of(results: Results, expected: int) -> int:
    """Return the rounds of the present session among the expected total."""
    if results.resumed is None:
        return expected
    if not _workload(results).until_pct:
        return results.resumed.rounds
    alive = [s for s in results.variants.values() if results.takes_part(s)]
    return expected - results.rounds_done + min((results.session_rounds(s) for s in alive), default=0)


def _compared(results: Results) -> list[tuple[VariantState, Interval | None]]:
    """Return the continuing variants that can be compared, with their intervals; a variant without a counted trial
    after several rounds is left out."""
    assert results.experiment is not None
    baseline = results.variants[results.experiment.baseline.name]
    if not _goes_on(baseline):
        return []
    others = [s for s in results.variants.values() if s is not baseline and _goes_on(s)]
    return [(s, paired(s, baseline)) for s in others]


def _goes_on(state: VariantState) -> bool:
    return state.failed is None and (len(state.trials) < _GUESS_FROM or any(t.ok for t in state.trials))


def _workload(results: Results) -> Workload:
    assert results.experiment is not None
    return results.experiment.workload
