"""Assembles a trial from its events: raw stamps, counts and flags, and whether it is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from core.base.value import Value
from core.protocol.events import RequestTimes, Steps, TrialDone

#: What a trial is flagged with, and left out for: its events cannot be those that were measured.
MISSING = "steps are missing"
DISORDERED = "step times are out of order"
#: How the engine's flag begins that says that its process stood still meanwhile, for seconds that are none of a step's.
STOPPED = "stopped for"


class Request(Value):
    """One request: `tokens[i]` tokens became known at `at_ns[i]`; the first stamp is the first token."""

    arrival_ns: int
    dispatch_ns: int
    end_ns: int
    prompt_tokens: int
    at_ns: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    status: str = "ok"

    @property
    def count(self) -> int:
        """The number of generated token ids."""
        return sum(self.tokens)


class Trial(Value):
    """One measured pass of one variant in one round. `fault` says why it does not count."""

    variant: str
    round: int
    requests: tuple[Request, ...]
    done: TrialDone
    fault: str = ""

    @property
    def ok(self) -> bool:
        """Whether the trial counts."""
        return not self.fault and bool(self.requests) and all(r.status == "ok" for r in self.requests)


def assemble(done: TrialDone, steps: list[Steps]) -> Trial:
    """Return the trial of its final event and the steps before it."""

    by_request: dict[int, list[Steps]] = {}
    for step in steps:
        by_request.setdefault(step.request, []).append(step)

    def request(times: RequestTimes) -> Request:
        mine = by_request.get(times.request, [])
        return Request(
            arrival_ns=times.arrival_ns,
            dispatch_ns=times.dispatch_ns,
            end_ns=times.end_ns,
            prompt_tokens=times.prompt_tokens,
            at_ns=tuple(t for s in mine for t in s.at_ns),
            tokens=tuple(n for s in mine for n in s.tokens),
            status=times.status,
        )

    requests = tuple(request(r) for r in done.requests)
    fault = next(filter(None, map(_fault, requests, done.requests)), "")
    if fault:
        done = done.model_copy(update={"flags": [*done.flags, fault]})
    else:
        fault = next((flag for flag in done.flags if flag.startswith(STOPPED)), "")
    return Trial(variant=done.variant or "", round=done.round, requests=requests, done=done, fault=fault)


def _fault(request: Request, times: RequestTimes) -> str:
    """Return why a request does not count: a lost or garbled line of the journal would make it look faster or slower,
    so the received steps are compared with the engine's counts."""
    if request.count != times.new_tokens:
        return MISSING
    stamps = (request.arrival_ns, *request.at_ns)
    return DISORDERED if any(b < a for a, b in pairwise(stamps)) else ""


#: A figure of one trial, positive; a function of a module, so that what it gave can be kept under its name.
Quantity = Callable[[Trial], float | None]


def rounds_kept(going_on: Iterable[int], failed: Iterable[int]) -> int:
    """Return the number of complete rounds, from the trials that each variant has finished: the minimum over the
    variants still running or, if all have failed, the maximum over the failed ones."""
    return min(going_on, default=max(failed, default=0))
