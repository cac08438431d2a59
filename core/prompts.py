"""Prompt sets: built-in ones, and a user's .jsonl or .txt file. Knows text only; the engine makes it exactly
as long as the workload asks."""

from __future__ import annotations

import os.path
import random
from importlib.resources import files
from pathlib import Path

from core.commands import Prompt
from core.files import parse_json, read_text
from core.text import visible


class PromptError(ValueError):
    """The prompts cannot be used: what is wrong, where, and what is allowed."""


def names() -> list[str]:
    """The built-in sets."""
    folder = files("resources") / "prompts"
    return sorted(f.name.removesuffix(".jsonl") for f in folder.iterdir() if f.name.endswith(".jsonl"))


def texts(name: str) -> list[str]:
    """The prompts of a built-in set, or of a file: .txt has one a line, .jsonl a string or {"text": …} a line.

    Raises PromptError."""
    if name in names():
        return _jsonl((files("resources") / "prompts" / f"{name}.jsonl").read_text("utf-8"), name)
    path = Path(name)
    if path.suffix not in (".jsonl", ".txt"):
        raise PromptError(
            f"workload.prompts: there is no built-in set {name!r} (there are: {', '.join(names())}), "
            "and it is not a .jsonl or .txt file"
        )
    try:
        content = read_text(path)
    except ValueError as error:
        raise PromptError(f"workload.prompts: {path} {error}") from None
    found = _jsonl(content, str(path)) if path.suffix == ".jsonl" else content.split("\n")
    found = [text.strip() for text in found if text.strip()]
    if not found:
        raise PromptError(f"workload.prompts: {path} holds no prompt")
    return found


def _jsonl(content: str, where: str) -> list[str]:
    found = []
    for number, line in enumerate(content.split("\n"), 1):  # U+2028 and its like may stand in a string
        if not line.strip():
            continue
        place = f"workload.prompts: {where}, line {number}"
        try:
            value = parse_json(line)
        except ValueError as error:
            raise PromptError(f"{place}: {error}") from None
        text = value.get("text") if isinstance(value, dict) else value
        if not isinstance(text, str):
            raise PromptError(f'{place}: expected a string or {{"text": "…"}}')
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = visible(text[error.start])
            raise PromptError(
                f"{place}: {half} is half of a surrogate pair, which is no character; write both"
            ) from None
        found.append(text)
    return found


class Deck:
    """The prompts of a run in seeded order: `deck[i]` is never `deck[j]`.

    Each has the other texts of the set, and of the built-in sets, as filler. Beyond the end of the set, texts are
    used again, with a number in front and with another text after them; where all texts of a set begin alike, the
    number comes after that beginning. Raises PromptError."""

    def __init__(self, name: str, seed: int) -> None:
        self._own = texts(name)
        self._extra = [t for other in names() if other != name for t in texts(other)]
        random.Random(seed).shuffle(self._own)
        alike = os.path.commonprefix(self._own) if len(self._own) > 1 else ""  # noqa: RUF071  (text, not paths)
        self._alike = max(alike.rfind(" "), alike.rfind("\n")) + 1  # whole words

    def __len__(self) -> int:
        """Prompts of the set itself."""
        return len(self._own)

    def __getitem__(self, index: int) -> Prompt:
        own, count = self._own, len(self._own)
        lap, place = divmod(index, count)
        text = own[place]
        if lap:
            text = f"{text[: self._alike]}Question {index + 1}. {text[self._alike :]}"
        start = place + 1 + lap
        others = [own[(start + k) % count][self._alike :] for k in range(count) if (start + k) % count != place]
        turn = index % max(1, len(self._extra))
        return Prompt(text=text, filler="\n\n".join([*others, *self._extra[turn:], *self._extra[:turn]]))
