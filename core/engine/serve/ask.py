"""Answers a prompt that a user typed, through the variant's own decoding, and streams its words with stamps as a trial
does. One answer is no measurement. An answer ends by itself, at the cap, or when the driver says `stop`."""

from __future__ import annotations

import contextlib
import time
from typing import Literal

from core.engine.base.failures import Refused
from core.engine.base.prompt_framing import Frame, beginning, check_ids
from core.engine.base.runtime import Runtime
from core.engine.serve.live_stream import Live
from core.engine.serve.loop import HAND_OVER_NS, Pass
from core.engine.serve.serve import serve, server_of, takes_turns
from core.kernels.base.surgery import embedding_rows
from core.kernels.batching.serving import ServedRequest
from core.kernels.decoding.sampling import Sampler
from core.protocol.commands import AskCommand
from core.protocol.engine_channel import Channel
from core.protocol.events import Reply

TEXT_NS = 80_000_000  # between two pieces of text: often enough to read along
REHEARSED = 2  # steps that are made before an answer of another length


class _Over(Exception):
    """Ends a server's request early: a server runs until its requests have all their tokens."""


def ask(runtime: Runtime, command: AskCommand, channel: Channel) -> None:
    """Answer one prompt; sends `Steps` and `Text` meanwhile, and one `Reply`. Raises Refused for a prompt
    without room."""
    prompt = _ids(runtime, command)
    sampler = Sampler(command.temperature, seed=command.seed)
    live = Live(channel, runtime.tokenizer, None, text_ns=TEXT_NS)
    answer = _Answer(runtime, command.max_tokens, channel)
    if takes_turns(runtime):
        length = _length(runtime, len(prompt) + command.max_tokens)
        _rehearse(runtime, prompt, length)
        channel.enter("answer")
        done = _alone(runtime, prompt, length, sampler, answer, live)
        source = runtime.decoder
        assert source is not None
        counts = (source.drafted, source.accepted, source.verify_steps)
    else:
        channel.enter("answer")
        done = _served(runtime, ServedRequest(0, prompt, command.max_tokens, sampler), answer, live)
        counts = (0, 0, 0)  # none of them speculates
    ids = done.ids[: answer.count(done.ids)]
    channel.send(
        Reply(
            dispatch_ns=done.dispatch_ns,
            at_ns=done.at_ns,
            tokens=_cut(done.tokens, len(ids)),
            prompt_tokens=len(prompt),
            token_ids=ids,
            text=runtime.tokenizer.decode(ids, skip_special_tokens=True),
            ended=answer.ended(done.ids),
            drafted=counts[0],
            accepted=counts[1],
            verify_steps=counts[2],
        )
    )


class _Answer:
    """Decides when an answer is over and which of its ids belong to it: a step may yield more."""

    def __init__(self, runtime: Runtime, most: int, channel: Channel) -> None:
        self._ends = set(runtime.forbidden)
        self._most = most
        self._stopped = channel.stopped

    def is_over(self, ids: list[int]) -> bool:
        return len(ids) >= self._most or self._stopped.is_set() or not self._ends.isdisjoint(ids)

    def count(self, ids: list[int]) -> int:
        """Return the number of ids up to and including the text's end, at most the cap."""
        ends = (i + 1 for i, token in enumerate(ids[: self._most]) if token in self._ends)
        return next(ends, min(len(ids), self._most))

    def ended(self, ids: list[int]) -> Literal["end", "cap", "stopped"]:
        count = self.count(ids)
        if count and ids[count - 1] in self._ends:
            return "end"
        return "cap" if count >= self._most else "stopped"


def _ids(runtime: Runtime, command: AskCommand) -> list[int]:
    frame, context = runtime.frame, runtime.facts.context
    if not command.template:
        frame = Frame(beginning(runtime.tokenizer), [])
    ids = [*frame.head, *runtime.tokenizer.encode(command.prompt, add_special_tokens=False), *frame.tail]
    check_ids(runtime.tokenizer, ids, embedding_rows(runtime.model))
    if not ids:
        raise Refused("the prompt is empty, and there is no chat template around it", "Write a prompt.")
    if context is not None and len(ids) + command.max_tokens > context:
        raise Refused(
            f"the prompt has {len(ids)} tokens; with {command.max_tokens} for the answer that is beyond the model's "
            f"context of {context}",
            "Shorten the prompt, or ask for fewer tokens.",
        )
    return ids


def _length(runtime: Runtime, wanted: int) -> int:
    """Return the positions to make room for: those of a trial if they suffice, so that a static cache and what was
    compiled or captured for it are reused."""
    work, context = runtime.workload, runtime.facts.context
    length = max(wanted, work.prompt_tokens + work.new_tokens)
    return length if context is None else min(length, context)


def _rehearse(runtime: Runtime, prompt: list[int], length: int) -> None:
    """Run once what an engine does for a new length (compiling, capturing, allocating), which is no part of an answer's
    time."""
    if length == runtime.asked_length or length < 2 + REHEARSED:
        return
    decoder = runtime.decoder
    assert decoder is not None
    few = prompt[-1:] * 2
    decoder.start(few, length - len(few), Sampler())
    for _ in range(REHEARSED):
        decoder.step()
    runtime.asked_length = length


def _alone(runtime: Runtime, prompt: list[int], length: int, sampler: Sampler, answer: _Answer, live: Live) -> Pass:
    decoder = runtime.decoder
    assert decoder is not None
    clock = time.perf_counter_ns
    begin = handed_at = clock()
    done = Pass(arrival_ns=begin, dispatch_ns=begin)
    new = [decoder.start(prompt, length - len(prompt), sampler)]
    while True:
        now = clock()
        done.at_ns.append(now)
        done.tokens.append(len(new))
        done.ids.extend(new)
        if answer.is_over(done.ids):
            break
        if now - handed_at >= HAND_OVER_NS:
            live(done)
            handed_at = now
        new = decoder.step()
    done.end_ns = now
    return done


def _served(runtime: Runtime, job: ServedRequest, answer: _Answer, live: Live) -> Pass:
    """Return the pass through the server with this single request; the server is left as it is when the answer
    is over."""
    latest: list[Pass] = []

    def watch(done: Pass) -> None:
        latest[:] = [done]
        if answer.is_over(done.ids):
            raise _Over
        live(done)

    with contextlib.suppress(_Over):
        serve(server_of(runtime), [job], [0.0], watch)
    (done,) = latest
    count = answer.count(done.ids)
    del done.at_ns[_steps(done.tokens, count) :]
    done.end_ns = done.at_ns[-1]
    return done


def _steps(tokens: list[int], count: int) -> int:
    """Return the number of steps that yielded the first `count` tokens."""
    have = 0
    for place, n in enumerate(tokens, 1):
        have += n
        if have >= count:
            return place
    return len(tokens)


def _cut(tokens: list[int], count: int) -> list[int]:
    """Return the tokens per step, `count` in total."""
    kept = tokens[: _steps(tokens, count)]
    kept[-1] -= sum(kept) - count
    return kept
