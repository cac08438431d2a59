"""Finds the folder converted from a GGUF file in Dyno's cache, one per content. `core.engine.gguf.convert` makes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.base.files import parse_json, read_whole
from core.base.folders import cache_folder

#: Raised when a folder made by an older version must be made again. Version 1 put random numbers where a file lacked
#: tensors, and lost the scaling of rotary embeddings.
VERSION = 2


@dataclass(frozen=True)
class Converted:
    folder: Path
    sha256: str
    permuted: bool
    notes: list[str]


def place() -> Path:
    """Return the folder of all conversions; each is named after the sha256 of its file."""
    return cache_folder() / "models"


def find(sha256: str) -> Converted | None:
    """Return the conversion of a file with this sha256; None if there is none of this version."""
    folder = place() / sha256
    try:
        note = parse_json(read_whole(folder / "dyno.json"))
        if note["version"] == VERSION:
            return Converted(folder, sha256, bool(note["permuted"]), list(note["notes"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None
