"""Text that the terminal prints literally."""

from __future__ import annotations

from rich.text import Text

from core.base import visible_text


def literal(words_: str, style: str = "") -> Text:
    """Return text without markup, control characters escaped."""
    return Text(visible_text.visible(words_), style)
