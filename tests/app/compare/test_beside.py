"""Experiments beside each other: marked, held against each other for likeness, and never paired."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMenu

from app.base.vertical_scroll import Scrolling
from app.compare.compare_table import SPEED
from app.compare.compare_view import CompareView
from app.compare.other_run_actions import OtherRunActions, OtherRunDrop
from app.compare.variants_table import LEAST_ROWS
from app.settings.settings import Settings
from app.widgets.table_style import ROW_HEIGHT
from core.analysis.compare import compare
from core.protocol import events
from core.results.journal import JOURNAL
from core.results.results import Results
from tests.app.streams import THREE, Stream, fresh


def fold(stream, run_id="other", **changes) -> Results:
    """Results of a stream; `changes` of the environment."""
    results = Results(run_id)
    for event in stream:
        if isinstance(event, events.Env) and changes:
            event = event.model_copy(update={"environment": event.environment.model_copy(update=changes)})
        results.fold(event)
    return results


@pytest.fixture
def session(qapp):
    return fresh(qapp)


@pytest.fixture
def view(qtbot, session):
    view = CompareView(session)
    qtbot.addWidget(view, before_close_func=lambda v: v.beside.opening.close())
    view.resize(900, 800)
    view.show()
    session.feed(Stream())
    session.tick.emit()
    return view


def beside(view, tmp_path, other: Results) -> None:
    view.beside.others.append((tmp_path, other))
    view.beside.changed.emit()


def lines(view) -> list[tuple[str, str]]:
    return [(e.run, e.row.variant) for e in view.model.shown]


NAMES = ["bf16 baseline", "int8 weights", "int4 weights"]


def test_rows_of_both_are_marked_and_each_run_has_its_own_baseline(view, tmp_path):
    slower = tuple(replace(made, rate=0.5 * made.rate) for made in THREE)
    beside(view, tmp_path, fold(Stream(variants=slower, seed=3)))
    assert lines(view) == [("run 1", n) for n in NAMES] + [("run 2", n) for n in NAMES]
    entry = view.model.shown[5]
    assert entry.contrast.reference == "bf16 baseline"
    assert entry.base is view.model.shown[3].row
    own = compare(view.beside.others[0][1]).variants[2]
    assert (entry.contrast.ratio, entry.contrast.rounds) == (own.speed_ratio, own.rounds_paired)
    assert [e.index for e in view.model.shown[3:]] == [0, 1, 2]
    assert "alike" in view.others.lines[1]
    assert "runs share no round" in view.method.text()
    view.bar.filter.setText("run 2")
    assert len(lines(view)) == 3


def test_another_machine_is_shown_and_in_no_forest(view, tmp_path, session):
    beside(view, tmp_path, fold(Stream(seed=3), cpu="Another CPU"))
    for entry in view.model.shown[3:]:
        assert entry.contrast is None
        assert "Another CPU" in entry.unlike
    assert "not comparable" in view.others.lines[1]
    assert "Another CPU" in view.others.lines[1]
    assert view.model.index(5, SPEED).data(Qt.ItemDataRole.ToolTipRole) == view.model.shown[5].unlike
    assert view.model.index(5, SPEED + 2).data() != "—"  # its figures are there
    assert view.model.delta(view.model.shown[5], SPEED + 2) == ""


def test_other_work_is_unlike_too(view, tmp_path):
    beside(view, tmp_path, fold(Stream(tokens=32)))
    assert "workload.new_tokens: 64 → 32" in view.model.shown[3].unlike


def test_two_rows_of_different_runs_get_no_ratio(view, tmp_path):
    beside(view, tmp_path, fold(Stream(seed=3)))
    choose, flags = view.table.selectionModel(), QItemSelectionModel.SelectionFlag
    choose.setCurrentIndex(view.model.index(2, 0), flags.ClearAndSelect | flags.Rows)
    choose.setCurrentIndex(view.model.index(5, 0), flags.Select | flags.Rows)
    assert "×" not in view.pair.said.text()
    assert "(run 1)" in view.pair.said.text()
    assert "(run 2)" in view.pair.said.text()
    assert "share no round" in view.pair.how.text()
    choose.setCurrentIndex(view.model.index(4, 0), flags.ClearAndSelect | flags.Rows)
    choose.setCurrentIndex(view.model.index(5, 0), flags.Select | flags.Rows)
    assert "int4 weights is " in view.pair.said.text()  # of one run: paired


def test_a_reference_that_the_other_run_has_not_keeps_it_out(view, tmp_path):
    beside(view, tmp_path, fold(Stream(variants=THREE[:2], seed=3)))
    view.looking.set_reference("int4 weights")
    assert view.model.shown[3].unlike == "run 2 has no int4 weights"
    view.looking.set_reference("")
    assert view.model.shown[3].contrast.verdict == "baseline"


def test_trials_of_both_are_listed_and_either_can_be_left_out(view, tmp_path):
    other = fold(Stream(seed=3, rounds=4))
    beside(view, tmp_path, other)
    view.bar.trials.setChecked(True)
    assert view.trials_model.rowCount() == 24 + 12
    view.looking.leave_out(other, ("int8 weights", 0))
    assert view.model.shown[4].row.trials == 3
    assert view.model.shown[1].row.trials == 8
    assert "run 2 · int8 weights, round 1" in view.left_out.text.text()


def test_it_can_be_removed_and_then_there_is_no_mark(view, tmp_path, session):
    beside(view, tmp_path, fold(Stream(seed=3)))
    view.beside.remove(view.beside.others[0][1])
    assert lines(view) == [("", n) for n in NAMES]
    assert view.others.lines == []


def test_in_a_low_window_the_table_gives_way_to_the_charts_and_then_all_of_it_scrolls(view, tmp_path, qapp):
    beside(view, tmp_path, fold(Stream(seed=3)))
    view.resize(850, 960)
    qapp.processEvents()
    page = view.findChild(Scrolling).verticalScrollBar()
    whole = view.table.height()
    assert view.table.verticalScrollBar().maximum() == page.maximum() == 0
    view.resize(850, 660)
    qapp.processEvents()
    assert view.table.height() < whole
    assert page.maximum() == 0
    view.resize(850, 480)
    qapp.processEvents()
    assert view.minimumSizeHint().height() <= 480
    assert page.maximum() > 0
    assert view.table.height() > LEAST_ROWS * ROW_HEIGHT
    lowest = view.charts.mapTo(page.parentWidget().parentWidget(), QPoint(0, view.charts.height())).y()
    page.setValue(page.maximum())
    assert view.charts.mapTo(page.parentWidget().parentWidget(), QPoint(0, view.charts.height())).y() < lowest


def test_recent_results_can_be_chosen_and_need_something_to_be_compared_with(view, tmp_path, session, qtbot):
    settings = Settings()
    settings.add_recent(tmp_path)
    session.results_folder = session.runs_folder = None
    doing, menu = OtherRunActions(session, settings, view.beside, view), QMenu(view)
    menu.aboutToShow.connect(doing.recent.fill_menu)
    menu.aboutToShow.emit()
    assert [a.text() for a in menu.actions()] == [tmp_path.name]
    session.results = None
    with qtbot.waitSignal(session.notice) as said:
        menu.actions()[0].trigger()
    assert "nothing yet to compare" in said.args[1]


def journal(folder, stream):
    folder.mkdir()
    (folder / JOURNAL).write_text("".join(e.line() + "\n" for e in stream), "utf-8")
    return folder


def test_a_folder_is_opened_beside_once(view, tmp_path, qtbot):
    folder = journal(tmp_path / "second", Stream(rounds=4, seed=3))
    with qtbot.waitSignal(view.beside.changed):
        view.beside.add(folder)
    assert [e.run for e in view.model.shown].count("run 2") == 3
    with qtbot.waitSignal(view.beside.refused) as said:
        view.beside.add(folder)
    assert "second" in said.args[0]


def test_a_folder_of_results_that_is_dropped_on_the_comparison_comes_beside(view, tmp_path, session, qtbot):
    drop = OtherRunDrop(session, view)
    folder = journal(tmp_path / "second", Stream(rounds=1))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, buttons, keys)
    drop.eventFilter(view, enter)
    assert drop.words == "Compare with these results"
    dropped = QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys)
    with qtbot.waitSignal(drop.beside) as said:
        drop.eventFilter(view, dropped)
    assert said.args[0] == folder
    session.results = None
    with qtbot.waitSignal(drop.other):
        drop.eventFilter(view, dropped)
