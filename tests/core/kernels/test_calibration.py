"""Verdicts and intervals keep their promise on recorded noise; `python -m tests.bench.calibration` has all of it."""

import math
import re

import numpy as np
import pytest

from core.results.ratio_statistics import MARGIN, MIN_ROUNDS_UNTIL, confidence_after, paired_interval, verdict
from tests.bench import calibration_words
from tests.bench.calibration import BLOCK, PLANS, Noise, case, stops
from tests.tools.documents import LANGUAGES, manual

EXPERIMENTS = 2000


@pytest.fixture(scope="module")
def noise() -> Noise:
    return Noise.read()


@pytest.mark.parametrize("plan", PLANS)
def test_coverage_and_false_verdicts(noise: Noise, plan: int | str) -> None:
    found = case(noise, plan, None, EXPERIMENTS)
    assert 92 <= found.coverage <= 98  # 93 to 97, and two standard errors of 2,000 experiments
    assert found.false <= 5
    assert found.edge <= 5
    assert found.wrong <= 5


def test_louder_noise_costs_verdicts_and_no_truth(noise: Noise) -> None:
    quiet, loud = case(noise, 8, 0.02, EXPERIMENTS), case(noise, 8, 0.16, EXPERIMENTS)
    assert loud.found[1] < quiet.found[1]
    assert max(loud.false, quiet.false) <= 5
    assert 92 <= loud.coverage <= 98


def test_draws_keep_the_order_of_the_recording(noise: Noise) -> None:
    """Blocks of rounds of one pair, and a true ratio of exactly 1."""
    drawn = noise.draw(6, 2 * BLOCK, np.random.default_rng(1))
    pairs = noise.pairs
    for row in drawn:
        for block in (row[:BLOCK], row[BLOCK:]):
            assert any(
                np.allclose(np.roll(pair, -start)[:BLOCK], block) for pair in pairs for start in range(len(pair))
            )
    assert abs(pairs.mean()) < 1e-12
    scaled = noise.draw(4000, BLOCK, np.random.default_rng(2), sd=0.1)
    assert scaled.std() == pytest.approx(0.1, rel=0.1)


def test_the_simulated_stop_is_that_of_a_run(noise: Noise) -> None:
    logs = noise.draw(50, 120, np.random.default_rng(3))
    for row, end in zip(logs, stops(logs, 3.0), strict=True):
        widths = [_half_pct(row[:n]) for n in range(2, end + 1)]
        assert end == 120 or widths[-1] <= 3
        assert all(w > 3 for w in widths[MIN_ROUNDS_UNTIL - 2 : -1])
        assert end >= MIN_ROUNDS_UNTIL


def _half_pct(logs: np.ndarray) -> float:
    interval = paired_interval(list(np.exp(logs)))
    assert interval is not None
    return 100 * (math.sqrt(interval.high / interval.low) - 1)


def _added(noise: Noise, shared: bool) -> tuple[float, float]:
    """Of true ratios on the margin, the shares in % that end as faster and that the interval holds, where 8 rounds are
    added up to three times, until there is a verdict; `shared`: as the product does it."""
    logs = noise.draw(1500, 32, np.random.default_rng(5), 0.04) + math.log1p(MARGIN)
    faster = held = 0
    for row in logs:
        for looks in range(4):
            interval = paired_interval(np.exp(row[: 8 + 8 * looks]), confidence_after(looks) if shared else 0.95)
            assert interval is not None
            if verdict(interval) != "undecided":
                break
        faster += verdict(interval) == "faster"
        held += interval.low <= 1 + MARGIN <= interval.high
    return 100 * faster / len(logs), 100 * held / len(logs)


def test_additions_share_what_they_may_be_wrong(noise: Noise) -> None:
    faster, held = _added(noise, shared=False)
    assert faster > 5
    assert held < 90
    faster, held = _added(noise, shared=True)
    assert faster <= 5
    assert held >= 90


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_table_of_the_manual_is_within_the_promise(code: str) -> None:
    part = manual(code)["sure"].split("<!-- calibration -->")[1].split("<!-- end of calibration -->")[0]
    rows = re.findall(r"^\| ([^|]+) \| [\d.]+ ?% \| ([\d.]+) ?% \| ([\d.]+) ?% \| ([\d.]+) ?% \|", part, re.MULTILINE)
    assert len(rows) == len(PLANS)
    for row, plan in zip(rows, PLANS, strict=True):
        assert re.search(r"\d+", row[0])[0] == re.search(r"\d+", str(plan))[0]
        coverage, false, edge = map(float, row[1:])
        assert 93 <= coverage <= 97
        assert max(false, edge) <= 5


def test_the_tables_go_between_the_marks_of_each_language(tmp_path) -> None:
    shares = {"coverage": 95.0, "false": 1.0, "edge": 2.0, "found": [7.0]}
    found = {
        "experiments": 10, "block": 4, "edge": 1.03, "differences": (1.05,), "power": 0.8, "most": 99, "sd_pct": 4.0,
        "rounds_recorded": 8, "variants_recorded": 2, "lag1": 0.0, "excess_kurtosis": 0.0, "trial_s": 1.0, "real": None,
        "machine": {"cpu": "CPU", "cores": 2, "tokens": 16, "model": "demo"},
        "cases": [
            {"plan": "until ±3 %", "rounds": 60.0, "sd_pct": 4.0, **shares},
            {"plan": "8", "rounds": 8.0, "sd_pct": 9.0, **shares},
        ],
        "needed": [{"sd_pct": 4.0, "rounds": [None]}],
        "rejected": [{"rule": "early", "rounds": 4, "coverage": 92.0, "false_at_edge": 3.0, "pct": 3.0}],
    }  # fmt: skip
    for code in LANGUAGES:
        (tmp_path / code).mkdir()
        (tmp_path / code / "sure.md").write_text(
            "a\n<!-- calibration -->\nold\n<!-- end of calibration -->\nb\n", "utf-8"
        )
    calibration_words.into_manual(found, tmp_path)
    english, chinese = ((tmp_path / code / "sure.md").read_text("utf-8") for code in LANGUAGES)
    assert "| until ±3 % (60) | 4.0 % | 95.0 % | 1.0 % | 2.0 % | 7 % |" in english
    assert "9.0" not in english  # the noise as recorded only
    assert "old" not in english
    assert sorted(re.findall(r"\d[\d.]*", english)) == sorted(re.findall(r"\d[\d.]*", chinese))
