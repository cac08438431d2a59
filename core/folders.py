"""Where Dyno keeps its files. Knows the two root folders; creates nothing by itself.

`DYNO_CACHE` and `DYNO_DATA` override the platform's own places (tests, shared disks, read-only homes).
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """What can be made again: converted models, fingerprints."""
    return _folder("DYNO_CACHE", platformdirs.user_cache_path)


def data_folder() -> Path:
    """What cannot: runs and presets."""
    return _folder("DYNO_DATA", platformdirs.user_data_path)


def _folder(variable: str, default: object) -> Path:
    chosen = os.environ.get(variable)
    if chosen:
        return Path(chosen).expanduser().resolve()
    assert callable(default)
    return Path(default("dyno", appauthor=False))
