"""The names of what comes with Dyno: texts to judge on, and regression suites."""

from __future__ import annotations

from importlib.resources import files

DEMO = "demo"  # the model
NO_SUITE = "none"


def texts() -> list[str]:
    """Return the built-in texts that quality is judged on."""
    return _names("evaluation", ".txt")


def suites() -> list[str]:
    """Return the built-in regression suites."""
    return _names("suites", ".jsonl")


def _names(folder: str, ending: str) -> list[str]:
    found = (files("resources") / folder).iterdir()
    return sorted(f.name.removesuffix(ending) for f in found if f.name.endswith(ending))
