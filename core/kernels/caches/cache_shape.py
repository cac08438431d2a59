"""How much each layer of a model keeps of a request: asked of an outline, which is fed two prompts that differ by one
token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from core.kernels.caches import caches
from core.kernels.experts.experts import stacks


@dataclass(frozen=True)
class LayerShape:
    """Elements that a layer keeps for each position, and whatever the length; of the positions, the last `window`
    (0: all)."""

    row: int
    state: int
    window: int


@torch.no_grad()
def cache_shape(outline: Any) -> list[LayerShape] | None:
    """Of each layer of the model's own dynamic cache; None where its forward pass needs numbers, which an outline has
    none of. Changes the outline: experts hand on what they are given, since which of them are asked depends on numbers.
    """
    try:
        for stack in stacks(outline):
            stack.module.forward = lambda hidden, *args, **options: hidden
        short, long = _fed(outline, 2), _fed(outline, 3)
    except Exception:  # one of many libraries' ways to say that a meta tensor has no data
        return None
    found = []
    for less, more in zip(short.layers, long.layers, strict=True):
        row = _elements(more) - _elements(less)
        window = getattr(more, "sliding_window", None) if getattr(more, "is_sliding", False) else 0
        found.append(LayerShape(row, max(0, _elements(less) - 2 * row), int(window or 0)))
    return found


def _elements(layer: Any) -> int:
    """Of its tensors, each counted once; flags and lengths are none."""
    held = {id(t): t for value in vars(layer).values() for t in caches.parts(value) if isinstance(t, torch.Tensor)}
    return sum(t.numel() for t in held.values() if t.ndim >= 2)


def _fed(outline: Any, count: int) -> Any:
    name, _ = caches.forward_arguments(outline)
    cache = caches.dynamic(outline)(count)
    ids = torch.ones((1, count), dtype=torch.long, device="meta")
    outline(ids, **{name: cache}, use_cache=True)
    return cache
