"""Drafts several tokens and verifies them in one pass of the target. The output has the target's distribution whatever
is drafted: greedy tokens are the target's own, and sampled ones are distributed as if it had drawn them alone. Source:
Leviathan et al. 2023."""

from __future__ import annotations

import time
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from core.kernels.decoding.decoders import Plain
from core.kernels.decoding.sampling import Sampler
from core.kernels.speculation.draft_length import AdaptiveDraftLength


class DraftTokens(NamedTuple):
    """Drafted tokens. `probabilities[i]` [V] is the distribution that token i was drawn from; None: each token was
    certain (a one-hot draft)."""

    tokens: list[int]
    probabilities: list[Tensor] | None = None


class Drafter(Protocol):
    """A source of drafts. The target may reject any token; the next `propose` gets the accepted context."""

    def start(self, prompt: list[int], length: int, sampler: Sampler) -> None:
        """Begin a new request of at most `length` tokens."""

    def propose(self, context: list[int], k: int) -> DraftTokens:
        """Return at most k tokens that may follow `context`."""

    def describe(self) -> str:
        """Return the source of the drafts in words."""

    def kv_bytes(self) -> int:
        """Return the bytes of the drafter's cache."""


class Speculative:
    """Verifies up to `draft_tokens` drafted tokens per pass. Without a `pace` it always drafts as many as it can."""

    def __init__(
        self, inner: Plain, drafter: Drafter, draft_tokens: int, pace: AdaptiveDraftLength | None = None
    ) -> None:
        self.inner = inner
        self.drafter = drafter
        self.draft_tokens = draft_tokens
        self.pace = pace
        inner.extra_room = draft_tokens + 1
        inner.will_roll_back = True
        self.drafted = self.accepted = self.verify_steps = 0
        self.again = 0  # tokens that were fed more than once, since a state was put back to before them
        self.draft_ns = self.pass_ns = 0

    def start(self, prompt: list[int], new_tokens: int, sampler: Sampler) -> int:
        self.drafted = self.accepted = self.verify_steps = self.again = 0
        self.draft_ns = self.pass_ns = 0
        self._sampler = sampler
        first = self.inner.start(prompt, new_tokens, sampler)
        with torch.inference_mode():
            self.inner.rollback(0)
            self.drafter.start(prompt, len(prompt) + new_tokens + self.draft_tokens + 1, sampler)
        self._context = [*prompt, first]  # a new list: a drafter may key its index on it
        self._wanted = new_tokens - 1
        return first

    def step(self) -> list[int]:
        with torch.inference_mode():
            begin = time.perf_counter_ns()
            # A pass yields one token more than it accepts, so the last one wanted needs no draft.
            room = min(self.pace.draft_tokens if self.pace else self.draft_tokens, self._wanted - 1)
            draft = self.drafter.propose(self._context, room) if room > 0 else DraftTokens([])
            guessed = time.perf_counter_ns()
            again = self.inner.again
            logits = self.inner.feed([self._context[-1], *draft.tokens], len(draft.tokens) + 1)
            tokens = self._verify(logits, draft)
            accepted = len(tokens) - 1
            self.inner.rollback(len(draft.tokens) - accepted)
        self.drafted += len(draft.tokens)
        self.accepted += accepted
        self.verify_steps += 1
        self.again += again
        self._context.extend(tokens)
        self._wanted -= len(tokens)
        now = time.perf_counter_ns()
        self.draft_ns += guessed - begin
        self.pass_ns += now - begin
        if self.pace is not None:
            self.pace.note(len(draft.tokens), accepted, (guessed - begin) / 1e9, (now - guessed) / 1e9, now, again)
        return tokens

    def _verify(self, logits: Tensor, draft: DraftTokens) -> list[int]:
        """Return the accepted part of the draft and one token of the target's; logits [len(draft) + 1, V]."""
        sampler, guesses = self._sampler, draft.tokens
        if sampler.greedy:
            picks = sampler.picks(logits)
            agreed = 0
            while agreed < len(guesses) and guesses[agreed] == picks[agreed]:
                agreed += 1
            return picks[: agreed + 1]
        if guesses and logits.device.type != "cpu":
            return self._verify_at_once(logits, draft)
        for i, token in enumerate(guesses):  # on a CPU nothing waits, and what follows a rejection is not computed
            p = sampler.probabilities(logits[i])
            q = _one_hot(token, p) if draft.probabilities is None else _fit(draft.probabilities[i], p)
            if sampler.uniform(p.device) * float(q[token]) < float(p[token]):
                continue
            return [*guesses[:i], sampler.draw((p - q).clamp_min(0.0))]
        return [*guesses, sampler.pick(logits[len(guesses)])]

    def _verify_at_once(self, logits: Tensor, draft: DraftTokens) -> list[int]:
        """Return the same on a device, with one wait for it: all rows are judged there, and what is drawn is drawn from
        the row at which the first guess was rejected, or from the last one."""
        sampler, guesses, device = self._sampler, draft.tokens, logits.device
        p = sampler.probabilities(logits[: len(guesses) + 1])  # [k + 1, V]
        chosen = torch.tensor(guesses, device=device)[:, None]
        if draft.probabilities is None:
            q = torch.zeros_like(p[:-1]).scatter_(-1, chosen, 1.0)
        else:
            q = torch.stack([_fit(row, p[0]) for row in draft.probabilities])
        likely, guessed = p[:-1].gather(-1, chosen)[:, 0], q.gather(-1, chosen)[:, 0]
        kept = sampler.uniforms(len(guesses), device) * guessed < likely
        accepted = kept.long().cumprod(0).sum().reshape(1)
        left = (p - torch.cat([q, torch.zeros_like(p[-1:])])).clamp_min(0.0).index_select(0, accepted)[0]
        count, token = torch.cat([accepted, sampler.drawn(left).reshape(1)]).tolist()
        return [*guesses[:count], token]

    def kv_bytes(self) -> int:
        """Return the bytes of the target's and the drafter's caches."""
        return self.inner.kv_bytes() + self.drafter.kv_bytes()

    def cache_class(self) -> str:
        return self.inner.cache_class()


def _one_hot(token: int, like: Tensor) -> Tensor:
    q = torch.zeros_like(like)
    q[token] = 1.0
    return q


def _fit(q: Tensor, p: Tensor) -> Tensor:
    """Return q at p's size. A draft model's head may be padded to another size; ids beyond the tokenizer are never
    drawn."""
    if q.shape == p.shape:
        return q.to(p.device)
    fitted = torch.zeros_like(p)
    count = min(len(p), len(q))
    fitted[:count] = q[:count]
    return fitted
