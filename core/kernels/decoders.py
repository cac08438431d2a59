"""The decode loop, one forward pass at a time, with a cache and without. Knows models, caches and samplers;
knows no clock: whoever calls `step` stamps its return, when the tokens are known.

A decoder is used again and again: `start` begins a new request and forgets the last one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import torch
from torch import Tensor

from core.kernels import caches
from core.kernels.sampling import Sampler

ForwardOne = Callable[[Tensor, Any], Tensor]  # (ids [1, 1], cache) -> logits [1, V]


class Decoder(Protocol):
    """What the engine drives. `verify_steps` counts the target's passes after the prefill, so that the mean
    accepted length is 1 + accepted ÷ verify_steps; all three counts are of the present request."""

    drafted: int
    accepted: int
    verify_steps: int

    def start(self, prompt: list[int], new_tokens: int, sampler: Sampler) -> int:
        """Prefill; returns the first new token."""

    def step(self) -> list[int]:
        """One forward pass of the target: one or more tokens, never more than are still wanted."""

    def kv_bytes(self) -> int:
        """Bytes of the cache's tensors as they are now."""

    def cache_class(self) -> str:
        """The class of the cache and of its layers, with counts."""


class Prefixes(Protocol):
    """Keys and values of earlier prompts (`core.kernels.prefixes`)."""

    def restore(self, prompt: list[int], cache: Any) -> int:
        """Fill the fresh cache with what is known of the prompt's beginning; how many positions that is."""

    def keep(self, prompt: list[int], cache: Any) -> None:
        """Remember the keys and values of the prompt, which was fed just now."""


class Plain:
    """One token per pass. A variant is made by setting its parts before `start`: the kind of cache
    (`make_cache`), another forward for single tokens (`forward_one`: compiled, or a graph), a store of prompt
    prefixes (`prefixes`).

    `feed` and `rollback` are for decoders that wrap this one; they set `extra_room` (positions beyond prompt +
    new tokens) and `will_roll_back`.
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
        self._device = next(model.parameters()).device
        self._one = torch.zeros((1, 1), dtype=torch.long, device=self._device)
        self._last = 0

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
        length += self.extra_room
        self.cache = None  # before the new one is made: two at once would double the peak
        self.cache = self.make_cache(length)
        if self.will_roll_back:
            caches.allow_rollback(self.cache, length)
        self._forward_options = {self._cache_name: self.cache, "use_cache": True}

    def prefill(self, prompt: list[int]) -> Tensor:
        """The logits [1, V] that follow the prompt."""
        if self.prefixes is None:
            return self.feed(prompt, 1)
        known = self.prefixes.restore(prompt, self.cache)
        logits = self.feed(prompt[known:], 1)
        self.prefixes.keep(prompt, self.cache)
        return logits

    def feed(self, tokens: list[int], keep: int) -> Tensor:
        """Append tokens to the context; the logits [keep, V] that follow the last `keep` of them."""
        if len(tokens) == 1:
            ids = self._one.fill_(tokens[0])
            if self.forward_one is not None:
                return self.forward_one(ids, self.cache)
        else:
            ids = torch.tensor([tokens], dtype=torch.long, device=self._device)
        return self._logits(ids, keep, self._forward_options)

    def _logits(self, ids: Tensor, keep: int, options: dict[str, Any]) -> Tensor:
        return self.model(ids, **self._keep(ids, keep), **options).logits[0, -keep:]

    def rollback(self, n: int) -> None:
        """Drop the last n positions. With `will_roll_back`, due after every feed, n = 0 included: sliding
        layers hold everything back until then."""
        self.cache.crop(-n)

    def kv_bytes(self) -> int:
        return caches.cache_bytes(self.cache) if self.cache is not None else 0

    def cache_class(self) -> str:
        return caches.describe(self.cache if self.cache is not None else self.make_cache(1))


class Recompute(Plain):
    """No cache: every pass computes the whole context again."""

    def __init__(self, model: Any, make_cache: caches.MakeCache) -> None:
        super().__init__(model, make_cache)
        self._context: list[int] = []

    def begin(self, length: int) -> None:
        self._context = []

    def feed(self, tokens: list[int], keep: int) -> Tensor:
        self._context.extend(tokens)
        ids = torch.tensor([self._context], dtype=torch.long, device=self._device)
        return self._logits(ids, keep, {"use_cache": False})

    def rollback(self, n: int) -> None:
        if n:
            del self._context[-n:]

    def cache_class(self) -> str:
        return "none"


def base_decoder(model: Any) -> Plain:
    """The decoder that every variant starts from: plain, on a dynamic cache."""
    return Plain(model, caches.dynamic(model))
