"""The proof that a strategy is in effect, read by the engine from the loaded model."""

from __future__ import annotations

from core.base.value import Value

JsonValue = str | int | float | bool | None | list[str] | list[int]


class Receipt(Value):
    """The proof of one strategy: what was requested, and what is in effect in the loaded model."""

    slot: str
    requested: str
    effective: str
    matches: bool
    detail: dict[str, JsonValue] = {}


def listed(lines: list[str]) -> list[str]:
    """Return the first 20 lines for a receipt, and the number of the others."""
    return lines[:20] + ([f"… and {len(lines) - 20} more"] if len(lines) > 20 else [])
