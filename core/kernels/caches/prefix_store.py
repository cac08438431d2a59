"""Keys, values and states of earlier prompts, to be used again where a new prompt begins like one of them.

Rows of keys and values serve any beginning of the prompt that they are of. A recurrent state is that of one place and
sums up all before it: it serves prompts that begin with just those tokens. Which beginnings are shared is seen when a
second prompt comes, so that one is computed in two parts and the state between them is kept (as Pan et al. 2025,
Marconi, do; vLLM keeps one at every block).

At least one token of a prompt is always computed, since its logits are needed; two where there is a state, since a
single token would go the way of a step, not of a prompt.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from core.kernels.caches import rollback


@dataclass
class _Kept:
    """Of a prompt or its beginning: keys and values [1, H, n, D] of layers that have them, and the state after it."""

    rows: dict[int, tuple[Tensor, Tensor]]
    state: rollback.State

    def bytes(self) -> int:
        tensors = [t for pair in self.rows.values() for t in pair]
        return sum(t.numel() * t.element_size() for t in tensors) + rollback.state_bytes(self.state)


class PrefixStore:
    """Remembers whole prompts, the least recently used ones are forgotten first. The counts run since the
    store was made: `hit_rate` is reused ÷ all prompt tokens."""

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
        """Of what is kept, at its real size."""
        return sum(kept.bytes() for kept in self._kept.values())

    def restore(self, prompt: list[int], cache: Any) -> int:
        """Copy the longest beginning that can be used into the fresh cache; its length, 0 where there is none."""
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
        """Return where to interrupt a prompt of which `known` tokens are restored, to keep the state there: the end of
        what it shares with an earlier one, 0 where nothing is gained."""
        if not rollback.stateful(cache):
            return 0
        shared = max((_common(other, prompt) for other in self._kept), default=0)
        place = min(shared, len(prompt) - 2)
        return place if place >= max(self.least, known + 2) else 0

    def keep(self, prompt: list[int], cache: Any) -> None:
        """Remember a prompt, or its beginning, that was fed just now."""
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
        """Return how many tokens of a prompt what is kept of another serves for."""
        if self.switch is not None and (len(known) > self.switch) != (len(prompt) > self.switch):
            return 0
        common = _common(known, prompt)
        if not self._kept[known].state:
            return min(common, len(prompt) - 1)
        return common if common == len(known) <= len(prompt) - 2 else 0


def _first(layer: Any, count: int) -> tuple[Tensor, Tensor]:
    """Return its first positions. A dynamic layer makes new tensors as it grows, so its present ones can be kept as
    they are. A static one writes into the same memory again: copy."""
    if layer.keys.shape[-2] == count and not hasattr(layer, "max_cache_len"):
        return layer.keys, layer.values
    return layer.keys[..., :count, :].clone(), layer.values[..., :count, :].clone()


def _common(a: tuple[int, ...], b: list[int]) -> int:
    """Return how many ids both begin with."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
