"""How far verdicts and intervals can be believed: simulated experiments on noise that was recorded in real runs.

    python -m tests.bench.calibration [--experiments 5000] [--manual]

Draws rounds from tests/recordings/noise.json in blocks, so that what hangs together in time stays together, scales
them to several standard deviations, and asks `core.results.ratio_statistics` for intervals and verdicts. Prints
Markdown, writes build/calibration.json, and with --manual puts the tables into the manual.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.results.ratio_statistics import MARGIN, MIN_ROUNDS_UNTIL, Interval, half_width, paired_interval, verdict
from tests.bench.calibration_words import into_manual, markdown
from tests.bench.noise import RECORDING
from tests.bench.real_aa import RECORDING as REAL
from tests.bench.real_aa import summary

OUT = Path("build") / "calibration.json"
BLOCK = 4  # rounds that are drawn together
PLANS: tuple[int | str, ...] = (4, 5, 8, 16, 32, "until ±3 %", "until ±5 %")
SPREADS: tuple[float | None, ...] = (None, 0.02, 0.04, 0.08, 0.16)  # None: as recorded
RATIOS = (1.0, 1.0 + MARGIN, 1.05, 1.10, 1.30)
DIFFERENCES, POWER = (1.05, 1.10, 1.30), 0.8
CAP, MOST = 200, 1500  # rounds of a run until precise; of the table of rounds
SEED = 20


@dataclass(frozen=True)
class Noise:
    """`logs[r, v]`: log of the rate of the identical variant v in round r."""

    logs: np.ndarray
    trial_s: float
    machine: dict[str, Any]

    @classmethod
    def read(cls, path: Path = RECORDING) -> Noise:
        data = json.loads(path.read_text("utf-8"))
        machine = {"cpu": data["cpu"], "cores": data["cores"], "tokens": data["new_tokens"], "model": data["model"]}
        return cls(np.array(data["log_rates"]), data["trial_s"], machine)

    @property
    def pairs(self) -> np.ndarray:
        """Log ratios of every ordered pair of variants, a row a pair, each about its own mean: its true ratio is 1."""
        count = self.logs.shape[1]
        rows = [self.logs[:, i] - self.logs[:, j] for i in range(count) for j in range(count) if i != j]
        return np.array([row - row.mean() for row in rows])

    @property
    def sd(self) -> float:
        """Standard deviation of the log ratio of two identical variants in a round."""
        return float(np.sqrt((self.pairs**2).sum(axis=1).mean() / (self.logs.shape[0] - 1)))

    @property
    def lag1(self) -> float:
        """Autocorrelation of the log ratios from one round to the next, mean of all pairs."""
        pairs = self.pairs
        return float(((pairs[:, 1:] * pairs[:, :-1]).sum(axis=1) / (pairs**2).sum(axis=1)).mean())

    @property
    def kurtosis(self) -> float:
        """Excess kurtosis of the log ratios; 0 is normal noise."""
        pairs = self.pairs.ravel()
        return float((pairs**4).mean() / (pairs**2).mean() ** 2 - 3)

    @property
    def offsets_pct(self) -> float:
        """Standard deviation of the variants' own mean rates, in %: what a process keeps for its whole life, and rounds
        cannot average out. That of the noise itself is in it."""
        return float(100 * self.logs.mean(axis=0).std(ddof=1))

    def draw(self, experiments: int, rounds: int, rng: np.random.Generator, sd: float | None = None) -> np.ndarray:
        """Log ratios of A against A, a row an experiment: circular blocks of rounds of a pair, in their order."""
        pairs = self.pairs * (1.0 if sd is None else sd / self.sd)
        which = rng.integers(len(pairs), size=(experiments, 1))
        starts = rng.integers(pairs.shape[1], size=(experiments, -(-rounds // BLOCK)))
        places = (starts[:, :, None] + np.arange(BLOCK)).reshape(experiments, -1)[:, :rounds]
        return pairs[which, places % pairs.shape[1]]


def intervals(logs: np.ndarray, plan: int | str) -> Iterator[Interval]:
    """What the product says of each experiment: after so many rounds, or when the interval is narrow."""
    counts = np.full(len(logs), plan) if isinstance(plan, int) else stops(logs, float(plan.split("±")[1].split()[0]))
    for row, n in zip(np.exp(logs), counts, strict=True):
        interval = paired_interval(row[:n])
        assert interval is not None
        yield interval


def stops(logs: np.ndarray, until_pct: float, least: int = MIN_ROUNDS_UNTIL) -> np.ndarray:
    """The round after which each run until precise ends (`core.run.stopping_rule`), or the last one."""
    n = np.arange(1, logs.shape[1] + 1)
    narrow = half_width(running_sd(logs), n) <= math.log1p(until_pct / 100)
    narrow[:, : least - 1] = False
    narrow[:, -1] = True
    return n[narrow.argmax(axis=1)]


def running_sd(logs: np.ndarray) -> np.ndarray:
    """Standard deviation of the first n columns, for each n; 0 for the first."""
    n = np.arange(1, logs.shape[1] + 1)
    squares = np.cumsum(logs**2, axis=1) - np.cumsum(logs, axis=1) ** 2 / n
    return np.sqrt(np.maximum(squares, 0) / np.maximum(n - 1, 1))


@dataclass(frozen=True)
class Case:
    """Shares in % of the experiments of one plan at one spread."""

    plan: str
    sd_pct: float
    rounds: float  # mean
    coverage: float  # of the true ratio by the 95 % interval
    false: float  # faster or slower, of A against A
    edge: float  # faster, of a true ratio of exactly 1 + margin
    wrong: float  # slower or within the margin, of a true ratio of 1.05: the worst of the larger ones
    found: tuple[float, ...]  # faster, of the differences


def case(noise: Noise, plan: int | str, sd: float | None, experiments: int) -> Case:
    rng = np.random.default_rng([SEED, PLANS.index(plan), SPREADS.index(sd)])
    logs = noise.draw(experiments, plan if isinstance(plan, int) else CAP, rng, sd)
    found = list(intervals(logs, plan))
    words = {ratio: [verdict(scaled(i, ratio)) for i in found] for ratio in RATIOS}

    def share(ratio: float, *which: str) -> float:
        return 100 * sum(w in which for w in words[ratio]) / experiments

    return Case(
        plan=str(plan),
        sd_pct=100 * (noise.sd if sd is None else sd),
        rounds=float(np.mean([i.rounds for i in found])),
        coverage=100 * sum(i.low <= 1 <= i.high for i in found) / experiments,
        false=share(1.0, "faster", "slower"),
        edge=share(1 + MARGIN, "faster"),
        wrong=share(1.05, "slower", "within_margin"),
        found=tuple(share(d, "faster") for d in DIFFERENCES),
    )


def scaled(interval: Interval, ratio: float) -> Interval:
    """The same noise about another true ratio: logs are shifted, and the interval with them."""
    low, high = interval.low * ratio, interval.high * ratio
    return replace(interval, ratio=interval.ratio * ratio, low=low, high=high)


def rounds_needed(noise: Noise, sd: float | None, experiments: int) -> dict[float, int | None]:
    """The fewest rounds after which `POWER` of the experiments say faster, for each difference; None beyond MOST."""
    rng = np.random.default_rng([SEED, 99, SPREADS.index(sd)])
    logs = noise.draw(experiments, MOST, rng, sd)
    n = np.arange(1, MOST + 1)
    low = np.cumsum(logs, axis=1) / n - half_width(running_sd(logs), n)
    needed: dict[float, int | None] = {}
    for difference in DIFFERENCES:
        power = (low + math.log(difference) > math.log1p(MARGIN)).mean(axis=0)
        enough = (power >= POWER) & (n >= 4)
        needed[difference] = int(n[enough.argmax()]) if enough.any() else None
    return needed


@dataclass(frozen=True)
class Rejected:
    """Another rule on the noise as recorded, and what speaks against it."""

    rule: str  # of `calibration_words`
    rounds: int
    coverage: float
    false_at_edge: float  # faster, of a true ratio of exactly 1 + margin
    pct: float = 3.0  # of a run until precise


def rejected(noise: Noise, experiments: int) -> list[Rejected]:
    """What Dyno does not do, and why."""
    rng = np.random.default_rng([SEED, 77])
    found = []
    for rounds in (5, 8, 20, 32):
        logs = noise.draw(experiments, rounds, rng)
        means = np.array([rng.choice(row, size=(1000, rounds)).mean(axis=1) for row in logs])
        low, high = np.quantile(means, [0.025, 0.975], axis=1)
        found.append(_judged("bootstrap", rounds, low, high))
    logs = noise.draw(experiments, CAP, rng)
    means, n = np.cumsum(logs, axis=1) / np.arange(1, CAP + 1), np.arange(1, CAP + 1)
    half = half_width(running_sd(logs), n)
    each = np.arange(experiments)
    early = stops(logs, Rejected.pct, least=4) - 1
    middle, wide = means[each, early], half[each, early]
    found.append(_judged("early", 4, middle - wide, middle + wide))
    edge = math.log1p(MARGIN)
    settled = (means - half > 0) | (means + half < -2 * edge) | ((means + half < 0) & (means - half > -2 * edge))
    settled[:, :3] = False  # of a true ratio of 1 + margin: outside the margin, below it, inside it
    settled[:, -1] = True
    end = settled.argmax(axis=1)
    middle, wide = means[each, end], half[each, end]
    found.append(_judged("settled", 4, middle - wide, middle + wide))
    return found


def _judged(rule: str, rounds: int, low: np.ndarray, high: np.ndarray) -> Rejected:
    """Bounds of the log ratio about its true value."""
    return Rejected(rule, rounds, 100 * float(((low <= 0) & (high >= 0)).mean()), 100 * float((low > 0).mean()))


def calibrate(noise: Noise, experiments: int) -> dict[str, Any]:
    """All that is shown and kept."""
    cases = [case(noise, plan, sd, experiments) for plan in PLANS for sd in SPREADS]
    return {
        "experiments": experiments,
        "block": BLOCK,
        "edge": 1 + MARGIN,
        "differences": DIFFERENCES,
        "power": POWER,
        "most": MOST,
        "machine": noise.machine,
        "rounds_recorded": noise.logs.shape[0],
        "variants_recorded": noise.logs.shape[1],
        "sd_pct": 100 * noise.sd,
        "lag1": noise.lag1,
        "excess_kurtosis": noise.kurtosis,
        "offsets_pct": noise.offsets_pct,
        "trial_s": noise.trial_s,
        "cases": [c.__dict__ for c in cases],
        "needed": [
            {"sd_pct": 100 * (noise.sd if sd is None else sd), "rounds": list(rounds_needed(noise, sd, 1000).values())}
            for sd in SPREADS
        ],
        "rejected": [r.__dict__ for r in rejected(noise, min(experiments, 2000))],
        "real": summary(REAL),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--experiments", type=int, default=5000)
    parser.add_argument("--manual", action="store_true", help="put the tables into the manual, in its languages")
    chosen = parser.parse_args()
    began = time.perf_counter()
    found = calibrate(Noise.read(), chosen.experiments)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(markdown(found))
    print(f"\n{OUT}, in {time.perf_counter() - began:.0f} s")
    if chosen.manual:
        into_manual(found)


if __name__ == "__main__":
    main()
