"""What the machine can do, once per machine: from the cache, or measured in a process of its own. Knows where it is
kept; the measurement is in `bandwidth`."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from core.environment import Environment
from core.files import write_whole
from core.folders import cache_folder
from core.machine import Machine, machine_key

_LIMIT_S = 90.0


class NotMeasured(RuntimeError):
    """The measurement gave nothing; the message says why."""


def kept(environment: Environment) -> Path:
    return cache_folder() / "machines" / f"{machine_key(environment)}.json"


def machine(environment: Environment, fresh: bool, begins: Callable[[], None] = lambda: None) -> Machine:
    """The figures of this machine; `begins` is called if they have to be measured. What was measured beside a busy
    neighbour is measured again the next time, and the better one is kept. Raises NotMeasured."""
    path, before = kept(environment), None
    with contextlib.suppress(OSError, ValidationError):
        before = Machine.model_validate_json(path.read_bytes())
    if before is not None and before.quiet and not fresh:
        return before
    begins()
    found = _measured()
    if before is not None and not found.quiet and before.bandwidth >= found.bandwidth:
        return found if fresh else before
    with contextlib.suppress(OSError):  # a cache that cannot be written: it is measured again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, found.model_dump_json(indent=2) + "\n")
    return found


def _measured() -> Machine:
    command = [sys.executable, "-m", "core.engine.bandwidth"]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=_LIMIT_S,
            check=True,
            stdin=subprocess.DEVNULL,
            # Threads that spin for each other wait for a neighbour's time slice too: what is measured is the memory.
            env={"OMP_WAIT_POLICY": "PASSIVE", **os.environ},
        )
        return Machine.model_validate_json(done.stdout.splitlines()[-1])
    except subprocess.CalledProcessError as error:
        lines = error.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NotMeasured(lines[-1][:300] if lines else f"exit {error.returncode}") from error
    except subprocess.TimeoutExpired as error:
        raise NotMeasured(f"it took more than {_LIMIT_S:.0f} s") from error
    except (OSError, IndexError, ValidationError) as error:
        raise NotMeasured(f"{type(error).__name__}: {error}".splitlines()[0]) from error
