"""The timeline of a request, from traces whose stamps are known."""

import pytest

from core.protocol import events
from core.results import metrics, token_timeline
from core.results.results import Results
from tests.core import build


def drafting():
    """Waits 5 ms, reads its prompt in 45, then four steps: 1, 4, none and 2 tokens; 3 ms of clearing up."""
    return build.request(
        [150, 160, 172, 180, 190], [1, 1, 4, 0, 2], arrival_ms=100, dispatch_ns=105_000_000, end_ns=193_000_000
    )


def test_every_piece_of_a_request_is_there_and_none_overlap():
    found = token_timeline.spans(drafting())
    assert [(s.kind, s.start_ms, s.end_ms, s.tokens) for s in found] == [
        ("queue", 0, 5, 0),
        ("prefill", 5, 50, 1),
        ("step", 50, 60, 1),
        ("step", 60, 72, 4),
        ("step", 72, 80, 0),
        ("step", 80, 90, 2),
        ("rest", 90, 93, 0),
    ]
    assert [s.number for s in found] == [0, 0, 1, 2, 3, 4, 0]
    assert [s.position for s in found] == [0, 1, 2, 3, 0, 7, 0]  # of its first token; a step without one has none
    assert [s.accepted for s in found] == [0, 0, 0, 3, 0, 1, 0]


def test_latencies_by_position_are_the_metric_s():
    request = drafting()
    found = token_timeline.latencies(request)
    assert [ms for _, ms in found] == metrics.itl_ms(request)
    assert [place for place, _ in found] == [2, 3, 4, 5, 6, 7, 8]


def test_a_request_without_a_token_only_waited():
    found = token_timeline.spans(build.request([], end_ns=7_000_000, dispatch_ns=2_000_000))
    assert [(s.kind, s.start_ms, s.end_ms) for s in found] == [("queue", 0, 2), ("rest", 2, 7)]
    assert token_timeline.latencies(build.request([])) == []


@pytest.fixture
def results():
    found = Results("run")
    stream = list(build.run([2.0, 2.0]))
    at = next(i for i, e in enumerate(stream) if isinstance(e, events.TrialDone) and e.variant == "b")
    aside = (
        events.Decision(variant="b", round=0, t_ns=60_000_000, what="plain decoding", detail="drafts cost more"),
        events.Decision(variant="b", round=0, t_ns=900_000_000, what="drafting again"),  # after its end
        events.Decision(variant="a", round=0, t_ns=60_000_000, what="another variant's"),
        events.Decision(variant="b", round=1, t_ns=60_000_000, what="another round's"),
    )
    for event in (*stream[:at], *aside, *stream[at:]):
        found.fold(event)
    return found


def test_lanes_share_a_round_and_a_request(results):
    first, second = token_timeline.lanes(results, 0, 0)
    assert (first.variant, second.variant) == ("a", "b")
    assert (first.tokens, first.steps, first.accepted) == (9, 8, 0)
    assert first.ttft_ms == 50
    assert first.e2e_ms == first.end_ms == pytest.approx(130)
    assert second.tpot_ms == pytest.approx(5)
    assert token_timeline.rounds(results) == [0, 1]


def test_a_decision_stands_where_it_was_taken(results):
    (lane,) = token_timeline.lanes(results, 0, 0, ["b"])
    assert lane.marks == (token_timeline.TimelineMark(60, "plain decoding", "drafts cost more"),)


def test_what_does_not_exist_has_no_lane(results):
    assert token_timeline.lanes(results, 0, 1) == []
    assert token_timeline.lanes(results, 5, 0) == []
    assert token_timeline.lanes(results, 0, 0, ["nobody"]) == []
