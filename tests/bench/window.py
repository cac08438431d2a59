"""The window: how soon it is there, and how long it ever stands still while an engine floods it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import Figure, spread

FAKE_ENGINE = Path(__file__).parents[1] / "fake_engine.py"
STARTS, FLOOD_TOKENS = 5, 20_000
PARTS = {"start": "from Run to the first trial", "trials": "while measuring", "end": "as the comparison opens"}


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "DYNO_DATA": data, "QT_QPA_PLATFORM": "offscreen"}
        starts = _starts(Path(data), environment)
        flood = subprocess.run(
            [sys.executable, "-m", "tests.bench.flood", str(FLOOD_TOKENS)],
            env=environment, check=True, capture_output=True, text=True,
        )  # fmt: skip
    found = json.loads(flood.stdout)
    return [
        *(
            spread(f"start of the window to its first paint, {what}", taken, "from the start of the process", "s")
            for what, taken in starts.items()
        ),
        *(
            Figure(
                name=f"longest stall of the window at 5,000 tokens/s, {words}",
                ratio=found[part][0], low=found[part][1], high=None,
                against="a limit of 50 ms; low: its own CPU in a turn", unit="ms",
            )
            for part, words in PARTS.items()
        ),
        Figure(
            name="CPU of the window at 5,000 tokens/s", ratio=found["cpu_pct"], low=None, high=None,
            against="one core", unit="%",
        ),
    ]  # fmt: skip


def _starts(data: Path, environment: dict[str, str]) -> dict[str, list[float]]:
    """Of a new user, and of one who has an experiment, or results that are shown in Compare, from the last time."""
    from app.settings.settings import Settings
    from core.results.journal import Journal
    from core.spec import demo_experiment
    from tests.app.streams import Stream

    run = data / "run"
    journal = Journal(run)
    for event in Stream(rounds=5, quality=True, roof=True):
        journal.write(event)
    journal.close()
    found: dict[str, list[float]] = {"new": [], "with an experiment": [], "with results": []}
    for _ in range(STARTS):
        for what, taken in found.items():
            settings = Settings(data / "settings.ini")  # anew: each window writes its own when it is closed
            settings.keep_experiment(None if what == "new" else demo_experiment.experiment())
            settings.results = run if what == "with results" else None
            settings.view = "compare"
            settings.save()
            taken.append(_start(environment))
    return found


def _start(environment: dict[str, str]) -> float:
    """Seconds from starting the process to the first paint."""
    began = time.time()
    done = subprocess.run(
        [sys.executable, "-m", "app"],
        env={**environment, "DYNO_FIRST_PAINT": "1"}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return float(done.stdout.split()[-1]) - began
