"""The course of one request: waiting, the prompt, every step with its tokens, the rest; and the engine's decisions
meanwhile. Pure functions of trials and of the log. Times are in ms since the request's arrival, so that requests of
several variants share one axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from core.protocol import events
from core.results import metrics
from core.results.results import Results
from core.results.trials import Request, Trial

Kind = Literal["queue", "prefill", "step", "rest"]


@dataclass(frozen=True)
class Span:
    """One piece of a request's time. `number` counts steps from 1; `position` is that of the step's first token, from
    1; both are 0 for pieces without tokens. "rest" is the time between the last token and the end."""

    kind: Kind
    start_ms: float
    end_ms: float
    tokens: int = 0
    number: int = 0
    position: int = 0

    @property
    def ms(self) -> float:
        return self.end_ms - self.start_ms

    @property
    def accepted(self) -> int:
        """The drafted tokens that a step accepted: all but the one of its own."""
        return max(0, self.tokens - 1) if self.kind == "step" else 0


@dataclass(frozen=True)
class TimelineMark:
    """A decision of the engine: a fallback to plain decoding, another draft length."""

    at_ms: float
    what: str
    detail: str = ""


@dataclass(frozen=True)
class Lane:
    """One request of one variant. An unavailable figure is None."""

    variant: str
    round: int
    spans: tuple[Span, ...]
    marks: tuple[TimelineMark, ...]
    ttft_ms: float | None
    tpot_ms: float | None
    e2e_ms: float | None
    tokens: int
    flags: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """The number of decode steps, without the prefill."""
        return sum(span.kind == "step" for span in self.spans)

    @property
    def accepted(self) -> int:
        return sum(span.accepted for span in self.spans)

    @property
    def end_ms(self) -> float:
        return max((span.end_ms for span in self.spans), default=0.0)


def spans(request: Request) -> list[Span]:
    """Return queue (arrival to dispatch), prefill (to the first stamp), a step from stamp to stamp, and rest (to the
    end). Empty pieces are left out, except steps."""

    def ms(t_ns: int) -> float:
        return (t_ns - request.arrival_ns) / 1e6

    found = [Span("queue", 0.0, ms(request.dispatch_ns))]
    if request.at_ns:
        first = Span("prefill", ms(request.dispatch_ns), ms(request.at_ns[0]), request.tokens[0], 0, 1)
        found.append(first)
        position = 1 + request.tokens[0]
        for number, ((start, end), count) in enumerate(
            zip(pairwise(request.at_ns), request.tokens[1:], strict=True), start=1
        ):
            found.append(Span("step", ms(start), ms(end), count, number, position if count else 0))
            position += count
    found.append(Span("rest", found[-1].end_ms, ms(request.end_ns)))
    return [span for span in found if span.kind == "step" or span.ms > 0]


def latencies(request: Request) -> list[tuple[int, float]]:
    """Return the position of every token after the first stamp, and its latency in ms as `metrics.itl_ms`
    defines it."""
    first = request.tokens[0] if request.tokens else 0
    return [(first + place, ms) for place, ms in enumerate(metrics.itl_ms(request), start=1)]


def marks(log: Iterable[events.Event], trial: Trial, request: Request) -> list[TimelineMark]:
    """Return the decisions of the variant's engine in that round between the request's arrival and its end. With
    several requests at once a decision concerns all."""
    return [
        TimelineMark((entry.t_ns - request.arrival_ns) / 1e6, entry.what, entry.detail)
        for entry in log
        if isinstance(entry, events.Decision)
        and entry.variant == trial.variant
        and entry.round in (None, trial.round)
        and request.arrival_ns <= entry.t_ns <= request.end_ns
    ]


def lane(log: Iterable[events.Event], trial: Trial, number: int) -> Lane | None:
    """Return request `number` of a trial, from 0; None if there is none."""
    if not 0 <= number < len(trial.requests):
        return None
    request = trial.requests[number]
    return Lane(
        variant=trial.variant,
        round=trial.round,
        spans=tuple(spans(request)),
        marks=tuple(marks(log, trial, request)),
        ttft_ms=metrics.ttft_ms(request),
        tpot_ms=metrics.tpot_ms(request),
        e2e_ms=metrics.e2e_ms(request),
        tokens=request.count,
        flags=tuple(trial.done.flags),
    )


def trial_of(results: Results, variant: str, round_: int) -> Trial | None:
    """Return the trial of a variant in a round, from 0."""
    state = results.variants.get(variant)
    return next((t for t in state.trials if t.round == round_), None) if state is not None else None


def lanes(results: Results, round_: int, number: int, variants: Sequence[str] | None = None) -> list[Lane]:
    """Return the same request of all variants, or of those named, in their order; variants without it are left out."""
    found = []
    for name in results.variants if variants is None else variants:
        trial = trial_of(results, name, round_)
        one = lane(results.log, trial, number) if trial is not None else None
        if one is not None:
            found.append(one)
    return found


def rounds(results: Results) -> list[int]:
    """Return the rounds in which any trial ended, in order."""
    return sorted({t.round for state in results.variants.values() for t in state.trials})
