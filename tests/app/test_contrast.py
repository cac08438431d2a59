"""One variant against another by any measure: the same statistics as speed, and no interval where there are no
rounds."""

import pytest

from core.analysis import trial_exclusion, verdict_text
from core.analysis.compare import compare
from core.analysis.contrast import contrast, contrasts
from core.analysis.measures import MEASURES, measure
from core.base import formatting
from core.results import metrics
from core.results.ratio_statistics import paired_interval
from core.results.results import Results
from core.wording import contrast_text
from tests.app.streams import MISMATCH, Stream
from tests.core import build
from tests.core.run.test_turns import sequence


def fold(stream) -> Results:
    results = Results("run")
    for event in stream:
        results.fold(event)
    return results


@pytest.fixture(scope="module")
def results() -> Results:
    return fold(Stream(quality=True))


@pytest.fixture(scope="module")
def comparison(results):
    return compare(results)


def of(results, comparison, key, reference=""):
    return {c.variant: c for c in contrasts(results, comparison, measure(key), reference)}


def test_speed_against_the_baseline_is_what_the_row_says(results, comparison):
    found = of(results, comparison, "speed")
    for row in comparison.variants[1:]:
        mine = found[row.variant]
        assert (mine.ratio, mine.low, mine.high) == (row.speed_ratio, row.speed_ratio_low, row.speed_ratio_high)
        assert (mine.verdict, mine.rounds) == ("faster", 8)
    assert found["bf16 baseline"].verdict == "baseline"
    assert contrast_text.answer(comparison, measure("speed"), [*found.values()]) == verdict_text.answer(comparison)


def test_two_variants_are_compared_by_their_common_rounds(results, comparison):
    found = of(results, comparison, "speed", "int8 weights")["int4 weights"]
    rates = {name: [s.requests[0] for s in results.variants[name].trials] for name in ("int4 weights", "int8 weights")}
    speeds = {
        name: [sum(r.tokens[1:]) / (r.at_ns[-1] - r.at_ns[0]) for r in requests] for name, requests in rates.items()
    }
    expected = paired_interval([a / b for a, b in zip(speeds["int4 weights"], speeds["int8 weights"], strict=True)])
    assert expected is not None
    assert found.ratio == pytest.approx(expected.ratio)
    assert (found.low, found.high) == (pytest.approx(expected.low), pytest.approx(expected.high))
    assert found.verdict == "faster"
    back = of(results, comparison, "speed", "int4 weights")["int8 weights"]
    assert back.verdict == "slower"
    assert back.ratio == pytest.approx(1 / expected.ratio)


def test_a_lower_latency_is_said_to_be_lower(results, comparison):
    found = of(results, comparison, "ttft")["int4 weights"]
    assert found.verdict == "lower"
    assert found.rounds == 8
    assert found.ratio is not None
    assert found.high is not None
    assert found.ratio < found.high < 1
    said = contrast_text.ratio(found, 0.03)
    assert said == f"{found.ratio:.2f}× (−{100 - 100 * found.ratio:.0f} %)"
    assert contrast_text.interval(found) == f"[{found.low:.2f}, {found.high:.2f}]"
    answer = contrast_text.answer(comparison, measure("ttft"), [*of(results, comparison, "ttft").values()])
    assert answer == f"TTFT with int4 weights: {said} against bf16 baseline."


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(0.84, "0.84× (−16 %)"), (1.31, "1.31× (+31 %)"), (1.001, "1.00×"), (0.0281, "0.0281× (−97 %)"), (35.56, "35.6×")],
)
def test_a_factor_is_never_turned_round(ratio, said):
    assert contrast_text.times(ratio) == said


def test_the_latency_of_a_trial_is_that_of_the_definitions(results):
    for trial in results.variants["int8 weights"].trials:
        gaps = [x for r in trial.requests for x in metrics.itl_ms(r)]
        assert measure("itl_p50").of_trial(trial) == pytest.approx(metrics.percentile(gaps, 50))
        assert measure("itl_p99").of_trial(trial) is None  # of 63 tokens


def test_a_peak_has_no_rounds_and_so_no_interval(results, comparison):
    by = measure("peak_memory")
    found = of(results, comparison, "peak_memory")
    mine = found["int4 weights"]
    assert (mine.low, mine.high, mine.verdict, mine.rounds) == (None, None, "", 0)
    base, _, row = comparison.variants
    assert mine.ratio == pytest.approx(row.peak_process_bytes / base.peak_process_bytes)
    assert "no interval" in contrast_text.no_interval(by, mine)
    assert "no interval and no verdict" in contrast_text.method(comparison, by, [*found.values()])
    assert contrast_text.answer(comparison, by, [*found.values()]).startswith("int4 weights has the lowest peak memory")


def test_a_divergence_is_an_amount_with_an_interval_and_of_the_baseline_only(results, comparison):
    row = comparison.variants[2]
    found = of(results, comparison, "kld")["int4 weights"]
    assert found.ratio is None
    assert found.value == row.kld_mean
    assert found.low < row.kld_mean < found.high
    head, tail = contrast_text.amount(measure("kld"), row, found)
    assert head == formatting.number(row.kld_mean)
    assert tail.endswith("some loss")
    other = of(results, comparison, "kld", "int8 weights")["int4 weights"]
    assert other.value is None
    assert contrast_text.amount(measure("kld"), row, other) == ("—", "judged against the baseline only")
    never = row.model_copy(update={"kld_mean": None})
    assert contrast_text.amount(measure("kld"), never, other) == ("—", "")


def test_what_was_not_measured_is_said_to_be_missing(results, comparison):
    by = measure("energy")
    found = contrasts(results, comparison, by)
    assert all(c.value is None and c.ratio in (None, 1.0) for c in found)
    assert "nothing to compare" in contrast_text.answer(comparison, by, found)


def test_a_p99_of_few_tokens_has_a_figure_of_all_rounds_and_no_interval(results, comparison):
    row = comparison.variants[1]
    assert row.itl_ms_p99 is not None  # 8 × 63 tokens are enough
    found = of(results, comparison, "itl_p99")["int8 weights"]
    assert found.low is None
    assert found.ratio == pytest.approx(row.itl_ms_p99 / comparison.variants[0].itl_ms_p99)
    few = compare(fold(Stream(rounds=2)))
    assert few.variants[1].itl_ms_p99 is None


def test_a_receipt_that_does_not_match_withholds_every_verdict():
    results = fold(Stream(variants=MISMATCH))
    comparison = compare(results)
    for by in MEASURES:
        found = contrast(results, comparison, by, comparison.variants[2], comparison.variants[0])
        assert found.verdict in ("withheld", "")
    found = of(results, comparison, "ttft", "int4 weights")["int8 weights"]
    assert found.verdict == "withheld"


def test_one_after_the_other_there_are_no_common_rounds():
    results = sequence(1.0)
    comparison = compare(results)
    by = measure("ttft")
    found = contrast(results, comparison, by, comparison.variants[1], comparison.variants[0])
    assert found.rounds == 0
    assert found.method == "welch"
    names = [row.variant for row in comparison.variants]
    back = contrasts(results, comparison, measure("speed"), names[1])[0]
    speed = contrasts(results, comparison, measure("speed"))[1]
    assert back.ratio == pytest.approx(1 / speed.ratio)


def test_without_a_trial_the_figures_are_those_of_the_others(results):
    key = ("int4 weights", 2)
    rest = trial_exclusion.compared(results, {key})
    assert rest.variants[2].trials == 7
    assert rest.variants[2].rounds_paired == 7
    assert rest.variants[1] == compare(results).variants[1]
    assert len(results.variants["int4 weights"].trials) == 8
    assert [r.status for r in rest.variants] == ["ok"] * 3


def test_the_last_trial_of_a_variant_stays():
    results = fold(build.run([1.5, 1.5], names=("a", "b")))
    assert not trial_exclusion.least(results, set(), ("b", 0))
    assert trial_exclusion.least(results, {("b", 1)}, ("b", 0))
