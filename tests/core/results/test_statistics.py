import math

import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_ind

from core.results.ratio_statistics import (
    confidence_after,
    half_width,
    paired_interval,
    rounds_for,
    rounds_to_settle,
    smallest_detectable,
    unpaired_interval,
    verdict,
)


def test_t_interval_by_hand():
    # logs 0.1, 0.2, 0.3, 0.4: mean 0.25, sd 0.1291, t(0.975, 3) = 3.1824, half = 0.2054
    interval = paired_interval([math.exp(x) for x in (0.1, 0.2, 0.3, 0.4)])
    assert interval.method == "t"
    assert math.log(interval.ratio) == pytest.approx(0.25)
    assert math.log(interval.low) == pytest.approx(0.25 - 0.20543, abs=1e-4)
    assert math.log(interval.high) == pytest.approx(0.25 + 0.20543, abs=1e-4)


def test_the_interval_is_a_t_interval_at_any_number_of_rounds():
    logs = np.random.default_rng(1).normal(0.5, 0.1, 40)
    interval = paired_interval(list(np.exp(logs)))
    reference = ttest_1samp(logs, 0).confidence_interval(0.95)
    assert interval.method == "t"
    assert (math.log(interval.low), math.log(interval.high)) == pytest.approx((reference.low, reference.high))
    assert interval.half_width_pct == pytest.approx(100 * (math.exp((reference.high - reference.low) / 2) - 1))


def test_rates_that_are_not_paired_are_compared_as_welch_does():
    rng = np.random.default_rng(2)
    mine, base = np.exp(rng.normal(0.3, 0.05, 6)), np.exp(rng.normal(0.1, 0.1, 12))
    interval = unpaired_interval(list(mine), list(base))
    reference = ttest_ind(np.log(mine), np.log(base), equal_var=False).confidence_interval(0.95)
    assert (interval.method, interval.rounds) == ("welch", 6)
    assert (math.log(interval.low), math.log(interval.high)) == pytest.approx((reference.low, reference.high))
    assert unpaired_interval([1.0], [1.0, 2.0]) is None
    assert unpaired_interval([2.0, 2.0], [1.0, 1.0]).high == pytest.approx(2)  # no noise: no width


def test_the_rounds_that_a_width_takes():
    sd, half = 0.07, math.log(1.03)
    n = rounds_for(sd, half)
    assert half_width(sd, n) <= half < half_width(sd, n - 1)
    assert rounds_for(sd, half, least=50) == 50
    assert rounds_for(sd, half, limit=10) is None
    assert rounds_for(0.0, half) == 4
    assert list(half_width(0.1, np.array([1, 4]))) == pytest.approx([math.inf, 3.18245 * 0.05], rel=1e-4)


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


def test_rounds_to_settle_and_smallest_detectable_change():
    noisy = paired_interval([1.0, 1.2, 0.9, 1.1, 1.05])
    needed = rounds_to_settle(noisy)
    assert needed > 5
    assert smallest_detectable(noisy) > 0.03
    quiet = paired_interval([1.05, 1.051, 1.049, 1.05])
    assert rounds_to_settle(quiet) == 4
    assert smallest_detectable(quiet) < smallest_detectable(noisy)


def test_rounds_that_were_added_after_looking_make_an_interval_wider():
    ratios = [1.02, 1.08, 1.04, 1.10, 1.06, 1.05, 1.09, 1.03]
    first, later = paired_interval(ratios), paired_interval(ratios, confidence_after(2))
    assert (first.confidence, later.confidence) == pytest.approx((0.95, 1 - 0.05 / 3))
    assert later.low < first.low < first.high < later.high
    assert smallest_detectable(later) > smallest_detectable(first)
    noisy = [1.0, 1.3, 0.9, 1.2, 1.1]
    assert rounds_to_settle(paired_interval(noisy, confidence_after(2))) > rounds_to_settle(paired_interval(noisy))
    assert confidence_after(0) == 0.95
