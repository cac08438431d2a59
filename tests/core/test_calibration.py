"""Verdicts and intervals keep their promise on recorded noise; `python -m tests.bench.calibration` has all of it."""

import math
import re

import numpy as np
import pytest

from core.statistics import MIN_ROUNDS_UNTIL
from tests.bench.calibration import BLOCK, PLANS, README, Noise, case, stops

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
    from core.statistics import paired_interval

    interval = paired_interval(list(np.exp(logs)))
    assert interval is not None
    return 100 * (math.sqrt(interval.high / interval.low) - 1)


def test_the_table_of_the_readme_is_within_the_promise() -> None:
    part = README.read_text("utf-8").split("<!-- calibration -->")[1].split("<!-- end of calibration -->")[0]
    rows = re.findall(r"^\| ([^|]+) \| [\d.]+ % \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|", part, re.MULTILINE)
    assert [r[0].split(" (")[0] for r in rows] == [str(p) for p in PLANS]
    for _, coverage, false, edge in rows:
        assert 93 <= float(coverage) <= 97
        assert max(float(false), float(edge)) <= 5
