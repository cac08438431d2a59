"""The focus ring of widgets that paint none themselves: lists, tables, plots, scroll areas, tabs. Buttons and editors
get theirs from the style sheet."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from app.base.theme import theme

WIDTH = 2  # px, of `accent`
TAB_GAP = 8  # px between two tabs, by the style sheet
THEMSELVES = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QMenu, QMenuBar)


class Ring(QWidget):
    """Covers its parent inside its edge and lets clicks through."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        over.installEventFilter(self)
        if isinstance(over, QTabBar):
            over.currentChanged.connect(self.fit)
        self.fit()
        self.show()
        self.raise_()

    @Slot()
    def fit(self) -> None:
        """Cover the widget, or the current one of its tabs."""
        over = self._over
        if isinstance(over, QTabBar):  # around its words, apart from the next one and the line below
            self.setGeometry(over.tabRect(over.currentIndex()).adjusted(0, 6, -TAB_GAP, -6))
        else:
            self.setGeometry(over.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.fit()
        return False

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("accent"), WIDTH))
        half = WIDTH / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), 4, 4)


class FocusRing(QObject):
    """Shows a ring around the widget with keyboard focus; focus by a mouse click shows none."""

    # Of the class: one that Python has emptied, with its window, is told by Qt that the focus leaves it.
    ring: Ring | None = None
    _window: QWidget | None = None

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._moved)

    @Slot(QWidget, QWidget)
    def _moved(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self.ring is not None and isValid(self.ring):
            self.ring.hide()
            self.ring.deleteLater()
        self.ring = None
        if now is None or self._window is None or isinstance(now, THEMSELVES):
            return
        mine = now.window() is self._window or self._window.isAncestorOf(now.window())
        if mine and now.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
            self.ring = Ring(now)
