"""The page of a view without content: what will be there, why, and a button that gets it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget


def teaching(page: QWidget, title: QLabel, why: QLabel, button: QWidget | None = None) -> QVBoxLayout:
    """Return the column of such a page, for an explanation of the view below these parts."""
    column = QVBoxLayout(page)
    column.setContentsMargins(60, 60, 60, 60)
    column.setSpacing(4)
    column.addWidget(title)
    column.addWidget(why)
    if button is not None:
        column.addSpacing(12)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
    column.addSpacing(24)
    return column
