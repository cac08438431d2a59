"""Token ids for calibration passes, from the built-in text or a user's file."""

from __future__ import annotations

import hashlib
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.base.files import parse_json, read_text
from core.kernels.weights.calibration_text import TEXT

BUILT_IN = "built-in"


@dataclass(frozen=True)
class Calibration:
    """Sequences of token ids. `sha256` is their fingerprint: the same ids in the same sequences have the same hash."""

    sequences: list[list[int]]

    @property
    def tokens(self) -> int:
        return sum(map(len, self.sequences))

    @property
    def sha256(self) -> str:
        digest = hashlib.sha256()
        for ids in self.sequences:
            digest.update(array("q", [len(ids), *ids]).tobytes())
        return digest.hexdigest()


def calibration_ids(tokenizer: Any, count: int) -> list[int]:
    """Return at most `count` token ids of the built-in text, begun as the tokenizer begins every text; fewer if the
    text is shorter."""
    return (_begin(tokenizer) + _ids(tokenizer, TEXT))[:count]


def calibration(tokenizer: Any, source: str, count: int, length: int) -> Calibration:
    """Return at most `count` tokens of a text in sequences of `length`, each begun as the tokenizer begins every text
    (BOS: some models fail without it). The last one may be shorter. Raises ValueError if the file cannot be used."""
    ids = _ids(tokenizer, read(source))[:count]
    if not ids:
        raise ValueError(f"calibration: {source} holds no text")
    begin = _begin(tokenizer)
    room = max(1, length - len(begin))
    return Calibration([begin + ids[start : start + room] for start in range(0, len(ids), room)])


def read(source: str) -> str:
    """Return the built-in text, a .txt file's text, or the strings or {"text": …} of a .jsonl file's lines."""
    if source == BUILT_IN:
        return TEXT
    path = Path(source)
    try:
        content = read_text(path)
    except ValueError as error:
        raise ValueError(f"calibration: {path} {error}") from None
    if path.suffix == ".txt":
        return content
    return "\n\n".join(_line(line, path, n) for n, line in enumerate(content.split("\n"), 1) if line.strip())


def _line(line: str, path: Path, number: int) -> str:
    try:
        value = parse_json(line)
    except ValueError as error:
        raise ValueError(f"calibration: {path}, line {number}: {error}") from None
    text = value.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise ValueError(f'calibration: {path}, line {number}: expected a string or {{"text": "…"}}')
    return text


def _begin(tokenizer: Any) -> list[int]:
    """Return the ids that the tokenizer puts before every text."""
    full, bare = list(tokenizer("a")["input_ids"]), _ids(tokenizer, "a")
    return full[: -len(bare)] if bare and full[-len(bare) :] == bare else []


def _ids(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])
