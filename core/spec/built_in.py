"""The names of the built-in evaluation texts and regression suites."""

from __future__ import annotations

from importlib.resources import files

DEMO = "demo"  # the model
NO_SUITE = "none"


def texts() -> list[str]:
    """Return the names of the built-in evaluation texts."""
    return _names("evaluation", ".txt")


def suites() -> list[str]:
    """Return the names of the built-in regression suites."""
    return _names("suites", ".jsonl")


def _names(folder: str, ending: str) -> list[str]:
    found = (files("resources") / folder).iterdir()
    return sorted(f.name.removesuffix(ending) for f in found if f.name.endswith(ending))
