"""Compares two ways of decoding: the tokens that each chose, the logits that it chose from, and how far rounding alone
may separate them.

Two ways that are equal on paper add in another order, and each product rounds. With n roundings of one ulp between the
embedding and the logits, their errors add like a random walk to about ulp · √n of the logits' spread: some 10 roundings
a layer and 30 layers make √300 ≈ 17. In bf16 (ulp 2⁻⁷, mean error 2⁻⁹) that is 0.03 of the spread, in fp16 an eighth of
it, in fp32 2·10⁻⁶; and the stored logits are rounded too. `ROUNDING` leaves room for several times that, since
normalization and a mixture's choice of experts amplify it.

Measured on a hundred tiny models, whose weights are random and larger than trained ones, as a share of the standard
deviation of the logits. Correct ways: 1.4e-6 (median) to 1.5e-5 in fp32, 0.01 to 0.14 in bf16, and up to 0.7 in
mixtures, where rounding sends a token to another expert with one text and not with another. Wrong ways: from 0.026
(attention that scales a bias differently) to 1.4 (a state that was not rolled back).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from core.kernels.batching.serving import BatchServer, ServedRequest
from core.kernels.caches import caches
from core.kernels.checks import agreement
from core.kernels.decoding.decoders import Plain, base_decoder
from core.kernels.decoding.sampling import Sampler
from core.spec.loaded_model import Decoder

#: What rounding may change, as a share of the standard deviation of a position's logits.
ROUNDING = {torch.float32: 1e-3, torch.float16: 0.1, torch.bfloat16: 0.25}


@dataclass
class Trace:
    """A decoder's tokens after a prompt, and the logits [V] in fp32 that each was chosen from."""

    ids: list[int] = field(default_factory=list)
    rows: list[Tensor] = field(default_factory=list)


@dataclass(frozen=True)
class TraceDifference:
    """The first place where two traces differ. `margin` is how much the reference prefers its own token. If tokens are
    equal (`same_token`) or close, it is the root mean square distance of all logits. `allowed` is the most that
    rounding alone explains. `token` counts from 1."""

    token: int
    margin: float
    allowed: float
    same_token: bool = False

    @property
    def is_rounding(self) -> bool:
        return self.margin <= self.allowed  # not of NaN


class Recorder(Sampler):
    """A greedy sampler that forbids nothing and keeps the logits of its latest choices."""

    def __init__(self) -> None:
        super().__init__()
        self.latest: list[Tensor] = []
        self.all: list[Tensor] = []

    def pick(self, logits: Tensor) -> int:
        self.latest = [_kept(logits)]
        self.all += self.latest
        return super().pick(logits)

    def picks(self, logits: Tensor) -> list[int]:
        self.latest = [_kept(row) for row in logits]
        return super().picks(logits)


def _kept(row: Tensor) -> Tensor:
    """Return a copy: a graph writes the next step's logits into the same memory."""
    return row.detach().to(torch.float32, copy=True)


def follow(
    decoder: Decoder,
    prompt: list[int],
    tokens: int,
    room: int,
    go_on: Callable[[int], bool] = lambda done: True,
) -> Trace:
    """Return the greedy trace of up to `tokens` tokens after a prompt, in a cache with `room` positions after it, while
    `go_on(count)` is true."""
    recorder = Recorder()
    first = decoder.start(prompt, room, recorder)
    trace = Trace([first], recorder.latest[:1])
    while len(trace.ids) < tokens and go_on(len(trace.ids)):
        new = decoder.step()
        # A drafter may have asked the same sampler for its guesses; the target was asked last.
        trace.ids += new
        trace.rows += recorder.latest[: len(new)]
    return Trace(trace.ids[:tokens], trace.rows[:tokens])


def serve_all(server: BatchServer, jobs: Sequence[ServedRequest]) -> dict[int, list[int]]:
    """Return the tokens of each job by its number; all jobs are present from the beginning."""
    server.prepare(max(len(job.prompt) + job.new_tokens for job in jobs))
    for job in jobs:
        server.admit(job)
    server.start_anyway()
    ids: dict[int, list[int]] = {job.number: [] for job in jobs}
    while any(len(ids[job.number]) < job.new_tokens for job in jobs):
        for number, new in server.step():
            ids[number] += new
    return ids


def first_difference(reference: Trace, found: Trace, dtype: torch.dtype) -> TraceDifference | None:
    """Return where `found` leaves `reference`, in tokens or in logits beyond rounding in `dtype`; None if it does not,
    as far as both go. After a different token the texts differ and cannot be compared. Close tokens may hide a
    difference of all other logits, so the logits at the place of divergence count too."""
    pairs = zip(reference.ids, found.ids, reference.rows, found.rows, strict=False)
    for number, (mine, other, row, its) in enumerate(pairs, 1):
        allowed, apart = _allowed(row, dtype), distance(row, its)
        margin = float(row[mine] - row[other])
        if mine != other and (margin > allowed or apart <= allowed):
            return TraceDifference(number, margin, allowed)
        if not apart <= allowed:  # NaN is no rounding
            return TraceDifference(number, apart, allowed, same_token=mine == other)
    return None


def distance(row: Tensor, other: Tensor) -> float:
    """Return the root mean square difference of two rows of logits [V], each about its mean; NaN if only one is finite.
    Tokens that both forbid (minus infinity) are left out."""
    size = min(len(row), len(other))
    row, other = row[:size].float(), other[:size].float().to(row.device)
    known = row.isfinite()
    if not torch.equal(known, other.isfinite()):
        return math.nan
    apart = row[known] - other[known]
    return float((apart - apart.mean()).square().mean().sqrt()) if len(apart) else 0.0


def _allowed(row: Tensor, dtype: torch.dtype) -> float:
    """Return the distance that rounding explains, on the way and of the stored logits."""
    known = row[row.isfinite()]
    if len(known) < 2:
        return 0.0
    ulp = torch.finfo(dtype).eps * float(known.abs().max())
    return ROUNDING.get(dtype, ROUNDING[torch.bfloat16]) * float(known.std()) + ulp


class Budget:
    """The seconds of a comparison; a few tokens are compared in any case."""

    def __init__(self, seconds: float, least: int) -> None:
        self.begin = time.perf_counter()
        self.seconds, self.least = seconds, least

    @property
    def spent(self) -> float:
        return time.perf_counter() - self.begin

    def share(self, part: float) -> Callable[[int], bool]:
        """Return a function that says whether that part of the whole budget is still unspent."""
        return lambda done: done < self.least or self.spent < part * self.seconds


class Chaff:
    """A drafter that sometimes proposes what the target would say, followed by something else, so that drafts are both
    accepted and rejected, however good the wrapped drafter is (which is still asked each time)."""

    def __init__(self, inner: Any, prompt: list[int], answer: list[int], vocabulary: int) -> None:
        self._inner, self._known, self._vocabulary = inner, [*prompt, *answer], vocabulary
        self._turn = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def propose(self, context: list[int], k: int) -> Any:
        draft = self._inner.propose(context, k)
        self._turn += 1
        right = self._known[len(context) : len(context) + max(1, k // 2)]
        if (draft.tokens and self._turn % 2) or not right:
            return draft
        wrong = [(token + 1) % self._vocabulary for token in right]
        return type(draft)([*right, *wrong][:k] if self._turn % 4 else wrong[:k])


#: Short prompts of tokens that every vocabulary has.
PROMPTS = ([1, 2, 3, 4, 5, 6], [7, 5, 3], [9, 1, 8, 2, 7], [3, 6])


def runs_on(model: Any, make_cache: caches.MakeCache) -> bool:
    """Return whether a prompt and two steps run on a cache, whatever the logits."""
    return _tried(model, make_cache, PROMPTS[0]) is not None


def _tried(model: Any, make_cache: caches.MakeCache, prompt: list[int], length: int = 0) -> Trace | None:
    """Return the trace of a prompt and two steps on a cache with `length` positions; None if a pass fails."""
    try:
        return follow(Plain(model, make_cache), prompt, 3, max(3, length - len(prompt)))
    except RuntimeError as error:
        if agreement.says_nothing(error):
            raise
        return None


def cache_fault(model: Any, make_cache: caches.MakeCache, dtype: torch.dtype, length: int) -> str:
    """Return why a cache that claims to be exact does not serve a model, or "": a prompt and two steps run on it and on
    the default cache, with room for `length` positions, since some models depend on the allocated size. In a mixture of
    experts rounding may send a token elsewhere, so one agreeing prompt suffices."""
    apart: TraceDifference | None = None
    for prompt in PROMPTS:
        found = _tried(model, make_cache, prompt, length)
        if found is None:
            return "its forward pass fails with it"
        apart = first_difference(follow(base_decoder(model), prompt, 3, 3), found, dtype)
        if apart is None or apart.is_rounding:
            return ""
    assert apart is not None
    return f"its logits are others with it (apart by {apart.margin:.2g}, rounding allows {apart.allowed:.2g})"
