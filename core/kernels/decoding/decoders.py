"""The decode loop, one forward pass at a time, with and without a cache. A decoder is reused: `start` begins a new
request and forgets the previous one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import torch
from torch import Tensor

from core.kernels.caches import caches, rollback
from core.kernels.checks import agreement
from core.kernels.decoding.sampling import Sampler

ForwardOne = Callable[[Tensor, Tensor, Any], Tensor]  # (ids [1, 1], position [1, 1], cache) -> logits [1, V]


class Prefixes(Protocol):
    """The caches of earlier prompts (`core.kernels.caches.prefix_store`)."""

    def restore(self, prompt: list[int], cache: Any) -> int:
        """Fill the fresh cache with the longest known prefix of the prompt and return its length."""

    def cut(self, prompt: list[int], known: int, cache: Any) -> int:
        """Return where to interrupt the prompt to keep the cache's state; 0 for nowhere."""

    def keep(self, prompt: list[int], cache: Any) -> None:
        """Keep the cache after a prompt that was just fed."""


class Plain:
    """Decodes one token per pass. A variant sets its parts before `start`: the kind of cache (`make_cache`), another
    forward for single tokens (`forward_one`: compiled, or a graph), a store of prompt prefixes (`prefixes`).

    `feed` and `rollback` are for decoders that wrap this one; they set `extra_room` (positions beyond prompt + new
    tokens) and `will_roll_back`.
    """

    drafted = 0
    accepted = 0
    verify_steps = 0

    def __init__(self, model: Any, make_cache: caches.MakeCache) -> None:
        self.model = model
        self.make_cache = make_cache
        self.forward_one: ForwardOne | None = None
        self.prefixes: Prefixes | None = None
        self.extra_room = 0
        self.will_roll_back = False
        self.cache: Any = None
        self._cache_name, _ = caches.forward_arguments(model)
        self._keep = caches.keeper(model)
        self._takes_positions = caches.takes_positions(model)
        self._device = next(model.parameters()).device
        self._one = torch.zeros((1, 1), dtype=torch.long, device=self._device)
        self._place = torch.zeros((1, 1), dtype=torch.long, device=self._device)  # the position of that token
        self._last = 0
        self._length = self._settled = 0  # positions in the cache; those of them that will not be taken back
        self._state: rollback.SavedState | None = None
        self._fault: str | None = None  # not known yet
        self._has_state = False
        self._limited = rollback.limited(model)
        self._switch = caches.rotary_switch(model)
        self._is_long = False  # whether the keys in the cache have the long factors
        self._room = 0
        self._context: list[int] = []  # what is in the cache, where it may have to be computed anew

    def start(self, prompt: list[int], new_tokens: int, sampler: Sampler) -> int:
        with torch.inference_mode():
            self.begin(len(prompt) + new_tokens)
            self._sampler = sampler
            self._last = sampler.pick(self.prefill(prompt)[0])
            return self._last

    def step(self) -> list[int]:
        with torch.inference_mode():
            self._last = self._sampler.pick(self.feed([self._last], 1)[0])
            return [self._last]

    def begin(self, length: int) -> None:
        """Forget everything and make room for `length` positions."""
        self._renew(length + self.extra_room)

    def _renew(self, length: int) -> None:
        self.cache = None  # before the new one is made: two at once would double the peak
        self.cache = self.make_cache(length)
        if self.forward_one is not None:
            rollback.keep_whole(self.cache, length)
        self._room, self._context = length, []
        self._length = self._settled = 0
        self._has_state = bool(rollback.stateful(self.cache))
        self._state = None
        if self.will_roll_back:
            rollback.prepare(self.cache, length)
            self._state = rollback.SavedState(self.cache) if self._has_state else None
        self._forward_options = {self._cache_name: self.cache, "use_cache": True}

    def prefill(self, prompt: list[int]) -> Tensor:
        """Return the logits [1, V] after the prompt."""
        if self.prefixes is None:
            return self.feed(prompt, 1)
        known = self.prefixes.restore(prompt, self.cache)
        self._length += known
        if self._switch is not None:  # all of a prompt has the factors of its end
            self._context, self._is_long = list(prompt), len(prompt) > self._switch
        if cut := self.prefixes.cut(prompt, known, self.cache):
            self._forward(prompt[known:cut], 1)
            self.prefixes.keep(prompt[:cut], self.cache)
            known = cut
        logits = self._forward(prompt[known:], 1)
        self.prefixes.keep(prompt, self.cache)
        return logits

    def feed(self, tokens: list[int], keep: int) -> Tensor:
        """Append tokens to the context and return the logits [keep, V] of the last `keep` of them."""
        state = self._state
        if state is not None:
            if len(state.pending) > rollback.MOST_PENDING:
                with rollback.as_steps(self._limited):
                    self._pass(state.feeding([]), 1)
                self.rollback(0)
            tokens = state.feeding(tokens)
        several = len(tokens) > 1 and self._length > 0 and self._has_state
        if several and self.cannot_go_on():
            return torch.cat([self._pass([token], 1) for token in tokens])[-keep:]
        with rollback.as_steps(self._limited if several else []):
            return self._pass(tokens, keep)

    def obstacle(self) -> str:
        """Return why positions cannot be rolled back, or an empty string."""
        cache = self.make_cache(1)
        rollback.prepare(cache, 1)
        return rollback.obstacle(cache) or self.cannot_go_on()

    def cannot_go_on(self) -> str:
        """Return why several tokens cannot be computed after a restored state, or an empty string."""
        if self._fault is None:
            self._fault = agreement.state_fault(self.model)
        return self._fault

    @property
    def again(self) -> int:
        """The number of tokens that the next pass feeds again after a restored state."""
        return len(self._state.pending) if self._state is not None else 0

    def _pass(self, tokens: list[int], keep: int) -> Tensor:
        """Append tokens in one pass and return their logits. If a rotary embedding changes its factors within them, two
        passes run and all keys are recomputed."""
        if self._switch is None:
            return self._forward(tokens, keep)
        before = max(0, self._switch - self._length)
        if self._length and 0 < before < len(tokens):  # a prompt is computed with one set of factors
            parts = self._pass(tokens[:before], before), self._pass(tokens[before:], len(tokens) - before)
            return torch.cat(parts)[-keep:]
        self._context = [*self._context, *tokens]
        if self._length and self._is_long != (before < len(tokens)):
            tokens = self._context
            self._renew(self._room)
            self._context = tokens
        self._is_long = len(self._context) > self._switch
        return self._forward(tokens, keep)

    def _forward(self, tokens: list[int], keep: int) -> Tensor:
        begin, self._length = self._length, self._length + len(tokens)
        if len(tokens) == 1:
            ids, places = self._one.fill_(tokens[0]), self._place.fill_(begin)
            if self.forward_one is not None:
                return self.forward_one(ids, places, self.cache)
        else:
            ids = torch.tensor([tokens], dtype=torch.long, device=self._device)
            places = torch.arange(begin, self._length, device=self._device)[None]
        options = self._forward_options
        if self._takes_positions:
            options = {**options, "position_ids": places}
        return self._logits(ids, keep, options)

    def _logits(self, ids: Tensor, keep: int, options: dict[str, Any]) -> Tensor:
        return self.model(ids, **self._keep(ids, keep), **options).logits[0, -keep:]

    @property
    def reach(self) -> int:
        """The number of newest positions that can be rolled back."""
        if self._state is not None:
            return self._state.reach
        return self._length - self._settled if any(self.cache.is_sliding) else self._length

    def rollback(self, n: int) -> None:
        """Drop the last n positions; all before them are final. With `will_roll_back` it is due after every feed, also
        with n = 0: sliding layers and states hold everything back until then."""
        if self._state is not None:
            self._length -= self._state.take_back(n)
            if n == 0 and rollback.records(self.cache):
                self._state = None
        else:
            self.cache.crop(-n)
            self._length -= n
        if self._switch is not None:
            self._context = self._context[: self._length]
        self._settled = self._length

    def kv_bytes(self) -> int:
        """Return the bytes of the cache and of a saved state."""
        saved = self._state.bytes() if self._state is not None else 0
        return caches.cache_bytes(self.cache) + saved if self.cache is not None else 0

    def cache_class(self) -> str:
        return caches.describe(self.cache if self.cache is not None else self.make_cache(1))


class Recompute(Plain):
    """Decodes without a cache: every pass computes the whole context."""

    def __init__(self, model: Any, make_cache: caches.MakeCache) -> None:
        super().__init__(model, make_cache)
        self._context = []

    def begin(self, length: int) -> None:
        self._context = []

    def feed(self, tokens: list[int], keep: int) -> Tensor:
        before = max(0, self._switch - len(self._context)) if self._switch is not None else 0
        if self._context and 0 < before < len(tokens):  # each token with the factors of its own context
            parts = self.feed(tokens[:before], before), self.feed(tokens[before:], len(tokens) - before)
            return torch.cat(parts)[-keep:]
        self._context.extend(tokens)
        ids = torch.tensor([self._context], dtype=torch.long, device=self._device)
        return self._logits(ids, keep, {"use_cache": False})

    def obstacle(self) -> str:
        return ""

    @property
    def reach(self) -> int:
        return len(self._context)

    def rollback(self, n: int) -> None:
        if n:
            del self._context[-n:]

    def cache_class(self) -> str:
        return "none"


def base_decoder(model: Any) -> Plain:
    """Return the decoder that every variant starts from: plain, on a dynamic cache."""
    return Plain(model, caches.dynamic(model))
