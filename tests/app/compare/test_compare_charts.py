"""Bars of any measure, and what a gain costs by any two of them."""

import pytest
from PySide6.QtCore import QPointF, Qt

from app.compare.compare_table import RATE
from app.compare.compare_view import CompareView
from app.compare.measure_bars import FOOT, LEAST
from core.analysis.compare import compare
from core.analysis.contrast import spread
from core.analysis.measures import measure
from tests.app.compare.test_beside import beside, fold
from tests.app.streams import FAILED, Stream, fresh


@pytest.fixture
def view(qtbot, qapp):
    session = fresh(qapp)
    view = CompareView(session)
    qtbot.addWidget(view, before_close_func=lambda v: v.beside.opening.close())
    view.resize(900, 900)
    view.show()
    session.feed(Stream(quality=True))
    session.tick.emit()
    return view


def choose(chooser, key: str) -> None:
    chooser.set_measure(key)
    chooser.activated.emit(chooser.currentIndex())


def test_bars_have_the_interval_of_their_own_rounds(view):
    choose(view.charts.of_bars, "ttft")
    bar = view.charts.bars.bars[2]
    results = view.session.results
    row = compare(results).variants[2]
    interval = spread(results, row, measure("ttft"))
    assert (bar.value, bar.low, bar.high) == (row.ttft_ms_p50, interval.low, interval.high)
    assert bar.low < bar.value < bar.high
    assert view.charts.bars.read(QPointF(60, 2.5 * view.charts.bars._step())).startswith("C ")
    data = view.charts.bars.chart_data()
    assert data.names[2] == "ttft_ms_p50"
    assert len(data) == 3


def test_what_has_no_rounds_has_no_error_bar(view):
    choose(view.charts.of_bars, "weights")
    bars = view.charts.bars.bars
    assert [b.low for b in bars] == [None] * 3
    assert view.charts._pages.currentWidget() is view.charts._whole
    choose(view.charts.of_bars, "peak_memory")
    assert view.charts._pages.currentWidget() is view.charts._parts  # of memory its parts are known
    choose(view.charts.of_bars, "kld")
    assert view.charts.bars.bars[2].low is not None


def test_bars_follow_the_order_and_the_filter_of_the_table(view):
    choose(view.charts.of_bars, "speed")
    view.table.sortByColumn(RATE, Qt.SortOrder.DescendingOrder)
    view.session.tick.emit()
    assert [b.entry.row.variant for b in view.charts.bars.bars] == ["int4 weights", "int8 weights", "bf16 baseline"]
    view.bar.filter.setText("weights int8")
    view.session.tick.emit()
    assert [b.entry.row.variant for b in view.charts.bars.bars] == ["int8 weights"]
    assert [p.entry.row.variant for p in view.trade.points] == ["int8 weights"]


def test_more_bars_than_there_is_room_for_are_counted(view):
    bars = view.charts.bars
    bars.resize(300, 200)
    assert bars.fitting == (200 - FOOT) // LEAST
    bars.show_bars(bars.bars * 20, bars.by)
    assert bars.read(QPointF(60, 199)) == ""
    bars.grab()


def test_the_scatter_has_the_axes_that_were_chosen_and_marks_its_front(view):
    assert (view.trade.x.key, view.trade.y.key) == ("kld", "speed")
    assert [p.entry.row.variant for p in view.trade.front] == ["bf16 baseline", "int8 weights", "int4 weights"]
    assert "Pareto front" in view.trade.accessibleDescription()
    choose(view.charts.of_x, "peak_memory")
    assert [p.entry.row.variant for p in view.trade.front] == ["int4 weights"]  # the fastest, and the smallest
    row = compare(view.session.results).variants[2]
    data = dict(zip(view.trade.chart_data().names, view.trade.chart_data().columns, strict=True))
    assert data["peak memory (GiB)"][2] == row.peak_process_bytes / 2**30
    assert data["on the Pareto front"] == (0, 0, 1)
    view.session.results_changed.emit()
    view.session.tick.emit()
    assert view.trade.x.key == "peak_memory"  # what was chosen stays, though quality was judged


def test_a_measure_without_figures_can_not_be_drawn(view):
    chooser = view.charts.of_bars
    place = chooser.findData("energy")
    assert not chooser.model().item(place).isEnabled()
    assert chooser.itemText(place) == "Energy per token (not measured)"


def test_what_failed_has_no_mark_and_an_empty_bar(qtbot, qapp):
    session = fresh(qapp)
    view = CompareView(session)
    qtbot.addWidget(view)
    view.show()
    session.feed(Stream(variants=FAILED, rounds=4))
    session.tick.emit()
    choose(view.charts.of_bars, "speed")
    assert view.charts.bars.bars[3].value is None
    view.charts.bars.grab()
    assert len(view.trade.points) == 3


def test_other_runs_have_bars_and_marks_where_they_are_alike(view, tmp_path):
    choose(view.charts.of_bars, "speed")
    beside(view, tmp_path, fold(Stream(seed=3)))
    assert [b.entry.run for b in view.charts.bars.bars] == ["run 1"] * 3 + ["run 2"] * 3
    beside(view, tmp_path / "x", fold(Stream(seed=4), cpu="Another CPU"))
    assert len(view.charts.bars.bars) == 6
    assert "run 3" not in {p.entry.run for p in view.trade.points}
