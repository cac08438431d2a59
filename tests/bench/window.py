"""The window: how soon it is there, and how long it ever stands still while an engine floods it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import Figure, spread

FAKE_ENGINE = Path(__file__).parents[1] / "fake_engine.py"
STARTS, FLOOD_TOKENS = 5, 20_000


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "DYNO_DATA": data, "QT_QPA_PLATFORM": "offscreen"}
        starts = [_start(environment) for _ in range(STARTS)]
        flood = subprocess.run(
            [sys.executable, "-m", "tests.bench.flood", str(FLOOD_TOKENS)],
            env=environment, check=True, capture_output=True, text=True,
        )  # fmt: skip
    stall, cpu = (float(x) for x in flood.stdout.split())
    return [
        spread("start of the window to its first paint", starts, "from the start of the process", "s"),
        Figure(
            name="longest stall of the window at 5,000 tokens/s", ratio=stall, low=None, high=None,
            against="a limit of 50 ms", unit="ms",
        ),
        Figure(
            name="CPU of the window at 5,000 tokens/s", ratio=cpu, low=None, high=None, against="one core", unit="%"
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
