"""Reads README and the manual for tests, which run what they show and compare their figures."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANUAL = ROOT / "resources" / "manual"
LANGUAGES = ("en", "zh_CN")
INDEX = "README"
_BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)


@cache
def readme() -> str:
    return (ROOT / "README.md").read_text("utf-8")


@cache
def manual(code: str = "en") -> dict[str, str]:
    """Return the pages by name, without the list of pages."""
    return {f.stem: f.read_text("utf-8") for f in sorted((MANUAL / code).glob("*.md")) if f.stem != INDEX}


def index(code: str = "en") -> str:
    return (MANUAL / code / f"{INDEX}.md").read_text("utf-8")


def blocks(text: str, language: str = "") -> list[str]:
    """Return the code blocks of that language; without one, those that name none."""
    return [found for name, found in _BLOCK.findall(text) if name == language]


def block(text: str, language: str, holding: str = "") -> str:
    """Return the first code block of that language that contains the words."""
    return next(found for found in blocks(text, language) if holding in found)


def prose(text: str) -> str:
    """Return the text without code blocks and comments."""
    return re.sub(r"<!--.*?-->", "", _BLOCK.sub("", text))


def spans(text: str) -> list[str]:
    """Return the code within sentences."""
    return re.findall(r"`([^`\n]+)`", prose(text))


def commands(text: str) -> list[str]:
    """Return the commands that a reader may type, in blocks and in sentences."""
    lines = [line.rstrip() for found in blocks(text) for line in re.sub(r"\\\n\s*", "", found).splitlines()]
    return [line for line in [*lines, *spans(text)] if " " in line]
