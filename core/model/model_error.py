"""What is said of a model that cannot be used."""

from __future__ import annotations


class ModelError(ValueError):
    """The model cannot be used. `hint` is the way out."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def shortened(name: str) -> str:
    """Return a name or a value of any length, as it can be shown in a sentence."""
    return name if len(name) <= 200 else f"{name[:100]}…{name[-40:]}"
