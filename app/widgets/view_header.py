"""The head of a view: the answer in a sentence, and in small print how it was formed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget


def answer_head(*parts: QWidget, way_on: QWidget | None = None) -> QVBoxLayout:
    """Return the head's layout; `way_on` stands beside it and offers what to do about an undecided answer."""
    head, told = QVBoxLayout(), QVBoxLayout()
    head.setContentsMargins(20, 16, 20, 12)
    told.setSpacing(2)
    for part in parts:
        told.addWidget(part)
    if way_on is None:
        head.addLayout(told)
        return head
    across = QHBoxLayout()
    across.setSpacing(16)
    head.setContentsMargins(20, 16, 16, 12)  # in line with the controls of a view
    across.addLayout(told, 1)
    across.addWidget(way_on, 0, Qt.AlignmentFlag.AlignTop)
    head.addLayout(across)
    return head
