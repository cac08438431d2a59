"""Locates a preset of the library by name."""

from __future__ import annotations

import re
from glob import escape
from pathlib import Path

from core.base.folders import presets_folder


def slug(name: str) -> str:
    """Return a preset's name as used in file names."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:80] or "preset"


def newest(name: str) -> Path:
    """Return the path of `name@3.json`, or of `name.json` without later versions. `NAME@2` names its version, and a
    name that ends in .json is a file. The file need not exist."""
    path = Path(name).expanduser()
    if path.suffix == ".json":
        return path
    head, _, number = name.rpartition("@")
    if head and number.isdigit():
        return presets_folder() / (f"{slug(head)}@{number}.json" if int(number) > 1 else f"{slug(head)}.json")
    stem = slug(name)
    later = {
        int(n): p for p in presets_folder().glob(f"{escape(stem)}@*.json") if (n := p.stem.rpartition("@")[2]).isdigit()
    }
    return later[max(later)] if later else presets_folder() / f"{stem}.json"
