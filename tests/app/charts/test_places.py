"""Where labels, letters and ticks stand: none is cut, none covers another or a mark."""

from itertools import combinations, pairwise

import pytest
from PySide6.QtCore import QPointF, QRectF

from app.charts.label_layout import along, place_beside
from app.compare.latency_cdf_plot import LatencyPlot
from app.roofline.roofline_view import RooflineView
from app.session.comparison_cache import comparison_of
from app.timeline.latency_by_position_plot import spread
from core.base.axis_ticks import labelled
from tests.app.streams import Made, Stream, fresh

AREA = QRectF(0, 0, 200, 100)


@pytest.mark.parametrize("size", [140, 190, 780])
@pytest.mark.parametrize(("low", "high"), [(0, 56), (15.3, 34.1), (31, 32.4), (0, 0.9), (0, 3)])
def test_an_axis_has_three_figures_or_more_and_none_is_cut(low, high, size):
    def wide(value):
        return 6.5 * len(f"{value:g}")

    step, found = labelled(low, high, size, wide)
    at = [(value - low) / (high - low) * size for value in found]
    assert len(found) >= 3
    assert all(low <= value <= high for value in found)
    assert at[-1] + wide(found[-1]) / 2 <= size
    assert all(b - a > (wide(x) + wide(y)) / 2 for (a, x), (b, y) in pairwise(zip(at, found, strict=True)))
    assert [b - a for a, b in pairwise(found)] == pytest.approx([step] * (len(found) - 1))


def test_a_label_stands_right_of_its_mark_unless_something_is_there():
    mark = QRectF(90, 45, 10, 10)
    right = place_beside(mark, 40, 14, AREA, [mark])
    assert right.left() > mark.right()
    left = place_beside(mark, 40, 14, AREA, [mark, QRectF(110, 40, 10, 20)])
    assert left.right() < mark.left()
    line = along([QPointF(0, 50), QPointF(200, 50)])
    beside = place_beside(mark, 40, 14, AREA, [mark, *line])
    assert not any(beside.intersects(square) for square in line)


@pytest.mark.parametrize("corner", [QRectF(190, 0, 10, 10), QRectF(0, 90, 10, 10), QRectF(190, 90, 10, 10)])
def test_a_label_is_never_cut(corner):
    assert AREA.contains(place_beside(corner, 80, 14, AREA, [AREA]))  # all is taken: it covers least


def test_letters_at_the_ends_of_curves_stand_apart():
    assert spread([], 10) == []
    assert spread([0.0, 50.0], 10) == [0.0, 50.0]
    assert spread([20.0, 21.0], 10) == pytest.approx([15.5, 25.5])
    found = spread([1.0, 2.0, 3.0, 30.0, 31.0], 10)
    assert all(b - a >= 10 - 1e-9 for a, b in pairwise(found))


CROWD = tuple(
    Made(name, rate, int(weights * 2**30), {"quantization": {"method": "int8_weight_only"}} if weights < 0.25 else {})
    for name, rate, weights in (("baseline", 24.0, 0.25), ("b", 25.0, 0.24), ("c", 29.0, 0.2), ("d", 30.0, 0.17),
                                ("e", 33.0, 0.15), ("f", 55.0, 0.11))
)  # fmt: skip


@pytest.mark.parametrize("size", [(1120, 640), (760, 460), (520, 400)])
def test_labels_of_the_roofline_cover_nothing(qtbot, qapp, size):
    session = fresh(qapp)
    session.feed(Stream(CROWD, rounds=4, roof=True), live=False)
    session.selected = "d"
    view = RooflineView(session)
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    view.plot.grab()
    layer = view.plot.layer
    assert len(layer.places) >= 6
    assert all(layer.area.contains(place) for place in layer.places)
    assert not any(a.intersects(b) for a, b in combinations(layer.places, 2))
    others = [square for square in layer.taken if square not in layer.places]
    assert len(others) > 100  # roofs and guides as squares, marks, words
    assert not any(place.intersects(square) for place in layer.places for square in others)


def test_letters_of_latencies_stand_off_the_other_curves(qtbot, qapp):
    session = fresh(qapp)
    session.feed(Stream(CROWD, rounds=4), live=False)
    plot = LatencyPlot(session)
    qtbot.addWidget(plot)
    plot.resize(260, 300)
    plot.show()
    plot.refresh(session.results)
    low, high = plot.getViewBox().viewRange()[0]
    latencies = [curve.xData for curve in plot.curves.values()]
    assert 0 < low < min(x[0] for x in latencies)  # of the data, not from 0
    assert high > max(x[int(0.99 * len(x)) - 1] for x in latencies)
    plot.grab()
    seen = plot.letters.standing.values()
    assert len(seen) >= 4
    assert not any(a.intersects(b) for a, b in combinations(seen, 2))
    assert comparison_of(session.results) is not None
