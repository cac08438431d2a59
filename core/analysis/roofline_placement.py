"""Computes a variant's place under the roofline from its events."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from core.analysis.roofline import Place, Step, place
from core.model.receipt import Receipt
from core.model.step_anatomy import Anatomy
from core.results.trials import Request, Trial

if TYPE_CHECKING:
    from core.machine.machine_roof import MachineRoof
    from core.results.results import VariantState


def placed(state: VariantState, machine: MachineRoof | None) -> Place | None:
    """Return the place of a variant; None if nothing was measured or the model's parts are unknown."""
    anatomy = state.loaded.anatomy if state.loaded is not None else None
    trials = [t for t in state.trials if t.ok]
    if anatomy is None or not trials:
        return None
    step = step_of(anatomy, trials, cache_of(state.receipts))
    return place(anatomy, step, machine) if step is not None else None


def step_of(anatomy: Anatomy, trials: Sequence[Trial], cache: str) -> Step | None:
    """Return the average step of some trials. `cache` describes the KV cache, as the receipt does."""
    gaps = [gap for t in trials for gap in [_gap(t)] if gap is not None]
    if not gaps:
        return None
    seconds, out = statistics.median(s for s, _ in gaps), statistics.fmean(n for _, n in gaps)
    if seconds <= 0 or out <= 0:
        return None
    done = [t.done for t in trials]
    passes = sum(d.verify_steps for d in done)
    guesses = max(0, sum(d.drafted for d in done)) / passes if passes > 0 else 0.0
    requests = [r for t in trials for r in t.requests]
    context = statistics.fmean(r.prompt_tokens + r.count / 2 for r in requests)
    together = out / _per_step(requests) if trials[0].done.concurrency > 1 else 1.0
    if cache.startswith("none"):
        return Step(seconds=seconds, tokens_out=out, tokens_in=context, logits=1, context=context / 2, kv_read=0)
    fed = together * (1 + guesses)
    kv_read = together * _kv_read(anatomy, trials, cache, context)
    drafts = guesses if anatomy.draft is not None else 0.0
    return Step(
        seconds=seconds, tokens_out=out, tokens_in=fed, logits=fed, context=context, kv_read=kv_read, drafts=drafts
    )


def cache_of(receipts: Sequence[Receipt]) -> str:
    """Return the description of the KV cache from the receipts, `DynamicCache: 30 DynamicLayer`; empty if no receipt
    has one."""
    found = (r.detail.get("cache") for slot in ("batching", "kv_cache") for r in receipts if r.slot == slot)
    return next((str(c) for c in found if c), "")


def _gap(trial: Trial) -> tuple[float, float] | None:
    """Return the seconds of a step and the tokens that it yields. For one request that is the mean step. For several it
    is the median gap between the stamps of all requests, since a step that also reads a prompt is of another kind."""
    if len(trial.requests) == 1:
        (request,) = trial.requests
        steps = len(request.at_ns) - 1
        if steps < 1 or request.at_ns[-1] <= request.at_ns[0]:
            return None
        return (request.at_ns[-1] - request.at_ns[0]) / 1e9 / steps, sum(request.tokens[1:]) / steps
    tokens: dict[int, int] = {}
    for request in trial.requests:
        for at, n in zip(request.at_ns, request.tokens, strict=True):
            tokens[at] = tokens.get(at, 0) + n
    stamps = sorted(tokens)
    gaps = [(b - a) / 1e9 for a, b in pairwise(stamps)]
    return (statistics.median(gaps), statistics.median(tokens[at] for at in stamps[1:])) if gaps else None


def _per_step(requests: Sequence[Request]) -> float:
    """Return the tokens that one request gets in a step."""
    steps = sum(max(0, len(r.at_ns) - 1) for r in requests)
    return max(1.0, sum(sum(r.tokens[1:]) for r in requests) / steps) if steps else 1.0


def _kv_read(anatomy: Anatomy, trials: Sequence[Trial], cache: str, context: float) -> float:
    """Return the bytes of keys and values that a step of one request reads. The cache size measured at the end of a
    trial tells which share of the plain formula a quantized or short cache keeps; a static cache is read to its end."""
    plain = anatomy.kv_read(context)
    seen = [held for t in trials if (held := t.done.kv_bytes or 0) > 0 and len(t.requests) == 1]
    if not seen or anatomy.draft is not None:  # a draft's cache is in the same figure
        return plain
    kept = statistics.fmean(seen)
    if cache.startswith("StaticCache"):
        return kept
    if "QuantizedKvLayer" in cache:
        end = statistics.fmean(r.prompt_tokens + r.count for t in trials for r in t.requests)
        return kept * context / end
    return min(plain, kept)
