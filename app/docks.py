"""The two docks of the window: panes that are dragged by a grip to the other side, hidden and brought back, and never
float. Knows where they lie; knows nothing of what is in them.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Slot
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QWidget

from app.theme import theme

GRIP = 8  # px high
LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea


class Grip(QWidget):
    """In place of a title: a short line to drag by, with a menu for those who do not drag."""

    def __init__(self, dock: QDockWidget, actions: list[QAction]) -> None:
        super().__init__(dock)
        self._actions = actions
        self.setFixedHeight(GRIP)
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self.setToolTip(self.tr("Drag to the other side; right click for more."))
        self.setWhatsThis(self.toolTip())

    def sizeHint(self) -> QSize:
        return QSize(40, GRIP)

    @Slot(QPoint)
    def _menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._actions)
        menu.popup(self.mapToGlobal(position))

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("win"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text3" if self.underMouse() else "line2"))
        painter.drawRoundedRect((self.width() - 28) // 2, 3, 28, 3, 1.5, 1.5)


def make_dock(window: QMainWindow, name: str, title: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
    """A dock that can lie on the left or on the right."""
    dock = QDockWidget(title, window)
    dock.setObjectName(f"{name}_dock")
    dock.setAllowedAreas(LEFT | RIGHT)
    features = QDockWidget.DockWidgetFeature
    dock.setFeatures(features.DockWidgetMovable | features.DockWidgetClosable)  # not floatable
    dock.setWidget(content)
    window.addDockWidget(area, dock)
    return dock


def swap(window: QMainWindow, one: QDockWidget, other: QDockWidget) -> None:
    """Each to the other side; where both lie on one side, `one` goes to the left."""
    areas = [window.dockWidgetArea(dock) for dock in (one, other)]
    goals = [LEFT, RIGHT] if areas[0] == areas[1] else areas[::-1]
    for dock, goal in zip((one, other), goals, strict=True):
        hidden = dock.isHidden()
        window.addDockWidget(goal, dock)
        dock.setHidden(hidden)
