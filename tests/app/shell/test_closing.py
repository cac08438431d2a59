"""The system tells the program to end: nothing is asked, and nothing is lost."""

import os
import signal

import pytest

from app.settings.settings import Settings
from app.shell.os_signals import OsSignals
from core.results.journal import open_results
from tests.app.conftest import experiment

pytestmark = pytest.mark.demo
LONG = 60_000


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_signals_reach_the_window_and_mean_afterwards_what_they_did(qtbot, name):
    number = getattr(signal, name, None)
    if number is None or os.name != "posix":
        pytest.skip("this system has no such signal")
    before = signal.getsignal(number)
    signals = OsSignals()
    with qtbot.waitSignal(signals.told_to_end):
        os.kill(os.getpid(), number)
    with qtbot.assertNotEmitted(signals.told_to_end, wait=50):
        os.kill(os.getpid(), signal.SIGCHLD)
    signals.close()
    assert signal.getsignal(number) is before


def test_a_run_is_stopped_and_the_draft_is_kept(qtbot, make_session, make_window):
    session = make_session("normal", "--pace", "20")
    window = make_window(session)
    session.open_experiment(experiment("a", "b", trials=50))
    with qtbot.waitSignal(session.event_received, timeout=LONG, check_params_cb=lambda e: e.event == "trial_done"):
        session.run()
    window.closing.at_once()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=LONG)
    assert session.pool.processes() == []
    assert open_results(session.results_folder).finished.status == "cancelled"
    assert Settings().experiment() == session.experiment


def test_a_folder_that_cannot_be_written_is_said_when_the_window_opens(qtbot, make_session, make_window, monkeypatch):
    monkeypatch.setenv("DYNO_DATA", "/dev/null/data")
    session = make_session()
    with qtbot.waitSignal(session.notice, check_params_cb=lambda level, text: "/dev/null/data" in text) as caught:
        window = make_window(session)
    assert caught.args[0] == "warning"
    assert "Not a directory" in caught.args[1]
    assert window.isVisible()
