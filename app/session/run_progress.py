"""The present activity with progress and remaining time, folded from the events of a run. The remaining time is the
whole run's if it can be estimated, else the phase's: its done part against its elapsed time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said
from app.session.comparison_cache import trial_tokens
from core.base import formatting
from core.protocol import events
from core.results import metrics
from core.results.results import Results, VariantState
from core.run.continuation import rounds_begun
from core.run.run_time import until_first_round_s
from core.run.stopping_rule import remaining_s

LEAST_S = 1.0  # of a phase, before anything is said of its time left


def _tr(text: str) -> str:
    return QCoreApplication.translate("Doing", text)


@dataclass(frozen=True)
class RunProgress:
    """`share` is the done part of 1; None if unknown. `left` is in words, empty if unknown."""

    detail: str = ""
    share: float | None = None
    left: str = ""

    @property
    def line(self) -> str:
        return " · ".join(filter(None, [self.detail, self.left]))


class PhaseClock:
    """The beginning and progress of the present phase, by the events' clock."""

    def __init__(self) -> None:
        self._began: int | None = None
        self._first = 0.0  # done at the first progress: bytes of a cache are there at once
        self._left: float | None = None
        self._entered: int | None = None

    def fold(self, event: events.Event) -> None:
        if isinstance(event, events.Phase):
            self._began, self._left, self._entered = None, None, event.t_ns
        elif isinstance(event, events.Progress):
            if self._began is None:
                self._began, self._first = event.t_ns, event.done
            passed = (event.t_ns - self._began) / 1e9
            grown = event.done - self._first
            known = event.total and grown > 0 and passed >= LEAST_S
            self._left = passed * (event.total - event.done) / grown if known and event.total else None

    @property
    def passed_s(self) -> float:
        """The seconds since the phase began, by the events' clock; 0 before any event."""
        return max(0.0, (time.perf_counter_ns() - self._entered) / 1e9) if self._entered is not None else 0.0

    @property
    def left_s(self) -> float | None:
        """The estimated seconds left in the phase."""
        return self._left


def doing(results: Results | None, clock: PhaseClock) -> RunProgress:
    """Return the progress of a run."""
    if results is None or results.experiment is None:
        return RunProgress()
    if results.paused:
        return RunProgress(share=_share_of_rounds(results))
    state = results.variants.get(results.current or "")
    if state is not None and state.phase == "trial":
        left = rounds_left_s(results, clock)
        words_ = _tr("about {time} left").format(time=formatting.about(left)) if left else ""
        return RunProgress("", _share_of_rounds(results), words_)
    if state is None or state.progress is None:
        return RunProgress()
    bar, limit = state.progress, state.phase == "warmup"  # its passes are at most so many: it ends when it is steady
    share = min(1.0, bar.done / bar.total) if bar.total and not limit else None
    left = None if limit else clock.left_s
    words_ = _tr("about {time} left of this step").format(time=formatting.about(left)) if left else ""
    before = _before_the_rounds(results, state, clock)
    return RunProgress(" · ".join(filter(None, [_place(results, state), _detail(state, bar)])), share, before or words_)


def rounds_left_s(results: Results, clock: PhaseClock) -> float | None:
    """Return the seconds left in the rounds, which decrease within a trial too."""
    left = remaining_s(results)
    state = results.variants.get(results.current or "")
    if left is None or state is None or state.phase != "trial":
        return left
    spans = [metrics.span_s(t) for t in state.trials]
    mine = sum(spans) / len(spans) if spans else left
    return max(1.0, left - min(clock.passed_s, mine))


def _place(results: Results, state: VariantState) -> str:
    """Return which of how many variants is being loaded or warmed up: `2 of 3`."""
    taking = [s for s in results.variants.values() if results.takes_part(s)]
    if state.phase in ("start", "convert", "load", "transform"):
        done = sum(s.loaded is not None for s in taking)
    elif state.phase == "warmup":
        done = sum(s.warm is not None for s in taking)
    else:
        return ""
    return _tr("{n} of {all}").format(n=min(done + 1, len(taking)), all=len(taking)) if len(taking) > 1 else ""


def _before_the_rounds(results: Results, state: VariantState, clock: PhaseClock) -> str:
    """Return the likely time until the first round."""
    if state.phase not in ("start", "load", "transform", "warmup") or any(
        s.trials or s.phase == "trial" for s in results.variants.values()
    ):
        return ""
    left = until_first_round_s(results)
    if left is None:
        return ""
    return _tr("about {time} until the first round").format(time=formatting.about(max(1.0, left - clock.passed_s)))


def _share_of_rounds(results: Results) -> float | None:
    """Return the done share of the planned rounds, by trials and the tokens of the present one."""
    assert results.experiment is not None
    work = results.experiment.workload
    if work.until_pct or not rounds_begun(results):
        return None  # how many there will be is not known
    taking = [s for s in results.variants.values() if results.takes_part(s)]
    if not taking:
        return None
    rounds = results.resumed.rounds if results.resumed is not None else work.trials
    trials = sum(results.session_rounds(s) for s in taking)
    begun = sum(min(1.0, s.tokens / trial_tokens(work)) for s in taking if s.phase == "trial")
    return min(1.0, (trials + begun) / (rounds * len(taking))) if rounds else None


def _detail(state: VariantState, bar: events.Progress) -> str:
    if bar.unit in ("B", "bytes") and bar.total:
        return f"{formatting.size(int(bar.done))} / {formatting.size(int(bar.total))}"
    if state.phase == "warmup":
        return _tr("pass {n}").format(n=int(bar.done))
    if bar.unit == "tokens" and bar.total:
        return _tr("{n} of {all} tokens").format(n=int(bar.done), all=int(bar.total))
    if bar.unit == "answers" and bar.total:
        return _tr("{n} of {all} answers").format(n=int(bar.done), all=int(bar.total))
    return said(bar.detail)
