"""The environment in a window: what stands in the way, the machine in full, and what it can do, measured again."""

import pytest
from PySide6.QtGui import QGuiApplication

from app.inspector.environment_dialog import EnvironmentDialog
from app.settings.settings_dialog import SettingsDialog
from core.machine.environment import Device
from core.machine.machine_roof import kept
from core.wording.environment_text import groups
from tests.app.conftest import experiment
from tests.app.streams import ENVIRONMENT


def test_what_could_not_be_read_is_not_there():
    shown = {name: value for _, rows in groups(ENVIRONMENT) for name, value in rows}
    assert all(shown.values())
    assert shown["RAM"] == "8.00 GiB"
    assert shown["GPU"] == "none that torch can use"
    assert "Governor" not in shown
    card = Device(name="H200", uuid="x", memory_bytes=139 * 2**30, capability="9.0", driver="570", power_limit_w=700)
    gpus = dict(dict(groups(ENVIRONMENT.model_copy(update={"devices": [card]})))["GPUs"])
    assert gpus["H200"] == "139 GiB · compute capability 9.0 · driver 570 · 700 W"


@pytest.mark.demo
def test_findings_and_a_measurement(still_window, qtbot):
    window, session = still_window, still_window.session
    qtbot.waitUntil(lambda: session.environment is not None and not session.asking)
    session.machine.know(ENVIRONMENT.model_copy(update={"governor": "powersave", "swap_used_bytes": 5 << 20}))
    session.open_experiment(experiment())
    dialog = EnvironmentDialog(session, window)
    dialog.open()
    qtbot.waitUntil(dialog.measure.isEnabled)
    job = session.jobs.begin("Answering a prompt", disturbs=True)
    assert not dialog.measure.isEnabled()
    assert dialog.state.text().startswith("Not now: Answering a prompt.")
    job.end()
    assert dialog.measure.isEnabled()
    said = dialog._findings.count()
    assert said >= 2
    assert "Not measured yet" in dialog.state.text() or kept(session.environment) is not None
    with qtbot.waitSignal(session.machine.measured):
        dialog.measure.click()
        assert not dialog.measure.isEnabled()
    assert ("Memory bandwidth", "9.0 GB/s") in dialog.figures.shown
    dialog.copy()
    assert "Governor: powersave" in QGuiApplication.clipboard().text()
    session.machine.notice.emit("error", "the engine ended before it answered")
    assert dialog.problem.text() == "The engine ended before it answered"
    dialog.reject()
    notice = window.centre.notice
    assert notice.action.text() == "Open settings"  # the way out, and the words to take along
    notice.copy.click()
    assert QGuiApplication.clipboard().text() == "The engine ended before it answered"
    notice.action.click()
    settings = window.findChild(SettingsDialog)
    assert settings.isVisible()
    settings.reject()


@pytest.mark.demo
def test_other_engines_wait_for_work_that_uses_the_present_ones(still_window, monkeypatch):
    session, commands = still_window.session, []
    monkeypatch.setattr(session, "set_engine_command", lambda command, anew=False: commands.append(command))
    job = session.jobs.begin("Writing the model", disturbs=True)
    still_window.doing.apply_settings()
    job.tell("half of it", 0.5)
    assert commands == []
    job.end()
    assert commands == [None]
