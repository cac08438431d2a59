"""Greedy answers to whole prompts, each to its natural end, by which text quality is judged. A speed trial suppresses
the end of the text so that all variants generate the same count; here it is part of the answer."""

from __future__ import annotations

import math

from core.engine.base.failures import Refused
from core.engine.base.prompt_framing import check_ids, cut_ids
from core.engine.base.runtime import Runtime
from core.engine.serve.loop import Pass
from core.engine.serve.serve import serve, server_of, takes_turns
from core.kernels.base.surgery import embedding_rows
from core.kernels.batching.serving import ServedRequest
from core.kernels.decoding.sampling import Witness
from core.protocol.commands import AnswersCommand
from core.protocol.engine_channel import Channel
from core.protocol.events import Answer, Answers, Progress


def answer(runtime: Runtime, command: AnswersCommand, channel: Channel) -> None:
    """Answer the command's prompts; sends `Progress` per prompt and one `Answers`. Raises Refused for a prompt without
    room."""
    channel.enter("quality", detail=f"answers to {len(command.prompts)} prompts")
    prompts = [_ids(runtime, command, number) for number in range(len(command.prompts))]
    make = _in_turn if takes_turns(runtime) else _together
    answers = make(runtime, prompts, command.max_tokens, channel)
    channel.send(Answers(purpose=command.purpose, answers=answers))


def _ids(runtime: Runtime, command: AnswersCommand, place: int) -> list[int]:
    """Return a text inside the chat template, at its own length or cut to the longest allowed."""
    frame, context, room = runtime.frame, runtime.facts.context, command.longest
    text, number = command.prompts[place], place + 1
    if room is None:
        body = list(runtime.tokenizer.encode(text, add_special_tokens=False))
    else:
        room = max(1, room - len(frame.head) - len(frame.tail))
        body = cut_ids(runtime.tokenizer, text, command.shared[place] if command.shared else 0, room)
    ids = [*frame.head, *body, *frame.tail]
    check_ids(runtime.tokenizer, ids, embedding_rows(runtime.model))
    if not ids:
        raise Refused(f"prompt {number} is empty, and the model has no chat template to put it in", "Write one.")
    if context is not None and len(ids) + command.max_tokens > context:
        raise Refused(
            f"prompt {number} has {len(ids)} tokens; with {command.max_tokens} for the answer that is beyond the "
            f"model's context of {context}",
            "Shorten the prompt, or set answer_tokens lower.",
        )
    return ids


def _in_turn(runtime: Runtime, prompts: list[list[int]], max_tokens: int, channel: Channel) -> list[Answer]:
    """Return the answers one by one through the decoder, stopped at the text's end."""
    decoder, found = runtime.decoder, []
    assert decoder is not None
    # One length for all: a static cache, and what was compiled or captured for it, is made once.
    work = runtime.workload
    length = max(work.prompt_tokens + work.new_tokens, max(map(len, prompts)) + max_tokens)
    if runtime.facts.context is not None:
        length = min(length, runtime.facts.context)
    for number, prompt in enumerate(prompts, 1):
        witness = Witness()
        ids = [decoder.start(prompt, length - len(prompt), witness)]
        margins = witness.latest[:1]
        while len(ids) < max_tokens and not _ended(runtime, ids):
            new = decoder.step()
            # Guesses are chosen by the same sampler, but before they are verified: the latest rows are the target's.
            margins += witness.latest[: len(new)]
            ids += new
        found.append(_cut(runtime, ids, margins, max_tokens))
        channel.send(Progress(done=number, total=len(prompts), unit="answers"))
    return found


def _together(runtime: Runtime, prompts: list[list[int]], max_tokens: int, channel: Channel) -> list[Answer]:
    """Return the answers through the server, as many at once as it has slots; tokens after an end are dropped."""
    witnesses = [Witness() for _ in prompts]
    jobs = [ServedRequest(i, ids, max_tokens, w) for i, (ids, w) in enumerate(zip(prompts, witnesses, strict=True))]
    over: set[int] = set()

    def watch(done: Pass) -> None:
        if done.end_ns and done.request not in over:
            over.add(done.request)
            channel.send(Progress(done=len(over), total=len(jobs), unit="answers"))

    passes = serve(server_of(runtime), jobs, [0.0] * len(jobs), watch).passes
    return [_cut(runtime, done.ids, w.all, max_tokens) for done, w in zip(passes, witnesses, strict=True)]


def _ended(runtime: Runtime, ids: list[int]) -> bool:
    return not set(runtime.forbidden).isdisjoint(ids)


def _cut(runtime: Runtime, ids: list[int], margins: list[float], max_tokens: int) -> Answer:
    """Return the answer up to its first end-of-sequence token, no longer than the cap: a step may yield several
    tokens."""
    ends = [i for i, token in enumerate(ids[:max_tokens]) if token in runtime.forbidden]
    count = ends[0] + 1 if ends else min(len(ids), max_tokens)
    return Answer(
        token_ids=ids[:count],
        margins=[m if math.isfinite(m) else None for m in margins[:count]],
        text=runtime.tokenizer.decode(ids[:count], skip_special_tokens=True),
        ended=bool(ends),
    )
