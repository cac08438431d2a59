"""Pausing a run, and going on with one that is over, from the window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.compare.compare_view import CompareView
from app.inspector.inspector import Inspector
from app.live.live_view import LiveView
from app.palette.disabled_reasons import why_not
from app.palette.palette_commands import plain
from app.run.run_actions import MoreRoundsDialog, RunActions
from app.run.run_controls import RunControls
from app.session.comparison_cache import remember
from app.widgets.more_rounds_button import missing_rounds
from core.analysis.compare import compare
from core.analysis.contrast import of_row
from core.protocol import events
from core.results.journal import Journal, open_results
from core.results.ratio_statistics import MIN_ROUNDS
from core.results.results import Results
from tests.app.conftest import experiment
from tests.app.streams import THREE, Stream, fresh

pytestmark = pytest.mark.demo
LONG = 60_000


def journal(stream, folder):
    """The stream as a folder of results."""
    written = Journal(folder)
    for event in stream:
        written.write(event)
    written.close()
    return folder


def trial_done(event) -> bool:
    return isinstance(event, events.TrialDone)


@pytest.fixture
def make_runs(qtbot):
    """The actions of a session over a window that has nothing else."""

    def make(session):
        window = QWidget()
        qtbot.addWidget(window)
        return RunActions(session, window, QMenu(window))

    return make


def test_a_paused_run_waits_with_its_engines_and_a_cancelled_one_goes_on(qtbot, make_session, make_runs):
    session = make_session("normal", "--pace", "4")
    controls, live, runs = RunControls(session), LiveView(session), make_runs(session)
    for part in (controls, live):
        qtbot.addWidget(part)
        part.show()
    session.open_experiment(experiment("a", "b", trials=10))
    with qtbot.waitSignal(session.event_received, timeout=LONG, check_params_cb=trial_done):
        session.run()
    assert controls.pause.text() == "Pause"
    with qtbot.waitSignal(session.event_received, timeout=LONG, check_params_cb=lambda e: isinstance(e, events.Paused)):
        qtbot.mouseClick(controls.pause, Qt.MouseButton.LeftButton)
        assert controls.pause.text() == "Pausing…"
    assert controls.pause.text() == "Resume"
    assert runs.pause.text() == "Resume"
    assert len(session.pool.processes()) == 2
    qtbot.waitUntil(lambda: live.title.text().startswith("Paused after round "), timeout=LONG)
    with qtbot.waitSignal(session.event_received, timeout=LONG, check_params_cb=trial_done):
        qtbot.mouseClick(controls.pause, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.cancel()
    kept, first = session.results.rounds_done, session.results_folder
    curves = len(live.plots.data.tracks["a"].ttft)
    assert 1 <= kept < 10
    assert controls.pause.text() == "Continue run"
    assert runs.go_on.isEnabled()
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        qtbot.mouseClick(controls.pause, Qt.MouseButton.LeftButton)
    assert session.results_folder == first
    assert session.results.rounds_done == 10
    assert session.results.finished.status == "ok"
    assert not controls.pause.isVisible()
    assert session.is_measured("b")
    assert len(live.plots.data.tracks["a"].ttft) == curves + 10 - kept  # the curves go on where they were
    assert compare(open_results(first)) == compare(session.results)


def test_more_rounds_are_asked_for_and_a_refusal_leaves_the_results(qtbot, session, make_runs):
    runs, said = make_runs(session), []
    session.notice.connect(lambda level, text: said.append(text))
    assert not runs.more.isEnabled()
    session.open_experiment(experiment("a", "b", trials=1))
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.run()
    runs.more.trigger()
    dialog = runs.parent().findChild(MoreRoundsDialog)
    dialog.rounds.setValue(2)
    assert "of measuring" in dialog.time.text()
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        dialog.accept()
    assert session.results.rounds_done == 3
    session.select("b")
    assert runs.again.isEnabled()
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        runs.again.trigger()
    assert [len(s.trials) for s in session.results.variants.values()] == [3 + MIN_ROUNDS] * 2
    session.results.environment = session.results.environment.model_copy(update={"cpu": "another"})
    with qtbot.waitSignals([session.notice, session.run_finished], timeout=LONG):
        session.run_more(1)
    assert "another → Fake CPU" in said[0]
    assert session.results.finished.status == "ok"
    assert session.results.environment.cpu == "Fake CPU"  # what is there, read anew


def test_what_would_settle_a_verdict_is_proposed(qtbot, session):
    """With noise between the rounds, one of two equals is undecided."""
    results = Results("x")
    for event in Stream(THREE[:2], rounds=4, noise=0.2):
        results.fold(event)
    comparison = compare(results)
    row = comparison.variants[1].model_copy(update={"verdict": "undecided", "rounds_to_settle": 21})
    comparison = comparison.model_copy(update={"variants": [comparison.variants[0], row]})
    missing = missing_rounds([of_row(r, comparison.baseline.variant) for r in comparison.variants])
    assert missing == {"int8 weights": 17}
    dialog = MoreRoundsDialog(comparison.rounds, missing, 2.0, None)
    qtbot.addWidget(dialog)
    assert dialog.rounds.value() == 17
    assert dialog.time.text().startswith("About 34")


@pytest.fixture
def undecided(qapp):
    """A session with results of 5 rounds in which one of two variants is undecided, by speed."""
    session = fresh(qapp)
    session.feed(Stream(THREE[:2], rounds=5))
    comparison = compare(session.results)
    row = comparison.variants[1].model_copy(update={"verdict": "undecided", "rounds_to_settle": 17})
    remember(session.results, comparison.model_copy(update={"variants": [comparison.variants[0], row]}))
    return session


@pytest.mark.parametrize("kind", [CompareView, Inspector])
def test_more_rounds_are_offered_where_a_verdict_is_open(qtbot, undecided, kind):
    view = kind(undecided)
    qtbot.addWidget(view)
    view.resize(860, 760)
    view.show()
    undecided.tick.emit()
    assert view.more.isVisible()
    assert view.more.text() == "Run 12 more rounds…"
    with qtbot.waitSignal(view.more.wanted) as asked:
        qtbot.mouseClick(view.more, Qt.MouseButton.LeftButton)
    assert asked.args == [{"int8 weights": 12}]
    undecided.running = True
    view.refresh()
    assert not view.more.isVisible()
    undecided.running = False
    undecided.feed(Stream(THREE, rounds=8, noise=0.001))  # all is settled
    view.refresh()
    assert not view.more.isVisible()


def test_the_buttons_of_the_window_open_the_dialog_with_what_is_missing(still_window):
    window = still_window
    folder = journal(Stream(THREE[:2], rounds=5), Path(window.settings.runs_folder) / "undecided")
    window.session.open_results(folder)
    for more in (window.centre.views["compare"].more, window.inspector.more):
        more.wanted.emit({"int8 weights": 12})
        dialog = next(d for d in window.findChildren(MoreRoundsDialog) if d.isVisible())
        assert dialog.rounds.value() == 12
        dialog.reject()


def test_the_menu_and_the_buttons_call_an_action_alike_and_enable_it_together(qtbot, make_session, make_window):
    session = make_session("normal", "--pace", "4", "--load-s", "0.3")
    window = make_window(session)
    controls, menus, runs = window.top_bar.controls, window.menus, window.doing.runs
    session.open_experiment(experiment("a", "b", trials=3))

    def alike():
        assert plain(menus.stop.text()) == controls.primary.text()
        assert menus.stop.isEnabled() == controls.primary.isEnabled()
        assert runs.pause.text() == controls.pause.text()
        assert runs.pause.isEnabled() == controls.pause.isEnabled()

    with qtbot.waitSignal(session.run_started, timeout=LONG):
        session.run()
    alike()
    assert not menus.stop.isEnabled()
    assert why_not(session, "stop_after_round") == "no round has begun yet"
    assert "No round has begun yet" in controls.primary.toolTip()
    qtbot.waitUntil(lambda: session.measuring and controls.primary.isEnabled(), timeout=LONG)
    alike()
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.cancel()
