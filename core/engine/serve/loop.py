"""Runs one request through a decoder with a stamp per step. The loop only appends to lists. Every 30 ms, between two
steps, it hands over what is new (`core.engine.serve.live_stream` has the cost)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from core.kernels.decoding.sampling import Sampler
from core.spec.loaded_model import Decoder

HAND_OVER_NS = 30_000_000


@dataclass
class Pass:
    """The stamps and tokens of one request. A stamp is `perf_counter_ns` when the step's token ids were known."""

    arrival_ns: int  # as scheduled
    request: int = 0
    dispatch_ns: int = 0
    end_ns: int = 0  # 0 until the last token is there
    at_ns: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)  # how many each step yielded
    ids: list[int] = field(default_factory=list)
    handed: int = 0  # stamps that were handed over


HandOver = Callable[[Pass], None]


def run_pass(
    decoder: Decoder, prompt: list[int], new_tokens: int, sampler: Sampler, hand_over: HandOver, request: int = 0
) -> Pass:
    """Prefill, decode `new_tokens` tokens, and return the pass."""
    clock = time.perf_counter_ns
    begin = clock()
    done = Pass(arrival_ns=begin, request=request, dispatch_ns=begin)  # nothing waits for a slot
    at_ns, tokens, ids = done.at_ns, done.tokens, done.ids
    first = decoder.start(prompt, new_tokens, sampler)
    now = clock()
    at_ns.append(now)
    tokens.append(1)
    ids.append(first)
    handed_at = now
    while len(ids) < new_tokens:
        new = decoder.step()
        now = clock()
        if not new or len(ids) + len(new) > new_tokens:
            raise RuntimeError(f"a step yielded {len(new)} tokens where 1 to {new_tokens - len(ids)} are due")
        at_ns.append(now)
        tokens.append(len(new))
        ids.extend(new)
        if now - handed_at >= HAND_OVER_NS:
            hand_over(done)
            handed_at = now
    done.end_ns = now
    hand_over(done)
    return done
