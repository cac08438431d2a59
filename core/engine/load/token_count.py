"""Counts the tokens of texts by a model's tokenizer alone. No weights are loaded. The tokenizer is kept for later
counts: an engine that counts serves no variant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.engine.base import prompt_framing
from core.model.facts import ModelFacts
from core.model.finder import resolve
from core.model.source import ModelSource
from core.protocol.commands import CountCommand
from core.protocol.events import Counted

_kept: dict[str, Any] = {}  # one, by what it was made of


def count(command: CountCommand) -> Counted:
    """Return the tokens of each text, and those of the chat template around it. Raises ModelError."""
    facts = resolve(command.model)
    made_of = facts.model_dump_json() + command.model.model_dump_json()
    if made_of not in _kept:
        tokenizer = _tokenizer(facts, command.model)
        _kept.clear()
        _kept[made_of] = tokenizer, prompt_framing.frame(tokenizer)
    tokenizer, frame = _kept[made_of]
    ids = tokenizer(command.texts, add_special_tokens=False)["input_ids"] if command.texts else []
    return Counted(tokens=[len(each) for each in ids], template=len(frame.head) + len(frame.tail))


def _tokenizer(facts: ModelFacts, source: ModelSource) -> Any:
    """Return the tokenizer; a GGUF file's is read from its converted folder if there is one, which is faster."""
    if facts.kind == "gguf":
        from transformers import AutoTokenizer

        from core.engine.gguf.convert import made_before, read_tokenizer  # needs gguf, which a plain folder does not

        path = Path(facts.path)
        folder = made_before(path)
        if folder is not None:
            return AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        return read_tokenizer(path, path)
    from core.engine.weights import read_model

    return read_model.read_tokenizer(facts, source)
