"""Kills a running `dyno run`, or one of its engines, at random moments, and counts lost trials: there may be none.

    python -m tests.bench.kills [--kills 100] [--seconds 390] [--seed 1] [--fake | --started]

A run has three variants of a tiny random Llama (or the engine without a model) and judges their quality. First one is
left alone, to know how long it takes; then, over and over, up to two engines and at last the run itself get SIGKILL:
half of the time at a random moment, else just after the journal has grown to a random size, since most of the time
passes before the first trial. Then `dyno show` must open what is there, with every trial that was announced or that
ended in the journal; no engine may be left. The counts are added to those in build/kills.json.

Runs and engines are forked from a process that has imported all of it (`tests.bench.forked`), unless they are to be
started as a user starts them: importing takes longer than everything else, so most kills would come before the load.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

from core.cli.main import main as dyno
from core.results.journal import EXPERIMENT, JOURNAL
from tests.bench.forked import Forked, preload

ROOT = Path(__file__).parents[2]
OUT = Path("build") / "kills.json"
NAMES = ("plain", "int8", "lookup")
ORPHANS_S = 5.0  # an engine ends when its input does
_ANNOUNCED = re.compile(rb"round (\d+), (\w+): ")

RECIPE = """
model = { source = "MODEL" }
workload = { prompt_tokens = 32, new_tokens = 24, trials = 12 }
quality = { tokens = 128, window = 16, prompts = 2, answer_tokens = 8, suite = "none" }
[[variant]]
name = "plain"
[[variant]]
name = "int8"
quantization = "int8_weight_only"
[[variant]]
name = "lookup"
speculation = "prompt_lookup"
"""


class Campaign:
    """Counts, of one kind of engine."""

    def __init__(self, folder: Path, fake: bool, forked: bool, seed: int) -> None:
        self.folder, self.rng, self.counts = folder, random.Random(seed), Counter[str]()
        self.forked = forked
        if forked:
            preload()
        model = "demo"
        if not fake:
            from tests.core.tiny import save_tiny

            model = str(save_tiny(folder / "tiny"))
        (folder / "kills.toml").write_text(RECIPE.replace("MODEL", model), "utf-8")
        engine = [sys.executable, str(ROOT / "tests" / "fake_engine.py"), "normal", "--pace", "2"]
        self.engine = ["--engine", json.dumps(engine)] if fake else []
        self.number = 0
        self.whole_s, self.whole_bytes = 0.0, 0

    def run_unharmed(self) -> None:
        """How long a run takes and how large its journal gets. Raises RuntimeError where it fails without a kill."""
        began = time.monotonic()
        out, process = self._start()
        if process.wait() != 0:
            raise RuntimeError(f"the run fails by itself: {(out / 'said').read_text('utf-8')[-1000:]}")
        self.whole_s, self.whole_bytes = time.monotonic() - began, (out / JOURNAL).stat().st_size

    def run_and_kill(self) -> None:
        """One run with up to three kills in it."""
        out, process = self._start()
        began = time.monotonic()
        for victim in self.rng.choice(VICTIMS):
            moment = self._moment()
            while process.poll() is None and not moment.reached(out, time.monotonic() - began):
                time.sleep(0.002)
            if process.poll() is not None:  # the machine is quieter now: the next moments come sooner
                self.whole_s = min(self.whole_s, time.monotonic() - began)
                break
            engines = _engines(process.pid)
            if victim == "engine" and engines:
                self.rng.choice(engines).kill()
                self.counts["engines killed"] += 1
            elif victim == "run":
                process.kill()
                process.wait()
                self.counts["runs killed"] += 1
                _, left = psutil.wait_procs(engines, ORPHANS_S)
                self.counts["engines left behind"] += len(left)
        process.wait()
        self._check(out)

    def _start(self) -> tuple[Path, Forked | subprocess.Popen[bytes]]:
        self.number += 1
        out = self.folder / f"run-{self.number}"
        out.mkdir()
        env = {
            "DYNO_DATA": str(self.folder / "data"), "DYNO_CACHE": str(self.folder / "cache"),
            "DYNO_MACHINE": str(ROOT / "tests" / "machine.json"), "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1",
        }  # fmt: skip
        words = ["run", str(self.folder / "kills.toml"), "--out", str(out), *self.engine]
        if self.forked:
            return out, Forked(words, env, out / "said", len(NAMES))
        command = [sys.executable, "-m", "core", *words]
        with (out / "said").open("wb") as said:
            return out, subprocess.Popen(
                command, cwd=ROOT, env={**os.environ, **env}, stdout=said, stderr=subprocess.STDOUT
            )

    def _moment(self) -> Moment:
        if self.rng.random() < 0.5:
            return Moment(after_s=self.rng.uniform(0, self.whole_s))
        return Moment(
            size=self.rng.randrange(1, self.whole_bytes), then_s=self.rng.choice((0.0, self.rng.uniform(0, 0.1)))
        )

    def _check(self, out: Path) -> None:
        """What was announced, or ends in the journal with a line break, must be shown."""
        journal = (out / JOURNAL).read_bytes() if (out / JOURNAL).exists() else b""
        announced = {
            (name.decode(), int(number) - 1) for number, name in _ANNOUNCED.findall((out / "said").read_bytes())
        }
        written = set()
        for line in journal.split(b"\n")[:-1]:
            event = json.loads(line)
            if event["event"] == "trial_done":
                written.add((event["variant"], event["round"]))
        self.counts["trials in journals"] += len(written)
        self.counts["trials lost"] += len(announced - written)
        if not journal.count(b"\n") and not (out / EXPERIMENT).exists():
            self.counts["killed before the run began"] += 1
            return
        shown = out / "shown.json"
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = dyno(["show", str(out), "--json", str(shown)])
        if status not in (0, 1) or not shown.exists():
            self.counts["journals that do not open"] += 1
            print(f"does not open: {out}", flush=True)
            return
        self.counts["journals opened"] += 1
        rows = {row["variant"]: row for row in json.loads(shown.read_text("utf-8"))["variants"]}
        for name in NAMES:
            missing = sum(who == name for who, _ in written) - rows[name]["trials"]
            if missing:
                print(f"{out}: {name} has {missing} trials in its journal that are not shown", flush=True)
            self.counts["trials lost"] += abs(missing)


#: Who is killed in one run.
VICTIMS = (("run",), ("engine", "run"), ("engine", "engine", "run"), ("engine", "engine", "run"))


class Moment:
    """When to strike: so many seconds after the start; or once the journal is that large, and a little later."""

    def __init__(self, after_s: float = 0.0, size: int = 0, then_s: float = 0.0) -> None:
        self.after_s, self.size, self.then_s = after_s, size, then_s
        self._large_at: float | None = None

    def reached(self, out: Path, now_s: float) -> bool:
        if not self.size:
            return now_s >= self.after_s
        if self._large_at is None:
            with contextlib.suppress(OSError):
                self._large_at = now_s if (out / JOURNAL).stat().st_size >= self.size else None
        return self._large_at is not None and now_s >= self._large_at + self.then_s


def _engines(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children()
    return []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=390.0, help="no run begins after as many")
    parser.add_argument("--seed", type=int, default=1)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--fake", action="store_true", help="the engine without a model, which starts at once")
    how.add_argument("--started", action="store_true", help="processes that are started, and not forked")
    chosen = parser.parse_args()
    kind = "engine without a model" if chosen.fake else "tiny random Llama" + (", started" if chosen.started else "")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder), chosen.fake, not (chosen.fake or chosen.started), chosen.seed)
        campaign.run_unharmed()
        print(f"a run takes {campaign.whole_s:.1f} s, its journal {campaign.whole_bytes} bytes", flush=True)
        while campaign.counts["runs killed"] + campaign.counts["engines killed"] < chosen.kills:
            if time.monotonic() - began + campaign.whole_s > chosen.seconds:
                break
            campaign.run_and_kill()
            print(dict(campaign.counts), flush=True)
        campaign.counts["references left behind"] = len(list(Path(folder).glob("cache/quality/*")))
    found = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {}
    found[kind] = dict(Counter(found.get(kind, {})) + campaign.counts)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(OUT.read_text("utf-8"))


if __name__ == "__main__":
    main()
