"""Quality in the window over an engine: the switch, a check, and a cancellation."""

import pytest

from app.quality.quality_table import GATE
from core.analysis.compare import compare
from core.spec.experiment import QualitySettings
from tests.app.conftest import experiment

LONG = 60_000


@pytest.mark.demo
def test_the_switch_of_the_protocol(qtbot, window):
    window.session.open_experiment(experiment())
    bar = window.top_bar
    assert not bar.quality.isEnabled()
    bar.judge.click()
    assert window.session.experiment.quality == QualitySettings()
    assert bar.protocol.value().endswith(" · quality")
    bar.quality.editors["tokens"].widget.setValue(1024)
    assert window.session.experiment.quality.tokens == 1024
    bar.judge.click()
    assert window.session.experiment.quality is None
    bar.judge.click()
    assert window.session.experiment.quality.tokens == 1024
    window.session.undo()
    assert window.session.experiment.quality is None
    assert not bar.judge.isChecked()


@pytest.mark.demo
def test_check_quality_runs_with_it(qtbot, window):
    window.session.open_experiment(experiment())
    window.centre.show_view("quality", by_user=True)
    view = window.centre.views["quality"]
    with qtbot.waitSignal(window.session.run_finished, timeout=LONG):
        view.ghost.check.click()
    view.refresh()
    assert view.model.index(1, GATE).data() == "within limits"
    assert window.session.results.finished.status == "ok"


@pytest.mark.demo
def test_check_quality_judges_what_was_measured(qtbot, window):
    session = window.session
    session.open_experiment(experiment(trials=2))
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.run()
    folder = session.results_folder
    window.centre.show_view("quality", by_user=True)
    view = window.centre.views["quality"]
    assert "none is measured again" in view.ghost.why.text()
    with qtbot.waitSignal(session.run_started, timeout=LONG):
        view.ghost.check.click()
    assert session.judging  # from its beginning: no round comes that it could wait after
    assert not session.can_pause
    qtbot.waitUntil(lambda: not session.running, timeout=LONG)
    view.refresh()
    assert view.model.index(1, GATE).data() == "within limits"
    assert session.results_folder == folder
    assert {len(state.trials) for state in session.results.variants.values()} == {2}


@pytest.mark.demo
def test_cancel_while_it_is_judged_keeps_speed(qtbot, make_session, make_window):
    session = make_session("normal", "--pace", "20")
    window = make_window(session)
    session.open_experiment(experiment(trials=2, new_tokens=4))
    session.set_quality(QualitySettings())
    session.run()
    qtbot.waitUntil(lambda: session.judging, timeout=LONG)
    controls = window.top_bar.controls
    assert controls.primary.isHidden()
    with qtbot.waitSignal(session.run_finished, timeout=5000):
        controls.cancel.click()
    assert not controls.primary.isHidden()
    rows = compare(session.results).variants
    assert [len(v.trials) for v in session.results.variants.values()] == [2, 2, 2]
    assert rows[2].quality_status == "cancelled"
    assert rows[2].speed_ratio is not None


@pytest.mark.demo
def test_more_rounds_of_what_was_judged_can_be_paused_and_stopped(qtbot, make_session, make_window):
    session = make_session("normal", "--pace", "20")
    window = make_window(session)
    session.open_experiment(experiment(trials=2, new_tokens=4))
    session.set_quality(QualitySettings())
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.run()
    assert any(state.quality for state in session.results.variants.values())
    session.run_more(8)
    qtbot.waitUntil(lambda: session.measuring, timeout=LONG)
    assert not session.judging
    controls = window.top_bar.controls
    assert not controls.primary.isHidden()
    controls.pause.click()
    qtbot.waitUntil(lambda: session.results.paused, timeout=LONG)
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.stop_after_round()
    assert session.results.finished.status == "stopped"
