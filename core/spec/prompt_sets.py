"""The built-in prompt sets: their texts, and what each stresses."""

from __future__ import annotations

import json
from importlib.resources import files

ABOUT = {
    "chat": "Everyday questions of some 60 words: long decode of new text, which drafts from the prompt rarely guess.",
    "code_edit": "A piece of code and one small change to it: the answer repeats most of the prompt, which drafts from "
    "the prompt copy.",
    "long_context": "A question about 1,200 words of prose, to be extended to 30,000 tokens of other prose: heavy "
    "prefill, large KV cache.",
    "math": "Word problems solved step by step: short prompt, long decode, and one wrong token spoils the result.",
    "rewrite": "A text to be said again with small changes: draft-friendly, since the answer copies the prompt.",
    "shared_prefix": "The same instructions before every question: reused prefixes save most of the prefill.",
    "summarization": "A passage and a short answer about it: heavy prefill, short decode, some of it copied.",
    "translation": "A few sentences in another language: an answer as long as the prompt, and next to nothing to copy.",
}


def names() -> list[str]:
    """Return the names of the sets in alphabetical order."""
    return sorted(ABOUT)


def fillers(name: str) -> list[str]:
    """Return the sets that extend another set's prompts; none has a passage of another."""
    prose = ("summarization", "long_context")
    found = [n for n in names() if n not in (name, *prose)]
    return found if name in prose else [*found, "long_context"]


def texts(name: str) -> list[str]:
    """Return the prompts of a set. A line with `passages` = [first, end) is followed by those paragraphs of the
    built-in prose. Raises KeyError for an unknown name."""
    if name not in ABOUT:
        raise KeyError(name)
    lines = (files("resources") / "prompts" / f"{name}.jsonl").read_text("utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    prose = _prose() if any("passages" in e for e in entries) else []
    return ["\n\n".join([e["text"], *prose[slice(*e.get("passages", (0, 0)))]]) for e in entries]


def _prose() -> list[str]:
    return (files("resources") / "evaluation" / "prose.txt").read_text("utf-8").strip().split("\n\n")
