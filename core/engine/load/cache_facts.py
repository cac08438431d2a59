"""The cache of a request as the model itself lays it out: facts that config.json does not state (latent rows, recurrent
states, layers without rows)."""

from __future__ import annotations

from typing import Any

from core.engine.load.strategy_fit import outline_of
from core.kernels.caches.cache_shape import LayerShape, cache_shape
from core.model.facts import ModelFacts
from core.model.source import ModelSource


def with_cache(facts: ModelFacts, source: ModelSource) -> ModelFacts:
    """Return the facts with the sizes of the cache's layers; unchanged if no outline can be made or fed. Measured: 0.1
    s for 4 layers, 2 s for the 61 of DeepSeek-V3 and the 48 of Qwen3-Next."""
    if facts.kind != "folder":
        return facts
    whole = outline_of(facts, source)
    try:
        found = cache_shape(whole) if whole is not None else None
    except Exception:  # loading the model says why
        return facts
    return facts.model_copy(update=_facts(found, facts.layers or len(found))) if found else facts


def _facts(found: list[LayerShape], layers: int) -> dict[str, Any]:
    rows = [layer for layer in found if layer.row]
    windows = [layer.window for layer in rows if layer.window]
    return {
        "layers": layers,
        "uncached_layers": max(0, layers - len(rows)),
        "sliding_layers": len(windows),
        "window": max(windows, default=None),
        "kv_row": round(sum(layer.row for layer in rows) / len(rows)) if rows else 0,
        "state_elements": sum(layer.state for layer in found),
    }
