"""What the README shows is run: the strategy in ten lines, and the experiment file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from core.spec import Quality, Variant, parse
from core.strategies import REGISTRY
from core.sweep_table import expanded
from tests.core.test_strategies import facts_of, load, receipt, trial
from tests.core.tiny import save_tiny

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def block(language: str, holding: str = "") -> str:
    """The first block in that language that holds these words."""
    found = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return next(text for text in found if holding in text)


def test_the_strategy_of_the_readme_works(tmp_path: Path) -> None:
    names: dict[str, Any] = {"__name__": "core.strategies.fp64"}
    exec(block("python"), names)
    try:
        assert REGISTRY["precision"]["fp64"] is names["Fp64"]
        runtime = load(save_tiny(tmp_path), precision="fp64")
        assert receipt(runtime).matches
        assert trial(runtime)
        runtime.model.float()
        assert not receipt(runtime).matches
    finally:
        REGISTRY["precision"].pop("fp64", None)


def test_the_experiment_of_the_readme_is_valid() -> None:
    experiment = parse(tomllib.loads(block("toml")))
    assert [v.name for v in experiment.variants] == ["baseline", "int8 + lookup"]
    assert isinstance(experiment.baseline, Variant)


def test_the_sweep_of_the_readme_makes_a_variant_of_each_value() -> None:
    text = "[[variant]]\nname = 'baseline'\n" + block("toml", "sweep")
    experiment = parse(expanded(tomllib.loads(text)))
    assert [v.name for v in experiment.variants[1:]] == [f"lookup, draft_tokens {n}" for n in (2, 4, 6, 8)]


def test_the_workload_that_goes_on_until_it_is_precise() -> None:
    text = block("toml", "until_pct")
    for data in (text, text.replace("# engines", "engines")):
        work = parse(tomllib.loads(data + '[[variant]]\nname = "a"')).workload
        assert (work.until_pct, work.max_trials, work.budget_s) == (3, 200, 300)
    assert work.engines == "reload"


def test_the_experiment_with_several_requests_can_be_run(tmp_path: Path) -> None:
    text = block("toml", "concurrency")
    for data in (text, text.replace("# arrival", "arrival").replace("# rate", "rate")):
        experiment = parse(tomllib.loads(data))
        assert [v.name for v in experiment.variants] == ["one by one", "static", "continuous"]
        facts = facts_of(save_tiny(tmp_path))
        for variant in experiment.variants:
            assert [r for s in variant.strategies() for r in s.conflicts(variant, facts, experiment.workload)] == []
    assert experiment.workload.arrival == "poisson"


def test_the_experiment_with_quality_can_be_run() -> None:
    experiment = parse(tomllib.loads(block("toml", "gate")))
    assert experiment.quality == Quality()  # it shows the defaults
    assert parse(tomllib.loads('quality = true\n[[variant]]\nname = "a"')).quality == Quality()


def test_the_readme_lists_every_strategy() -> None:
    for slot, kinds in REGISTRY.items():
        row = next(line for line in README.splitlines() if line.startswith(f"| {slot} |"))
        assert re.findall(r"`(\w+)`", row) == sorted(kinds)
