"""What the peak memory of a variant is made of. Pure functions of a comparison's row."""

from __future__ import annotations

from core.analysis.comparison_row import Row
from core.analysis.measures import peak_bytes


def split(row: Row) -> list[int]:
    """Return bytes of weights, KV cache and the rest of the peak (libraries, activations): together they are the peak,
    and nothing where none was measured. Weights alone are no peak."""
    peak = peak_bytes(row) or 0
    weights = min(row.weights_bytes or 0, peak)
    kv = min(row.kv_bytes or 0, peak - weights)
    return [weights, kv, peak - weights - kv]
