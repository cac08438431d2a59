"""What every chart has: a crosshair, zoom and the way back, pictures that render, its figures as CSV and as a table."""

import csv
import io
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFileDialog, QWidget

from app.base.theme import theme
from app.charts.chart_actions import ChartActions, chart_in_focus
from app.charts.chart_data import ChartData
from app.charts.chart_table import ChartTable
from app.charts.forest_plot import Forest
from app.compare.compare_view import CompareView
from app.live.live_view import LiveView
from app.live.round_schedule import ScheduleStrip
from app.quality.quality_view import QualityView
from app.roofline.roofline_view import RooflineView
from app.session.comparison_cache import comparison_of
from app.timeline.requests_strip import RequestsStrip
from app.timeline.timeline_view import TimelineView
from tests.app.streams import THREE, Stream, fresh

VIEWS = (LiveView, CompareView, TimelineView, QualityView, RooflineView)
WHOLE = (*THREE[:2], replace(THREE[1], name="=lookup", rate=30.0, drafts=True))


@cache
def recorded() -> list:
    """A run that is over, with quality and roofline."""
    return list(Stream(variants=WHOLE, rounds=4, tokens=24, quality=True, roof=True))


@pytest.fixture
def session(qapp):
    return fresh(qapp)


@pytest.fixture
def show(qtbot, session):
    """A view of it."""

    def made(kind):
        view = kind(session)
        qtbot.addWidget(view)
        view.resize(700, 560)
        session.feed(recorded(), live=False)
        view.show()
        if kind is CompareView:  # bars of all else than memory have a chart of their own
            view.charts.of_bars.set_measure("speed")
        view.refresh()
        return view

    return made


@pytest.fixture(scope="module")
def compare(qapp):
    """One comparison for all that only look at it."""
    session = fresh(qapp)
    view = CompareView(session)
    view.resize(700, 560)
    session.feed(recorded(), live=False)
    view.show()
    view.refresh()
    yield view
    view.close()
    view.deleteLater()


def of(view, part) -> ChartActions:
    return next(a for a in view.findChildren(ChartActions) if a.chart is part)


def table(text: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_chart_of_every_view_is_a_picture_and_a_table(show, tmp_path):
    seen = []
    for kind in VIEWS:
        view = show(kind)
        for actions in view.findChildren(ChartActions):
            if isinstance(actions.chart, RequestsStrip):
                continue  # of rounds with several requests, which this run has none of: see test_timeline
            seen.append(type(actions.chart).__name__)
            data = actions.chart.chart_data()
            assert len(data), seen[-1]
            assert len({len(c) for c in data.columns}) == 1
            assert len(data.columns) == len(data.names)
            rows = table(data.text())
            assert len(rows) == len(data)
            assert [name.lstrip("'") for name in rows[0]] == list(data.names)
            assert all(index == view.session.index_of(name) for index, name in actions.chart.chart_keys())
            if seen.count(seen[-1]) > 1:
                continue  # one picture of each kind
            for suffix in ("png", "svg", "csv"):
                assert actions.write(suffix, tmp_path / f"{seen[-1]}.{suffix}")
            picture = QImage(str(tmp_path / f"{seen[-1]}.png"))
            assert picture.width() >= 2 * actions.chart.width()
            assert colours(picture) > 3
            root = ElementTree.parse(tmp_path / f"{seen[-1]}.svg").getroot()
            said = " ".join("".join(e.itertext()) for e in root.iter())
            assert actions.title in said
            drawn = rendered((tmp_path / f"{seen[-1]}.svg").read_bytes())
            assert colours(drawn) > 3
            outside = drawn.pixelColor(4, drawn.height() // 2)  # beside the chart: nothing is drawn over its edge
            assert outside == theme.color("panel"), seen[-1]
    assert set(seen) >= {
        "Plot", "ScheduleStrip", "LatencyPlot", "MemoryBars", "TradeoffPlot", "TimelineStrip", "PositionPlot",
        "DivergencePlot", "RooflinePlot",
    }  # fmt: skip


def rendered(svg: bytes) -> QImage:
    renderer = QSvgRenderer(QByteArray(svg))
    assert renderer.isValid()
    image = QImage(renderer.defaultSize(), QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


def colours(image: QImage) -> int:
    """How many colours there are in it."""
    pixels = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), dtype=np.uint32)
    return len(np.unique(pixels))


def test_what_a_spreadsheet_would_take_for_a_formula_is_text(compare):
    view = compare
    rows = table(view.memory.chart_data().text())
    assert [r["variant"] for r in rows] == ["bf16 baseline", "int8 weights", "'=lookup"]
    parts = [float(rows[1][f"{name} (GiB)"]) for name in ("weights", "KV", "rest")]
    assert sum(parts) == pytest.approx(float(rows[1]["peak (GiB)"]))


def test_the_csv_holds_what_is_in_sight_of_a_live_plot(show):
    view = show(LiveView)
    whole = len(view.plots.latency.chart_data())
    assert whole == 3 * (4 * 23 + 4 + 2 * 15)  # tokens after the first, first ones, warm-up
    band = next(b for b in view.plots.data.bands if b.phase == "trial" and b.variant == "int8 weights")
    view.plots.look_at(band)
    rows = table(view.plots.latency.chart_data().text())
    assert 0 < len(rows) < whole
    low, high = view.plots.memory.getViewBox().viewRange()[0]
    assert all(low <= float(r["time (s)"]) <= high for r in rows)


# -- zoom ------------------------------------------------------------------------------------------------
def turn(plot, notches: int) -> None:
    """The wheel over the middle of a plot."""
    middle = QPointF(plot.viewport().rect().center())
    event = QWheelEvent(
        middle, plot.viewport().mapToGlobal(middle), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    plot.wheelEvent(event)


def test_the_wheel_zooms_what_comes_later_leaves_it_so_and_a_double_click_leads_back(show, qtbot):
    view = show(CompareView)
    plot = view.latency
    home = plot.getViewBox().viewRange()
    with qtbot.waitSignal(plot.zoomed):
        turn(plot, 3)
    near = plot.getViewBox().viewRange()
    assert near[0][1] - near[0][0] < home[0][1] - home[0][0]
    assert near[1] == home[1]  # shares stay 0 to 1
    view.session.results_changed.emit()
    view.session.tick.emit()
    assert plot.getViewBox().viewRange() == near
    qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton)
    assert plot.getViewBox().viewRange() == home


def test_no_one_gets_lost_beyond_the_data(show):
    view = show(RooflineView)
    (left, right), _ = view.plot.getViewBox().viewRange()
    turn(view.plot, -200)
    (far_left, far_right), _ = view.plot.getViewBox().viewRange()
    assert far_right - far_left <= 3 * (right - left) + 1e-6


def test_the_keyboard_zooms_pans_and_leads_back(show, qtbot):
    view = show(TimelineView)
    plot = view.strip
    home = plot.getViewBox().viewRange()[0]
    qtbot.keyClick(plot, Qt.Key.Key_Plus)
    near = plot.getViewBox().viewRange()[0]
    assert near[1] - near[0] == pytest.approx(0.8 * (home[1] - home[0]))
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert plot.getViewBox().viewRange()[0][0] > near[0]
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    assert plot.getViewBox().viewRange()[0] == home


def test_space_still_freezes_live_with_a_plot_in_focus(show, qtbot):
    view = show(LiveView)
    qtbot.keyClick(view.plots.rate, Qt.Key.Key_Space)
    assert view.plots.frozen


def test_a_zoom_by_hand_hands_over_its_points_at_once(show, qapp, qtbot):
    view = show(LiveView)
    latency = view.plots._marks["int8 weights"].itl
    view.plots.look_at(next(b for b in view.plots.data.bands if b.phase == "trial" and b.variant == "int8 weights"))
    view.session.tick.emit()
    whole = len(latency.data)
    turn(view.plots.latency, 5)
    qapp.processEvents()  # no tick comes here
    assert not view.plots.following
    near = len(latency.data)
    assert near < whole
    qtbot.keyClick(view.plots.latency, Qt.Key.Key_Space)  # back to the run
    assert not view.plots.held
    qtbot.keyClick(view.plots.latency, Qt.Key.Key_Space)  # what is frozen can be looked at too
    turn(view.plots.latency, 10)
    qapp.processEvents()
    assert view.plots.frozen
    assert len(latency.data) < near
    view.plots.latency.reset_view()
    assert view.plots.following
    assert not view.plots.latency.by_hand
    qtbot.keyClick(view.plots.rate, Qt.Key.Key_Plus)  # no tick takes it back
    assert not view.plots.following
    assert view.plots.latency.by_hand


# -- crosshair -------------------------------------------------------------------------------------------
def test_the_values_under_the_pointer_stand_above_and_go_with_it(compare, qapp):
    view = compare
    panel = view.latency.parentWidget()
    qapp.processEvents()
    middle = view.latency.getViewBox().sceneBoundingRect().center()
    view.latency.scene().sigMouseMoved.emit(QPointF(middle))
    assert panel.values.text().startswith(f"{view.latency.hair.value():.3g}"[:2])
    assert " A " in panel.values.text()
    assert panel.values.text().count("%") == 3
    assert panel.values.isVisible()
    assert panel.rect().contains(panel.values.geometry())
    view.latency.scene().sigMouseMoved.emit(QPointF(-5, -5))
    assert not panel.values.isVisible()
    assert panel.reading.text() == "ms, share of tokens"


def test_a_scatter_reads_the_nearest_mark(compare):
    view = compare
    row = next(r for r in comparison_of(view.session.results).variants if r.variant == "int8 weights")
    said = view.trade.read(row.kld_mean, float(np.log(row.speed_ratio)))
    assert said.startswith("B ")
    assert f"speed {row.speed_ratio:.2f}×" in said


def test_bars_say_what_they_are_made_of(compare):
    view = compare
    said = view.memory.read(QPointF(60, 1.5 * view.memory._step()))
    assert said.startswith("B ")
    assert "weights 0.130 GiB" in said


# -- actions ---------------------------------------------------------------------------------------------
def test_the_menu_has_all_of_it_by_the_keyboard_too(compare, qtbot):
    view = compare
    names = [a.text() for a in of(view, view.latency).menu().actions() if a.text()]
    assert names == [
        "Save as PNG…", "Save as SVG…", "Save data as CSV…", "Copy picture", "View as table", "Show all of it",
    ]  # fmt: skip
    for chart in (view.latency, view.memory, view.trade):
        assert chart.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert chart.accessibleName()


def test_saving_asks_where_to_with_a_name_that_says_what_it_is(compare, tmp_path, monkeypatch, qtbot):
    view = compare
    asked = []

    def answer(_parent, _title, proposed, _filters):
        asked.append(proposed)
        return str(tmp_path / "picture.png"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    with qtbot.waitSignal(view.session.notice) as said:
        of(view, view.memory).save_png()
    assert asked[0].endswith("demo_chat_2026-11-30_peak-memory.png")
    assert said.args == ["info", f"Exported {tmp_path / 'picture.png'}"]
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_written_is_a_notice(compare, tmp_path, qtbot):
    view = compare
    with qtbot.waitSignal(view.session.notice) as said:
        assert not of(view, view.memory).write("svg", tmp_path / "missing" / "x.svg")
    assert said.args[0] == "error"
    assert "missing" in said.args[1]


def test_the_picture_goes_to_the_clipboard(compare):
    view = compare
    of(view, view.trade).copy_picture()
    assert QGuiApplication.clipboard().image().width() >= 2 * view.trade.width()


def test_a_chart_is_a_table_that_can_be_copied(show, qtbot):
    view = show(TimelineView)
    of(view, view.strip).view_table()
    dialog = view.findChild(ChartTable) or view.window().findChild(ChartTable)
    data = view.strip.chart_data()
    model = dialog.table.model()
    assert model.rowCount() == len(data)
    assert model.headerData(3, Qt.Orientation.Horizontal) == "start (ms)"
    assert model.index(0, 6).data() in ("0", "—")
    dialog.copy()
    assert QGuiApplication.clipboard().text() == data.text("\t")
    dialog.table.selectRow(1)
    dialog.copy()
    assert QGuiApplication.clipboard().text().splitlines()[1:] == [data.text("\t").splitlines()[2]]
    dialog.close()


def test_the_chart_in_focus_is_the_one_that_becomes_a_table(compare, qapp):
    view = compare
    view.activateWindow()
    assert chart_in_focus(view).chart is view.latency
    view.trade.setFocus()
    qapp.processEvents()
    assert chart_in_focus(view).chart is view.trade
    assert chart_in_focus(QWidget()) is None


def test_columns_that_are_not_there_are_empty():
    data = ChartData(("a", "b"), ([1, None], np.array([0.5, np.nan], dtype=np.float32)))
    assert data.text() == "a,b\n1,0.5\n,\n"
    assert ChartData.of_rows(("a",), []).text() == "a\n"


def test_painted_charts_tell_their_figures(session, qtbot):
    session.feed(recorded())
    forest, strip = Forest(session), ScheduleStrip(session)
    for part in (forest, strip):
        qtbot.addWidget(part)
    comparison = comparison_of(session.results)
    forest.set_comparison(comparison)
    assert forest.chart_data().columns[1] == tuple(r.speed_ratio for r in comparison.variants[1:])
    strip.refresh()
    assert strip.chart_data().row(0) == ["load", "bf16 baseline", "done"]
    assert len(strip.chart_data()) == 3 + 3 + 3 * 4 + 3
