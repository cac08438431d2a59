"""Runs several requests through a server with a stamp per step. A step is one forward pass for all served requests and
has one stamp. The loop appends to lists. It hands over what is new every 30 ms plus 10 ms per request with news, so
that the cost stays below 0.2 % of the time (11 µs a request, see `core.engine.serve.live_stream`)."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.engine.base.runtime import Runtime
from core.engine.serve.loop import HAND_OVER_NS, HandOver, Pass
from core.kernels.batching.serving import BatchServer, OneByOne, ServedRequest
from core.spec.workload import Workload

PER_REQUEST_NS = 10_000_000


@dataclass
class Served:
    """The passes of all requests by number, the server (None: a decoder alone), and the time and tokens of each of its
    steps."""

    passes: list[Pass]
    server: BatchServer | None = None
    step_ns: list[int] = field(default_factory=list)
    step_tokens: list[int] = field(default_factory=list)

    def as_one(self) -> Pass:
        """Return the steps as those of one request, which a warm-up compares."""
        one, now = Pass(arrival_ns=0), 0
        for ns, tokens in zip(self.step_ns, self.step_tokens, strict=True):
            now += ns
            one.at_ns.append(now)
            one.tokens.append(max(1, tokens))
        return one


def takes_turns(runtime: Runtime) -> bool:
    """Return whether requests are served one by one through the variant's decoder."""
    return runtime.server is None or isinstance(runtime.server, OneByOne)


def server_of(runtime: Runtime) -> BatchServer:
    """Return the server of the variant's batching strategy, or the decoder serving one request after the other."""
    if runtime.server is None:
        assert runtime.decoder is not None
        runtime.server = OneByOne(runtime.decoder)
    return runtime.server


def arrivals(workload: Workload, seed: int) -> list[float | None]:
    """Return each request's arrival in seconds from the trial's beginning, or None for "when another has ended". A
    closed loop starts `concurrency` requests at once, and each answer admits the next. Poisson draws exponential gaps
    from the seed, independent of the server, so that a slow one builds up a queue."""
    count = workload.request_count
    if workload.arrival == "closed":
        return [0.0 if i < workload.concurrency else None for i in range(count)]
    rng, at, found = random.Random(seed), 0.0, []
    for _ in range(count):
        found.append(at)
        at += rng.expovariate(workload.rate)
    return list(found)


def serve(
    server: BatchServer, jobs: Sequence[ServedRequest], offsets_s: Sequence[float | None], hand_over: HandOver
) -> Served:
    """Run until every request has its tokens. A request's arrival is the scheduled time; its dispatch is when it got a
    slot."""
    clock = time.perf_counter_ns
    server.prepare(max(len(job.prompt) + job.new_tokens for job in jobs))
    wanted = {job.number: job.new_tokens for job in jobs}
    passes: dict[int, Pass] = {}
    served = Served([], server)
    begin = handed_at = clock()
    due = deque((begin + round(at * 1e9), job) for job, at in zip(jobs, offsets_s, strict=True) if at is not None)
    later = deque(job for job, at in zip(jobs, offsets_s, strict=True) if at is None)
    fresh: dict[int, Pass] = {}  # with stamps that were not handed over
    left = len(jobs)
    while left:
        now = clock()
        while due and due[0][0] <= now:
            arrival, job = due.popleft()
            passes[job.number] = Pass(arrival_ns=arrival, request=job.number)
            server.admit(job)
        if not server.ready():
            if due:
                _hand_over(fresh, hand_over)
                time.sleep(max(0, due[0][0] - clock()) / 1e9)
                continue
            server.start_anyway()
            if not server.ready():
                raise RuntimeError(f"the server stands still with {left} requests to go")
        before = clock()
        new = server.step()
        now = clock()
        served.step_ns.append(now - before)
        served.step_tokens.append(sum(len(ids) for _, ids in new))
        for number in server.begun:
            passes[number].dispatch_ns = before
        for number, ids in new:
            done = fresh[number] = passes[number]
            done.at_ns.append(now)
            done.tokens.append(len(ids))
            done.ids.extend(ids)
            if not ids or len(done.ids) > wanted[number]:
                raise RuntimeError(f"a step gave request {number} {len(ids)} tokens, which makes {len(done.ids)}")
            if len(done.ids) == wanted[number]:
                done.end_ns = now
                left -= 1
                if later:
                    due.append((now, later.popleft()))
        if now - handed_at >= HAND_OVER_NS + PER_REQUEST_NS * len(fresh):
            _hand_over(fresh, hand_over)
            handed_at = now
    _hand_over(fresh, hand_over)
    served.passes = [passes[job.number] for job in jobs]
    return served


def _hand_over(fresh: dict[int, Pass], hand_over: HandOver) -> None:
    for done in fresh.values():
        hand_over(done)
    fresh.clear()
