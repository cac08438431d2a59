"""What core says, in the language of the window. Knows which one is on."""

from __future__ import annotations

from app.language import language
from core.language import Language
from core.language import language as language_of


def spoken() -> Language:
    """The language of the window, for what core writes itself."""
    return language_of(language.code)


def said(text: str) -> str:
    """A text of core as the window shows it; in English itself."""
    return spoken().said(text)
