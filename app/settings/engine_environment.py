"""Settings that engines read from environment variables: threads and folders. A variable that was set before Dyno
started takes precedence, and the settings say so."""

from __future__ import annotations

import os

from app.settings.settings import Settings

THREADS, CACHE, PRESETS = "OMP_NUM_THREADS", "DYNO_CACHE", "DYNO_PRESETS"

_ours: dict[str, str] = {}  # the variables that the settings have set


def set_outside(name: str) -> str:
    """Return the value of a variable that was set before Dyno; empty if the settings may set it."""
    value = os.environ.get(name, "")
    return "" if value == _ours.get(name) else value


def apply(settings: Settings) -> bool:
    """Set the variables by the settings; return whether running engines have other values."""
    wanted = {
        THREADS: str(settings.threads or ""),
        CACHE: str(settings.folder("cache") or ""),
        PRESETS: str(settings.folder("presets") or ""),
    }
    before = {name: os.environ.get(name, "") for name in (THREADS, CACHE)}
    for name, value in wanted.items():
        if set_outside(name):
            continue
        _ours.pop(name, None)
        os.environ.pop(name, None)
        if value:
            _ours[name] = os.environ[name] = value
    return before != {name: os.environ.get(name, "") for name in (THREADS, CACHE)}
