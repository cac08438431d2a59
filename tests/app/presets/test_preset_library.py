"""The library of presets: names, notes and tags that can be changed and brought back, what was verified since, and the
long work: verifying and writing a folder."""

import pytest
from PySide6.QtCore import QObject

from app.presets.materialize_task import Writing, WritingBar
from app.presets.preset_dialog import PresetDialog
from app.presets.preset_name import PresetNameDialog
from app.presets.preset_tasks import PresetWork
from app.session.comparison_cache import comparison_of
from app.session.session import Session
from core.presets import preset as presets
from core.presets import preset_library
from core.protocol import events
from core.results.results import Results
from tests.app.conftest import Answering, engine_command, light
from tests.app.streams import Stream


@pytest.fixture
def session(qapp):
    light(qapp)
    made = Session(Answering(engine_command()))
    made.results = Results("invented")
    for event in Stream(rounds=5, quality=True):
        made.results.fold(event)
    yield made
    made.close()


@pytest.fixture
def saved(session):
    for name in ("int8 weights", "int4 weights"):
        preset_library.save(presets.from_results(session.results, name, tags=["ci"] if name == "int8 weights" else []))
    return preset_library.library()


@pytest.fixture
def dialog(qtbot, session, saved):
    made = PresetDialog(session)
    qtbot.addWidget(made)
    made.show()
    return made


def names(dialog):
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def test_a_preset_is_renamed_deleted_and_brought_back(dialog):
    care = dialog.care
    assert names(dialog) == ["int4 weights", "int8 weights"]
    dialog.search.setText("nothing has these words")
    assert dialog.title.text() == "No preset has these words"
    dialog.search.setText("ci")
    assert names(dialog) == ["int8 weights"]
    care.edit_button.click()
    care.name.setText("for the server")
    care.note.setText("measured on a quiet evening")
    care.tags.setText("ci, server, ci")
    care._save()
    changed = preset_library.library()[0][1]
    assert (changed.name, changed.note, changed.tags) == (
        "for the server", "measured on a quiet evening", ["ci", "server"],
    )  # fmt: skip
    assert changed.row is not None
    assert names(dialog) == ["for the server"]
    care.undo.click()
    assert names(dialog) == ["int8 weights"]
    care.edit_button.click()
    care.name.setText("  ")
    care._save()
    assert care.said.text() == "A preset needs a name"
    care.delete_button.click()
    assert [p.name for _, p in preset_library.library()] == ["int4 weights"]
    care.undo.click()
    assert [p.name for _, p in preset_library.library()] == ["int4 weights", "int8 weights"]
    assert care.undo.isHidden()


def test_a_script_says_what_is_not_in_it(dialog, tmp_path):
    dialog.care.export_to(tmp_path / "recipe.py")
    assert "transformers" in (tmp_path / "recipe.py").read_text("utf-8")
    assert "recipe.py" in dialog.care.said.text()
    dialog.care.export_to(tmp_path / "nowhere" / "recipe.py")
    assert "cannot be written" in dialog.care.said.text()
    assert dialog.care.said.property("role") == "err"


def test_a_verification_is_judged_and_kept(session, saved, qtbot, dialog):
    path, preset = saved[1]
    owner = QObject()
    work = PresetWork(session, owner)
    work._verifying = (path, preset)
    with qtbot.waitSignal(session.notice) as said:
        session.run_finished.emit()
    assert said.args[0] == "info"
    assert said.args[1].startswith("int8 weights: confirmed: ")
    kept = presets.load(path).history
    assert len(kept) == 1
    assert kept[0].confirmed
    assert kept[0].ratio_now == pytest.approx(comparison_of(session.results).variants[1].speed_ratio)
    dialog._reload()
    dialog.search.setText("int8")
    assert dialog.history.shown[0][0] == "check"
    assert not dialog._history_title.isHidden()
    work._verifying = (path, preset)
    session.results.finished = session.results.finished.model_copy(update={"status": "cancelled"})
    with qtbot.waitSignal(session.notice) as said:
        session.run_finished.emit()
    assert len(presets.load(path).history) == 1  # a run that was cut short says nothing
    owner.deleteLater()


class Work:
    """A materialization without an engine."""

    def __init__(self, out, *told):
        self.out, self.told, self.cancelled = out, told, False

    def cancel(self):
        self.cancelled = True

    def __iter__(self):
        yield from self.told


def test_writing_a_folder_shows_how_far_it_is_and_how_it_ends(qtbot, tmp_path):
    writing = Writing()
    bar = WritingBar(writing)
    qtbot.addWidget(bar)
    assert not bar.isVisible()
    seen = []
    writing.changed.connect(lambda: seen.append((bar.text.text(), bar.meter.value())))
    steps = (
        events.Phase(phase="load"),
        events.Progress(done=3, total=4),
        events.Done(command="materialize"),
    )
    with qtbot.waitSignal(writing.written) as written:
        writing.start(Work(tmp_path / "small", *steps))
        assert bar.isVisible()
    assert written.args == [tmp_path / "small"]
    assert ("Writing small: load", 750) in seen
    assert not bar.isVisible()
    with qtbot.waitSignal(writing.broken) as broken:
        writing.start(Work(tmp_path / "x", events.Failed(kind="died", message="the engine stopped")))
    assert broken.args == ["the engine stopped"]


def test_a_name_is_asked_for_and_says_what_becomes_of_others(qtbot, session, saved):
    preset = presets.from_results(session.results, "int8 weights")
    dialog = PresetNameDialog(preset)
    qtbot.addWidget(dialog)
    chosen = []
    dialog.chosen.connect(chosen.append)
    assert dialog.name.text() == "int8 weights"
    assert dialog.note.text() == "It becomes version 2; the older ones stay."
    dialog.name.setText("  ")
    assert not dialog.save.isEnabled()
    dialog.name.setText("mine")
    assert dialog.note.text() == "A new name in the library."
    other = {"model": preset.model.model_copy(update={"source": "/models/tiny"}), "fingerprint": "0" * 64}
    of_another = PresetNameDialog(preset.model_copy(update=other))
    qtbot.addWidget(of_another)
    assert of_another.name.text() == "int8 weights, tiny"
    of_another.name.setText("int8 weights")
    assert of_another.note.text() == 'Another model has presets of this name: it becomes "int8 weights, tiny".'
    dialog.accept()
    assert [p.name for p in chosen] == ["mine"]
