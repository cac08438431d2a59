"""The library of presets: a folder with one file per version of each name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.base.files import held
from core.base.folders import presets_folder
from core.presets.preset import Preset, PresetError, load, write
from core.presets.verification import Verification
from core.spec.preset_location import slug

Entry = tuple[Path, Preset]


def folder() -> Path:
    return presets_folder()


def save(preset: Preset, where: Path | None = None) -> Path:
    """Write the preset to a file, or into the library as the next version of its name, and return the path. If the name
    belongs to another model's presets, the model's name is appended. Raises PresetError."""
    if where is not None:
        return write(preset, where)
    with _locked(folder() / ".lock"):
        preset = preset.model_copy(update={"name": free_name(preset)})
        numbered = preset.model_copy(update={"version": 1 + max((p.version for _, p in _of(preset.name)), default=0)})
        return write(numbered, _free(numbered))


def free_name(preset: Preset) -> str:
    """Return the name that the preset is saved under: its own, with its model's name appended if the name belongs to
    another model, and numbered if that is taken too. All versions of a name belong to one model."""
    model = preset.model.source.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].removesuffix(".gguf")
    number, name = 1, preset.name
    while (others := _of(name)) and not any(_same_model(preset, other) for _, other in others):
        name = f"{preset.name}, {model}" + (f" {number}" if number > 1 else "")
        number += 1
    return name


def _same_model(one: Preset, other: Preset) -> bool:
    """Return whether two presets are of the same model, which may have moved or changed its files, but not both."""
    return one.fingerprint == other.fingerprint or one.model.source == other.model.source


def library() -> list[Entry]:
    """Return every readable version of every preset, by name, older versions first."""
    found = []
    for path in _files():
        with contextlib.suppress(PresetError):
            found.append((path, load(path)))
    return sorted(found, key=lambda e: (e[1].name, e[1].version, e[1].created, e[0].name))


def _files() -> list[Path]:
    """Return the library's files; empty if the folder cannot be read."""
    try:
        return list(folder().glob("*.json"))
    except OSError:
        return []


def faults() -> list[str]:
    """Return why files of the library cannot be read, one line each."""
    lines = []
    for path in sorted(_files()):
        try:
            load(path)
        except PresetError as error:
            lines += str(error).splitlines()
    return lines


def newest(entries: Iterable[Entry]) -> list[Entry]:
    """Return the last version of each name."""
    return list({preset.name: (path, preset) for path, preset in entries}.values())


def search(entries: Iterable[Entry], text: str = "", tags: Iterable[str] = ()) -> list[Entry]:
    """Return the entries that have all tags and contain the text in name, recipe, note, tags or model, ignoring
    case."""
    wanted, text = {t.casefold() for t in tags}, text.casefold()
    return [
        (path, p)
        for path, p in entries
        if wanted <= {t.casefold() for t in p.tags}
        and text in "\n".join((p.name, p.variant.recipe(), p.note, *p.tags, p.model.source)).casefold()
    ]


def find(name: str) -> Path:
    """Return the path of a preset: by file; by name (the newest version); by NAME@VERSION; or by its file name in the
    library. Raises PresetError."""
    with contextlib.suppress(OSError, ValueError):  # a text that is no path may be a name
        if Path(name).is_file():
            return Path(name)
    entries = library()
    head, _, number = name.rpartition("@")
    for found in (
        [e for e in entries if name in (e[1].name, slug(e[1].name))],
        [e for e in entries if head in (e[1].name, slug(e[1].name)) and number == str(e[1].version)],
        [e for e in entries if e[0].stem == name],
    ):
        if found:
            return found[-1][0]
    known = ", ".join(dict.fromkeys(p.name for _, p in entries)) or "it is empty"
    raise PresetError(f"there is no preset {name!r}: not a file, and not in the library ({known})")


def record(path: Path, verification: Verification) -> None:
    """Append a verification to the preset's file, atomically; of two concurrent calls both are recorded. Raises
    PresetError."""
    with _locked(path.with_name(f".{path.name[:40]}.lock")):
        preset = load(path)
        write(preset.model_copy(update={"history": [*preset.history, verification]}), path)


def amend(path: Path, name: str, note: str, tags: Iterable[str]) -> Preset:
    """Change the name, note and tags in a preset's file and return the preset; its evidence is unchanged. Raises
    PresetError."""
    if not name.strip():
        raise PresetError("a preset needs a name")
    clean = list(dict.fromkeys(t.strip() for t in tags if t.strip()))
    with _locked(path.with_name(f".{path.name[:40]}.lock")):
        changed = load(path).model_copy(update={"name": name.strip(), "note": note.strip(), "tags": clean})
        write(changed, path)
    return changed


def remove(path: Path) -> Preset:
    """Delete a preset's file and return the preset, which `write` can restore. Raises PresetError."""
    with _locked(path.with_name(f".{path.name[:40]}.lock")):
        preset = load(path)
        try:
            path.unlink()
        except OSError as error:
            raise PresetError(f"{path}: cannot be deleted: {error.strerror or error}") from None
    return preset


def _of(name: str) -> list[Entry]:
    return [e for e in library() if e[1].name == name]


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        with held(path):
            yield
    except TimeoutError:
        raise PresetError(f"{path}: another Dyno holds it; try again, or remove it if none is running") from None
    except OSError as error:
        raise PresetError(f"{path.parent}: cannot be written: {error.strerror or error}") from None


def _free(preset: Preset) -> Path:
    """Return a free file name: `name.json`, `name@2.json`, …; names that differ in special characters only are
    numbered."""
    stem = slug(preset.name) + (f"@{preset.version}" if preset.version > 1 else "")
    number, free = 1, folder() / f"{stem}.json"
    while free.exists():
        number += 1
        free = folder() / f"{stem}-{number}.json"
    return free
