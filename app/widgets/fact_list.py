"""Rows of a name and a value, as in the inspector and the receipts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.widgets.basics import label

LOWER = 2  # px


def level(parts: Sequence[QLabel], texts: Sequence[str]) -> None:
    """Set the texts of labels side by side on a common baseline: Chinese type sits lower in its line."""
    wide = [any(character > "\u2e80" for character in text) for text in texts]
    for part, text, is_wide in zip(parts, texts, wide, strict=True):
        part.setContentsMargins(0, LOWER if any(wide) and not is_wide else 0, 0, 0)
        part.setText(text)


class Facts(QWidget):
    """A grid of names on the left and values on the right; labels are reused."""

    def __init__(self, parent: QWidget | None = None, ahead: int = 0, left: int = 0) -> None:
        """`ahead` rows are made in advance. Values are right-aligned, or `left` pixels from the left."""
        super().__init__(parent)
        self._left = left
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnMinimumWidth(0, left)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self._filled = ahead == 0
        self.shown: list[tuple[str, str]] = []
        self._make(ahead)

    def set(self, rows: list[tuple[str, str]]) -> None:
        """Show these rows if they have changed."""
        if rows == self.shown and self._filled:
            return
        self.shown, self._filled = list(rows), True
        self._make(len(rows))
        for place, (name, value) in enumerate(self._rows):
            there = place < len(rows)
            name.setVisible(there)
            value.setVisible(there)
            if there:
                level((name, value), rows[place])

    def _make(self, count: int) -> None:
        while len(self._rows) < count:
            name, value = label("", 12, 400, "secondary"), label("", 12, 500, wrap=True)
            side = Qt.AlignmentFlag.AlignLeft if self._left else Qt.AlignmentFlag.AlignRight
            value.setAlignment(side | Qt.AlignmentFlag.AlignTop)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            name.setAlignment(Qt.AlignmentFlag.AlignTop)
            place = len(self._rows)
            self._grid.addWidget(name, place, 0)
            self._grid.addWidget(value, place, 1)
            self._rows.append((name, value))
