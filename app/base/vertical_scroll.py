"""What is as wide as there is room, and is scrolled where its parts cannot be made lower."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget

LEAST = 120  # pixels that are in sight


class _Content(QWidget):
    """As high as it must be, not as it would like to be: Qt would scroll before its parts give way."""

    def __init__(self, layout: QLayout) -> None:
        super().__init__()
        self._column = layout
        self.setLayout(layout)

    def heightForWidth(self, width: int) -> int:
        return self._column.totalMinimumHeightForWidth(width)


class Scrolling(QScrollArea):
    """Never narrower than its content, as there is no scrolling to the side."""

    def __init__(self, layout: QLayout, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = _Content(layout)
        self._content.setProperty("surface", "panel")
        self._content.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._content)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._content.minimumSizeHint().width(), LEAST)
