"""Ways to a model and a preset: the hub's cache, what was opened last, a file that is dropped on the variants."""

import json

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from app.editor.variants_dock import VariantsDock
from app.editor.variants_list import ROW
from app.files.file_actions import FileActions
from app.files.hub_cache_dialog import NAME, RUNS, HubDialog
from app.files.recent_models import RecentModels
from app.settings.settings import Settings
from app.shell.top_bar import TopBar
from app.text.model_names import named
from core.model.source import ModelSource
from core.presets import preset
from tests.app.conftest import experiment
from tests.app.streams import THREE, Stream
from tests.core.model.test_hub_cache import COMMIT, LLAMA, ref, safetensors, snapshot

pytestmark = pytest.mark.demo


@pytest.fixture
def hub(qtbot, qapp, tmp_path):
    """A dialog over a cache of two models, one of which is an encoder."""
    snapshot(tmp_path, "models--org--good", COMMIT, LLAMA, {"model.safetensors": safetensors()})
    ref(tmp_path, "models--org--good", "main", COMMIT)
    snapshot(tmp_path, "models--a--bert", COMMIT, {"architectures": ["BertModel"], "model_type": "bert"})
    dialog = HubDialog(root=tmp_path)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.thread_.finished, timeout=20_000):
        pass
    qtbot.waitUntil(lambda: dialog.table.rowCount() == 2)
    yield dialog
    dialog.close()


def test_the_cache_is_a_list_with_reasons(hub, qtbot):
    told = {hub.table.item(r, NAME).text(): hub.table.item(r, RUNS).text() for r in range(2)}
    assert told["org/good"] == "yes"
    assert "bert" in told["a/bert"].casefold()
    assert hub.present().id == "org/good"  # the first that runs
    hub.search.setText("bert")
    assert not hub.open_button.isEnabled()
    hub.search.setText("llama org")
    with qtbot.waitSignal(hub.chosen) as chosen:
        hub.accept()
    assert chosen.args[0] == ModelSource(source="org/good")


def test_an_empty_cache_says_where_it_looked(qtbot, tmp_path):
    dialog = HubDialog(root=tmp_path / "none")
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: not dialog.nothing.isHidden(), timeout=20_000)
    assert str(tmp_path) in dialog.note.text()
    dialog.close()


def test_what_was_opened_last_is_offered_again(qtbot, session, tmp_path):
    settings, bar = Settings(), TopBar(session)
    qtbot.addWidget(bar)
    files = FileActions(session, settings, bar)
    files.open_demo()
    settings.add_recent_model(ModelSource(source="org/name", revision=COMMIT))
    settings.add_recent_model(ModelSource(source="/models/a-folder"))
    settings.add_recent_model(ModelSource(source="demo"))
    assert [named(s) for s in settings.recent_models()] == ["Demo model", "a-folder", "org/name · aaaaaaaa"]
    settings._store.setValue("recent_models", json.dumps(["{", 3, ModelSource(source="x").model_dump_json()]))
    assert [s.source for s in settings.recent_models()] == ["x"]


def test_recent_models_are_in_the_menu_and_the_panel(qtbot, session, tmp_path):
    from PySide6.QtWidgets import QMenu, QPushButton

    from app.files.recent_models import RecentModelButtons
    from app.widgets.dropdown_field import Panel

    settings, opened = Settings(), []
    settings.add_recent_model(ModelSource(source="org/name"))
    owner, menu = TopBar(session), QMenu()
    qtbot.addWidget(owner)
    recent = RecentModels(settings, opened.append, owner)
    menu.aboutToShow.connect(recent.fill_menu)
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()
    buttons = RecentModelButtons(recent, Panel(300, owner))
    qtbot.addWidget(buttons)
    buttons.findChildren(QPushButton)[0].click()
    assert [s.source for s in opened] == ["org/name", "org/name"]


def drop(widget, path, y):
    """Drag a file over a widget and let it go."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    told = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, y), *told)
    widget.dragEnterEvent(enter)
    event = QDropEvent(QPointF(9, y), *told)
    if enter.isAccepted():
        widget.dropEvent(event)
    return enter.isAccepted()


def test_a_preset_dropped_on_the_list_becomes_a_variant_there(qtbot, session, tmp_path):
    from core.results.results import Results

    results = Results("x")
    for event in Stream(THREE[:2], rounds=4):
        results.fold(event)
    path = tmp_path / "int8.dyno-preset"
    preset.write(preset.from_results(results, "int8 weights"), path)
    session.open_experiment(experiment())
    dock = VariantsDock(session)
    qtbot.addWidget(dock)
    with qtbot.waitSignal(session.experiment_changed):
        assert drop(dock.list, path, ROW)
    assert [v.name for v in session.experiment.variants] == ["baseline", "int8 weights", "int8", "int4"]
    assert session.selected == "int8 weights"
    session.undo()
    (tmp_path / "bad.json").write_text("{")
    with qtbot.waitSignal(session.notice) as said:
        assert drop(dock.list, tmp_path / "bad.json", ROW)
    assert "bad.json" in said.args[1]
    assert not drop(dock.list, tmp_path, ROW)
