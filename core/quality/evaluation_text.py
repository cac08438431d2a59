"""The texts that quality is judged on: a built-in one, or a user's .txt file."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from core.base.files import read_text
from core.spec.built_in import texts as names


class TextError(ValueError):
    """The text cannot be used; the message says what is wrong, where, and what is allowed."""


def text(name: str, characters: int | None = None) -> str:
    """Return a built-in text or a file's, at most its first `characters`. Raises TextError."""
    if name in names():
        return (files("resources") / "evaluation" / f"{name}.txt").read_text("utf-8")[:characters]
    path = Path(name)
    if path.suffix != ".txt":
        raise TextError(
            f"quality.text: there is no built-in text {name!r} (there are: {', '.join(names())}), "
            "and it is not a .txt file"
        )
    try:
        found = read_text(path, characters if characters is not None else -1)
    except ValueError as error:
        raise TextError(f"quality.text: {path} {error}") from None
    if not found.strip():
        raise TextError(f"quality.text: {path} holds no text; give one of some thousand words")
    return found
