"""The folders in which Dyno keeps its files. `DYNO_CACHE`, `DYNO_DATA` and `DYNO_PRESETS` override the platform's
folders (tests, shared disks, read-only homes)."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


class FolderError(ValueError):
    """The chosen path cannot be used as a folder."""


def cache_folder() -> Path:
    """Return the folder of everything that can be made again: converted models, fingerprints."""
    return _folder("DYNO_CACHE", platformdirs.user_cache_path)


def data_folder() -> Path:
    """Return the folder of runs and settings, which cannot be made again."""
    return _folder("DYNO_DATA", platformdirs.user_data_path)


def presets_folder() -> Path:
    """Return the folder of the preset library, which a team may share."""
    return _folder("DYNO_PRESETS", lambda *_, **__: data_folder() / "presets")


def _folder(variable: str, default: object) -> Path:
    chosen = os.environ.get(variable)
    if chosen:
        try:
            return Path(chosen).expanduser().resolve()
        except (OSError, RuntimeError, ValueError) as error:  # no such user, a loop of links
            reason = getattr(error, "strerror", None) or "its beginning names no home folder of this machine"
            raise FolderError(
                f"{variable}={chosen}: cannot be used: {reason}. Set it to the path of a folder."
            ) from None
    assert callable(default)
    return Path(default("dyno", appauthor=False))
