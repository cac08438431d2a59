"""Prompt sets: built-in ones, and a user's .jsonl or .txt file. Knows text only; the engine makes it exactly
as long as the workload asks."""

from __future__ import annotations

import json
import random
from importlib.resources import files
from pathlib import Path

from core.commands import Prompt


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
        content = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise PromptError(f"workload.prompts: {path} is not UTF-8 text") from None
    except OSError as error:
        raise PromptError(f"workload.prompts: {path} cannot be read: {error.strerror or error}") from None
    found = _jsonl(content, str(path)) if path.suffix == ".jsonl" else content.splitlines()
    found = [text.strip() for text in found if text.strip()]
    if not found:
        raise PromptError(f"workload.prompts: {path} holds no prompt")
    return found


def _jsonl(content: str, where: str) -> list[str]:
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise PromptError(f"workload.prompts: {where}, line {number}: not JSON: {error.msg}") from None
        text = value.get("text") if isinstance(value, dict) else value
        if not isinstance(text, str):
            raise PromptError(f'workload.prompts: {where}, line {number}: expected a string or {{"text": "…"}}')
        found.append(text)
    return found


def schedule(name: str, rounds: int, seed: int) -> tuple[list[Prompt], list[Prompt]]:
    """One prompt a round and two for the warm-up, in seeded order; each with the other texts as filler.

    Fillers begin at another place for every prompt, so that no two prompts share a long beginning.
    Raises PromptError."""
    own = texts(name)
    extra = [t for other in names() if other != name for t in texts(other)]
    rng = random.Random(seed)
    rng.shuffle(own)
    count = len(own)

    def prompt(index: int) -> Prompt:
        others = [own[(index + k) % count] for k in range(1, count)]
        turn = index % max(1, len(extra))
        return Prompt(text=own[index % count], filler="\n\n".join([*others, *extra[turn:], *extra[:turn]]))

    # Warm-up prompts come from the end of the order: a short run never measures what it warmed up on.
    return [prompt(r) for r in range(rounds)], [prompt(count - 1), prompt(count - 2 if count > 1 else 0)]
