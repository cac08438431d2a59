"""Runs the workload's full shape until step times are stationary."""

from __future__ import annotations

import math
import statistics
import time

from core.engine.base.runtime import Runtime
from core.engine.load.load import receipts
from core.engine.machine.sampler import Sampling
from core.engine.serve import exactness
from core.engine.serve.decisions import Watch
from core.engine.serve.live_stream import Live
from core.engine.serve.loop import Pass, run_pass
from core.engine.serve.serve import serve, server_of, takes_turns
from core.engine.serve.trial import cache_watch, make_jobs, tokenized
from core.protocol.commands import Prompt
from core.protocol.engine_channel import Channel
from core.protocol.events import Progress, Receipts, Warm

MAX_PASSES = 10
MAX_S = 60.0
_BLOCKS = 4
#: A change between two passes below this is no reason for another, however surely it is there.
_NEGLIGIBLE = 0.01
_T_975 = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78}  # two-sided 95 %, by degrees of freedom


def warm_up(runtime: Runtime, texts: list[Prompt], channel: Channel, sampling: Sampling | None = None) -> bool:
    """Run at least 2 passes, until the last two are stationary or 10 passes or 60 s are reached; sends `Warm` and
    returns whether they were stationary. The first pass meets all shapes of the workload and compiles for them. After
    it a variant that claims to be exact is compared with the plain decoder, outside the warm-up's time; the passes that
    follow restore the state for trials."""
    channel.enter("warmup")
    begin = time.perf_counter()
    passes: list[Pass] = []
    steady = False
    compared_s = 0.0
    while not steady and len(passes) < MAX_PASSES and (len(passes) < 2 or _since(begin) - compared_s < MAX_S):
        passes.append(_one_pass(runtime, texts, len(passes), channel, sampling))
        channel.send(Progress(done=len(passes), total=MAX_PASSES, unit="passes"))
        steady = len(passes) >= 2 and stationary(passes[-2], passes[-1])
        if len(passes) == 1:
            before = time.perf_counter()
            _compare(runtime, texts, (passes[0].at_ns[0] - passes[0].arrival_ns) / 1e9, channel)
            compared_s = _since(before)
    channel.send(Warm(warmup_s=_since(begin) - compared_s, passes=len(passes), steady=steady, compared_s=compared_s))
    return steady


def _compare(runtime: Runtime, texts: list[Prompt], prefill_s: float, channel: Channel) -> None:
    """Compare a variant that claims to be exact with the plain decoder; sends `Receipts` with the outcome."""
    if not exactness.claims_exactness(runtime):
        return
    channel.send(Progress(done=0, detail="comparing with the plain decoder"))
    channel.phase = "idle"  # a second cache is there meanwhile: its memory is not the variant's
    try:
        pool = [token for ids in tokenized(runtime, texts) for token in ids]
        runtime.exactness = exactness.check(runtime, pool, prefill_s)
    finally:
        channel.phase = "warmup"
    if runtime.exactness is not None:
        channel.send(Receipts(receipts=receipts(runtime)))


def _one_pass(runtime: Runtime, texts: list[Prompt], number: int, channel: Channel, sampling: Sampling | None) -> Pass:
    """Return a pass as a trial runs it, with the largest number of requests at once, all present from the beginning:
    every shape of the workload occurs, and passes are comparable."""
    turns = takes_turns(runtime)
    width = 1 if turns else min(runtime.workload.concurrency, runtime.workload.request_count)
    mine = [texts[(number * width + i) % len(texts)] for i in range(width)]
    jobs = make_jobs(runtime, tokenized(runtime, mine), seed=number, first=number * width)
    live, watch = Live(channel, runtime.tokenizer, None, cache_watch(runtime, sampling)), Watch(runtime)
    if turns:
        assert runtime.decoder is not None
        (job,) = jobs
        done = run_pass(runtime.decoder, job.prompt, job.new_tokens, job.sampler, live, request=number)
    else:
        done = serve(server_of(runtime), jobs, [0.0] * width, live).as_one()
    live.end()
    live.look()
    watch.tell(channel, None)
    return done


def stationary(earlier: Pass, later: Pass) -> bool:
    """Return whether step times show no trend from one pass to the next. Steps slow down within every pass as the cache
    grows, so each pass is cut into blocks (the prefill, and quarters of the decode steps) and compared block by block:
    a paired t test, 95 %, on the log ratios of the blocks' median times per token. Medians ignore a single hiccup of
    the machine."""
    a, b = _blocks(earlier), _blocks(later)
    ratios = [math.log(y / x) for x, y in zip(a, b, strict=False) if x > 0 and y > 0]
    if not ratios:
        return True
    mean = statistics.fmean(ratios)
    if abs(mean) <= _NEGLIGIBLE:
        return True
    if len(ratios) < 3:  # too few to know the spread: a fixed allowance, above the noise of a shared machine
        return abs(mean) <= 0.1
    error = statistics.stdev(ratios) / math.sqrt(len(ratios))
    return abs(mean) <= _T_975[len(ratios) - 1] * error


def _blocks(done: Pass) -> list[float]:
    gaps = [
        (done.at_ns[i] - done.at_ns[i - 1]) / done.tokens[i] for i in range(1, len(done.at_ns))
    ]  # per token: a pass with luckier drafts is not a faster machine, but a steadier figure than the raw step
    size = math.ceil(len(gaps) / _BLOCKS) or 1
    parts = [gaps[i : i + size] for i in range(0, len(gaps), size)]
    return [float(done.at_ns[0] - done.arrival_ns), *(statistics.median(p) for p in parts)]


def _since(begin: float) -> float:
    return time.perf_counter() - begin
