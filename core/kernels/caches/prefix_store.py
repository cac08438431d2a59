"""Keeps keys, values and states of earlier prompts for prompts that begin alike.

Rows of keys and values serve any prefix of their prompt. A recurrent state belongs to one position and sums up all
before it: it serves only prompts that begin with exactly those tokens. A shared prefix is recognized when a second
prompt comes; that one is computed in two parts, and the state between them is kept (as Marconi does, Pan et al. 2025;
vLLM keeps one at every block). At least one token of a prompt is always computed for its logits, and two if there is a
state, since a single token would be computed as a decode step.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from core.kernels.caches import rollback


@dataclass
class _Kept:
    """The cache after a prompt or prefix: keys and values [1, H, n, D] of layers that have them, and the state."""

    rows: dict[int, tuple[Tensor, Tensor]]
    state: rollback.State

    def bytes(self) -> int:
        tensors = [t for pair in self.rows.values() for t in pair]
        return sum(t.numel() * t.element_size() for t in tensors) + rollback.state_bytes(self.state)


class PrefixStore:
    """A store of whole prompts that drops the least recently used ones first. The counts run since the store was made;
    `hit_rate` is reused ÷ all prompt tokens."""

    def __init__(self, capacity: int, least: int, switch: int | None = None) -> None:
        self.capacity = capacity  # tokens
        self.least = least  # a shorter common beginning is not worth a copy
        self.switch = switch  # keys of shorter prompts than this and of longer ones are of two kinds
        self.requests = self.hits = self.prompt_tokens = self.reused_tokens = 0
        self._kept: OrderedDict[tuple[int, ...], _Kept] = OrderedDict()

    @property
    def hit_rate(self) -> float | None:
        return self.reused_tokens / self.prompt_tokens if self.prompt_tokens else None

    def bytes(self) -> int:
        """Return the real bytes of the stored tensors."""
        return sum(kept.bytes() for kept in self._kept.values())

    def restore(self, prompt: list[int], cache: Any) -> int:
        """Copy the longest usable prefix into the fresh cache and return its length; 0 without one."""
        usable = {known: self._usable(known, prompt) for known in self._kept}
        best = max(usable, key=usable.__getitem__, default=())
        count = usable.get(best, 0)
        self.requests += 1
        self.prompt_tokens += len(prompt)
        if count < self.least:
            return 0
        self._kept.move_to_end(best)
        kept = self._kept[best]
        for i, (keys, values) in kept.rows.items():
            cache.update(keys[..., :count, :], values[..., :count, :], i)
        rollback.restore(cache, kept.state)
        self.hits += 1
        self.reused_tokens += count
        return count

    def cut(self, prompt: list[int], known: int, cache: Any) -> int:
        """Return where to interrupt a prompt with `known` restored tokens to store the state: at the end of what it
        shares with an earlier prompt, or 0 if nothing is gained."""
        if not rollback.stateful(cache):
            return 0
        shared = max((_common(other, prompt) for other in self._kept), default=0)
        place = min(shared, len(prompt) - 2)
        return place if place >= max(self.least, known + 2) else 0

    def keep(self, prompt: list[int], cache: Any) -> None:
        """Store the cache of a prompt or prefix that was just fed."""
        count, known = len(prompt), tuple(prompt)
        if count > self.capacity:
            return
        self._kept[known] = _Kept(
            {
                i: _first(layer, count)
                for i, layer in enumerate(cache.layers)
                if getattr(layer, "keys", None) is not None
            },
            rollback.save(cache),
        )
        self._kept.move_to_end(known)
        while sum(map(len, self._kept)) > self.capacity:
            self._kept.popitem(last=False)

    def _usable(self, known: tuple[int, ...], prompt: list[int]) -> int:
        """Return how many tokens of a prompt a stored one serves."""
        if self.switch is not None and (len(known) > self.switch) != (len(prompt) > self.switch):
            return 0
        common = _common(known, prompt)
        if not self._kept[known].state:
            return min(common, len(prompt) - 1)
        return common if common == len(known) <= len(prompt) - 2 else 0


def _first(layer: Any, count: int) -> tuple[Tensor, Tensor]:
    """Return the first positions of a layer. A dynamic layer makes new tensors as it grows, so its present ones are
    kept; a static layer writes into the same memory, so its rows are copied."""
    if layer.keys.shape[-2] == count and not hasattr(layer, "max_cache_len"):
        return layer.keys, layer.values
    return layer.keys[..., :count, :].clone(), layer.values[..., :count, :].clone()


def _common(a: tuple[int, ...], b: list[int]) -> int:
    """Return the length of the common prefix."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
