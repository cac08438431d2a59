"""Prompt sets in words: titles, what each stresses, prompt lengths."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said
from core.base import formatting
from core.prompts.prompt_lengths import Lengths
from core.spec.prompt_sets import ABOUT


def _tr(text: str) -> str:
    return QCoreApplication.translate("Prompts", text)


def title(name: str) -> str:
    """Return a built-in set's title, or a file's name."""
    titles = {
        "chat": _tr("Chat"),
        "code_edit": _tr("Code edit"),
        "long_context": _tr("Long context"),
        "math": _tr("Math"),
        "rewrite": _tr("Rewrite"),
        "shared_prefix": _tr("Shared prefix"),
        "summarization": _tr("Summarization"),
        "translation": _tr("Translation"),
    }
    return titles.get(name) or PurePath(name.replace("\\", "/")).name


def about(name: str) -> str:
    """Return what a set stresses; for a file, its path."""
    return said(ABOUT[name]) if name in ABOUT else name


def count_words(count: int, more: bool) -> str:
    if more:
        return _tr("the first {n} prompts of a larger file").format(n=formatting.whole(count))
    return _tr("1 prompt") if count == 1 else _tr("{n} prompts").format(n=formatting.whole(count))


def length_words(found: Lengths, in_tokens: bool, template: int) -> str:
    """Return extremes and median with their unit."""
    figures = {
        "low": formatting.whole(found.shortest),
        "high": formatting.whole(found.longest),
        "mid": formatting.whole(round(found.median)),
        "template": template,
    }
    if in_tokens:
        text = _tr("{low} to {high} tokens, median {mid}; the chat template takes {template} more")
    else:
        text = _tr("{low} to {high} characters, median {mid}")
    return text.format(**figures)


def size_words(tokens: int | None, characters: int) -> str:
    """Return the length of one prompt."""
    if tokens is None:
        return _tr("{n} characters").format(n=formatting.whole(characters))
    if tokens == 1:
        return _tr("1 token · {m} characters").format(m=formatting.whole(characters))
    return _tr("{n} tokens · {m} characters").format(n=formatting.whole(tokens), m=formatting.whole(characters))
