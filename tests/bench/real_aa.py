"""Real experiments of A against A: how often two identical variants get a verdict, and how often the interval holds 1.

    python -m tests.bench.real_aa [--count 20] [--model random|demo] [--out tests/recordings/real_aa.json]

Each experiment has an order and prompts of its own; engines stay warm from one to the next. Those that are in the file
already are kept, and new ones added by new engines, so that it can be run in parts. The rates of every round are kept
too: `tests.bench.noise --of FILE` takes the noise from them.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from core.analysis.compare import compare
from core.protocol.engine_pool import EnginePool
from tests.bench.noise import experiment, log_rates, measure, random_llama, trial_s

RECORDING = Path(__file__).parents[1] / "recordings" / "real_aa.json"
ROUNDS, TOKENS = 6, 16


def one(seed: int, pool: EnginePool, model: str, source: str) -> dict[str, Any]:
    """The row of the second variant, of an experiment with that seed, and the rates of its rounds."""
    results = measure(experiment(2, ROUNDS, TOKENS, source, seed=seed), pool)
    row = compare(results).variants[1]
    names = ("speed_ratio", "speed_ratio_low", "speed_ratio_high", "log_ratio_sd", "verdict", "rounds_paired")
    found = {name: getattr(row, name) for name in names}
    return {"seed": seed, "model": model, **found, "trial_s": trial_s(results), "log_rates": log_rates(results)}


def summary(path: Path = RECORDING) -> dict[str, Any] | None:
    """Counts of what is in the file; None without one."""
    if not path.exists():
        return None
    rows = json.loads(path.read_text("utf-8"))
    return {
        "experiments": len(rows),
        "rounds": ROUNDS,
        "model": rows[0]["model"],
        "false": sum(r["verdict"] in ("faster", "slower") for r in rows),
        "covered": sum(r["speed_ratio_low"] <= 1 <= r["speed_ratio_high"] for r in rows),
        "sd_pct": 100 * (sum(r["log_ratio_sd"] ** 2 for r in rows) / len(rows)) ** 0.5,
        "verdicts": {word: sum(r["verdict"] == word for r in rows) for word in sorted({r["verdict"] for r in rows})},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=20, help="experiments that the file has in the end")
    parser.add_argument("--model", choices=("random", "demo"), default="random", help="a random Llama of 26 M, or demo")
    parser.add_argument("--out", type=Path, default=RECORDING)
    chosen = parser.parse_args()
    rows = json.loads(chosen.out.read_text("utf-8")) if chosen.out.exists() else []
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads wait for each other whenever one is disturbed
    pool = EnginePool()
    with tempfile.TemporaryDirectory() as folder:
        source = "demo" if chosen.model == "demo" else random_llama(Path(folder) / "random-26m")
        try:
            for seed in range(len(rows) + 1, chosen.count + 1):
                rows.append(one(seed, pool, "demo" if chosen.model == "demo" else "random 26 M Llama", source))
                chosen.out.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", "utf-8")
                print({k: v for k, v in rows[-1].items() if k != "log_rates"}, flush=True)
        finally:
            pool.close()
    print(summary(chosen.out))


if __name__ == "__main__":
    main()
