"""README and the pages of the manual, as tests read them. What they show is run, and their figures are compared."""

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
    """The pages by their names, the list of them left out."""
    return {f.stem: f.read_text("utf-8") for f in sorted((MANUAL / code).glob("*.md")) if f.stem != INDEX}


def index(code: str = "en") -> str:
    return (MANUAL / code / f"{INDEX}.md").read_text("utf-8")


def blocks(text: str, language: str = "") -> list[str]:
    """Blocks of code in that language; without one, those that have none."""
    return [found for name, found in _BLOCK.findall(text) if name == language]


def block(text: str, language: str, holding: str = "") -> str:
    """The first block in that language that holds these words."""
    return next(found for found in blocks(text, language) if holding in found)


def prose(text: str) -> str:
    """Without blocks of code and comments."""
    return re.sub(r"<!--.*?-->", "", _BLOCK.sub("", text))


def spans(text: str) -> list[str]:
    """Code within sentences."""
    return re.findall(r"`([^`\n]+)`", prose(text))


def commands(text: str) -> list[str]:
    """Lines that a reader may type, a line each, in blocks and in sentences."""
    lines = [line.rstrip() for found in blocks(text) for line in re.sub(r"\\\n\s*", "", found).splitlines()]
    return [line for line in [*lines, *spans(text)] if " " in line]
