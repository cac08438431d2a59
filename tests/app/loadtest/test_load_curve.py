"""The window's sweep over the load: the dialog that makes it, the queue that runs it, and its curve."""

from __future__ import annotations

import json

import pytest

from app.compare.compare_view import CompareView
from app.loadtest.load_curve_dialog import LoadCurveDialog
from app.loadtest.load_curve_plot import LoadPlot, title
from app.loadtest.load_sweep_dialog import LoadSweepDialog
from app.run.queue_dialog import QueueDialog
from app.session.run_queue import FILE, MOST, RunQueue
from app.widgets.two_line_list import NOTE_ROLE
from core.base.folders import data_folder
from core.loadtest.load_curve import LATENCIES, THROUGHPUTS, IntervalEstimate, LoadPoint
from core.loadtest.load_sweep import SweepMark, mark_of
from core.results.journal import Journal
from tests.app.conftest import experiment
from tests.app.streams import Stream, fresh
from tests.core.loadtest.test_load_sweep import begun

LONG = 60_000


def lines(dialog):
    return [dialog.preview.item(row).text() for row in range(dialog.preview.count())]


@pytest.fixture
def queue(session):
    session.open_experiment(experiment("a", "b", trials=1))
    return RunQueue(session)


# -- making it --------------------------------------------------------------------------------------------
@pytest.mark.demo
def test_the_dialog_shows_the_runs_and_why_a_value_makes_none(qtbot, queue):
    dialog = LoadSweepDialog(queue)
    qtbot.addWidget(dialog)
    assert lines(dialog) == ["Concurrency 1", "Concurrency 2", "Concurrency 4", "Concurrency 8"]
    assert dialog.add.text() == "Add 4 runs to the queue"
    dialog.values.setText("2, 999, x")
    assert lines(dialog)[0] == "Concurrency 2"
    assert lines(dialog)[1].startswith("999: ")
    assert "256" in lines(dialog)[1]
    assert dialog.add.text() == "Add 1 run to the queue"
    dialog.values.setText("2..")
    assert "a number is missing" in dialog.fault.text()
    assert not dialog.add.isEnabled()
    dialog.field.setCurrentIndex(dialog.field.findData("rate"))
    assert all("only where arrivals are poisson" in line for line in lines(dialog))
    assert not dialog.add.isEnabled()
    dialog.field.setCurrentIndex(dialog.field.findData("prompt_tokens"))
    assert lines(dialog)[0] == "Prompt tokens 32"


@pytest.mark.demo
def test_all_runs_wait_in_the_queue_as_one_sweep_also_after_a_restart(qtbot, queue, session):
    dialog = LoadSweepDialog(queue)
    qtbot.addWidget(dialog)
    dialog.values.setText("1, 3")
    before = session.experiment
    dialog.accept()
    assert session.experiment == before
    for one in (queue, RunQueue(session)):
        assert [e.experiment.workload.concurrency for e in one.entries] == [1, 3]
        assert [(e.mark.field, e.mark.value, e.mark.count) for e in one.entries] == [
            ("concurrency", 1, 2), ("concurrency", 3, 2),
        ]  # fmt: skip
        assert len({e.mark.sweep for e in one.entries}) == 1
    listed = QueueDialog(queue)
    qtbot.addWidget(listed)
    notes = [listed.list.item(i).data(NOTE_ROLE) for i in range(2)]
    assert [note.split(" · ")[0] for note in notes] == ["Concurrency 1", "Concurrency 3"]
    queue.add()
    assert queue.entries[2].mark is None
    told = json.loads((data_folder() / FILE).read_text())
    assert "load_sweep" not in told[2]
    full = [(session.to_run, SweepMark("x", "concurrency", n, MOST)) for n in range(MOST)]
    with qtbot.waitSignal(session.notice):
        queue.add_all(full)
    assert len(queue.entries) == 3


@pytest.mark.demo
def test_runs_of_the_queue_know_their_sweep_and_their_curve_is_drawn(qtbot, queue, session):
    dialog = LoadSweepDialog(queue)
    qtbot.addWidget(dialog)
    dialog.values.setText("1, 2")
    dialog.accept()
    done = []
    session.run_finished.connect(lambda: done.append((mark_of(session.results), session.results_folder)))
    queue.start()
    qtbot.waitUntil(lambda: len(done) == 2 and not session.running, timeout=LONG)
    assert [mark.value for mark, _ in done] == [1, 2]
    assert done[0][0].sweep == done[1][0].sweep
    view = CompareView(session)
    qtbot.addWidget(view)
    view.refresh()
    assert not view.bar.load.isHidden()
    curve = LoadCurveDialog(session, done[1][1], done[1][0])
    qtbot.addWidget(curve)
    qtbot.waitUntil(lambda: bool(curve.points), timeout=LONG)
    assert {name: [p.value for p in found] for name, found in curve.plot.curves.items()} == {"a": [1, 2], "b": [1, 2]}
    assert curve.note.text().startswith("2 of 2 loads are measured.")
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=LONG)


def test_a_run_of_no_sweep_has_no_button_for_its_curve(qtbot, qapp):
    session = fresh(qapp)
    view = CompareView(session)
    qtbot.addWidget(view)
    session.feed(Stream())
    session.tick.emit()
    view.refresh()
    assert view.bar.load.isHidden()


def test_what_cannot_be_read_is_passed_over_and_an_end_in_between_harms_nothing(qtbot, qapp, tmp_path):
    session = fresh(qapp)
    mark = SweepMark("abc", "concurrency", 1, 3)
    journal = Journal(tmp_path / "1")
    journal.write(begun(["a"], 1, mark))
    journal.close()
    dialog = LoadCurveDialog(session, tmp_path / "1", mark)
    qtbot.addWidget(dialog)
    dialog.look()  # while the first look goes on
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=LONG)
    assert dialog.points == []
    assert dialog.note.text().startswith("0 of 3 loads are measured.")
    dialog.look()
    dialog.reject()
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=LONG)


# -- drawing it -------------------------------------------------------------------------------------------
def points() -> list[LoadPoint]:
    found = []
    for place, name, speed in ((0, "one by one", 1.0), (1, "continuous", 3.0)):
        for load in (1, 2, 4, 8):
            rate = speed * 20 * load**0.6
            wait = 40 * load / speed
            figures = {
                "aggregate_tok_s": IntervalEstimate(rate, 0.95 * rate, 1.06 * rate),
                "ttft_ms_p50": IntervalEstimate(wait, 0.9 * wait, 1.12 * wait),
            }
            if load == 8:
                figures["ttft_ms_p95"] = IntervalEstimate(2 * wait)
            found.append(LoadPoint(name, load, figures, place))
    return found


@pytest.fixture
def plot(qtbot, qapp):
    fresh(qapp)
    made = LoadPlot()
    qtbot.addWidget(made)
    made.resize(720, 420)
    made.show_points(points(), "aggregate_tok_s", "ttft_ms_p50", "Concurrency")
    made.show()
    return made


def test_each_variant_has_a_curve_whose_marks_say_the_load(plot):
    plot.grab()
    assert sorted(plot.layer.labels) == sorted(["1", "2", "4", "8"] * 2)
    for i, one in enumerate(plot.layer.places):
        assert plot.layer.area.contains(one)
        assert not any(one.intersects(other) for other in plot.layer.places[i + 1 :])
    assert plot.chart_keys() == [(0, "one by one"), (1, "continuous")]
    x, y = plot.at(plot.curves["continuous"][2])
    said = plot.read(x, y)
    assert said.startswith("B continuous, Concurrency 4, ")
    assert "[" in said


def test_its_table_has_every_figure_also_those_that_are_not_drawn(plot):
    data = plot.chart_data()
    assert len(data) == 8
    assert data.names[:3] == ("variant", "Concurrency", title("aggregate_tok_s"))
    column = data.names.index(title("ttft_ms_p95"))
    assert [data.cell(row, column) for row in (0, 3)] == ["", "640"]
    assert data.text().count("\n") == 9


def test_figures_that_no_point_has_draw_nothing(plot):
    plot.show_points(points(), "request_rate", "ttft_ms_p50", "Concurrency")
    assert plot.curves == {}
    assert plot.read(1, 1) == ""
    plot.grab()
    assert plot.layer.labels == []
    plot.show_points([], "aggregate_tok_s", "ttft_ms_p50", "Concurrency")
    plot.grab()
    assert len(plot.chart_data()) == 0


def test_a_wide_interval_leaves_the_marks_apart(plot):
    wide = [
        LoadPoint("a", n, {"aggregate_tok_s": IntervalEstimate(10 * n, 1, 10_000), "ttft_ms_p50": IntervalEstimate(5)})
        for n in (1, 2)
    ]
    plot.show_points(wide, "aggregate_tok_s", "ttft_ms_p50", "Concurrency")
    (_, right), _ = plot.getViewBox().viewRange()
    assert 20 < right < 40


def test_every_figure_of_a_choice_has_a_title():
    assert len({title(name) for name in (*THROUGHPUTS, *LATENCIES)}) == 8
