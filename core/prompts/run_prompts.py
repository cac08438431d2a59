"""The prompts of a run, from a built-in set or a user's .jsonl, .txt or .json file, in seeded order."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from pathlib import Path

from core.prompts import prompt_files
from core.protocol.commands import Prompt
from core.spec import prompt_sets
from core.spec.prompt_sets import names as names

#: No vocabulary spends more than this on a token, on average over prose.
CHARACTERS = 64
LONGEST_WORD = 40  # characters


class PromptError(ValueError):
    """The prompts cannot be used; the message says what is wrong, where, and what is allowed."""


def texts(name: str) -> list[str]:
    """Return the prompts of a built-in set or of a file (`core.prompts.prompt_files`). Raises PromptError."""
    return read(name)[0]


def read(name: str, most: int = prompt_files.MOST) -> tuple[list[str], bool]:
    """Return the first prompts, and whether there are more. Raises PromptError."""
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
    """The prompts of a run in seeded order; `deck[i]` differs from `deck[j]` for i ≠ j, and a repeated text counts
    once.

    Each prompt carries the other texts of its set and of the built-in sets as filler, enough for `tokens` tokens, and
    the length of its beginning that another prompt shares. Beyond the end of the set texts are reused, with a number in
    front and another text behind; if all texts of the set share a beginning, the number follows it. Raises PromptError.
    """

    def __init__(self, name: str, seed: int, tokens: int = 1_000_000) -> None:
        self._own = list(dict.fromkeys(texts(name)))
        sets = [prompt_sets.texts(other) for other in prompt_sets.fillers(name)]
        self._extra = [text[_alike(those) :] for those in sets for text in those]
        self._enough = CHARACTERS * tokens
        random.Random(seed).shuffle(self._own)
        self._alike = _alike(self._own)
        self._shared = _shared(self._own)

    def __len__(self) -> int:
        """Return the number of prompts in the set itself."""
        return len(self._own)

    def __getitem__(self, index: int) -> Prompt:
        own, count = self._own, len(self._own)
        lap, place = divmod(index, count)
        text, shared = own[place], self._shared[place]
        if lap:
            shared = self._alike
            text = f"{text[: self._alike]}Question {index + 1}. {text[self._alike :]}"
        start = place + 1 + lap
        others = (own[(start + k) % count][self._alike :] for k in range(count) if (start + k) % count != place)
        turn = index % len(self._extra)
        filler = _first(chain(others, self._extra[turn:], self._extra[:turn]), self._enough)
        return Prompt(text=text, filler="\n\n".join(filler), shared=shared)


def _alike(texts: Sequence[str]) -> int:
    """Return the number of characters that all texts begin with, in whole words; 0 for a single text."""
    return _common(min(texts), max(texts)) if len(texts) > 1 else 0


def _shared(texts: Sequence[str]) -> list[int]:
    """Return for each text the number of beginning characters, in whole words, that another text shares. In sorted
    order the neighbour shares the most."""
    order = sorted(range(len(texts)), key=texts.__getitem__)
    found = [0] * len(texts)
    for one, next_ in pairwise(order):
        common = _common(texts[one], texts[next_])
        found[one], found[next_] = max(found[one], common), common
    return found


def _common(one: str, other: str) -> int:
    """Return the number of beginning characters that both texts share, in whole words unless words never end, as in
    Chinese."""
    alike, least, most = 0, 0, min(len(one), len(other))
    while least < most:  # by halves: a prompt has up to a million characters
        alike = (least + most + 1) // 2
        least, most = (alike, most) if one.startswith(other[least:alike], least) else (least, alike - 1)
    word = max(one.rfind(" ", 0, least), one.rfind("\n", 0, least)) + 1
    return word if least - word < LONGEST_WORD else least


def _first(texts: Iterable[str], enough: int) -> list[str]:
    """Return the first texts that together have `enough` characters."""
    found: list[str] = []
    have = 0
    for text in texts:
        if have >= enough:
            break
        found.append(text)
        have += len(text)
    return found
