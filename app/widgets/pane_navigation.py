"""F6 moves the focus from pane to pane, and back to the last widget in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid


def stops_at(widget: QWidget) -> bool:
    """Return whether Tab stops at a visible widget."""
    return bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value) and widget.focusProxy() is None


def can_have_keyboard(widget: QWidget) -> bool:
    """Return whether Tab would stop at a widget now."""
    return stops_at(widget) and widget.isVisible() and widget.isEnabled()


def first_in(pane: QWidget) -> QWidget | None:
    """Return the first widget of a pane, in tab order, that can have the focus."""
    widget = pane.nextInFocusChain()
    while widget is not None and widget is not pane:
        if pane.isAncestorOf(widget) and can_have_keyboard(widget):
            return widget
        widget = widget.nextInFocusChain()
    return None


def let_follow(widget: QWidget, pane: QWidget) -> None:
    """Let Tab continue from a widget to the content of a pane that has just joined its window."""
    parts, part = [pane], pane.nextInFocusChain()
    while part is not None and pane.isAncestorOf(part):
        parts.append(part)
        part = part.nextInFocusChain()
    for stop in filter(stops_at, parts):
        QWidget.setTabOrder(widget, stop)
        widget = stop


class Panes(QObject):
    """The panes in order; hidden and empty ones are skipped."""

    def __init__(self, window: QWidget, panes: Callable[[], Sequence[QWidget]]) -> None:
        super().__init__(window)
        self._window, self._panes = window, panes
        self._last: dict[QWidget, QWidget] = {}
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._moved)

    @Slot(QWidget, QWidget)
    def _moved(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is None:
            return
        for pane in self._panes():
            if pane.isAncestorOf(now):
                self._last[pane] = now

    @Slot()
    def next(self) -> None:
        self._go(1)

    @Slot()
    def previous(self) -> None:
        self._go(-1)

    def _go(self, step: int) -> None:
        panes = [p for p in self._panes() if p.isVisible()]
        focus = self._window.focusWidget()
        place = next((i for i, p in enumerate(panes) if focus is not None and p.isAncestorOf(focus)), -1)
        if place < 0 and step < 0:
            place = 0
        for way in range(1, len(panes) + 1):
            pane = panes[(place + step * way) % len(panes)]
            last = self._last.get(pane)
            if last is None or not isValid(last) or not pane.isAncestorOf(last) or not can_have_keyboard(last):
                last = first_in(pane)
            if last is not None:
                last.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return
