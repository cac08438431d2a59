"""The top bar where there is little room: what tells least goes first, and nothing is cut that could have been said."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from app.base.theme import theme
from app.shell.top_bar import LEAST_MODEL, TopBar
from core.machine.environment import Device
from core.spec.experiment import QualitySettings
from tests.app.conftest import experiment, light
from tests.app.streams import ENVIRONMENT

CARD = Device(name="NVIDIA GeForce RTX 4090", uuid="GPU-0", memory_bytes=24 * 2**30)
GPU = ENVIRONMENT.model_copy(update={"devices": [CARD]})


@pytest.fixture
def bar(qapp, session):
    light(qapp)
    bar = TopBar(session)
    bar.show()
    yield bar
    bar.close()
    bar.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("width", [1440, 1280, 1120])
@pytest.mark.parametrize("judged", [False, True])
@pytest.mark.parametrize("running", [False, True])
def test_only_the_name_of_the_model_is_cut(bar, qapp, session, monkeypatch, width, judged, running):
    session.open_experiment(experiment())
    if judged:
        session.set_quality(QualitySettings())
    if running:
        monkeypatch.setattr(session, "running", True)
        session.run_started.emit()
    bar.resize(width, bar.height())
    qapp.processEvents()
    for field in bar.fields:
        whole = field.sizeHint().width()
        assert field.width() >= (min(whole, LEAST_MODEL[1]) if field is bar.model else whole), field.value()
    assert bar.controls.geometry().right() <= bar.width()
    assert bar.protocol.value().startswith("4 ")


def test_a_gpu_is_called_by_less_of_its_name(bar, qapp, session, monkeypatch):
    monkeypatch.setattr(session.machine, "environment", GPU)
    session.open_experiment(experiment())
    session.environment_changed.emit()
    bar.resize(1600, bar.height())
    assert bar.device.value() == "NVIDIA GeForce RTX 4090 · 24.0 GiB"
    monkeypatch.setattr(session, "running", True)
    session.run_started.emit()
    bar.resize(1120, bar.height())
    assert bar.device.value() in ("RTX 4090 · 24.0 GiB", "RTX 4090")
    bar.device.grab()
    assert bar.device.toolTip() == "NVIDIA GeForce RTX 4090 · 24.0 GiB"


def test_keys_are_shown_again_where_there_is_room(bar, session, monkeypatch):
    session.open_experiment(experiment())
    monkeypatch.setattr(session, "running", True)
    session.run_started.emit()
    bar.resize(1120, bar.height())
    assert not bar.controls.cancel.hint
    bar.resize(1440, bar.height())
    assert bar.controls.cancel.hint == "Ctrl+."
    assert theme.name == "light"


def test_what_will_spoil_a_run_stands_below_its_field(bar, session):
    """A run would say it after its rounds."""
    session.open_experiment(experiment())
    session.set_quality(QualitySettings(tokens=256))
    assert "4 chunks of text are too few for an interval" in bar.quality.noted("tokens")
    assert bar.quality.noted("window") == ""
    session.set_quality(QualitySettings())
    assert bar.quality.noted("tokens") == ""
    work = session.experiment.workload
    session.edit(session.experiment.model_copy(update={"workload": work.model_copy(update={"new_tokens": 1})}))
    assert "no decode rate" in bar.form("workload").noted("new_tokens")
