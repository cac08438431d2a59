"""Splits a variant's memory peak into its parts. Pure functions of a row."""

from __future__ import annotations

from core.analysis.comparison_row import Row
from core.analysis.measures import peak_bytes


def split(row: Row) -> list[int]:
    """Return the bytes of weights, KV cache and the rest (libraries, activations), which add up to the peak; empty if
    no peak was measured."""
    peak = peak_bytes(row) or 0
    weights = min(row.weights_bytes or 0, peak)
    kv = min(row.kv_bytes or 0, peak - weights)
    return [weights, kv, peak - weights - kv]
