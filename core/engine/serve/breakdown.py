"""Splits the time of one request: queue, prefill and decode from its stamps, the rest timed apart.

Tokenizing and detokenizing are off the critical path, as in any server: prompts are tokenized before they arrive, and
text is made between steps (`core.engine.serve.live_stream`) and after the end. Choosing tokens is on it, inside prefill
and decode, and is timed in a pass after the trial: in the loop, the wait for a GPU would count as choosing, and each
step would read the clock twice more.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

import torch

from core.engine.base.runtime import Runtime
from core.engine.serve.loop import Pass
from core.protocol.events import Breakdown

_PICKS = 5


def breakdown(passes: Sequence[Pass], tokenize_ms: float, pick_ms: float, detokenize_ms: float) -> Breakdown:
    """Return the means over the requests. `tokenize_ms` and `detokenize_ms` are per request, `pick_ms` per token."""

    def mean_ms(times_ns: Sequence[int]) -> float:
        return sum(times_ns) / len(times_ns) / 1e6

    return Breakdown(
        queue_ms=mean_ms([done.dispatch_ns - done.arrival_ns for done in passes]),
        prefill_ms=mean_ms([done.at_ns[0] - done.dispatch_ns for done in passes]),
        decode_ms=mean_ms([done.at_ns[-1] - done.at_ns[0] for done in passes]),
        tokenize_ms=tokenize_ms,
        sample_ms=pick_ms * sum(len(done.ids) for done in passes) / len(passes),
        detokenize_ms=detokenize_ms,
    )


def pick_ms(runtime: Runtime) -> float:
    """Return the milliseconds of choosing one token: the median of a few choices on random logits of the model's size
    and type. On the demo model (49,152 ids, bf16, a CPU) all of them take 1 ms greedy and 50 ms with top-p, once a
    trial."""
    vocab = runtime.model.config.get_text_config(decoder=True).vocab_size
    logits = torch.randn(vocab, dtype=runtime.dtype, device=runtime.device)
    sampler = runtime.sampler(seed=0)
    times = []
    for _ in range(_PICKS):
        begin = time.perf_counter()
        sampler.pick(logits)  # the token is known on return, on a GPU too
        times.append(time.perf_counter() - begin)
    return 1000 * statistics.median(times)
