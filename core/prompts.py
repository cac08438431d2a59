"""The prompts of a run: of a built-in set, or of a user's .jsonl, .txt or .json file, in seeded order. Knows text only;
the engine makes it exactly as long as the workload asks."""

from __future__ import annotations

import os.path
import random
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

from core import prompt_files, prompt_sets
from core.commands import Prompt
from core.prompt_sets import names as names

#: No vocabulary spends more than this on a token, on average over prose.
CHARACTERS = 64


class PromptError(ValueError):
    """The prompts cannot be used: what is wrong, where, and what is allowed."""


def texts(name: str) -> list[str]:
    """The prompts of a built-in set, or of a file (`core.prompt_files`). Raises PromptError."""
    return read(name)[0]


def read(name: str, most: int = prompt_files.MOST) -> tuple[list[str], bool]:
    """The first of them, and whether there are more. Raises PromptError."""
    if name in names():
        found = prompt_sets.texts(name)
        return found[:most], len(found) > most
    path = Path(name)
    if path.suffix.lower() not in prompt_files.SUFFIXES:
        raise PromptError(
            f"workload.prompts: there is no built-in set {name!r} (there are: {', '.join(names())}), "
            "and it is not a .jsonl, .txt or .json file"
        )
    try:
        return prompt_files.read(path, most)
    except ValueError as error:  # its own, or of a name that no path can have
        why = str(error)
        why = why if why[:1] in (" ", ",", ":") else f" cannot be read: {why}"
        raise PromptError(f"workload.prompts: {path}{why}") from None


class Deck:
    """The prompts of a run in seeded order: `deck[i]` is never `deck[j]`.

    Each has the other texts of the set, and of the built-in sets, as filler, enough for `tokens` of them. Beyond the
    end of the set, texts are used again, with a number in front and with another text after them; where all texts of a
    set begin alike, the number comes after that beginning. Raises PromptError."""

    def __init__(self, name: str, seed: int, tokens: int = 1_000_000) -> None:
        self._own = texts(name)
        sets = [prompt_sets.texts(other) for other in prompt_sets.fillers(name)]
        self._extra = [text[_alike(those) :] for those in sets for text in those]
        self._enough = CHARACTERS * tokens
        random.Random(seed).shuffle(self._own)
        self._alike = _alike(self._own)

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
        others = (own[(start + k) % count][self._alike :] for k in range(count) if (start + k) % count != place)
        turn = index % len(self._extra)
        filler = _first(chain(others, self._extra[turn:], self._extra[:turn]), self._enough)
        return Prompt(text=text, filler="\n\n".join(filler))


def _alike(texts: Sequence[str]) -> int:
    """How many characters all texts begin with, in whole words; 0 for one alone."""
    alike = os.path.commonprefix(texts) if len(texts) > 1 else ""  # noqa: RUF071  (text, not paths)
    return max(alike.rfind(" "), alike.rfind("\n")) + 1


def _first(texts: Iterable[str], enough: int) -> list[str]:
    """As many of them as have `enough` characters together."""
    found: list[str] = []
    have = 0
    for text in texts:
        if have >= enough:
            break
        found.append(text)
        have += len(text)
    return found
