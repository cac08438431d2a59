"""What no other point beats, and the line through it."""

from core.analysis.pareto import corners, front

POINTS = [(1.0, 0.0), (1.5, 0.002), (1.4, 0.003), (2.3, 0.04), (2.3, 0.05)]  # speed, loss


def test_only_what_nobody_beats_is_on_the_front():
    assert front(POINTS, ("higher", "lower")) == [0, 1, 3]
    assert front(POINTS, ("lower", "lower")) == [0]
    assert front([], ("higher", "lower")) == []


def test_equals_are_both_on_it():
    assert front([(1.0, 1.0), (1.0, 1.0), (0.5, 2.0)], ("higher", "lower")) == [0, 1]


def test_the_line_promises_no_more_than_is_known():
    line = corners([(0.0, 1.0), (0.04, 2.3)], ("lower", "higher"))  # loss, speed
    assert line == [(0.0, 1.0), (0.04, 1.0), (0.04, 2.3)]
    line = corners([(1.0, 0.0), (2.3, 0.04)], ("higher", "lower"))
    assert line == [(1.0, 0.0), (1.0, 0.04), (2.3, 0.04)]
