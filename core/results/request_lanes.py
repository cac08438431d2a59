"""All requests of a trial over time: arrival, dispatch, first token and end, and the slot among those served at once.
Pure functions of trials.

An engine does not report a request's slot. The lowest slot that is free at its dispatch is assigned: the number of
slots and the overlap are the engine's, whichever numbers it had.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.results import metrics
from core.results.trials import Trial


@dataclass(frozen=True)
class RequestLane:
    """One request. Times are in ms since the trial's first arrival; `first_ms` is None without a token. `slot` counts
    from 0."""

    number: int
    slot: int
    arrival_ms: float
    dispatch_ms: float
    first_ms: float | None
    end_ms: float
    tokens: int
    ok: bool

    @property
    def queue_ms(self) -> float:
        return self.dispatch_ms - self.arrival_ms


@dataclass(frozen=True)
class Lanes:
    """The requests of one trial by dispatch."""

    variant: str
    round: int
    requests: tuple[RequestLane, ...]

    @property
    def slots(self) -> int:
        """The most requests served at once."""
        return 1 + max((r.slot for r in self.requests), default=-1)

    @property
    def end_ms(self) -> float:
        return max((r.end_ms for r in self.requests), default=0.0)

    @property
    def occupancy(self) -> float | None:
        """The mean number of served requests, from the first arrival to the last end."""
        return sum(r.end_ms - r.dispatch_ms for r in self.requests) / self.end_ms if self.end_ms > 0 else None


def lanes(trial: Trial) -> Lanes:
    """Return the requests of a trial with their slots."""
    start, _ = metrics.window_ns(trial)
    until: list[int] = []  # when each place is free again, ns
    found = []
    numbered = sorted(enumerate(trial.requests), key=lambda pair: (pair[1].dispatch_ns, pair[0]))
    for number, request in numbered:
        slot = next((place for place, end in enumerate(until) if end <= request.dispatch_ns), len(until))
        until[slot : slot + 1] = [max(request.end_ns, request.dispatch_ns)]
        stamps = (request.arrival_ns, request.dispatch_ns, request.end_ns)
        arrival, dispatch, end = ((t - start) / 1e6 for t in stamps)
        first = (request.at_ns[0] - start) / 1e6 if request.at_ns else None
        found.append(RequestLane(number, slot, arrival, dispatch, first, end, request.count, request.status == "ok"))
    return Lanes(trial.variant, trial.round, tuple(found))
