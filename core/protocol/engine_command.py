"""The command that starts an engine, and the environment variables of its process."""

from __future__ import annotations

import os
import shlex
import sys
import sysconfig
import zipfile
from collections.abc import Sequence
from pathlib import Path

from core.base.files import parse_json
from core.base.folders import cache_folder
from core.protocol import python_finder

ENGINE = ("-m", "core.engine")  # arguments of a Python


def parse_command(text: str) -> tuple[str, ...]:
    """Return the words of a shell command or of a JSON list of strings. Raises ValueError with the reason."""
    if text.lstrip().startswith("["):
        words = parse_json(text)
        if not all(isinstance(w, str) for w in words):
            raise ValueError("expected a list of strings")
    else:
        try:
            words = shlex.split(text)
        except ValueError:
            raise ValueError("a quotation mark is not closed") from None
    if not words or not words[0].strip():
        raise ValueError("the command is empty")
    return tuple(words)


def split_command(text: str) -> tuple[str, ...]:
    """Return the words as `parse_command` does. Text that is no command stays one word, which the error will name;
    empty text gives no words."""
    try:
        return parse_command(text)
    except ValueError:
        return (text,) if text.strip() else ()


def child_environment(command: Sequence[str]) -> dict[str, str]:
    env = {
        **python_finder.outer_environment(),
        "PYTHONUNBUFFERED": "1",
        "PYTHONSAFEPATH": "1",  # a folder named `core` where Dyno was started is not Dyno's
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",  # nothing is fetched during a run
        "TRANSFORMERS_VERBOSITY": "error",
    }
    # An engine is always made of the same sources as the one who asks.
    own = Path(__file__).parents[2]
    if command[0] != sys.executable:
        paths = [str(_core_zip()), os.environ.get("DYNO_DEMO", "")]
    else:  # site-packages in front would hide the standard library
        paths = [] if str(own) == sysconfig.get_path("purelib") else [str(own)]
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [*paths, env.get("PYTHONPATH", "")]))
    return env


def _core_zip() -> Path:
    """Return Dyno's core as a zip for an interpreter that lacks it; made once per state of the sources."""
    root = Path(__file__).parents[1]
    sources = sorted(root.rglob("*.py"))
    stamp = max(int(p.stat().st_mtime_ns) for p in sources)
    path = cache_folder() / f"core-{stamp:x}.zip"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            for source in sources:
                archive.write(source, source.relative_to(root.parent))
        partial.replace(path)
    return path
