"""The same trace as four benchmarks read it, each figure worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cli.main import main
from core.protocol import events
from core.report import peer_benchmarks
from core.results.journal import Journal
from core.results.trials import Request, Trial
from tests.core import build
from tests.core.build import MS, request


def trial(*requests: Request, number: int = 0) -> Trial:
    times = [
        events.RequestTimes(
            request=i, arrival_ns=r.arrival_ns, dispatch_ns=r.dispatch_ns, end_ns=r.end_ns,
            prompt_tokens=r.prompt_tokens, new_tokens=r.count, status=r.status,
        )
        for i, r in enumerate(requests)
    ]  # fmt: skip
    done = events.TrialDone(
        variant="a", round=number, requests=times, requested_tokens=1, prompt_ids=[], token_ids=[], text=""
    )
    return Trial(variant="a", round=number, requests=requests, done=done)


#: Waited 100 ms for a slot, was sent at 100, first step at 300 (1 token), then 400 (4 tokens) and 450 (1 token).
WAITED = request([300, 400, 450], [1, 4, 1], arrival_ms=0, dispatch_ns=100 * MS)
#: Sent at once; steps at 200, 240, 320 ms, a token each.
PLAIN = request([200, 240, 320])


def found(peer: str, *trials: Trial) -> dict[str, float | None]:
    return {f.name: f.value for f in peer_benchmarks.figures(peer, trials)}


def test_as_vllm() -> None:
    figures = found("vllm", trial(WAITED, PLAIN))
    assert figures["mean TTFT"] == 200  # the wait is not in it: 200 and 200
    assert figures["mean TPOT"] == pytest.approx((150 / 5 + 120 / 2) / 2)
    assert figures["mean ITL"] == pytest.approx((100 + 50 + 40 + 80) / 4)  # chunks, not tokens
    assert figures["median ITL"] == pytest.approx((50 + 80) / 2)
    assert figures["mean E2EL"] == pytest.approx((350 + 320) / 2)
    assert figures["output token throughput"] == pytest.approx(9 / 0.450)
    assert figures["total token throughput"] == pytest.approx((9 + 20) / 0.450)
    assert figures["request throughput"] == pytest.approx(2 / 0.450)


def test_as_guidellm() -> None:
    figures = found("guidellm", trial(WAITED, PLAIN))
    assert figures["mean time_to_first_token_ms"] == 200
    assert figures["mean time_per_output_token_ms"] == pytest.approx((350 / 6 + 320 / 3) / 2)
    assert figures["mean inter_token_latency_ms"] == pytest.approx((30 + 60) / 2)  # what vLLM calls TPOT
    assert figures["mean request_latency"] == pytest.approx((0.350 + 0.320) / 2)
    assert figures["mean output_tokens_per_second of a request"] == pytest.approx((6 / 0.350 + 3 / 0.320) / 2)


def test_as_llmperf() -> None:
    figures = found("llmperf", trial(WAITED, PLAIN))
    assert figures["mean ttft_s"] == pytest.approx(0.2)
    assert figures["mean inter_token_latency_s"] == pytest.approx((0.350 / 6 + 0.320 / 3) / 2)  # TTFT is in it
    assert figures["mean end_to_end_latency_s"] == pytest.approx(0.335)
    assert figures["median request_output_throughput"] == pytest.approx((6 / 0.350 + 3 / 0.320) / 2)
    assert figures["overall output throughput"] == pytest.approx(20)
    assert figures["completed requests per minute"] == pytest.approx(60 * 2 / 0.450)


def test_as_mlperf() -> None:
    figures = found("mlperf", trial(WAITED, PLAIN))
    assert figures["mean first token latency"] == pytest.approx((300 + 200) / 2)  # from the scheduled arrival
    assert figures["mean time per output token"] == pytest.approx((30 + 60) / 2)
    assert figures["mean latency"] == pytest.approx((450 + 320) / 2)
    assert figures["99th percentile first token latency"] is None  # two requests say nothing of the hundredth


def test_a_percentile_of_loadgen_is_not_interpolated() -> None:
    many = trial(*(request([1000 - i, 2000 + i]) for i in range(500)))
    figures = found("mlperf", many)
    assert figures["99th percentile first token latency"] == 996  # sorted 501 … 1000, the one at place 495
    assert figures["99th percentile time per output token"] == 1990  # 1000, 1002 … 1998, at place 495


def test_trials_follow_one_another_without_the_pause_between_them() -> None:
    later = [r.model_copy(update={
        "arrival_ns": r.arrival_ns + 10_000 * MS, "dispatch_ns": r.dispatch_ns + 10_000 * MS,
        "end_ns": r.end_ns + 10_000 * MS, "at_ns": tuple(t + 10_000 * MS for t in r.at_ns),
    }) for r in (WAITED, PLAIN)]  # fmt: skip
    twice = found("vllm", trial(WAITED, PLAIN), trial(*later, number=1))
    assert twice["output token throughput"] == pytest.approx(18 / 0.900)
    assert twice["mean ITL"] == found("vllm", trial(WAITED, PLAIN))["mean ITL"]


def test_what_failed_is_no_latency_and_no_rate() -> None:
    failed = request([100, 900], status="failed")
    assert found("vllm", trial(failed, PLAIN))["mean TTFT"] == 200
    for peer in peer_benchmarks.PEERS:
        empty = found(peer, trial(request([])), trial(request([100], status="cancelled"), number=1))
        assert {v for name, v in empty.items() if "throughput" not in name and "per" not in name} == {None}
        assert set(found(peer).values()) == {None}


@given(
    st.lists(
        st.tuples(
            st.integers(0, 10**10),
            st.integers(0, 10**9),
            st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 9)), max_size=8),
            st.sampled_from(["ok", "failed", "cancelled"]),
        ),
        max_size=5,
    )
)
def test_no_log_gives_a_negative_figure(drawn: list[tuple[int, int, list[tuple[int, int]], str]]) -> None:
    requests = []
    for arrival, wait, steps, status in drawn:
        at = [arrival + wait + sum(gap for gap, _ in steps[: i + 1]) for i in range(len(steps))]
        requests.append(Request(
            arrival_ns=arrival, dispatch_ns=arrival + wait, end_ns=at[-1] if at else arrival + wait, prompt_tokens=3,
            at_ns=tuple(at), tokens=tuple(n for _, n in steps), status=status,
        ))  # fmt: skip
    for peer in peer_benchmarks.PEERS:
        for figure in peer_benchmarks.figures(peer, [trial(*requests)]):
            assert figure.value is None or 0 <= figure.value < float("inf"), figure


def test_shown_in_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal(tmp_path / "run")
    for event in build.run([1.5] * 4):
        journal.write(event)
    journal.close()
    for peer, words in (("vllm", "mean ITL: 10.0 ms"), ("guidellm", "mean time_per_output_token_ms: 14.4 ms")):
        assert main(["show", str(tmp_path / "run"), "--as", peer]) == 0
        text = capsys.readouterr().out
        assert words in text  # 50 ms and eight steps of 10 ms make 130 ms for 9 tokens
        assert peer_benchmarks.PEERS[peer][0] in text
