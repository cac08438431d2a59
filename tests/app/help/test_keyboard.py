"""Everything by keyboard: each control can be reached by Tab, has a name that a screen reader can say, and shows where
the keyboard is; F6 goes from pane to pane; Esc destroys no run."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

from app.help.about_dialog import AboutDialog
from app.help.formulas_dialog import FormulasDialog
from app.help.help_view import HelpWindow
from app.inspector.environment_dialog import EnvironmentDialog
from app.presets.preset_dialog import PresetDialog
from app.widgets.pane_navigation import can_have_keyboard
from core.presets import preset, preset_library
from core.results.journal import Journal
from tests.app.conftest import experiment
from tests.app.streams import Stream

CONTROLS = (
    QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QTabBar, QTextEdit,
)  # fmt: skip


def spoken(widget):
    """What a screen reader says of a widget; on Linux the name of a combo box is its value, beside its label's."""
    if isinstance(widget, QComboBox):
        return widget.accessibleName()
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else widget.accessibleName()


def is_part(widget):
    """Whether a control is a part of another one that has the keyboard in its place."""
    parent = widget.parentWidget()
    if widget.objectName() == "qt_tableview_cornerbutton":
        return True
    return isinstance(widget, QHeaderView) or isinstance(parent, QAbstractSpinBox | QComboBox | QTabBar | QLineEdit)


def called(widget):
    return f"{type(widget).__name__} {spoken(widget)!r} in {type(widget.parentWidget()).__name__}"


def walk(top):
    """The widgets at which Tab stops, from the present one until it comes round."""
    stops = []
    for _ in range(400):
        QTest.keyClick(top.focusWidget() or top, Qt.Key.Key_Tab)
        now = top.focusWidget()
        if now is None or now in stops:
            return stops
        stops.append(now)
    raise AssertionError("Tab never comes round")


def faults(top):
    """What is wrong with the keyboard in a window, a line each."""
    stops = walk(top)
    lines = [f"Tab stops at what has no name: {called(w)}" for w in stops if not spoken(w)]
    for widget in top.findChildren(QWidget):
        if widget.window() is not top or not widget.isVisible() or not widget.isEnabled() or is_part(widget):
            continue
        wanted = isinstance(widget, CONTROLS) or can_have_keyboard(widget)
        if wanted and widget not in stops and widget.focusProxy() not in stops:
            lines.append(f"Tab does not reach: {called(widget)}")
    return sorted(set(lines))


@pytest.fixture
def finished(tmp_path):
    """The folder of an invented run with everything in it."""
    journal = Journal(tmp_path / "invented")
    for event in Stream(rounds=5, quality=True, roof=True):
        journal.write(event)
    journal.close()
    return tmp_path / "invented"


@pytest.mark.demo
def test_every_control_is_named_and_reached(still_window, finished):
    window = still_window
    session, centre = window.session, window.centre
    found = {"first start": faults(window)}
    session.open_experiment(experiment())
    session.select("int4")
    found["opened"] = faults(window)
    session.open_results(finished)
    for view in centre.views:
        centre.show_view(view)
        session.tick.emit()
        found[view] = faults(window)
    for field in window.top_bar.fields:
        field.click()
        found[field.accessibleName()] = faults(field.panel)
        field.panel.close()
    wrong = [f"{state}: {line}" for state, lines in found.items() for line in lines]
    assert not wrong, "\n".join(wrong)


def test_every_control_of_the_dialogs_is_named_and_reached(still_window, finished):
    window = still_window
    session = window.session
    session.open_results(finished)
    preset_library.save(preset.from_results(session.results, "int8 weights"))
    wrong = []
    for dialog in (
        AboutDialog(session, window), EnvironmentDialog(session, window), HelpWindow(None, window),
        PresetDialog(session, window), FormulasDialog(window),
    ):  # fmt: skip
        dialog.show()
        if isinstance(dialog, PresetDialog):
            dialog.care.edit_button.click()
        wrong += [f"{type(dialog).__name__}: {line}" for line in faults(dialog)]
        dialog.reject()
    assert not wrong, "\n".join(wrong)


@pytest.mark.demo
def test_the_keyboard_goes_from_pane_to_pane(still_window, qtbot):
    window = still_window
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    window.session.open_experiment(experiment())
    panes = [window.top_bar, window.left, window.centre, window.right, window.status]
    stops = [next(i for i, pane in enumerate(panes) if pane.isAncestorOf(w)) for w in walk(window)]
    stops = stops[stops.index(0) :] + stops[: stops.index(0)]
    assert stops == sorted(stops)  # from left to right, as they are read

    window.top_bar.device.setFocus()
    reached = []
    for _ in panes:
        window.panes.next()
        reached.append(next(i for i, pane in enumerate(panes) if pane.isAncestorOf(QApplication.focusWidget())))
    assert reached == [1, 2, 3, 4, 0]
    assert window.top_bar.device.hasFocus()  # each pane remembers where one was
    window.centre.tabs.setFocus(Qt.FocusReason.ShortcutFocusReason)
    tab = window.centre.tabs.tabRect(window.centre.tabs.currentIndex())
    assert tab.contains(window.focus_ring.ring.geometry())
    QTest.mouseClick(window.variants.list.viewport(), Qt.MouseButton.LeftButton)
    assert window.focus_ring.ring is None


def test_no_key_is_given_twice_or_belongs_to_others(still_window):
    window = still_window
    keys = [key for action in window.findChildren(QAction) for key in action.shortcuts()]
    keys += [shortcut.key() for shortcut in window.findChildren(QShortcut)]
    assert len(keys) > 20
    assert QKeySequence("Esc") not in keys
    doubled = {k.toString() for k in keys if keys.count(k) > 1}
    assert doubled <= {"Ctrl+C"}  # of each table, while it has the keyboard
    # On Linux Ctrl+Alt and a function key leave for another console, and never reach the window.
    assert not [k.toString() for k in keys if k.toString().startswith("Ctrl+Alt+F")]


def test_blocks_of_the_schedule_can_be_looked_at(still_window, finished, qtbot):
    window = still_window
    window.session.open_results(finished)
    window.centre.show_view("live")
    strip = window.centre.views["live"].strip
    strip.setFocus()
    with qtbot.waitSignal(strip.block_clicked) as looked:
        QTest.keyClick(strip, Qt.Key.Key_Right)
        QTest.keyClick(strip, Qt.Key.Key_Return)
    assert looked.args[0].step == ("int8 weights", "load", None)
