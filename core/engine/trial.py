"""One measured pass of the loaded variant. Knows what belongs inside the measurement and what does not.

Inside: prefill and decode steps. Outside: the prompt's ids, the text of the answer (but for what `Live` shows of
it meanwhile), receipts and flags.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from core.commands import TrialCommand
from core.engine import prompts
from core.engine.channel import Channel
from core.engine.cpu import Snapshot, Usage
from core.engine.live import Live
from core.engine.load import receipts
from core.engine.loop import run_pass
from core.engine.runtime import Runtime
from core.engine.sampler import Sampling, swap_bytes
from core.events import Receipts, RequestTimes, TrialDone

FOREIGN_CPU_PCT = 25.0  # of one core: a busy neighbour slows a two-thread engine tenfold (`speed.md`)
STEAL_PCT = 2.0


def run_trial(
    runtime: Runtime, command: TrialCommand, channel: Channel, sampling: Sampling | None, steady: bool
) -> None:
    """Measure once; sends `Steps`, `Text`, `TrialDone`, and after the first trial `Receipts`."""
    workload, decoder = runtime.workload, runtime.decoder
    assert decoder is not None
    ids = prompts.prompt_ids(runtime.tokenizer, runtime.frame, command.prompt, workload.prompt_tokens)
    sampler = runtime.sampler(seed=command.seed)
    channel.enter("trial", round=command.round)
    if sampling is not None:
        sampling.now()
    live = Live(channel, runtime.tokenizer, command.round)
    with _no_garbage_collection():
        before = Snapshot.take()
        done = run_pass(decoder, ids, workload.new_tokens, sampler, live)
        usage = before.until(Snapshot.take())
    if sampling is not None:
        sampling.now()
    text = runtime.tokenizer.decode(done.ids)
    live.end(text)
    trial = TrialDone(
        round=command.round,
        requests=[
            RequestTimes(
                arrival_ns=done.arrival_ns,
                dispatch_ns=done.arrival_ns,  # one request at a time: nothing waits for a slot
                end_ns=done.end_ns,
                prompt_tokens=len(ids),
                new_tokens=len(done.ids),
            )
        ],
        requested_tokens=workload.new_tokens,
        prompt_ids=ids,
        token_ids=done.ids,
        text=text,
        kv_bytes=decoder.kv_bytes(),
        drafted=decoder.drafted,
        accepted=decoder.accepted,
        verify_steps=decoder.verify_steps,
        flags=flags(usage, len(done.ids), workload.new_tokens, steady),
    )
    channel.send(trial)
    first = runtime.last_trial is None
    runtime.last_trial = trial
    if first:
        channel.send(Receipts(receipts=receipts(runtime)))


def flags(usage: Usage, tokens: int, requested: int, steady: bool) -> list[str]:
    """What a reader must know before believing this trial."""
    found = []
    if tokens != requested:
        found.append(f"{tokens} of {requested} tokens")
    if (usage.foreign_pct or 0) > FOREIGN_CPU_PCT:
        found.append(f"foreign CPU {usage.foreign_pct:.0f} %")
    if (usage.steal_pct or 0) > STEAL_PCT:
        found.append(f"CPU steal {usage.steal_pct:.1f} %")
    if swap_bytes():
        found.append("swap in use")
    if not steady:
        found.append("not steady")
    return found


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """A collection takes tens of milliseconds with a model's objects around: collect before, not during. What
    is alive then stays frozen, so that the next trial's collection is short."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
