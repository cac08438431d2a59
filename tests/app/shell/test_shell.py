"""The window from the first start to a comparison, a preset and the next start."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from app.base.theme import theme
from app.editor.variants_list import NAME, ROW, STATE, box_of
from app.presets.preset_dialog import PresetDialog
from app.presets.preset_name import PresetNameDialog
from app.settings.settings import Settings
from app.settings.settings_dialog import SettingsDialog
from app.shell.main_window import DEFAULT_SIZE, NARROW
from app.shell.view_registry import KEYS
from core.machine.environment import Device, capacity_bytes
from core.presets import preset, preset_library
from core.spec import experiment as spec
from core.spec.experiment import parse
from tests.app.conftest import engine_command, experiment

ROOT = Path(__file__).parents[3]
LONG = 60_000


def measured(qtbot, window, chosen=None):
    window.session.open_experiment(chosen or experiment())
    with qtbot.waitSignal(window.session.run_finished, timeout=LONG):
        window.menus.run.trigger()


# -- first start ------------------------------------------------------------------------------------------
@pytest.mark.demo
@pytest.mark.parametrize(("screen", "fills"), [((1440, 900), True), ((1280, 800), True), ((1920, 1080), False)])
def test_a_small_screen_is_filled_at_the_first_start(still_window, monkeypatch, screen, fills):
    """1440 x 900 under a title bar would hide the status bar."""
    window = still_window
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(*DEFAULT_SIZE)
    monkeypatch.setattr(window, "screen", lambda: SimpleNamespace(availableSize=lambda: QSize(*screen)))
    window.fit()
    assert window.isMaximized() == fills
    window.setWindowState(Qt.WindowState.WindowNoState)


def test_first_start_opens_the_demo_with_one_key(qtbot, window):
    centre = window.centre
    assert centre._pages.currentIndex() == 0
    assert centre.first_start.demo.isDefault()
    assert not window.top_bar.controls.primary.isEnabled()
    assert window.top_bar.model.value() == "No model"
    qtbot.keyClick(centre.first_start.demo, Qt.Key.Key_Return)
    assert [v.name for v in window.session.experiment.variants] == ["baseline", "int8 weights", "int4 weights"]
    assert centre._pages.currentIndex() == 1
    assert window.top_bar.controls.primary.text().startswith("Run 3 variants")
    assert window.top_bar.controls.primary.isEnabled()
    assert window.variants.model.rowCount() == 3
    assert "of 16.0 GiB" in window.variants.memory.text.text()


@pytest.mark.demo
def test_a_run_opens_compare_by_itself(qtbot, window):
    measured(qtbot, window)
    assert window.centre.current == "compare"
    assert window.top_bar.controls.primary.text().startswith("Run again")
    assert window.settings.recent() == [str(window.session.results_folder)]


@pytest.mark.demo
def test_compare_leaves_a_user_alone_who_has_just_chosen_a_view(qtbot, window, monkeypatch):
    monkeypatch.setattr("app.shell.central_area.HANDS_OFF_S", LONG)  # however slow the machine is
    window.session.open_experiment(experiment())
    with qtbot.waitSignal(window.session.run_finished, timeout=LONG):
        with qtbot.waitSignal(window.session.run_started, timeout=LONG):
            window.menus.run.trigger()
        window.centre.show_view("log", by_user=True)
    assert window.centre.current == "log"
    assert not window.centre.tabs.tabIcon(1).isNull()
    window.centre.show_view("compare", by_user=True)
    assert window.centre.tabs.tabIcon(1).isNull()


def phase_of(event, phase):
    return event.event == "phase" and event.phase == phase


@pytest.mark.demo
@pytest.mark.parametrize("phase", ["load", "warmup", "trial"])
def test_a_run_is_cancelled_at_once_in_every_phase(qtbot, make_session, make_window, phase):
    arguments = ("slow",) if phase == "load" else ("normal", "--pace", "30")
    window = make_window(make_session(*arguments))
    session, controls = window.session, window.top_bar.controls
    session.open_experiment(experiment(trials=50))
    assert controls.cancel.isHidden()
    with qtbot.waitSignal(session.event_received, timeout=LONG, check_params_cb=lambda e: phase_of(e, phase)):
        qtbot.mouseClick(controls.primary, Qt.MouseButton.LeftButton)
    assert not window.variants.editor.isEnabled()
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        qtbot.mouseClick(controls.cancel, Qt.MouseButton.LeftButton)
        assert controls.primary.text() == "Cancelling…"
        assert not controls.primary.isEnabled()
        assert not controls.cancel.isEnabled()
        assert window.status._running_words() == "Cancelling"
    assert session.results.finished.status == "cancelled"
    assert controls.cancel.isHidden()
    assert controls.primary.text().startswith("Run again")
    assert window.variants.editor.isEnabled()


@pytest.mark.demo
def test_a_run_that_is_stopping_can_still_be_cancelled(qtbot, make_session, make_window):
    window = make_window(make_session("normal", "--pace", "30"))
    session, controls = window.session, window.top_bar.controls
    session.open_experiment(experiment(trials=50))
    with qtbot.waitSignal(session.event_received, timeout=LONG, check_params_cb=lambda e: phase_of(e, "trial")):
        window.menus.run.trigger()
    qtbot.waitUntil(lambda: controls._running.elapsed() > QApplication.doubleClickInterval())
    assert controls.primary.text().startswith("Stop after round")
    qtbot.mouseClick(controls.primary, Qt.MouseButton.LeftButton)
    assert controls.primary.text() == "Stopping…"
    assert not controls.primary.isEnabled()
    assert controls.cancel.isEnabled()
    assert not window.menus.stop.isEnabled()
    assert window.menus.cancel.isEnabled()
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        qtbot.mouseClick(controls.cancel, Qt.MouseButton.LeftButton)
    assert session.results.finished.status == "cancelled"


@pytest.mark.demo
def test_a_double_click_on_run_does_not_stop_it(qtbot, make_session, make_window):
    window = make_window(make_session("slow"))
    session, primary = window.session, window.top_bar.controls.primary
    session.open_experiment(experiment())
    with qtbot.waitSignal(session.run_started, timeout=LONG):
        primary.click()
        primary.click()
    primary.click()
    assert session.running
    assert not session.stopping
    assert not primary.hasFocus()  # Space is for the plots now
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.cancel()


def test_every_view_has_a_key(window):
    actions = {a.shortcut().toString(): a for a in window.findChildren(QAction)}
    for number, name in enumerate(KEYS, 1):
        actions[f"Ctrl+{number}"].trigger()
        assert window.centre.current == name


@pytest.mark.demo
def test_memory_is_predicted_against_the_device_where_there_is_one(qtbot, window):
    session, text = window.session, window.variants.memory.text
    session.open_demo()
    on_host = float(text.text().split()[0])
    environment = session.environment.model_copy(
        update={"devices": [Device(name="GPU", uuid="0", memory_bytes=80 << 30)], "container_memory_bytes": 4 << 30}
    )
    session.machine.know(environment)
    assert "of 80.0 GiB" in text.text()
    contexts = 3 * 0.5  # CUDA's own, instead of Python and torch, which stay on the host
    assert contexts < float(text.text().split()[0]) < on_host - 1 + contexts
    assert capacity_bytes(environment) == 80 << 30
    assert capacity_bytes(environment.model_copy(update={"devices": []})) == 4 << 30


# -- editing ----------------------------------------------------------------------------------------------
@pytest.mark.demo
def test_variants_are_added_renamed_made_baseline_and_deleted(qtbot, window):
    session, dock, do = window.session, window.variants, window.variants.variant_actions
    session.open_experiment(experiment())
    do.add.trigger()
    do.duplicate.trigger()
    assert [v.name for v in session.experiment.variants][3:] == ["variant", "variant copy"]
    assert session.selected == "variant copy"
    dock.model.item(4).setText("mine")
    assert session.selected == "mine"
    with qtbot.waitSignal(session.notice):
        dock.model.item(4).setText("int8")
    assert dock.model.item(4).text() == "mine"
    assert session.index_of("mine") == 4
    do.make_baseline.trigger()
    assert session.experiment.baseline.name == "mine"
    assert session.index_of("mine") == 0
    do.delete.trigger()
    assert len(session.experiment.variants) == 4
    for _ in range(5):
        window.menus.undo.trigger()
    assert [v.name for v in session.experiment.variants] == ["baseline", "int8", "int4"]


@pytest.mark.demo
def test_a_name_that_a_file_may_not_hold_is_refused_with_its_reason(qtbot, window):
    session, dock = window.session, window.variants
    session.open_experiment(experiment())
    for wrong, reason in (("int\u202e8", "control characters"), ("x" * 81, "80 characters"), ("int4", "different")):
        dock.model.item(1).setText(wrong)
        assert reason in window.centre.notice.text.text()
        assert dock.model.item(1).text() == "int8"
        assert names(window) == ["baseline", "int8", "int4"]
    dock.model.item(1).setText("x" * 80)
    for _ in range(11):
        dock.variant_actions.duplicate.trigger()
    assert len(set(names(window))) == 14
    assert max(map(len, names(window))) == 80
    assert spec.parse(session.experiment.dump()) == session.experiment


def names(window):
    return [v.name for v in window.session.experiment.variants]


@pytest.mark.demo
def test_a_copy_stands_below_its_original(window):
    window.session.open_experiment(experiment())
    window.session.select("int8")
    window.variants.variant_actions.duplicate.trigger()
    assert names(window) == ["baseline", "int8", "int8 copy", "int4"]
    assert window.session.selected == "int8 copy"
    assert window.session.variant("int8 copy").quantization == window.session.variant("int8").quantization


@pytest.mark.demo
def test_the_keyboard_moves_a_variant_and_never_past_the_baseline(qtbot, window):
    session, rows, do = window.session, window.variants.list, window.variants.variant_actions
    session.open_experiment(experiment("a", "b", "c", "d"))
    letters = [session.index_of(n) for n in "abcd"]
    session.select("d")
    rows.setFocus()
    for expected in ("abdc", "adbc", "adbc"):
        qtbot.keyClick(rows, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        assert "".join(names(window)) == expected
    assert not do.up.isEnabled()
    do.down.trigger()
    assert "".join(names(window)) == "abdc"
    assert [session.index_of(n) for n in "abcd"] == letters  # nobody changes hue
    session.select("a")
    assert not do.down.isEnabled()
    assert not do.make_baseline.isEnabled()
    do.next.trigger()
    assert session.selected == "b"
    do.previous.trigger()
    assert session.selected == "a"
    assert not do.previous.isEnabled()


def drop(rows, name, place):
    """Let go of a row between two others; returns whether the list would take it there."""
    source = next(i for i in range(rows.model().rowCount()) if rows.model().index(i, 0).data(NAME) == name)
    rows.setCurrentIndex(rows.model().index(source, 0))
    data = rows.model().mimeData([rows.currentIndex()])
    point, action = QPoint(40, place * ROW), Qt.DropAction.MoveAction
    button, key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    over = QDragMoveEvent(point, action, data, button, key)
    rows.dragMoveEvent(over)
    dropped = QDropEvent(QPointF(point), action, data, button, key)
    rows.dropEvent(dropped)
    assert dropped.dropAction() == Qt.DropAction.IgnoreAction  # else Qt takes the row out of the model itself
    QApplication.processEvents()
    return over.isAccepted()


@pytest.mark.demo
def test_a_dragged_variant_takes_the_place_where_it_is_dropped(window):
    window.session.open_experiment(experiment("a", "b", "c", "d"))
    rows = window.variants.list
    drop(rows, "d", 1)
    assert "".join(names(window)) == "adbc"
    drop(rows, "d", 4)
    assert "".join(names(window)) == "abcd"
    assert not drop(rows, "c", 0)
    assert "".join(names(window)) == "abcd"
    draggable = [bool(rows.model().index(i, 0).flags() & Qt.ItemFlag.ItemIsDragEnabled) for i in range(4)]
    assert draggable == [False, True, True, True]
    window.session.undo()
    assert "".join(names(window)) == "adbc"


def tick(qtbot, window, row):
    rows = window.variants.list
    box = box_of(rows.visualRect(rows.model().index(row, 0)))
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=box.center())


@pytest.mark.demo
def test_an_excluded_variant_is_kept_and_not_run(qtbot, window):
    session, dock, controls = window.session, window.variants, window.top_bar.controls
    session.open_experiment(experiment())
    needed = dock.memory.text.text()
    tick(qtbot, window, 1)
    assert session.excluded == {"int8"}
    assert names(window) == ["baseline", "int8", "int4"]
    assert controls.primary.text().startswith("Run 2 variants")
    assert dock.memory.text.text() < needed
    assert dock.model.item(1).data(STATE).text == "excluded"
    assert "excluded" in dock.model.item(1).data(Qt.ItemDataRole.AccessibleTextRole)
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        window.menus.run.trigger()
    assert list(session.results.variants) == ["baseline", "int4"]
    assert [session.index_of(n) for n in names(window)] == [0, 1, 2]  # its letter waits for it
    assert controls.primary.text().startswith("Run again")
    tick(qtbot, window, 1)
    assert session.excluded == set()
    assert controls.primary.text().startswith("Run 3 variants")


@pytest.mark.demo
def test_the_baseline_cannot_be_excluded_and_an_exclusion_follows_its_variant(qtbot, window):
    session, do = window.session, window.variants.variant_actions
    session.open_experiment(experiment())
    tick(qtbot, window, 0)
    session.set_excluded("baseline", True)
    assert session.excluded == set()
    session.select("int8")
    window.variants.list.setFocus()
    qtbot.keyClick(window.variants.list, Qt.Key.Key_Space)
    assert session.excluded == {"int8"}
    assert do.exclude.isChecked()
    window.variants.model.item(1).setText("renamed")
    assert session.excluded == {"renamed"}
    do.make_baseline.trigger()
    assert session.excluded == set()  # it takes part now
    session.undo()
    assert session.excluded == {"renamed"}
    do.exclude.trigger()
    assert session.excluded == set()
    session.undo()
    do.delete.trigger()
    assert session.excluded == set()


@pytest.mark.demo
def test_an_exclusion_survives_a_restart(make_session, make_window):
    first = make_window(make_session())
    first.session.open_experiment(experiment())
    first.session.set_excluded("int4", True)
    first.close()
    session, settings = make_session(), Settings()
    session.restore(settings.experiment(), settings.excluded())
    assert session.excluded == {"int4"}
    assert not session.can_undo


@pytest.mark.demo
def test_a_list_row_selects_and_tells_its_state(qtbot, make_session, make_window):
    window = make_window(make_session("runs_out_of_memory", "--at", "warm", "--only", "int8"))
    measured(qtbot, window)
    qtbot.waitUntil(lambda: not window.variants._dirty, timeout=5000)
    spoken = [window.variants.model.item(i).data(Qt.ItemDataRole.AccessibleTextRole) for i in range(3)]
    assert spoken[0] == "A, baseline, as loaded, baseline"
    assert "out of memory while warming up" in spoken[1]
    assert spoken[2].endswith("check")
    window.variants.list.setCurrentIndex(window.variants.model.index(2, 0))
    assert window.session.selected == "int4"


@pytest.mark.demo
def test_the_workload_panel_edits_the_experiment(window):
    window.session.open_experiment(experiment())
    window.top_bar.form("workload").editors["new_tokens"].widget.setValue(99)
    assert window.session.experiment.workload.new_tokens == 99
    assert "99 out" in window.top_bar.workload.value()
    window.top_bar.form("workload").editors["concurrency"].widget.setValue(4)
    assert window.top_bar.workload.value().endswith("4 at once")
    window.session.undo()
    window.top_bar.form("protocol").editors["trials"].widget.setValue(7)
    assert "7 interleaved rounds" in window.top_bar.protocol.value()
    window.session.undo()
    window.session.undo()
    assert window.top_bar.form("workload").editors["new_tokens"].widget.value() == 8


def test_a_model_that_cannot_be_opened_offers_its_options(qtbot, window, tmp_path):
    (tmp_path / "empty").mkdir()
    window.files.open_path(tmp_path / "empty")
    notice = window.centre.notice
    assert notice.level == "error"
    assert "empty" in notice.text.text()
    assert not notice.action.isHidden()
    assert window.session.experiment is None
    notice.action.click()
    dialog = QApplication.activeModalWidget()
    assert dialog.form.value.source == str(tmp_path / "empty")
    dialog.reject()


@pytest.mark.demo
def test_dropping_opens_results_models_and_experiments(qtbot, window, tmp_path):
    measured(qtbot, window)
    folder = window.session.results_folder
    file = tmp_path / "mine.toml"
    file.write_text(spec.to_toml(experiment("only")))

    def drop(path):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction  # as file managers offer them
        button, key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(window.rect().center(), actions, data, button, key)
        QApplication.sendEvent(window, enter)
        shown = window.drop.words if window.drop.isVisible() else ""
        dropped = QDropEvent(QPointF(window.rect().center()), actions, data, button, key)
        dropped.setDropAction(Qt.DropAction.MoveAction)
        QApplication.sendEvent(window, dropped)
        assert not shown or dropped.dropAction() == Qt.DropAction.CopyAction  # else its source deletes it
        return shown if enter.isAccepted() else ""

    assert drop(file) == "Open as experiment"
    assert [v.name for v in window.session.experiment.variants] == ["only"]
    assert drop(folder) == "Open as results"
    assert len(window.session.experiment.variants) == 3
    assert window.centre.current == "compare"
    assert not drop(tmp_path / "picture.png")


@pytest.mark.demo
def test_an_experiment_is_saved_whole_or_not_at_all(window, tmp_path, monkeypatch):
    window.session.open_experiment(experiment("only"))
    path = tmp_path / "mine.toml"
    path.write_text("before")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    with monkeypatch.context() as full:
        full.setattr(Path, "replace", _no_space)
        window.menus.save_experiment.trigger()
    assert path.read_text() == "before"
    assert "No space left" in window.centre.notice.text.text()
    window.menus.save_experiment.trigger()
    assert spec.read_toml(path) == window.session.experiment
    assert [p.name for p in tmp_path.glob("*mine*")] == ["mine.toml"]


def _no_space(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# -- presets, export --------------------------------------------------------------------------------------
@pytest.mark.demo
def test_a_preset_goes_out_with_its_evidence_and_comes_back(qtbot, make_session, make_window):
    window = make_window(make_session("normal", "--pace", "20"))  # steady enough for a verdict on a busy machine
    measured(qtbot, window)
    window.session.select("int4")
    window.menus.save_preset.trigger()
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, PresetNameDialog)
    assert asked.name.text() == "int4"
    asked.save.click()
    assert "Saved preset" in window.centre.toast.text.text()
    (_, saved), *rest = preset_library.library()
    assert not rest
    assert saved.row.verdict == "faster"
    window.menus.load_preset.trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, PresetDialog)
    assert dialog.warning.isHidden()  # measured here
    assert "faster" in dialog.evidence.ratio.text()
    dialog.only.click()
    assert window.session.selected == "int4 2"
    assert window.session.variant("int4 2").quantization.key == "int4_weight_only"
    window.menus.undo.trigger()
    assert len(window.session.experiment.variants) == 3


@pytest.mark.demo
def test_a_preset_from_another_set_up_says_what_differs(qtbot, window):
    measured(qtbot, window)
    saved = preset.from_results(window.session.results, "int4")
    elsewhere = saved.environment.model_copy(update={"cpu": "Other CPU", "versions": {"torch": "2.12.0"}})
    preset_library.save(saved.model_copy(update={"environment": elsewhere, "name": "elsewhere"}))
    dialog = PresetDialog(window.session, window)
    dialog.open()
    assert not dialog.warning.isHidden()
    assert ("Processor", "Other CPU", "Fake CPU") in dialog.warning.shown
    assert ("torch", "2.12.0", "2.13.0") in dialog.warning.shown
    again = preset_library.find("elsewhere")
    noted = preset.load(again).model_copy(update={"note": "for the laptop", "tags": ["edge"]})
    preset_library.save(noted)
    dialog.reject()
    dialog = PresetDialog(window.session, window)
    dialog.search.setText("laptop")
    assert [dialog.list.item(i).text() for i in range(dialog.list.count())] == ["elsewhere · v2"]
    assert ("Note", "for the laptop") in dialog.about.shown
    assert ("Tags", "edge") in dialog.about.shown
    dialog.reject()


@pytest.mark.demo
def test_the_table_goes_to_the_clipboard(qtbot, window):
    assert not window.menus.export.isEnabled()
    measured(qtbot, window)
    assert window.menus.export.isEnabled()
    window.files.export_copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:4] == ["schema_version", "experiment", "model", "variant"]
    assert len(lines) == 4


# -- the next start ---------------------------------------------------------------------------------------
@pytest.mark.demo
def test_settings_layout_and_experiment_survive_a_restart(qtbot, make_session, make_window, qapp):
    first = make_window(make_session())
    first.session.open_experiment(experiment("kept", "gone", "other"))
    first.session.select("gone")
    first.variants.variant_actions.delete.trigger()
    first.resize(1300, 800)
    first.menus.left.trigger()
    first.menus.themes["dark"].trigger()
    first.settings.engine_text = "ssh host 'python 3' -m core.engine"
    first.close()
    settings = Settings()
    assert settings.theme == "dark"
    assert settings.engine_command == ["ssh", "host", "python 3", "-m", "core.engine"]
    session = make_session()
    session.restore(settings.experiment(), letters=settings.letters())
    assert theme.letter(session.index_of("other")) == "C"  # as before, though it is the second now
    assert not session.can_undo
    second = make_window(session)
    assert second.left.isHidden()
    assert second.right.isHidden() == (second.width() < NARROW)  # the test's screen is small
    kept = settings.layout("geometry")
    assert kept is not None
    assert second.restoreGeometry(kept)  # a screen that has shrunk since may clip it
    assert [v.name for v in session.experiment.variants] == ["kept", "other"]
    second.reset_layout()
    assert not second.left.isHidden()


def test_a_narrow_window_folds_the_right_dock_and_forgets_nothing(qtbot, window, make_session, make_window):
    assert not window.right.isHidden()
    window.resize(1130, 760)
    assert window.right.isHidden()
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: window._right_pages.width() > 290)
    assert not window.right.isHidden()
    qtbot.waitUntil(lambda: window.variants.width() == 288)
    window.resize(1130, 760)
    window.close()
    second = make_window(make_session())
    assert second.right.isHidden()  # as narrow as the first
    second.resize(1440, 900)
    assert not second.right.isHidden()
    second.menus.right.trigger()  # hidden by hand: it stays so
    second.resize(1130, 760)
    second.resize(1440, 900)
    assert second.right.isHidden()


def test_in_a_narrow_window_the_inspector_lies_over_the_centre(qtbot, window):
    """Every tab stays in sight, and the centre as wide as it was."""
    window.session.open_demo()
    window.resize(1130, 760)
    qtbot.waitUntil(lambda: window.right.isHidden() and window.centre.geometry().right() > window.width() - 20)
    wide = window.centre.width()
    window.menus.right.trigger()
    QApplication.processEvents()
    overlay = window.overlay
    assert overlay.isVisible()
    assert window._right_pages.isVisible()
    assert window.menus.right.isChecked()
    assert window.centre.width() == wide
    tabs = window.centre.tabs
    assert all(tabs.rect().contains(tabs.tabRect(i).adjusted(0, 0, -1, -2)) for i in range(tabs.count()))
    assert overlay.geometry().right() == window.centre.geometry().right()
    assert overlay in window._panes_in_order()
    window.reset_layout()
    QApplication.processEvents()
    assert overlay.isHidden()
    assert window.right.isHidden()  # there is no more room than before
    window.menus.right.trigger()
    qtbot.keyClick(overlay, Qt.Key.Key_Escape)
    assert overlay.isHidden()
    assert not window.menus.right.isChecked()
    window.menus.right.trigger()
    window.resize(1440, 900)
    assert overlay.isHidden()
    assert not window.right.isHidden()
    assert window.right.widget() is window._right_pages


def test_the_settings_dialog_applies_the_engine_command(qtbot, window):
    command = " ".join(engine_command("normal", "--pace", "3"))
    window.doing.show_settings()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SettingsDialog)
    dialog.engine.setText(command)
    dialog.theme.setCurrentIndex(1)
    before = window.session.pool
    dialog.accept()
    assert window.session.pool is not before
    assert list(window.session.pool.command) == engine_command("normal", "--pace", "3")
    assert theme.dark


@pytest.mark.demo
def test_closing_during_a_run_asks_once_and_stop_and_save_keeps_the_trials(qtbot, make_session, make_window):
    window = make_window(make_session("normal", "--pace", "5"))
    session = window.session
    session.open_experiment(experiment("a", "b", trials=200))
    with qtbot.waitSignal(session.event_received, timeout=LONG, check_params_cb=lambda e: e.event == "trial_done"):
        session.run()
    assert not window.close()
    question = window.closing.question
    assert not window.close()
    assert window.closing.question is question
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        window.closing.stop.click()
    assert not window.isVisible()
    assert session.pool.processes() == []
    assert any(v.trials for v in session.results.variants.values())


@pytest.mark.demo
def test_closing_may_be_thought_better_of(qtbot, make_session, make_window):
    window = make_window(make_session("slow"))
    window.session.open_experiment(experiment("a"))
    with qtbot.waitSignal(window.session.run_started, timeout=LONG):
        window.session.run()
    assert not window.close()
    window.closing.question.reject()
    assert window.session.running
    assert window.isVisible()
    with qtbot.waitSignal(window.session.run_finished, timeout=LONG):
        window.session.cancel()


def test_an_old_experiment_with_an_unknown_strategy_is_shown(qtbot, session, make_window):
    old = parse({"variant": [{"name": "a"}, {"name": "b", "fusion": {"method": "magic", "x": 1}}]}, lenient=True)
    settings = Settings()
    settings.keep_experiment(old)
    assert settings.experiment() == old


# -- what must not happen ---------------------------------------------------------------------------------
SCRIPT = """
import sys
from PySide6.QtWidgets import QApplication
app = QApplication([])
from app.shell.main_window import MainWindow
from app.session.session import Session
from app.settings.settings import Settings
from app.base.theme import theme
from app.editor.variants_list import NAME, ROW, STATE, box_of
theme.apply(app, "light")
window = MainWindow(Session(), Settings())
window.show()
later = ["pyqtgraph", "app.compare.compare_view", "app.settings.settings_dialog", "core.report.html_report"]
early = [name for name in later if name in sys.modules]
app.processEvents()
heavy = ["torch", "transformers", "bitsandbytes", "scipy", "pandas", "core.engine", "core.kernels"]
print(early + [name for name in heavy if name in sys.modules])
window.session.close()
"""


def run_python(*arguments, **environ):
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **environ}
    env = {k: v for k, v in env.items() if v is not None}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_window_imports_nothing_heavy():
    done = run_python("-c", SCRIPT)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_first_paint_ends_the_process_when_asked():
    done = run_python("-m", "app", DYNO_FIRST_PAINT="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("first paint ")
