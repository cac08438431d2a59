"""All requests of a trial over time, and the places of those that were served at once."""

from __future__ import annotations

import pytest

from core.results.request_lanes import lanes
from core.results.trials import Trial
from tests.core.build import MS, request


def trial(*requests) -> Trial:
    return Trial.model_construct(variant="a", round=2, requests=requests, done=None, fault="")


def test_a_request_takes_the_lowest_place_that_is_free() -> None:
    found = lanes(
        trial(
            request([20, 30, 100]),
            request([40, 60]),
            request([80, 90], arrival_ms=10, dispatch_ns=60 * MS),  # when the second one ended
            request([110, 130], arrival_ms=10, dispatch_ns=95 * MS),  # the third has ended, the first has not
        )
    )
    assert [(r.number, r.slot) for r in found.requests] == [(0, 0), (1, 1), (2, 1), (3, 1)]
    assert (found.variant, found.round, found.slots, found.end_ms) == ("a", 2, 2, 130.0)
    third = found.requests[2]
    assert (third.arrival_ms, third.dispatch_ms, third.queue_ms, third.first_ms) == (10.0, 60.0, 50.0, 80.0)
    assert found.occupancy == pytest.approx((100 + 60 + 30 + 35) / 130)


def test_times_begin_at_the_first_arrival_and_a_request_may_have_no_token() -> None:
    found = lanes(
        trial(request([1020], arrival_ms=1000), request([], arrival_ms=1005, end_ns=1030 * MS, status="failed"))
    )
    assert [r.arrival_ms for r in found.requests] == [0.0, 5.0]
    assert found.requests[1].first_ms is None
    assert not found.requests[1].ok
    assert found.slots == 2


def test_of_no_request_there_is_nothing() -> None:
    found = lanes(trial())
    assert (found.slots, found.end_ms, found.occupancy) == (0, 0.0, None)
