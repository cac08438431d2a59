"""Measures how much each layer keeps of a request, by feeding an outline two prompts that differ by one token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from core.kernels.caches import caches
from core.kernels.experts.experts import stacks


@dataclass(frozen=True)
class LayerShape:
    """The elements that a layer keeps per position, and those that do not depend on the length; `window` limits the
    positions (0: all)."""

    row: int
    state: int
    window: int


@torch.no_grad()
def cache_shape(outline: Any) -> list[LayerShape] | None:
    """Return the shape of each layer of the model's dynamic cache; None if its forward pass needs values, which an
    outline lacks. Changes the outline: experts pass their input on, since which of them are used depends on values."""
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
    """Return the elements of the layer's tensors, each counted once; flags and lengths do not count."""
    held = {id(t): t for value in vars(layer).values() for t in caches.parts(value) if isinstance(t, torch.Tensor)}
    return sum(t.numel() for t in held.values() if t.ndim >= 2)


def _fed(outline: Any, count: int) -> Any:
    name, _ = caches.forward_arguments(outline)
    cache = caches.dynamic(outline)(count)
    ids = torch.ones((1, count), dtype=torch.long, device="meta")
    outline(ids, **{name: cache}, use_cache=True)
    return cache
