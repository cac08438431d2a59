"""Records the noise of this machine: rates of identical variants on the demo model, round by round.

    python -m tests.bench.noise [--variants 5] [--rounds 48] [--tokens 16] [--budget 240] [--out FILE]
    python -m tests.bench.noise --of tests/recordings/real_aa.json    # from the rounds of real experiments instead
        --also tests/recordings/noise_run.json     # ... and those of a recording like this, its variants two by two

What differs between identical variants is noise and nothing else. `tests.bench.calibration` draws from the file.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from pathlib import Path
from typing import Any

from core.machine.environment import Environment
from core.protocol.engine_pool import EnginePool
from core.results import metrics
from core.results.results import Results
from core.run.run import Run
from core.spec import experiment as spec

RECORDING = Path(__file__).parents[1] / "recordings" / "noise.json"


def random_llama(folder: Path) -> str:
    """A folder with a random Llama of 26 million parameters, between the tests' tiny ones and the demo model: a trial
    takes a fraction of a second even on a busy machine."""
    from transformers import AutoModelForCausalLM, LlamaConfig

    from tests.core.tiny import VOCAB, tiny_tokenizer

    config = LlamaConfig(
        vocab_size=VOCAB, hidden_size=512, intermediate_size=1408, num_hidden_layers=8, num_attention_heads=8,
        num_key_value_heads=4, max_position_embeddings=512, bos_token_id=256, eos_token_id=257, pad_token_id=257,
        initializer_range=0.05,
    )  # fmt: skip
    AutoModelForCausalLM.from_config(config).save_pretrained(folder)
    tiny_tokenizer().save_pretrained(folder)
    return str(folder)


def experiment(variants: int, rounds: int, tokens: int, source: str = "demo", **workload: Any) -> spec.Experiment:
    """So many variants that differ in nothing but their names."""
    return spec.parse(
        {
            "model": {"source": source},
            "workload": {"trials": rounds, "prompt_tokens": 40, "new_tokens": tokens, **workload},
            "variant": [{"name": f"a{i + 1}"} for i in range(variants)],
        }
    )


def measure(wanted: spec.Experiment, pool: EnginePool) -> Results:
    """Run it into a folder that is thrown away. Raises RuntimeError unless it went well."""
    with tempfile.TemporaryDirectory() as folder:
        results = Results("noise")
        for event in Run(wanted, pool, Path(folder) / "run"):
            results.fold(event)
    if results.finished is None or results.finished.status != "ok":
        raise RuntimeError(f"the run went wrong: {[v.failed for v in results.variants.values()]}")
    return results


def log_rates(results: Results) -> list[list[float]]:
    """The logs of the rates, a list a round in the order of the variants; rounds that miss one are left out."""
    rates: dict[int, list[float]] = {}
    for state in results.variants.values():
        for trial in state.trials:
            rate = metrics.trial_rate(trial)
            if rate:
                rates.setdefault(trial.round, []).append(round(math.log(rate), 5))
    return [rates[r] for r in sorted(rates) if len(rates[r]) == len(results.variants)]


def trial_s(results: Results) -> float:
    """Mean length of a trial, in s."""
    spans = [metrics.span_s(trial) for state in results.variants.values() for trial in state.trials]
    return round(sum(spans) / len(spans), 3)


def record(
    rounds: list[list[float]], seconds: float, tokens: int, environment: Environment | None, model: str = "demo"
) -> dict[str, Any]:
    """What the file holds."""
    return {
        "what": "natural logs of decode rates in tok/s; a list a round, a number for each identical variant",
        "model": model,
        "cpu": environment.cpu if environment else "",
        "cores": environment.cores if environment else None,
        "new_tokens": tokens,
        "trial_s": round(seconds, 3),
        "log_rates": rounds,
    }


def write(found: dict[str, Any], path: Path) -> None:
    """A round a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps({k: v for k, v in found.items() if k != "log_rates"}, indent=1)
    rows = ",\n".join(json.dumps(row) for row in found["log_rates"])
    path.write_text(f'{head[:-2]},\n "log_rates": [\n{rows}\n]}}\n', "utf-8")


def of_experiments(path: Path, tokens: int, environment: Environment | None) -> dict[str, Any]:
    """The rounds of `tests.bench.real_aa`, in their order."""
    rows = json.loads(path.read_text("utf-8"))
    rounds = [rates for row in rows for rates in row["log_rates"]]
    seconds = sum(row["trial_s"] for row in rows) / len(rows)
    return record(rounds, seconds, tokens, environment, rows[0]["model"])


def two_by_two(path: Path) -> list[list[float]]:
    """The rounds of a recording of more variants, as rounds of two: first and second, third and fourth, and so on."""
    rounds = json.loads(path.read_text("utf-8"))["log_rates"]
    return [row[i : i + 2] for i in range(0, len(rounds[0]) - 1, 2) for row in rounds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--variants", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=48)
    parser.add_argument("--tokens", type=int, default=16)
    parser.add_argument("--budget", type=float, default=240, help="seconds, at most")
    parser.add_argument("--out", type=Path, default=RECORDING)
    parser.add_argument("--of", type=Path, help="take the rounds of these experiments, and measure nothing")
    parser.add_argument("--also", type=Path, help="with --of: rounds of this recording too")
    chosen = parser.parse_args()
    pool = EnginePool()
    try:
        if chosen.of is not None:
            from core.engine.machine.probe import probe

            found = of_experiments(chosen.of, chosen.tokens, probe())
            found["log_rates"] += two_by_two(chosen.also) if chosen.also is not None else []
        else:
            wanted = experiment(chosen.variants, chosen.rounds, chosen.tokens, budget_s=chosen.budget)
            results = measure(wanted, pool)
            found = record(log_rates(results), trial_s(results), chosen.tokens, results.environment)
    finally:
        pool.close()
    write(found, chosen.out)
    print(f"{chosen.out}: {len(found['log_rates'])} rounds of {len(found['log_rates'][0])} variants")


if __name__ == "__main__":
    main()
