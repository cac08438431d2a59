"""The machine's limits, from the cache or measured in a process of its own."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from core.base.child_process import NO_WINDOW
from core.base.files import write_whole
from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof, kept_path

_LIMIT_S = 90.0
_BUSY_FOR_S = 3600.0  # seconds after which a disturbed measurement is repeated


class NotMeasured(RuntimeError):
    """The measurement failed; the message says why."""


def machine(environment: Environment, fresh: bool, begins: Callable[[], None] = lambda: None) -> MachineRoof:
    """Return this machine's limits; `begins` is called before they are measured. A measurement beside a busy neighbour
    is repeated after an hour, and the better one is kept. `DYNO_MACHINE` names a file with figures to use instead.
    Raises NotMeasured."""
    given = os.environ.get("DYNO_MACHINE")
    if given and not fresh:
        return _given(Path(given))
    path, before, age_s = kept_path(environment), None, 0.0
    with contextlib.suppress(OSError, ValidationError):
        before = MachineRoof.model_validate_json(path.read_bytes())
        age_s = time.time() - path.stat().st_mtime
    if before is not None and not fresh and (before.quiet or abs(age_s) < _BUSY_FOR_S):
        return before
    begins()
    found = _measured()
    if before is not None and not found.quiet and before.bandwidth >= found.bandwidth:
        return found if fresh else before
    with contextlib.suppress(OSError):  # a cache that cannot be written: it is measured again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, found.model_dump_json(indent=2) + "\n")
    return found


def _given(path: Path) -> MachineRoof:
    try:
        return MachineRoof.model_validate_json(path.read_bytes())
    except OSError as error:
        raise NotMeasured(f"DYNO_MACHINE={path}: cannot be read: {error.strerror or error}") from None
    except ValidationError:
        raise NotMeasured(f"DYNO_MACHINE={path}: is not what `dyno env --measure --json` prints") from None


def _measured() -> MachineRoof:
    command = [sys.executable, "-m", "core.engine.machine.bandwidth"]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=_LIMIT_S,
            check=True,
            stdin=subprocess.DEVNULL,
            creationflags=NO_WINDOW,
            # Threads that spin for each other wait for a neighbour's time slice too: what is measured is the memory.
            env={"OMP_WAIT_POLICY": "PASSIVE", **os.environ},
        )
        return MachineRoof.model_validate_json(done.stdout.splitlines()[-1])
    except subprocess.CalledProcessError as error:
        lines = error.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NotMeasured(lines[-1][:300] if lines else f"exit {error.returncode}") from error
    except subprocess.TimeoutExpired as error:
        raise NotMeasured(f"it took more than {_LIMIT_S:.0f} s") from error
    except (OSError, IndexError, ValidationError) as error:
        raise NotMeasured(f"{type(error).__name__}: {error}".splitlines()[0]) from error
