"""Lists the models in the hub's local cache, and judges whether Dyno can run them.

A model is a folder `models--ORGANIZATION--NAME` with `refs/` (names of revisions) and `snapshots/COMMIT/` (its files).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.base.files import parse_json, read_whole
from core.base.value import Value
from core.model import gguf_parts
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.source import ModelSource

_PREFIX = "models--"


class Cached(Value):
    """One revision of a model, or one GGUF file in it. `refusal` says why Dyno cannot run it; empty means that
    it can."""

    id: str
    revision: str  # commit
    names: list[str] = []  # of the revision: main, …
    path: str
    size_bytes: int
    architecture: str = ""
    refusal: str = ""
    hint: str = ""

    @property
    def source(self) -> ModelSource:
        """The source that opens the model: its id, or the path of a GGUF file."""
        if self.path.endswith(".gguf"):
            return ModelSource(source=self.path)
        return ModelSource(source=self.id, revision=None if "main" in self.names else self.revision)


def folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the cache folder, by the environment variables of huggingface_hub."""
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if environment.get(name):
            return Path(os.path.expanduser(environment[name]))
    home = environment.get("HF_HOME")
    if not home:
        home = os.path.join(environment.get("XDG_CACHE_HOME") or os.path.join("~", ".cache"), "huggingface")
    return Path(os.path.expanduser(home), "hub")


def models(root: Path | None = None) -> Iterator[Cached]:
    """Yield every revision of every model, sorted by id; unreadable ones are left out."""
    for place in _folders(root if root is not None else folder()):
        if not place.name.startswith(_PREFIX):
            continue
        names = _names(place / "refs")
        for snapshot in _folders(place / "snapshots"):
            yield from _revision("/".join(place.name.split("--")[1:]), snapshot, names.get(snapshot.name, []))


def _revision(id_: str, snapshot: Path, names: list[str]) -> Iterator[Cached]:
    files = _files(snapshot)
    gguf = [f for f in files if f.suffix.lower() == ".gguf"]
    whole = {"id": id_, "revision": snapshot.name, "names": names}
    if any(f.name == "config.json" for f in files) or not gguf:
        size = sum(_size(f) for f in files)
        yield _judged(Cached(**whole, path=str(snapshot), size_bytes=size, architecture=_architecture(snapshot)))
    for file in gguf:
        if gguf_parts.number(file) == 1:  # the others belong to it
            size = sum(_size(part) for part in gguf if gguf_parts.first(part) == file)
            yield _judged(Cached(**whole, path=str(file), size_bytes=size))


def _judged(found: Cached) -> Cached:
    """Return the entry with its refusal, judged by config.json and the headers of the weights."""
    try:
        facts = resolve(ModelSource(source=found.path))
    except ModelError as error:
        words = str(error).removeprefix(f"{found.path}: ").replace(found.path + os.sep, "")
        return found.model_copy(update={"refusal": words, "hint": error.hint})
    except ValueError:  # of a name that no path can have
        return found.model_copy(update={"refusal": "its files cannot be read"})
    update = {"architecture": facts.architecture or found.architecture}
    if facts.needs_pickle:
        update |= {
            "refusal": "its weights are pickled, and loading them can run programs",
            "hint": "Open it by name and allow pickled weights, if you trust its author.",
        }
    return found.model_copy(update=update)


def _architecture(snapshot: Path) -> str:
    try:
        config = parse_json(read_whole(snapshot / "config.json"))
        names = config.get("architectures") if isinstance(config, dict) else None
        return str(names[0]) if isinstance(names, list) and names else ""
    except (OSError, ValueError):
        return ""


def _names(refs: Path) -> dict[str, list[str]]:
    """Return the names of each commit."""
    found: dict[str, list[str]] = {}
    for file in _files(refs):
        try:
            commit = file.read_text("utf-8")[:64].strip()
        except (OSError, ValueError):
            continue
        found.setdefault(commit, []).append(file.relative_to(refs).as_posix())
    return found


def _folders(place: Path) -> list[Path]:
    try:
        return sorted(p for p in place.iterdir() if p.is_dir())
    except OSError:
        return []


def _files(place: Path) -> list[Path]:
    found: list[Path] = []
    for root, _, names in os.walk(place):  # links to folders are not followed: none lies in a cache
        found += [Path(root) / name for name in sorted(names)]
    return found


def _size(file: Path) -> int:
    """Return the size of the file behind a link; 0 if it is gone."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
