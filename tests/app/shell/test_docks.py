"""Docks change sides, are hidden and come back, and never float; the look follows the system and the user."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QPlainTextEdit

from app.base.theme import Theme, _read, theme
from app.help.about_dialog import AboutDialog
from app.widgets.basics import pixmap

LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea


def sides(window):
    return window.dockWidgetArea(window.left), window.dockWidgetArea(window.right)


def test_docks_change_sides_and_come_back(still_window, qtbot):
    window = still_window
    for dock in (window.left, window.right):
        assert not dock.features() & QDockWidget.DockWidgetFeature.DockWidgetFloatable
        assert dock.features() & QDockWidget.DockWidgetFeature.DockWidgetMovable
    assert sides(window) == (LEFT, RIGHT)
    window.menus.right.trigger()
    assert window.right.isHidden()
    window.menus.swap.trigger()
    assert sides(window) == (RIGHT, LEFT)
    assert window.right.isHidden()
    window.menus.right.trigger()
    qtbot.waitUntil(lambda: window.right.x() < window.centre.x() < window.left.x())
    assert window._panes_in_order()[1] is window.right  # as they lie
    kept = window.saveState(2)
    window.reset_layout()
    assert sides(window) == (LEFT, RIGHT)
    window.restoreState(kept, 2)
    assert sides(window) == (RIGHT, LEFT)
    window.reset_layout()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_high_contrast_makes_small_print_text(mode):
    mine = Theme()
    mine._data = _read(mode)  # applying it would style every open window anew
    usual = {token: mine.color(token) for token in ("text3", "line2")}
    mine.contrast = True
    assert mine.color("text3") == mine.color("text")
    ground = mine.color("panel").lightnessF()
    for token, before in usual.items():
        assert abs(mine.color(token).lightnessF() - ground) > abs(before.lightnessF() - ground)


def test_icons_are_drawn_for_the_screen_that_shows_them(qapp, monkeypatch):
    monkeypatch.setattr(type(qapp), "devicePixelRatio", lambda _: 3.0)
    assert pixmap("cube").width() == 48
    assert pixmap("cube", ratio=1.5).width() == 24


def test_line_patterns_can_be_switched_off(still_window):
    window = still_window
    assert theme.dash(3) == Qt.PenStyle.DashLine
    window.menus.patterns.trigger()
    assert theme.dash(3) == Qt.PenStyle.SolidLine
    assert not window.settings.line_patterns
    window.menus.patterns.trigger()
    assert theme.dash(3) == Qt.PenStyle.DashLine


def test_about_has_versions_and_licences(still_window, qtbot):
    session = still_window.session
    qtbot.waitUntil(lambda: session.environment is not None)
    about = AboutDialog(session)
    qtbot.addWidget(about)
    text = about.findChild(QPlainTextEdit).toPlainText()
    assert "Apache License" in text
    assert "SIL OPEN FONT LICENSE" in text.upper()
