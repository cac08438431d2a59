"""Checks whether a variant that claims to be exact is: after its warm-up, two prompts run through its own decoding and
through the plain decoder, on the same weights.

No list of models is needed: a fault of a cache, kernel, server or speculation shows in the tokens or the logits. The
check sees few tokens, so it proves faults, not their absence; the quality phase reads more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from core.base.out_of_memory import is_out_of_memory
from core.engine.base.runtime import Runtime
from core.engine.load.changed_answers import DECODING
from core.engine.serve.serve import server_of, takes_turns
from core.kernels.base import memory
from core.kernels.batching.serving import ServedRequest
from core.kernels.caches import caches
from core.kernels.checks.exactness import (
    Budget,
    Chaff,
    Recorder,
    Trace,
    TraceDifference,
    first_difference,
    follow,
    serve_all,
)
from core.kernels.decoding.decoders import base_decoder
from core.kernels.speculation.speculative import Speculative
from core.model.receipt import Receipt
from core.protocol.events import EXACTNESS

SHORT, LONG = 8, 24  # tokens after the first prompt and after the second
BUDGET_S, LEAST = 8.0, 4  # seconds, and tokens that are compared whatever they take
TEXTS = 3  # that have to show a difference in less than fp32
_SWITCHES = ("sliding_window", "attention_chunk_size", "index_topk")


def claims_exactness(runtime: Runtime) -> bool:
    """Return whether the variant changes its decoding by exact strategies only."""
    mine = [s for s in runtime.variant.strategies() if s.slot in DECODING]
    return bool(mine) and all(s.exact for s in mine)


def check(runtime: Runtime, pool: list[int], prefill_s: float = 0.0) -> Receipt | None:
    """Return the receipt of the comparison, in the workload's shape; None if nothing is claimed. `pool` holds ids for
    prompts, `prefill_s` is the time of a workload's prompt. Takes about BUDGET_S, or LEAST tokens of each prompt. Below
    fp32 a difference is checked on up to TEXTS times as many texts: rounding may send a token to another expert or past
    a threshold in one text and not in another, while a fault shows in all."""
    if not claims_exactness(runtime) or not pool:
        return None
    budget = Budget(BUDGET_S, LEAST)
    changed: TraceDifference | None = runtime.work.get(EXACTNESS, {}).get("changed")
    if changed is not None:
        margin, allowed = f"{changed.margin:.2g}", f"{changed.allowed:.2g}"
        words = f"the changed model's logits differ by {margin} from those before, rounding allows {allowed}"
        return _receipt(words, False, budget, [])
    prompts, left_out = _prompts(runtime, pool, prefill_s)
    try:
        traces = _compare(runtime, prompts, budget)
        found = _differences(traces, runtime.rounding)
        for text in range(1, TEXTS):
            if runtime.rounding == torch.float32 or not _faulty(found):
                break
            begin = len(pool) * text // TEXTS
            prompts, _ = _prompts(runtime, pool[begin:] + pool[:begin], prefill_s)
            traces = _compare(runtime, prompts, Budget(BUDGET_S, LEAST))
            found = _differences(traces, runtime.rounding)
    except (RuntimeError, ValueError, LookupError, AttributeError, TypeError, MemoryError) as error:
        if is_out_of_memory(error):
            return _receipt("not compared: there is no memory for a second cache", True, budget, prompts)
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        lengths = " and ".join(str(len(p)) for p in prompts)
        return _receipt(f"fails on prompts of {lengths} tokens: {reason}", False, budget, prompts)
    finally:
        memory.give_back()
    return _judged(found, traces, budget, prompts, left_out)


def _differences(traces: list[tuple[Trace, Trace]], dtype: torch.dtype) -> list[TraceDifference | None]:
    return [first_difference(*pair, dtype) for pair in traces]


def _faulty(found: list[TraceDifference | None]) -> bool:
    return any(place is not None and not place.is_rounding for place in found)


def switches(config: Any) -> list[int]:
    """Return the positions from which a model computes differently: its windows, the length at which its rotary factors
    change, the most positions that an index picks from."""
    text = config.get_text_config(decoder=True)
    found = [getattr(text, name, None) for name in _SWITCHES]
    found += caches.rotary_reaches(text, ("longrope", "dynamic"))
    return sorted({n for n in found if isinstance(n, int) and n > 0})


def lengths(prompt_tokens: int, new_tokens: int, places: list[int]) -> tuple[int, int]:
    """Return the lengths of two prompts. The first is short, or just passes the first switch within the workload's
    prompts. The second is as long as those, or passes the last switch that their answers reach."""
    total = prompt_tokens + new_tokens
    inside = [n for n in places if n <= prompt_tokens]
    after = [n for n in places if prompt_tokens < n < total]

    def passing(place: int, tokens: int) -> int:
        return max(1, min(place - tokens // 2, total - tokens))

    short = passing(inside[0], SHORT) if inside else min(SHORT, prompt_tokens)
    return short, passing(after[-1], LONG) if after else prompt_tokens


def _prompts(runtime: Runtime, pool: list[int], prefill_s: float) -> tuple[list[list[int]], str]:
    """Return the ids of both prompts, and what the longer one leaves out for lack of time."""
    work = runtime.workload
    places = switches(runtime.model.config)
    short, long = lengths(work.prompt_tokens, work.new_tokens, places)
    left_out = ""
    if 2 * prefill_s > BUDGET_S:  # a prompt that long is read twice
        longest = max(SHORT, int(work.prompt_tokens * BUDGET_S / (2 * prefill_s)))
        if longest < long:
            left_out = f"prompts beyond {longest} tokens were left out: they take too long"
        short, long = min(short, longest), min(long, longest)
    pool = pool * -(-max(short, long) // len(pool))
    return [pool[:short], pool[:long]], left_out


def _compare(runtime: Runtime, prompts: list[list[int]], budget: Budget) -> list[tuple[Trace, Trace]]:
    """Return for each prompt the traces of the plain decoder and of the variant."""
    total = max(runtime.workload.prompt_tokens + runtime.workload.new_tokens, *map(len, prompts))
    wanted = [min(tokens, max(1, total - len(p))) for p, tokens in zip(prompts, (SHORT, LONG), strict=True)]
    plain, references = base_decoder(runtime.model), []
    with default_attention(runtime.model):
        for prompt, tokens, part in zip(prompts, wanted, (0.1, 0.4), strict=True):
            references.append(follow(plain, prompt, tokens, tokens, budget.share(part)))
    plain.cache = None
    if not takes_turns(runtime):
        return list(zip(references, _served(runtime, prompts, references), strict=True))
    found = []
    with _at_work(runtime):
        for prompt, reference, part in zip(prompts, references, (0.6, 1.0), strict=True):
            found.append(_mine(runtime, prompt, reference, total, budget.share(part)))
    return list(zip(references, found, strict=True))


def _mine(runtime: Runtime, prompt: list[int], reference: Trace, total: int, go_on: Any) -> Trace:
    """Return the trace of the variant's decoder, in a cache of the workload's size, so that compiled or captured code
    is used as it is."""
    decoder: Any = runtime.decoder
    room = max(total - len(prompt), len(reference.ids))
    if isinstance(decoder, Speculative):
        drafter = decoder.drafter
        decoder.drafter = Chaff(drafter, prompt, reference.ids, len(reference.rows[0]))
        try:
            return follow(decoder, prompt, len(reference.ids), room, go_on)
        finally:
            decoder.drafter = drafter
    if runtime.plain is not None and runtime.plain.prefixes is not None:
        follow(decoder, prompt, 1, room)  # so that there is a beginning to reuse
    return follow(decoder, prompt, len(reference.ids), room, go_on)


def _served(runtime: Runtime, prompts: list[list[int]], references: list[Trace]) -> list[Trace]:
    """Return the traces of all prompts at once through the server, with steps as in its trials."""
    recorders = [Recorder() for _ in prompts]
    jobs = [
        ServedRequest(i, prompt, len(reference.ids), recorder)
        for i, (prompt, reference, recorder) in enumerate(zip(prompts, references, recorders, strict=True))
    ]
    ids = serve_all(server_of(runtime), jobs)
    return [Trace(ids[i], recorder.all) for i, recorder in enumerate(recorders)]


@contextmanager
def _at_work(runtime: Runtime) -> Iterator[None]:
    """Let the decoder draft as many tokens as it may and reuse no other prompt; afterwards restore what it has learnt
    and kept."""
    decoder, plain = runtime.decoder, runtime.plain
    pace, store = getattr(decoder, "pace", None), plain.prefixes if plain is not None else None
    if isinstance(decoder, Speculative):
        decoder.pace = None
    if plain is not None and store is not None:
        kept: Any = store
        plain.prefixes = type(kept)(kept.capacity, 1)
    try:
        yield
    finally:
        if isinstance(decoder, Speculative):
            decoder.pace = pace
        if plain is not None:
            plain.prefixes = store


@contextmanager
def default_attention(model: Any) -> Iterator[None]:
    """Use the attention that transformers would choose, with all kernels of sdpa allowed."""
    config = model.config
    own = config._attn_implementation
    names = ("flash", "math", "mem_efficient", "cudnn")
    switched = {name: getattr(torch.backends.cuda, f"{name}_sdp_enabled")() for name in names}
    try:
        for name in names:
            getattr(torch.backends.cuda, f"enable_{name}_sdp")(True)
        if own in ("eager", "sdpa"):
            config._attn_implementation = "sdpa" if getattr(model, "_supports_sdpa", False) else "eager"
        yield
    finally:
        config._attn_implementation = own
        for name, on in switched.items():
            getattr(torch.backends.cuda, f"enable_{name}_sdp")(on)


def _judged(
    found: list[TraceDifference | None],
    traces: list[tuple[Trace, Trace]],
    budget: Budget,
    prompts: list[list[int]],
    left_out: str,
) -> Receipt:
    seen = [d.token if d else min(len(a.ids), len(b.ids)) for d, (a, b) in zip(found, traces, strict=True)]
    faults = [(n, d) for n, d in enumerate(found, 1) if d is not None and not d.is_rounding]
    ties = [(n, d) for n, d in enumerate(found, 1) if d is not None and d.is_rounding]
    detail: dict[str, Any] = {"tokens": seen}
    number, place = next(iter(faults or ties), (0, None))
    if place is not None:
        detail |= {"prompt": number, "token": place.token, "margin": place.margin, "allowed": place.allowed}
    if left_out:
        detail["left_out"] = left_out
    first, second = seen
    if faults and place is not None:
        margin, allowed = f"{place.margin:.2g}", f"{place.allowed:.2g}"
        words = f"differs at token {place.token} of prompt {number}: margin {margin}, rounding allows {allowed}"
        if place.same_token:
            words = (
                f"the logits differ at token {place.token} of prompt {number} by {margin}, rounding allows {allowed}"
            )
        return _receipt(words, False, budget, prompts, detail)
    words = f"{first} + {second} tokens as the plain decoder"
    if place is not None:
        words = f"{first} + {second} tokens as the plain decoder, up to a tie within rounding"
    return _receipt(words, True, budget, prompts, detail)


def _receipt(
    words: str, matches: bool, budget: Budget, prompts: list[list[int]], detail: dict[str, Any] | None = None
) -> Receipt:
    return Receipt(
        slot=EXACTNESS,
        requested="the tokens of the plain decoder",
        effective=words,
        matches=matches,
        detail={**(detail or {}), "prompt_tokens": [len(p) for p in prompts], "seconds": round(budget.spent, 3)},
    )
