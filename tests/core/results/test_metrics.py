"""The golden traces of the definitions, each with values worked out by hand."""

from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.compare import compare
from core.protocol import events
from core.results import metrics
from core.results.results import Results
from core.results.trials import Request, Trial
from tests.core import build
from tests.core.build import MS, request


def test_one_token_has_no_rate_and_its_ttft_is_its_e2e():
    one = request([120], arrival_ms=20)
    assert metrics.tpot_ms(one) is None
    assert metrics.decode_tok_s(one) is None
    assert metrics.ttft_ms(one) == metrics.e2e_ms(one) == 100


def test_pooled_itl_is_not_the_mean_of_tpot():
    short, long = request([100, 110]), request([100, 130, 160, 190])
    pooled = [x for r in (short, long) for x in metrics.itl_ms(r)]
    assert pooled == [10, 30, 30, 30]
    assert mean(pooled) == 25
    assert mean([metrics.tpot_ms(short), metrics.tpot_ms(long)]) == 20


def test_a_step_of_several_tokens_is_counted_once():
    speculated = request([100, 140, 160], tokens=[4, 1, 3])
    assert speculated.count == 8
    assert metrics.decode_tok_s(speculated) == pytest.approx(4 / 0.060)  # the first step's 4 are not counted
    assert metrics.itl_ms(speculated) == [40, 20 / 3, 20 / 3, 20 / 3]
    assert metrics.step_gaps_ms(speculated) == [40, 20]
    assert metrics.tpot_ms(speculated) == pytest.approx(60 / 7)
    assert max(1000 / x for x in metrics.itl_ms(speculated)) >= metrics.decode_tok_s(speculated)


def test_ttft_counts_the_wait_for_a_stalled_server():
    waited = request([1932], arrival_ms=0, dispatch_ns=1426 * MS)
    assert metrics.ttft_ms(waited) == 1932
    assert metrics.client_queue_ms(waited) == 1426


def test_ten_iterations_give_990_intervals_and_none_across_a_boundary():
    runs = [request([200 + 10 * i + 5000 * n for i in range(100)], arrival_ms=5000 * n) for n in range(10)]
    intervals = [x for r in runs for x in metrics.itl_ms(r)]
    assert len(intervals) == 990
    assert max(intervals) == 10


def test_a_warm_up_is_in_no_number():
    """582 ms with everything to compile, then 202 and 196 ms."""
    results = Results("run")
    results.fold(build.started(["a"], 2))
    results.fold(build.loaded("a"))
    results.fold(events.Phase(variant="a", phase="warmup"))
    stamps = [(582 + 40 * i) * MS for i in range(5)]
    results.fold(events.Steps(variant="a", round=None, at_ns=stamps, tokens=[1] * 5))
    results.fold(events.Warm(variant="a", warmup_s=1.0, passes=2, steady=True))
    for number, ttft_ms in enumerate((202, 196)):
        for event in build.trial("a", number, 10, tokens=3, ttft_ms=ttft_ms):
            results.fold(event)
    row = compare(results).variants[0]
    assert row.ttft_ms_p50 == 199
    assert row.itl_ms_p50 == 10
    assert (row.trials, row.requests) == (2, 1)


def test_what_did_not_generate_is_counted_apart_and_divides_nothing():
    empty = request([], status="ok")
    cancelled = request([100, 110], status="cancelled")
    failed = request([], status="failed")
    for r in (empty, failed):
        assert (metrics.ttft_ms(r), metrics.tpot_ms(r), metrics.e2e_ms(r)) == (None, None, None)
        assert (metrics.decode_tok_s(r), metrics.prefill_tok_s(r), metrics.e2e_tok_s(r)) == (None, None, None)
        assert metrics.itl_ms(r) == []
    assert metrics.request_rate([empty, cancelled, failed], 0, 1000 * MS) == 1
    assert metrics.aggregate_tok_s([], 0, 0) is None


def test_a_run_shorter_than_its_prefill_has_no_negative_rate():
    batch = [request([250 + i / 10, 251 + i / 10]) for i in range(64)]
    assert metrics.aggregate_tok_s(batch, 0, 300 * MS) == pytest.approx(128 / 0.3)
    assert all(metrics.prefill_tok_s(r) > 0 for r in batch)


def test_a_window_that_cuts_requests_at_both_ends_counts_by_token():
    early, late = request([50, 150, 250]), request([150, 250, 350], tokens=[2, 2, 2])
    assert metrics.aggregate_tok_s([early, late], 100 * MS, 300 * MS) == pytest.approx((2 + 4) / 0.2)
    assert metrics.request_rate([early, late], 100 * MS, 300 * MS) == 5


def test_goodput_wants_every_objective():
    fast, slow = request([100, 110]), request([100, 200])
    rules = [lambda r: metrics.ttft_ms(r) <= 100, lambda r: metrics.tpot_ms(r) <= 50]
    assert metrics.goodput([fast, slow], 0, 1000 * MS, rules) == 1


@pytest.mark.parametrize(("p", "needed"), [(50, 2), (90, 44), (95, 90), (99, 459)])
def test_a_percentile_needs_its_observations(p, needed):
    assert metrics.percentile([1.0] * (needed - 1), p) is None
    assert metrics.percentile([1.0] * needed, p) == 1


@given(
    st.lists(st.tuples(st.integers(1, 10**9), st.integers(1, 9)), max_size=40),
    st.integers(0, 10**10),
    st.sampled_from(["ok", "failed", "cancelled"]),
)
def test_no_trace_gives_a_negative_or_a_division_by_zero(steps, arrival, status):
    at, now = [], arrival
    for gap, _ in steps:
        now += gap
        at.append(now)
    trace = Request(
        arrival_ns=arrival, dispatch_ns=arrival, end_ns=now, prompt_tokens=3,
        at_ns=tuple(at), tokens=tuple(n for _, n in steps), status=status,
    )  # fmt: skip
    single = [metrics.ttft_ms, metrics.tpot_ms, metrics.e2e_ms, metrics.decode_tok_s, metrics.prefill_tok_s]
    for value in (f(trace) for f in [*single, metrics.e2e_tok_s]):
        assert value is None or value >= 0
    assert len(metrics.itl_ms(trace)) == sum(n for _, n in steps[1:])
    assert all(x > 0 for x in metrics.itl_ms(trace))


def served(requests: list[Request], concurrency: int = 1, **changes) -> Trial:
    times = [
        events.RequestTimes(
            request=i, arrival_ns=r.arrival_ns, dispatch_ns=r.dispatch_ns, end_ns=r.end_ns, prompt_tokens=10,
            new_tokens=r.count,
        )
        for i, r in enumerate(requests)
    ]  # fmt: skip
    done = events.TrialDone(
        variant="a", round=0, requests=times, requested_tokens=1, prompt_ids=[], token_ids=[], text="",
        concurrency=concurrency, **changes,
    )  # fmt: skip
    return Trial(variant="a", round=0, requests=tuple(requests), done=done)


def test_where_requests_arrive_at_random_the_wait_is_compared():
    """Both servers keep up, so both have the arrivals' aggregate rate; the faster one answers twice as soon."""
    slow = [request([at + 40, at + 80], arrival_ms=at) for at in (0, 1000)]
    fast = [request([at + 20, at + 40], arrival_ms=at) for at in (0, 1000)]
    rates = [metrics.trial_rate(served(r, arrival="poisson")) for r in (fast, slow)]
    assert rates == pytest.approx([1 / 0.040, 1 / 0.080])
    assert rates[0] / rates[1] == pytest.approx(2)


def test_variants_are_compared_by_the_aggregate_rate_where_requests_run_at_once():
    # Three tokens each, 10 and 20 ms apart; the second waits 30 ms for its slot.
    first = request([50, 60, 70])
    second = request([100, 120, 140], arrival_ms=0, dispatch_ns=30 * MS)
    both = served([first, second], concurrency=2)
    assert metrics.span_s(both) == pytest.approx(0.140)
    assert metrics.trial_rate(both) == metrics.trial_aggregate_tok_s(both) == pytest.approx(6 / 0.140)
    assert metrics.trial_decode_tok_s(both) == pytest.approx(4 / 0.060)  # per request
    assert metrics.trial_request_rate(both) == pytest.approx(2 / 0.140)
    assert [metrics.client_queue_ms(r) for r in (first, second)] == [0, 30]


def test_one_after_the_other_is_compared_by_the_decode_rate():
    pair = [request([50, 60, 70]), request([120, 140, 160], arrival_ms=70)]
    assert metrics.trial_rate(served(pair)) == pytest.approx(4 / 0.060)
    assert metrics.trial_rate(served(pair[:1])) == metrics.decode_tok_s(pair[0]) == pytest.approx(100)


def test_a_trial_without_a_token_has_no_rate():
    for trial in (served([]), served([request([])]), served([request([100])]), served([request([])], concurrency=2)):
        assert metrics.trial_decode_tok_s(trial) is None
    assert metrics.trial_aggregate_tok_s(served([])) is None
    assert metrics.trial_request_rate(served([])) is None
    assert metrics.part_ms(served([]), "prefill_ms") is None


requests_of_a_trial = st.lists(
    st.tuples(
        st.integers(0, 10**10),  # arrival
        st.integers(0, 10**9),  # wait
        st.lists(st.tuples(st.integers(1, 10**9), st.integers(1, 9)), max_size=20),
        st.sampled_from(["ok", "failed", "cancelled"]),
    ),
    max_size=9,
)


@given(requests_of_a_trial, st.integers(1, 256))
def test_no_trial_gives_a_negative_or_a_division_by_zero(drawn, concurrency):
    found = []
    for arrival, wait, steps, status in drawn:
        at, now = [], arrival + wait
        for gap, _ in steps:
            now += gap
            at.append(now)
        found.append(Request(
            arrival_ns=arrival, dispatch_ns=arrival + wait, end_ns=now, prompt_tokens=3, at_ns=tuple(at),
            tokens=tuple(n for _, n in steps), status=status,
        ))  # fmt: skip
    trial = served(found, concurrency)
    rates = [metrics.trial_rate, metrics.trial_aggregate_tok_s, metrics.trial_decode_tok_s, metrics.trial_request_rate]
    for value in (rate(trial) for rate in rates):
        assert value is None or value >= 0
    assert metrics.span_s(trial) > 0
    assert all(metrics.client_queue_ms(r) >= 0 for r in found)
    aggregate = metrics.trial_aggregate_tok_s(trial)
    if aggregate is not None:  # every token falls in the window
        assert aggregate * metrics.span_s(trial) == pytest.approx(sum(r.count for r in found))
