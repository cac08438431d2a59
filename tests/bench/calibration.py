"""How far verdicts and intervals can be believed: simulated experiments on noise that was recorded in real runs.

    python -m tests.bench.calibration [--experiments 5000] [--readme]

Draws rounds from tests/recordings/noise.json in blocks, so that what hangs together in time stays together, scales
them to several standard deviations, and asks `core.statistics` for intervals and verdicts. Prints Markdown, writes
build/calibration.json, and with --readme puts the tables into the README.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.statistics import MARGIN, MIN_ROUNDS_UNTIL, Interval, half_width, paired_interval, verdict
from tests.bench.noise import RECORDING
from tests.bench.real_aa import RECORDING as REAL
from tests.bench.real_aa import summary

OUT, README = Path("build") / "calibration.json", Path(__file__).parents[2] / "README.md"
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
    machine: str

    @classmethod
    def read(cls, path: Path = RECORDING) -> Noise:
        data = json.loads(path.read_text("utf-8"))
        machine = (
            f"{data['cpu']}, {data['cores']} cores, {data['new_tokens']}-token trials of the {data['model']} model"
        )
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
    """The round after which each run until precise ends (`core.until`), or the last one."""
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
        plan=plan if isinstance(plan, str) else f"{plan} rounds",
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

    rule: str
    coverage: float
    false_at_edge: float  # faster, of a true ratio of exactly 1 + margin


def rejected(noise: Noise, experiments: int) -> list[Rejected]:
    """What Dyno does not do, and why."""
    rng = np.random.default_rng([SEED, 77])
    found = []
    for rounds in (5, 8, 20, 32):
        logs = noise.draw(experiments, rounds, rng)
        means = np.array([rng.choice(row, size=(1000, rounds)).mean(axis=1) for row in logs])
        low, high = np.quantile(means, [0.025, 0.975], axis=1)
        found.append(_judged(f"percentile bootstrap, {rounds} rounds", low, high))
    logs = noise.draw(experiments, CAP, rng)
    means, n = np.cumsum(logs, axis=1) / np.arange(1, CAP + 1), np.arange(1, CAP + 1)
    half = half_width(running_sd(logs), n)
    each = np.arange(experiments)
    early = stops(logs, 3.0, least=4) - 1
    middle, wide = means[each, early], half[each, early]
    found.append(_judged("until ±3 % from round 4 on", middle - wide, middle + wide))
    edge = math.log1p(MARGIN)
    settled = (means - half > 0) | (means + half < -2 * edge) | ((means + half < 0) & (means - half > -2 * edge))
    settled[:, :3] = False  # of a true ratio of 1 + margin: outside the margin, below it, inside it
    settled[:, -1] = True
    end = settled.argmax(axis=1)
    middle, wide = means[each, end], half[each, end]
    found.append(_judged("until the verdict has settled", middle - wide, middle + wide))
    return found


def _judged(rule: str, low: np.ndarray, high: np.ndarray) -> Rejected:
    """Bounds of the log ratio about its true value."""
    return Rejected(rule, 100 * float(((low <= 0) & (high >= 0)).mean()), 100 * float((low > 0).mean()))


def calibrate(noise: Noise, experiments: int) -> dict[str, Any]:
    """All that is shown and kept."""
    cases = [case(noise, plan, sd, experiments) for plan in PLANS for sd in SPREADS]
    return {
        "experiments": experiments,
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
            {"sd_pct": 100 * (noise.sd if sd is None else sd), "rounds": rounds_needed(noise, sd, 1000)}
            for sd in SPREADS
        ],
        "rejected": [r.__dict__ for r in rejected(noise, min(experiments, 2000))],
        "real": summary(REAL),
    }


# -- words ------------------------------------------------------------------------------------------------
def markdown(found: dict[str, Any]) -> str:
    """The tables with what they rest on."""
    noise = (
        f"Noise: {found['rounds_recorded']} rounds of {found['variants_recorded']} identical variants, "
        f"{found['machine']}; the log ratio of two of them in a round has a standard deviation of "
        f"{found['sd_pct']:.1f} % (autocorrelation from round to round {found['lag1']:+.2f}, excess kurtosis "
        f"{found['excess_kurtosis']:+.1f}). {found['experiments']:,} simulated experiments a row, drawn in blocks of "
        f"{BLOCK} rounds."
    )
    head = [
        "rounds",
        "noise",
        "coverage of the 95 % interval",
        "false verdicts, A against A",
        "a true 1.03 called faster",
    ]
    head += [f"a true {d:.2f} found" for d in DIFFERENCES]
    rows = []
    for c in found["cases"]:
        plan = f"{c['plan']} ({c['rounds']:.0f})" if "until" in c["plan"] else c["plan"].split()[0]
        rows.append(
            [plan, f"{c['sd_pct']:.1f} %", f"{c['coverage']:.1f} %", f"{c['false']:.1f} %", f"{c['edge']:.1f} %"]
            + [f"{share:.0f} %" for share in c["found"]]
        )
    parts = [noise, _table(head, rows), rejected_words(found), needed_words(found), real_words(found["real"])]
    return "\n\n".join(parts)


def rejected_words(found: dict[str, Any]) -> str:
    head = ["what Dyno does not do", "coverage of the 95 % interval", f"a true {1 + MARGIN:.2f} called faster"]
    rows = [[r["rule"], f"{r['coverage']:.1f} %", f"{r['false_at_edge']:.1f} %"] for r in found["rejected"]]
    return _table(head, rows)


def needed_words(found: dict[str, Any]) -> str:
    """The rounds and seconds that a difference takes."""
    head = ["noise", *(f"{100 * (d - 1):.0f} % faster" for d in DIFFERENCES)]
    rows = []
    for row in found["needed"]:
        cells = [f"{row['sd_pct']:.1f} %"]
        for n in row["rounds"].values():
            time_s = "" if n is None else f", {_seconds(2 * n * found['trial_s'])}"
            cells.append(f"more than {MOST} rounds" if n is None else f"{n} rounds{time_s}")
        rows.append(cells)
    said = (
        f"Rounds after which {100 * POWER:.0f} % of the experiments say *faster*, and the time that two variants take "
        f"for them with trials of {found['trial_s']:.2f} s:"
    )
    return f"{said}\n\n{_table(head, rows)}"


def real_words(real: dict[str, Any] | None) -> str:
    if real is None:
        return "No real experiments of A against A were recorded yet: `python -m tests.bench.real_aa`."
    return (
        f"Beside it, {real['experiments']} real experiments of A against A ({real['model']}, {real['rounds']} rounds "
        f"each, prompts and order anew, engines kept warm): {real['false']} false verdicts, and {real['covered']} of "
        f"{real['experiments']} intervals hold 1.00 (standard deviation of a round {real['sd_pct']:.1f} %)."
    )


def _seconds(value: float) -> str:
    return f"{value:.0f} s" if value < 120 else f"{value / 60:.0f} min"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---:"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def for_readme(found: dict[str, Any]) -> str:
    """The noise as recorded only, and the table of rounds."""
    own = [c for c in found["cases"] if abs(c["sd_pct"] - found["sd_pct"]) < 1e-9]
    return markdown({**found, "cases": own})


def into_readme(text: str, readme: Path = README) -> None:
    """Between the marks `<!-- calibration -->` and `<!-- end of calibration -->`."""
    marks = r"(<!-- calibration -->\n).*?(<!-- end of calibration -->)"
    before = readme.read_text("utf-8")
    after, count = re.subn(marks, lambda m: f"{m[1]}{text}\n{m[2]}", before, flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{readme}: the marks of the calibration are not there")
    readme.write_text(after, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--experiments", type=int, default=5000)
    parser.add_argument("--readme", action="store_true", help="put the tables into the README")
    chosen = parser.parse_args()
    began = time.perf_counter()
    found = calibrate(Noise.read(), chosen.experiments)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(markdown(found))
    print(f"\n{OUT}, in {time.perf_counter() - began:.0f} s")
    if chosen.readme:
        into_readme(for_readme(found))


if __name__ == "__main__":
    main()
