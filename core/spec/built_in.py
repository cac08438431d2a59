"""The names of what comes with Dyno: texts to judge on, and regression suites. Knows the folders of resources; opens
none of their files."""

from __future__ import annotations

from importlib.resources import files

DEMO = "demo"  # the model
NO_SUITE = "none"


def texts() -> list[str]:
    """The built-in texts that quality is judged on."""
    return _names("evaluation", ".txt")


def suites() -> list[str]:
    """The built-in regression suites."""
    return _names("suites", ".jsonl")


def _names(folder: str, ending: str) -> list[str]:
    found = (files("resources") / folder).iterdir()
    return sorted(f.name.removesuffix(ending) for f in found if f.name.endswith(ending))
