"""Proof that a strategy is in effect, as the engine read it from the loaded model."""

from __future__ import annotations

from core.base.value import Value

JsonValue = str | int | float | bool | None | list[str] | list[int]


class Receipt(Value):
    """Proof of one strategy: what was asked for against what is in effect, read from the loaded model."""

    slot: str
    requested: str
    effective: str
    matches: bool
    detail: dict[str, JsonValue] = {}


def listed(lines: list[str]) -> list[str]:
    """Return the first 20 lines for a receipt, and how many more there are."""
    return lines[:20] + ([f"… and {len(lines) - 20} more"] if len(lines) > 20 else [])
