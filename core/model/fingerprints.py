"""Fingerprints a model: the sha256 of its contents. A file's hash is cached under its path, size, mtime and ctime, so
that gigabytes are read once. A copying tool can set mtime back (`cp -p`, `rsync -t`), but not ctime."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.files import parse_json, read_whole
from core.base.folders import cache_folder
from core.model import gguf_parts

if TYPE_CHECKING:
    from core.model.facts import ModelFacts

#: Files of a model folder that change what it computes or how a prompt is encoded.
_RELEVANT = (".safetensors", ".bin", ".pt", ".pth", ".json", ".jinja", ".model", ".txt", ".py", ".codes")
_CHUNK = 8 << 20

Report = Callable[[int, int], None]  # bytes done, bytes in all


def fingerprint(facts: ModelFacts, progress: Report | None = None) -> str:
    """Return the model's sha256 in hex: of the GGUF file, or of the names and hashes of a folder's files. `progress`
    receives the bytes really read. Raises OSError."""
    path = Path(facts.path)
    if facts.kind == "gguf":
        return gguf_sha256(path, progress)
    files = sorted(p for p in path.iterdir() if p.is_file() and p.suffix in _RELEVANT)
    lines = [f"{file.name} {sha256}" for file, sha256 in zip(files, _hashes(files, progress), strict=True)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def gguf_sha256(path: Path, progress: Report | None = None) -> str:
    """Return the sha256 in hex of a GGUF file, or of the hashes of a split file's parts. Raises GgufError and
    OSError."""
    files = gguf_parts.parts(path)
    if len(files) == 1:
        return file_sha256(path, progress)
    return hashlib.sha256("\n".join(_hashes(files, progress)).encode()).hexdigest()


def _hashes(files: list[Path], progress: Report | None) -> list[str]:
    total, done, found = sum(f.stat().st_size for f in files), 0, []
    for file in files:
        start = done
        report = None if progress is None else lambda n, _, start=start: progress(start + n, total)
        found.append(file_sha256(file, report))
        done += file.stat().st_size
    return found


def file_sha256(path: Path, progress: Report | None = None) -> str:
    """Return the sha256 of one file in hex, cached while the file does not change."""
    path = path.resolve()
    stat = path.stat()
    key = {"path": str(path), "size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "ctime_ns": stat.st_ctime_ns}
    note = cache_folder() / "fingerprints" / (hashlib.sha256(str(path).encode()).hexdigest()[:32] + ".json")
    with contextlib.suppress(OSError, ValueError, KeyError, AttributeError):
        known = parse_json(read_whole(note))
        if {k: known.get(k) for k in key} == key:
            return str(known["sha256"])
    digest, done = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            done += len(chunk)
            if progress:
                progress(done, stat.st_size)
    sha256 = digest.hexdigest()
    with contextlib.suppress(OSError):  # a cache that can't be written costs time, not the result
        note.parent.mkdir(parents=True, exist_ok=True)
        temporary = note.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_text(json.dumps({**key, "sha256": sha256}), "utf-8")
        temporary.replace(note)
    return sha256
