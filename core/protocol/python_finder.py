"""Finds the Python that runs the engines of a standalone build, which has no torch."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from core.base.child_process import NO_WINDOW

NEEDED = ("torch", "transformers", "pydantic", "psutil", "platformdirs")  # the packages that an engine needs to begin
PATIENCE_S = 5.0

# Finding a package is not importing it: 0.1 s instead of seconds. Without "": that is the current folder.
_QUESTION = """
import importlib.util, sys
sys.path[:] = filter(None, sys.path)
print(*sys.version_info[:2], *(name for name in sys.argv[1:] if importlib.util.find_spec(name) is None))
"""


def is_standalone() -> bool:
    return bool(getattr(sys, "frozen", False))


@cache
def find() -> str:
    """Return the first Python that can run an engine, found once. Raises LookupError with what was tried."""
    tried = []
    for python in _candidates():
        fault = _fault(python)
        if not fault:
            return python
        tried.append(f"{python} {fault}")
    raise LookupError("; ".join(tried) or "there is no .venv in this folder and no python3 on the PATH")


def outer_environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment variables for a program outside this build. A standalone build points the loader and Qt at
    its own libraries, which another Python would load instead of its own."""
    if not is_standalone():
        return dict(environ)
    inside = str(getattr(sys, "_MEIPASS", sys.executable))
    found = {}
    for name, value in environ.items():
        outer = [part for part in value.split(os.pathsep) if not part.startswith(inside)]
        if any(outer) and not name.startswith("_PYI_") and name != "LD_LIBRARY_PATH_ORIG":
            found[name] = os.pathsep.join(outer)
    return found


def _candidates() -> Iterator[str]:
    windows = os.name == "nt"
    nearby = Path.cwd() / ".venv" / ("Scripts/python.exe" if windows else "bin/python")
    if nearby.is_file():
        yield str(nearby)
    for name in ("python3", "python") if windows else ("python3",):
        if found := shutil.which(name):
            yield found


def _fault(python: str) -> str:
    """Return why that Python cannot run an engine, as the end of a sentence; empty if it can."""
    try:
        done = subprocess.run(
            [python, "-c", _QUESTION, *NEEDED],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=PATIENCE_S, check=False, env=outer_environment(), creationflags=NO_WINDOW,
        )  # fmt: skip
        major, minor, *missing = done.stdout.split()
        version = (int(major), int(minor))
    except subprocess.TimeoutExpired:
        return f"does not answer within {PATIENCE_S:g} s"
    except (OSError, ValueError):
        return "cannot be started"
    if version < (3, 11):
        return f"is Python {major}.{minor}, and 3.11 is needed"
    return f"lacks {', '.join(missing)}" if missing else ""
