"""The live view under synthetic streams: figures, words, states, and that slots never paint."""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from app.base.theme import theme
from app.charts.axes import AmountAxis, LogAxis
from app.charts.phase_bands import joined
from app.live.live_plots import Plot
from app.live.live_view import LiveView
from app.live.round_schedule import blocks
from app.session.live_data import PhaseBand
from core.analysis.compare import compare
from core.protocol import events
from core.results import metrics
from tests.app.streams import FAILED, THREE, Puppet, Stream, fresh


@pytest.fixture
def session(qapp):
    return fresh(qapp)


@pytest.fixture
def view(qtbot, session):
    view = LiveView(session)
    qtbot.addWidget(view)
    view.resize(860, 780)
    view.show()
    return view


def test_headline_says_what_happens_now(view, session):
    assert view.title.text() == "Nothing measured yet"
    session.feed(Stream(until=(2, 1, 40)))
    session.tick.emit()
    name = session.results.current
    assert view.title.text() == f"Measuring {name}, round 3 of 8"
    assert view.subtitle.text().startswith("about ")
    assert "token 40 of 64" in view.output_note.text()
    assert view.output.toPlainText().startswith("a queue in a queue")


def test_the_peak_of_memory_counts_no_load(view, session):
    session.feed(Stream(until=(0, 0, 5)))
    session.tick.emit()
    track = view.plots.data.tracks[session.results.current]
    assert len(track.process)  # of its load and warm-up
    view.tiles.show_variant(track, None, None)
    assert view.tiles.memory.value.text() == "—"
    assert view.tiles.memory.note.text() == "waiting for a trial"


def test_tiles_are_the_metrics_of_the_trials(view, session):
    session.feed(Stream(rounds=3))
    session.select("int8 weights")
    session.tick.emit()
    state = session.results.variants["int8 weights"]
    row = compare(session.results).variants[1]
    itl = [x for t in state.trials for r in t.requests for x in metrics.itl_ms(r)]
    assert view.tiles.ttft.value.text() == f"{row.ttft_ms_p50:.0f}"
    assert view.tiles.itl.value.text() == f"{np.median(itl):.1f}"
    assert view.tiles.rate.value.text() == f"{metrics.trial_rate(state.trials[-1]):.1f}"
    assert view.tiles.memory.value.text() == "0.580"
    assert "of 8.00 GiB" in view.tiles.memory.note.text()
    assert view.tiles.ttft.note.text() == f"p50 of {len(state.trials)} requests"
    assert "÷" in view.tiles.itl.toolTip()


def test_no_value_is_a_dash_never_zero(view, session):
    session.feed(list(Stream())[:6])
    session.tick.emit()
    assert view.tiles.ttft.value.text() == view.tiles.rate.value.text() == "—"


def test_slots_never_paint_and_one_tick_refreshes_once(view, session, monkeypatch, qapp):
    session.feed(Stream(until=(2, 1, 10)))
    session.tick.emit()
    qapp.processEvents()
    refreshed = []
    draw = view._draw
    monkeypatch.setattr(view, "_draw", lambda: (refreshed.append(1), draw())[1])
    shown = {n: len(m.itl.data) for n, m in view.plots._marks.items()}
    rest = Stream(until=(2, 1, 10))
    for event in list(rest)[-40:]:
        session.event_received.emit(event)
    assert not refreshed
    assert {n: len(m.itl.data) for n, m in view.plots._marks.items()} == shown
    session.tick.emit()
    session.tick.emit()
    assert len(refreshed) == 1


def test_a_hidden_view_does_not_draw_but_keeps_its_data(view, session):
    view.hide()
    session.feed(Stream(rounds=2))
    session.tick.emit()
    assert view.plots._marks == {}
    view.show()
    assert set(view.plots._marks) == {v.name for v in THREE}


def test_space_freezes_the_plots_while_data_arrive(view, session, qtbot):
    session.feed(Stream(until=(1, 0, 10)))
    session.tick.emit()
    before = view.plots.memory.edge.value()
    qtbot.keyClick(view, Qt.Key.Key_Space)
    count = len(view.plots.data.bands)
    for event in list(Stream(until=(3, 0, 10)))[-60:]:
        session.event_received.emit(event)
    session.tick.emit()
    assert view.plots.memory.edge.value() == before
    assert len(view.plots.data.bands) > count
    assert "Frozen" in view.rate_note.text()
    qtbot.keyClick(view, Qt.Key.Key_Space)
    session.tick.emit()
    assert view.plots.memory.edge.value() == view.plots.data.now > before


def test_a_block_of_the_strip_is_marked_while_the_plots_stand_at_it_and_one_button_leads_back(view, session, qtbot):
    session.feed(Stream(until=(2, 1, 40)))
    session.tick.emit()
    assert view.back.isHidden()
    rect, block = next((r, b) for r, b in view.strip._places if b.group == "1" and b.variant == "int8 weights")
    qtbot.mouseClick(view.strip, Qt.MouseButton.LeftButton, pos=rect.center().toPoint())
    assert view.strip.marked == block
    assert view.rate_note.text() == "int8 weights, round 1"
    assert (view.back.text(), view.back.isHidden()) == ("Back to live", False)
    warm_up = next(b for _, b in view.strip._places if b.group == "warm-up" and b.variant == "int8 weights")
    view.strip.block_clicked.emit(warm_up)  # not its load, which came before
    band = next(b for b in view.plots.data.bands if b.phase == "warmup" and b.variant == "int8 weights")
    (low, high), _ = view.plots.memory.getViewBox().viewRange()
    assert low < band.start < band.end < high
    assert view.strip.marked == warm_up
    qtbot.keyClick(view, Qt.Key.Key_Space)  # one key for what the button does
    assert view.back.isHidden()
    assert (view.strip.marked, view.plots.held) == (None, False)
    assert view.rate_note.text().startswith("Live view")
    view.strip.block_clicked.emit(block)
    view.plots.rate.zoomed.emit()  # away from the block
    session.tick.emit()
    assert view.strip.marked is None
    assert view.rate_note.text() == "An earlier time"
    qtbot.mouseClick(view.back, Qt.MouseButton.LeftButton)
    assert not view.plots.held


def test_a_run_that_stops_says_where_it_ends(view, session):
    session.feed(Stream(until=(2, 1, 40)))
    session.stopping = True
    session.results_changed.emit()
    session.tick.emit()
    assert view.subtitle.text().startswith("stops after round 3")
    left_out = [b.round for g in view.strip._groups for b in g if b.state == "left out"]
    assert sorted(set(left_out)) == [3, 4, 5, 6, 7]
    assert "now" in view.strip.accessibleDescription()
    session.cancelling = True
    session.results_changed.emit()
    session.tick.emit()
    assert view.subtitle.text().startswith("being cancelled")


def test_a_run_that_stops_before_its_first_round_says_so(view, session):
    stream = list(Stream())
    session.feed(stream[:6])
    session.stopping = True
    session.results_changed.emit()
    session.tick.emit()
    assert view.subtitle.text().startswith("stops before the first round")


def test_whole_run_shows_from_the_start(view, session):
    session.feed(Stream(rounds=12))
    session.tick.emit()
    low, _ = view.plots.memory.getViewBox().viewRange()[0]
    assert low == pytest.approx(view.plots.data.now - 40)
    view.span.setCurrentIndex(1)
    session.tick.emit()
    low, high = view.plots.memory.getViewBox().viewRange()[0]
    assert low == 0
    assert high > view.plots.data.now
    assert view.plots.rate.getViewBox().viewRange()[0] == [low, high]


def test_a_short_run_fills_the_plot(view, session):
    session.feed(Stream(rounds=1, tokens=16))
    session.tick.emit()
    now = view.plots.data.now
    low, high = view.plots.memory.getViewBox().viewRange()[0]
    assert low == 0
    assert now < high < 2.2 * now


def test_a_logarithmic_axis_has_a_few_labels_however_narrow_its_span(qapp):
    axis = LogAxis()
    for low, high in ((1.5, 1.9), (1.0, 1.7), (0.0, 2.0), (-1.0, 4.0), (-3.0, 6.0)):
        for size in (60, 120, 200):
            ((_, values),) = axis.tickValues(low, high, size)
            assert 1 <= len(values) <= size / 18 + 1
            gaps = [size * (b - a) / (high - low) for a, b in pairwise(values)]
            assert not gaps or min(gaps) >= 18


def test_latencies_that_hardly_differ_do_not_fill_the_plot(view, session):
    session.feed(Stream(rounds=1, noise=0.0, variants=THREE[:1]))
    session.tick.emit()
    low, high = view.plots.latency.getViewBox().viewRange()[1]
    assert high - low >= 0.6


def test_reading_names_the_variant_and_its_values(view, session):
    session.feed(Stream(rounds=3))
    session.tick.emit()
    band = next(b for b in view.plots.data.bands if b.phase == "trial" and b.variant == "int8 weights")
    said = view.plots.read((band.start + band.end) / 2)
    assert "B int8 weights, trial" in said
    assert "tok/s" in said
    assert "ms" in said
    assert "GiB" in said
    warm = next(b for b in view.plots.data.bands if b.phase == "warmup")
    assert "not counted" in view.plots.read((warm.start + warm.end) / 2)


def test_crosshair_stands_at_the_same_time_in_all_plots(view, session, qapp):
    session.feed(Stream(rounds=2))
    session.tick.emit()
    qapp.processEvents()
    middle = view.plots.rate.getViewBox().sceneBoundingRect().center()
    view.plots.rate.scene().sigMouseMoved.emit(QPointF(middle))
    assert len({round(p.hair.value(), 6) for p in view.plots.plots}) == 1
    assert view.plots.latency.hair.isVisible()
    view.plots.rate.scene().sigMouseMoved.emit(QPointF(-5, -5))
    assert not view.plots.latency.hair.isVisible()


def test_opened_results_draw_their_trials(view, session):
    session.feed(Stream(rounds=2), live=False)
    session.tick.emit()
    assert view.title.text() == "Finished: 2 of 2 rounds"
    assert sum(b.phase == "trial" for b in view.plots.data.bands) == 6
    assert sum(b.phase == "warmup" for b in view.plots.data.bands) == 3
    track = view.plots.data.tracks["int4 weights"]
    assert len(track.ttft) == 2
    assert len(track.warm_itl)
    assert np.nanmax(view.plots._marks["int4 weights"].process.yData) == pytest.approx(0.56, abs=0.01)  # its memory


def test_an_empty_plot_says_what_it_waits_for(view, session):
    def notes():
        session.tick.emit()
        return [p.note.text() if p.note.isVisible() else "" for p in view.plots.plots]

    assert notes() == ["waiting for a run"] * 3
    stream = list(Stream())
    loading = next(i for i, e in enumerate(stream) if e.event == "phase" and e.phase == "load")
    session.feed(stream[: loading + 1])
    assert notes() == ["waiting for warm-up"] * 3
    warm = next(i for i, e in enumerate(stream) if e.event == "warm")
    for event in stream[loading + 1 : warm + 1]:
        session.results.fold(event)
        session.event_received.emit(event)
    assert notes() == ["", "", ""]
    bare = [e for e in stream if e.event in ("started", "warm")]
    session.feed(bare)
    assert notes() == ["waiting for the first trial"] * 3
    view.plots.look_at(PhaseBand("int8 weights", "trial", 5.0, 6.0))
    assert notes() == ["", "", ""]  # whoever looks elsewhere is told nothing


def test_a_label_at_the_upper_end_has_room(view, session, qapp):
    session.tick.emit()
    qapp.processEvents()
    for plot in view.plots.plots:
        assert plot.getViewBox().sceneBoundingRect().top() >= plot.fontMetrics().height() / 2 - 3


def test_theme_change_recolours(view, session, qapp):
    session.feed(Stream(rounds=1))
    session.tick.emit()
    marks = view.plots._marks["bf16 baseline"]
    light = marks.rate.opts["pen"].color().name()
    theme.apply(qapp, "dark")
    assert marks.rate.opts["pen"].color().name() != light
    assert view.plots.rate.backgroundBrush().color() == theme.color("panel")


# -- the schedule ------------------------------------------------------------------------------------------
def test_strip_states_follow_the_run(qapp):
    session = Puppet()
    session.feed(Stream(variants=FAILED, until=(2, 1, 32)), live=False)
    groups = blocks(session.results)
    assert [g[0].group for g in groups] == ["load", "warm-up", *map(str, range(1, 9))]
    assert [b.state for b in groups[0]] == ["done"] * 4
    assert [b.state for b in groups[1]] == ["done", "done", "done", "failed"]
    assert all(b.state == "done" for g in groups[2:4] for b in g)
    assert [b.state for b in groups[4]] == ["done", "now", "to come"]
    assert groups[4][1].share == pytest.approx(0.5)
    assert all(b.variant != "16k prompt" for g in groups[2:] for b in g)


def test_a_run_that_is_over_has_nothing_to_come(qapp):
    session = Puppet()
    session.feed(Stream(until=(2, 1, 32)), live=False)
    session.results.interrupted = True
    states = [b.state for g in blocks(session.results)[2:] for b in g]
    assert states == ["done"] * 7 + ["left out"] * 17


def test_strip_follows_the_random_order(qapp):
    session, stream = Puppet(), Stream(rounds=4)
    session.feed(stream, live=False)
    assert [[b.variant for b in g] for g in blocks(session.results)[2:]] == stream.schedule


def test_a_failure_in_a_trial_is_crossed_once(qapp):
    from dataclasses import replace

    session = Puppet()
    session.feed(Stream(variants=(*THREE[:2], replace(THREE[2], fails="trial")), rounds=3), live=False)
    states = [b.state for g in blocks(session.results)[2:] for b in g if b.variant == "int4 weights"]
    assert states == ["failed"]


def test_strip_says_in_words_what_it_paints(view, session):
    session.feed(Stream(variants=FAILED, until=(2, 1, 32)))
    session.tick.emit()
    said = view.strip.accessibleDescription()
    assert "round 3: " in said
    assert " now" in said
    assert "failed: 16k prompt" in said


@pytest.mark.parametrize("rounds", [1, 8, 60, 2000])
def test_strip_fits_its_width_however_many_rounds(view, session, rounds):
    session.feed(Stream(rounds=rounds, until=(0, 0, 8)))
    session.tick.emit()
    assert view.strip._places
    assert max(r.right() for r, _ in view.strip._places) <= view.strip.width()


def test_a_click_on_a_block_looks_at_its_band(view, session):
    session.feed(Stream(rounds=6))
    session.tick.emit()
    view.strip.block_clicked.emit(next(b for _, b in view.strip._places if b.step == ("int8 weights", "2", 1)))
    session.tick.emit()
    band = next(b for b in view.plots.data.bands if b.variant == "int8 weights" and b.round == 1)
    low, high = view.plots.memory.getViewBox().viewRange()[0]
    assert low < band.start < band.end < high
    assert high - low < 2 * (band.end - band.start)


# -- PySide ------------------------------------------------------------------------------------------------
def test_ten_thousand_repaints(qtbot, qapp):
    """PySide6 6.12 on Python 3.11 lost a reference to None per painter call and aborted the process."""
    import pyqtgraph as pg
    from PySide6.QtGui import QImage, QPainter

    plot = Plot(AmountAxis(), lambda name: 0, titled=False)
    qtbot.addWidget(plot)
    plot.resize(60, 40)
    for part in ("left", "bottom"):
        plot.getPlotItem().hideAxis(part)
    curve = pg.PlotCurveItem(np.arange(3.0), np.arange(3.0))
    plot.addItem(curve)
    image = QImage(60, 40, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    for _ in range(10_000):
        plot.render(painter)
    painter.end()
    assert not image.isNull()


def test_a_paused_live_view_draws_nothing_and_loses_nothing(view, session):
    stream = list(Stream(until=(2, 1, 40)))
    session.feed(stream[: len(stream) // 2])
    session.tick.emit()
    title, strip = view.title.text(), view.strip._groups
    session.pace.pause_live(True)
    assert view.rate_note.text() == "Live view paused"
    assert not view.resume.isHidden()
    for event in stream[len(stream) // 2 :]:
        session.results.fold(event)
        session.event_received.emit(event)
    session.tick.emit()
    assert (view.title.text(), view.strip._groups) == (title, strip)
    view.resume.click()
    assert view.title.text() == f"Measuring {session.results.current}, round 3 of 8"
    assert view.resume.isHidden()
    assert len(view.plots.data.tracks[session.results.current].itl)


def test_the_text_of_a_trial_that_is_over_is_said_to_be(view, session):
    session.feed(Stream(until=(2, 1, 40)))
    session.tick.emit()
    assert view.output_note.text() == "token 40 of 64"
    state = session.results.variants[session.results.current]
    session.event_received.emit(events.Phase(variant=state.name, phase="trial", round=3))
    state.tokens = 0
    session.tick.emit()
    assert view.output.toPlainText()
    assert view.output_note.text() == "of the latest trial"


@pytest.mark.parametrize("height", [60, 90, 200])
def test_no_curve_lies_under_the_titles_of_the_bands(view, session, qapp, height):
    session.feed(Stream(until=(2, 1, 40)))
    view.plots.rate.setFixedHeight(height)
    qapp.processEvents()
    view.refresh()
    box = view.plots.rate.getViewBox()
    highest = max(float(np.nanmax(t.rate.view()[1])) for t in view.plots.data.tracks.values() if len(t.rate))
    assert box.mapViewToScene(QPointF(0, highest)).y() - box.sceneBoundingRect().top() >= 19


def test_a_low_live_view_gives_its_charts_the_room_of_the_text(view, session):
    session.feed(Stream(until=(2, 1, 40)))
    view.resize(860, 500)
    assert view._output.isHidden()
    view.resize(860, 640)
    assert not view._output.isHidden()


def test_loading_has_one_title_and_a_short_band_its_letter():
    bands = [
        PhaseBand("a", "convert", 0, 4), PhaseBand("a", "load", 4, 5),
        PhaseBand("b", "load", 5, 6), PhaseBand("a", "warmup", 6, 7),
        PhaseBand("a", "trial", 7, 8), PhaseBand("a", "trial", 8, None),
    ]  # fmt: skip
    found = [(band.variant, band.phase, end) for band, end in joined(bands)]
    assert found == [
        ("a", "convert", 5), ("b", "load", 6), ("a", "warmup", 7), ("a", "trial", 8), ("a", "trial", None),
    ]  # fmt: skip
    found = [
        PhaseBand("a", "convert", 0, 0.1),
        PhaseBand("a", "load", 0.1, 2),
        PhaseBand("a", "transform", 2, 3),
    ]  # converted before
    assert [band.phase for band, _ in joined(found)] == ["load"]
    assert [band.phase for band, _ in joined([*found[:2], PhaseBand("a", "transform", 2, None)])] == ["transform"]


@pytest.mark.parametrize("low", [0.1, 0.4, 1.0, 1.3, 1.7, 2.2])
def test_a_low_axis_of_latencies_has_two_figures_at_least(qapp, low):
    (_, values), *_ = LogAxis().tickValues(low, low + 1.1, 64)
    assert len(values) >= 2
    assert all(64 * (b - a) / 1.1 >= 18 for a, b in pairwise(values))
