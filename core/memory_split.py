"""What the peak memory of a variant is made of. Pure functions of a comparison's row."""

from __future__ import annotations

from core.comparison import Row
from core.measures import peak_bytes


def split(row: Row) -> list[int]:
    """Bytes of weights, KV cache and the rest of the peak (libraries, activations), never negative."""
    weights, kv = row.weights_bytes or 0, row.kv_bytes or 0
    return [weights, kv, max(0, (peak_bytes(row) or 0) - weights - kv)]
