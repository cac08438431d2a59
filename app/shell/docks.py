"""The window's two docks: they can be dragged to the other side by a grip, hidden and shown, and never float. In a
narrow window a dock lies over the centre."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QPainter
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QMainWindow, QMenu, QVBoxLayout, QWidget

from app.base.theme import theme
from app.widgets.basics import hairline
from app.widgets.buttons import button

GRIP = 8  # px high
LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea


class Grip(QWidget):
    """Replaces a dock's title: a short line to drag by, with a menu as the alternative."""

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
    """Return a dock for the left or right side."""
    dock = QDockWidget(title, window)
    dock.setObjectName(f"{name}_dock")
    dock.setAllowedAreas(LEFT | RIGHT)
    features = QDockWidget.DockWidgetFeature
    dock.setFeatures(features.DockWidgetMovable | features.DockWidgetClosable)  # not floatable
    dock.setWidget(content)
    window.addDockWidget(area, dock)
    return dock


def swap(window: QMainWindow, one: QDockWidget, other: QDockWidget) -> None:
    """Exchange the docks' sides; if both are on one side, `one` goes to the left."""
    areas = [window.dockWidgetArea(dock) for dock in (one, other)]
    goals = [LEFT, RIGHT] if areas[0] == areas[1] else areas[::-1]
    for dock, goal in zip((one, other), goals, strict=True):
        hidden = dock.isHidden()
        window.addDockWidget(goal, dock)
        dock.setHidden(hidden)


class Overlay(QFrame):
    """A dock's content over the edge of the centre, which keeps its width; closing returns it to the dock."""

    changed = Signal()  # opened or closed

    def __init__(self, window: QMainWindow, dock: QDockWidget, centre: QWidget, width: int) -> None:
        super().__init__(window)
        self._window, self._dock, self._centre, self._wide = window, dock, centre, width
        self.setProperty("surface", "win")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.close_button = button("", "cross", "flat")
        self.close_button.setAccessibleName(self.tr("Close the pane"))
        self.close_button.setToolTip(self.tr("Close the pane"))
        self.close_button.setWhatsThis(self.tr("Closes the pane that lies over the view; F8 opens it again."))
        self.close_button.clicked.connect(self.close_pane)
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 4, 0)
        head.addStretch(1)
        head.addWidget(self.close_button)
        self._column.addLayout(head)
        self._edges = hairline(vertical=True), hairline(vertical=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._edges[0])
        row.addLayout(self._column, 1)
        row.addWidget(self._edges[1])
        centre.installEventFilter(self)
        self.hide()

    def open_pane(self) -> None:
        """Show the content over the centre on the dock's side."""
        content = self._dock.widget()
        if content is not None and self.isHidden():
            self._column.addWidget(content, 1)
            content.show()
            self._place()
            self.show()
            self.raise_()
            self.changed.emit()

    @Slot()
    def close_pane(self) -> None:
        item = self._column.itemAt(1)
        content = item.widget() if item is not None else None
        if content is not None and not self.isHidden():
            self.hide()
            self._dock.setWidget(content)
            self.changed.emit()

    def _place(self) -> None:
        at_left = self._window.dockWidgetArea(self._dock) == LEFT
        place = self._centre.geometry()
        wide = min(self._wide, place.width())
        self._edges[0].setVisible(not at_left)
        self._edges[1].setVisible(at_left)
        self.setGeometry(place.left() if at_left else place.right() + 1 - wide, place.top(), wide, place.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and not self.isHidden():
            self._place()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_pane()
        else:
            super().keyPressEvent(event)
