import math

import numpy as np
import pytest

from core.statistics import paired_interval, rounds_to_settle, smallest_detectable, verdict


def test_t_interval_by_hand():
    # logs 0.1, 0.2, 0.3, 0.4: mean 0.25, sd 0.1291, t(0.975, 3) = 3.1824, half = 0.2054
    interval = paired_interval([math.exp(x) for x in (0.1, 0.2, 0.3, 0.4)])
    assert interval.method == "t"
    assert math.log(interval.ratio) == pytest.approx(0.25)
    assert math.log(interval.low) == pytest.approx(0.25 - 0.20543, abs=1e-4)
    assert math.log(interval.high) == pytest.approx(0.25 + 0.20543, abs=1e-4)


def test_bootstrap_over_rounds_from_twenty_on():
    rng = np.random.default_rng(1)
    interval = paired_interval(list(np.exp(rng.normal(0.5, 0.1, 40))))
    assert interval.method == "bootstrap"
    assert interval.low < math.exp(0.5) < interval.high
    assert math.log(interval.high / interval.low) == pytest.approx(2 * 1.96 * 0.1 / math.sqrt(40), rel=0.3)


@pytest.mark.parametrize("ratios", [[], [1.2], [1.0, 0.0]])
def test_no_interval_without_two_valid_rounds(ratios):
    assert paired_interval(ratios) is None


@pytest.mark.parametrize(
    ("ratios", "word"),
    [
        ([2.0, 2.1, 2.05], ""),  # no verdict before round 4
        ([2.0, 2.1, 2.05, 2.0], "faster"),
        ([0.5, 0.52, 0.49, 0.5], "slower"),
        ([1.0, 1.005, 0.995, 1.0], "within_margin"),
        ([1.0, 1.3, 0.8, 1.1], "undecided"),
        ([1.02, 1.021, 1.02, 1.019], "within_margin"),  # it excludes 1, but not the margin
    ],
)
def test_verdicts(ratios, word):
    assert verdict(paired_interval(ratios)) == word


def test_false_verdicts_on_a_against_a_are_rare():
    """With 7 % noise, as on the test machine, at most 5 % of the experiments may claim a difference."""
    rng = np.random.default_rng(3)
    words = [verdict(paired_interval(list(np.exp(rng.normal(0, 0.07, 5))))) for _ in range(2000)]
    assert sum(w in ("faster", "slower") for w in words) / len(words) < 0.05


def test_coverage_of_the_t_interval():
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(2000):
        interval = paired_interval(list(np.exp(rng.normal(0.2, 0.07, 5))))
        hits += interval.low <= math.exp(0.2) <= interval.high
    assert 0.93 <= hits / 2000 <= 0.97


def test_rounds_to_settle_and_smallest_detectable_change():
    noisy = paired_interval([1.0, 1.2, 0.9, 1.1, 1.05])
    needed = rounds_to_settle(noisy)
    assert needed > 5
    assert smallest_detectable(noisy) > 0.03
    quiet = paired_interval([1.05, 1.051, 1.049, 1.05])
    assert rounds_to_settle(quiet) == 4
    assert smallest_detectable(quiet) < smallest_detectable(noisy)
