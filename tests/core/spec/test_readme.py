"""What the README shows is run: the strategy in ten lines, and the experiment file; its links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from core.spec.experiment import parse
from core.spec.variant import REGISTRY, Variant
from tests.core.kernels.test_strategies import load, receipt, trial
from tests.core.tiny import save_tiny
from tests.tools.documents import MANUAL, ROOT, block, manual, readme


def test_the_strategy_of_the_readme_works(tmp_path: Path) -> None:
    names: dict[str, Any] = {"__name__": "core.strategies.fp64"}
    exec(block(readme(), "python"), names)
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
    experiment = parse(tomllib.loads(block(readme(), "toml")))
    assert [v.name for v in experiment.variants] == ["baseline", "int8 + lookup"]
    assert isinstance(experiment.baseline, Variant)


def test_the_readme_lists_every_strategy() -> None:
    for slot, kinds in REGISTRY.items():
        row = next(line for line in readme().splitlines() if line.startswith(f"| {slot} |"))
        assert re.findall(r"`(\w+)`", row) == sorted(kinds)


def test_the_readme_is_short_and_leads_to_every_page_of_the_manual() -> None:
    assert len(readme().splitlines()) <= 170
    targets = re.findall(r"\]\(([^)#]+)\)", readme())
    assert [t for t in targets if not (ROOT / t).is_file()] == []
    pages = {Path(t).stem for t in targets if (ROOT / t).parent == MANUAL / "en"}
    assert pages == set(manual())
