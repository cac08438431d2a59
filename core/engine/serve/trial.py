"""One measured trial of the loaded variant. Prefill and decode steps of its requests are measured. Tokenizing, the
answers' text (except what `Live` streams), receipts and flags are outside the measurement."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.engine.base import prompt_framing
from core.engine.base.runtime import Runtime
from core.engine.load.load import receipts
from core.engine.machine.sampler import Sampling
from core.engine.serve.breakdown import breakdown, pick_ms
from core.engine.serve.decisions import Watch
from core.engine.serve.live_stream import Live
from core.engine.serve.loop import run_pass
from core.engine.serve.serve import Served, arrivals, serve, server_of, takes_turns
from core.engine.serve.trial_flags import Conditions, of_reuse, of_the_lengths
from core.kernels.base.surgery import embedding_rows
from core.kernels.batching.serving import BatchServer, ServedRequest
from core.kernels.caches import caches
from core.protocol import events
from core.protocol.commands import Prompt, TrialCommand
from core.protocol.engine_channel import Channel
from core.protocol.events import Receipts, RequestTimes, TrialDone

_SEED_STEP = 1_000_003  # between the requests of a trial: the next round's seeds are not among them


def run_trial(
    runtime: Runtime, command: TrialCommand, channel: Channel, sampling: Sampling | None, steady: bool
) -> None:
    """Measure once; sends `Steps`, `Text`, `TrialDone`, and `Receipts` after the first trial."""
    begin = time.perf_counter()
    ids = tokenized(runtime, [command.prompt, *command.others])
    tokenize_ms = 1000 * (time.perf_counter() - begin) / len(ids)
    jobs = make_jobs(runtime, ids, command.seed)
    channel.enter("trial", round=command.round)
    conditions = Conditions(sampling)
    if sampling is not None:
        sampling.now()
    live, watch = Live(channel, runtime.tokenizer, command.round, cache_watch(runtime, sampling)), Watch(runtime)
    reused = runtime.reused_tokens
    with _no_garbage_collection():
        conditions.begin()
        served = _measure(runtime, jobs, command.seed, live)
        conditions.end()
    live.look()
    if sampling is not None:
        sampling.now(pss=True)
    channel.phase = "idle"  # memory from here on is not the trial's
    reused = runtime.reused_tokens - reused
    marks = [
        *watch.tell(channel, command.round),
        *of_reuse(reused, sum(len(job.prompt) for job in jobs), runtime.variant.prefix_cache is not None),
        *conditions.flags(steady),
    ]
    trial = _summary(runtime, command, jobs, served, live, tokenize_ms, marks)
    length = runtime.workload.prompt_tokens
    asked = [command.prompt, *command.others]
    cut = sum(prompt_framing.is_cut(runtime.tokenizer, runtime.frame, prompt, length) for prompt in asked)
    trial = trial.model_copy(update={"energy": conditions.energy, "reused_tokens": reused, "cut": cut})
    channel.send(trial)
    first = runtime.last_trial is None
    runtime.last_trial = trial
    if first:
        channel.send(Receipts(receipts=receipts(runtime)))


def cache_watch(runtime: Runtime, sampling: Sampling | None) -> Callable[[], None]:
    """Return a function that tells the sampler the cache's size; the sampler must not read the cache while a step
    changes it."""

    def look() -> None:
        source = runtime.server or runtime.decoder
        if sampling is not None and source is not None:
            sampling.kv_bytes = source.kv_bytes()
            if runtime.device.type == "cuda" and runtime.plain is not None and runtime.plain.cache is not None:
                sampling.kv_host_bytes = caches.cache_bytes(runtime.plain.cache, "cpu")

    return look


def tokenized(runtime: Runtime, texts: list[Prompt]) -> list[list[int]]:
    """Return the ids of prompts, each of exactly the workload's length. Raises Refused."""
    length = runtime.workload.prompt_tokens
    found = [prompt_framing.prompt_ids(runtime.tokenizer, runtime.frame, text, length) for text in texts]
    for ids in found:
        prompt_framing.check_ids(runtime.tokenizer, ids, embedding_rows(runtime.model))
    return found


def make_jobs(runtime: Runtime, ids: list[list[int]], seed: int, first: int = 0) -> list[ServedRequest]:
    """Return one request per prompt; the first draws the same random numbers as it would alone."""
    new = runtime.workload.new_tokens
    return [
        ServedRequest(first + i, prompt, new, runtime.sampler(seed + i * _SEED_STEP)) for i, prompt in enumerate(ids)
    ]


def _measure(runtime: Runtime, jobs: list[ServedRequest], seed: int, live: Live) -> Served:
    """Return the served requests: a single one through the plain loop, several through a server."""
    if len(jobs) == 1 and takes_turns(runtime):
        assert runtime.decoder is not None
        (job,) = jobs
        return Served([run_pass(runtime.decoder, job.prompt, job.new_tokens, job.sampler, live)])
    return serve(server_of(runtime), jobs, arrivals(runtime.workload, seed), live)


def _summary(
    runtime: Runtime,
    command: TrialCommand,
    jobs: list[ServedRequest],
    served: Served,
    live: Live,
    tokenize_ms: float,
    marks: list[str],
) -> TrialDone:
    passes, workload = served.passes, runtime.workload
    begin = time.perf_counter_ns()
    texts = [runtime.tokenizer.decode(done.ids) for done in passes]
    detokenize_ms = (time.perf_counter_ns() - begin + live.text_ns) / 1e6 / len(passes)
    live.end(texts[0] if len(texts) == 1 else None)
    source = served.server or runtime.decoder
    assert source is not None
    counts = served.server.counts if served.server is not None else runtime.decoder
    assert counts is not None
    return TrialDone(
        round=command.round,
        requests=[
            RequestTimes(
                request=job.number,
                arrival_ns=done.arrival_ns,
                dispatch_ns=done.dispatch_ns,
                end_ns=done.end_ns,
                prompt_tokens=len(job.prompt),
                new_tokens=len(done.ids),
            )
            for job, done in zip(jobs, passes, strict=True)
        ],
        requested_tokens=sum(job.new_tokens for job in jobs),
        prompt_ids=jobs[0].prompt,
        token_ids=passes[0].ids,
        text=texts[0],
        kv_bytes=source.kv_bytes(),
        drafted=counts.drafted,
        accepted=counts.accepted,
        verify_steps=counts.verify_steps,
        flags=[*of_the_lengths([len(done.ids) for done in passes], [job.new_tokens for job in jobs]), *marks],
        concurrency=workload.concurrency,
        arrival=workload.arrival,
        others=[
            events.Output(request=job.number, prompt_ids=job.prompt, token_ids=done.ids, text=text)
            for job, done, text in list(zip(jobs, passes, texts, strict=True))[1:]
        ],
        breakdown=breakdown(passes, tokenize_ms, pick_ms(runtime), detokenize_ms),
        batching=_batching(served.server, served.step_ns) if served.server is not None else None,
    )


def _batching(server: BatchServer, step_ns: list[int]) -> events.Batching:
    counts = server.counts
    return events.Batching(
        slots=server.slots,
        steps=counts.steps,
        mean_occupancy=counts.served / counts.steps,
        prefill_chunks=counts.chunks,
        widest_step=counts.widest,
        longest_step_ms=max(step_ns) / 1e6,
    )


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Collect garbage before and not during the context, since a collection takes tens of milliseconds with a model's
    objects. Live objects stay frozen afterwards, so that the next trial's collection is short."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
