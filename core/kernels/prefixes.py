"""Keys and values of earlier prompts, to be used again where a new prompt begins like one of them. Knows token
ids and caches that grow or are allocated at once; knows no model.

At least one token of a prompt is always computed, since its logits are needed.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from torch import Tensor

Layers = list[tuple[Tensor, Tensor]]  # keys and values of each layer, [1, H, n, D]


class PrefixStore:
    """Remembers whole prompts, the least recently used ones are forgotten first. The counts run since the
    store was made: `hit_rate` is reused ÷ all prompt tokens."""

    def __init__(self, capacity: int, least: int) -> None:
        self.capacity = capacity  # tokens
        self.least = least  # a shorter common beginning is not worth a copy
        self.requests = self.hits = self.prompt_tokens = self.reused_tokens = 0
        self._kept: OrderedDict[tuple[int, ...], Layers] = OrderedDict()

    @property
    def hit_rate(self) -> float | None:
        return self.reused_tokens / self.prompt_tokens if self.prompt_tokens else None

    def bytes(self) -> int:
        """Of what is kept, at its real size."""
        return sum(t.numel() * t.element_size() for layers in self._kept.values() for pair in layers for t in pair)

    def restore(self, prompt: list[int], cache: Any) -> int:
        """Copy the longest known beginning into the fresh cache; its length, 0 where there is none."""
        best = max(self._kept, key=lambda known: _common(known, prompt), default=())
        count = min(_common(best, prompt), len(prompt) - 1)
        self.requests += 1
        self.prompt_tokens += len(prompt)
        if count < self.least:
            return 0
        self._kept.move_to_end(best)
        for i, (keys, values) in enumerate(self._kept[best]):
            cache.update(keys[..., :count, :], values[..., :count, :], i)
        self.hits += 1
        self.reused_tokens += count
        return count

    def keep(self, prompt: list[int], cache: Any) -> None:
        """Remember a prompt that was fed just now."""
        count, known = len(prompt), tuple(prompt)
        if count > self.capacity:
            return
        # A dynamic layer makes new tensors as it grows, so its present ones can be kept as they are. A static
        # one writes into the same memory again: copy.
        self._kept[known] = [
            (layer.keys, layer.values)
            if layer.keys.shape[-2] == count and not hasattr(layer, "max_cache_len")
            else (layer.keys[..., :count, :].clone(), layer.values[..., :count, :].clone())
            for layer in cache.layers
        ]
        self._kept.move_to_end(known)
        while sum(map(len, self._kept)) > self.capacity:
            self._kept.popitem(last=False)


def _common(a: tuple[int, ...], b: list[int]) -> int:
    """How many ids both begin with."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
