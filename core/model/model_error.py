"""The error of a model that cannot be used."""

from __future__ import annotations


class ModelError(ValueError):
    """The model cannot be used. `hint` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def shortened(name: str) -> str:
    """Return a name or value at a length that fits a sentence."""
    return name if len(name) <= 200 else f"{name[:100]}…{name[-40:]}"
