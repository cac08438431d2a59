"""Where Dyno keeps its files.

`DYNO_CACHE`, `DYNO_DATA` and `DYNO_PRESETS` override the platform's own places (tests, shared disks, read-only homes).
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


class FolderError(ValueError):
    """A folder that was chosen cannot be one."""


def cache_folder() -> Path:
    """Return what can be made again: converted models, fingerprints."""
    return _folder("DYNO_CACHE", platformdirs.user_cache_path)


def data_folder() -> Path:
    """Return what cannot: runs and presets."""
    return _folder("DYNO_DATA", platformdirs.user_data_path)


def presets_folder() -> Path:
    """Return the library of presets; a folder that a team shares, for example."""
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
