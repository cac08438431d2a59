"""What the README shows is run: the strategy in ten lines, and the experiment file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, ClassVar

import torch

from core.events import Receipt
from core.spec import Variant, parse
from core.strategies import REGISTRY, Strategy
from tests.core.test_strategies import load, receipt, trial
from tests.core.tiny import save_tiny

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found, f"the README has no block of {language}"
    return found[1]


def test_the_strategy_of_the_readme_works(tmp_path: Path) -> None:
    names: dict[str, Any] = {"Strategy": Strategy, "ClassVar": ClassVar, "Receipt": Receipt, "torch": torch}
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
