"""A scroll area that scrolls vertically only, and only if its parts cannot shrink."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget

LEAST = 120  # pixels that are in sight


class _Content(QWidget):
    """Asks for its minimum height and not its preferred one; otherwise Qt would scroll before the parts shrink."""

    def __init__(self, layout: QLayout) -> None:
        super().__init__()
        self._column = layout
        self.setLayout(layout)

    def heightForWidth(self, width: int) -> int:
        return self._column.totalMinimumHeightForWidth(width)


class Scrolling(QScrollArea):
    """A scroll area never narrower than its content."""

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
