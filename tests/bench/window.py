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
        starts = [_start(environment) for _ in range(STARTS)]
        flood = subprocess.run(
            [sys.executable, "-m", "tests.bench.flood", str(FLOOD_TOKENS)],
            env=environment, check=True, capture_output=True, text=True,
        )  # fmt: skip
    found = json.loads(flood.stdout)
    return [
        spread("start of the window to its first paint", starts, "from the start of the process", "s"),
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


def _start(environment: dict[str, str]) -> float:
    """Seconds from starting the process to the first paint."""
    began = time.time()
    done = subprocess.run(
        [sys.executable, "-m", "app"],
        env={**environment, "DYNO_FIRST_PAINT": "1"}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return float(done.stdout.split()[-1]) - began
