"""A list of notes with their severity."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.widgets.basics import IconLabel, caption, label


class Notes(QWidget):
    """Rows of an icon, a text and a line of small print, rebuilt when they change."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self.shown: list[tuple[str, str, str, str]] = []

    def set(self, rows: list[tuple[str, str, str, str]]) -> None:
        """Show rows of (icon, colour token, text, small print)."""
        if rows == self.shown:
            return
        self.shown = list(rows)
        while (item := self._layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for icon, token, text, small in rows:
            row = QWidget()
            line, column = QHBoxLayout(row), QVBoxLayout()
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(8)
            line.addWidget(IconLabel(icon, token, 15), 0, Qt.AlignmentFlag.AlignTop)
            column.setSpacing(1)
            column.addWidget(label(text, 12, 500, wrap=True))
            if small:
                column.addWidget(caption(small, wrap=True))
            line.addLayout(column, 1)
            self._layout.addWidget(row)
