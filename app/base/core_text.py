"""Translates the texts of core into the language of the window."""

from __future__ import annotations

import re

from app.base.language import language
from core.base.formatting import capital
from core.wording.translation import Language
from core.wording.translation import language as language_of

PACKAGES = {"accelerate", "bitsandbytes", "gguf", "safetensors", "tokenizers", "torch", "torchao", "transformers"}
_FIRST = re.compile(r"[a-z]+(?=[ ,.:;]|$)")


def spoken() -> Language:
    """Return the language of the window, for texts that core writes itself."""
    return language_of(language.code)


def said(text: str) -> str:
    """Return a text of core in the window's language."""
    return spoken().said(text)


def stated(text: str) -> str:
    """Return a text of core as a sentence of its own: capitalized, unless it begins with a package's name."""
    shown = said(text)
    first = _FIRST.match(shown)
    return shown if first is None or first[0] in PACKAGES else capital(shown)
