"""The head of a view: the answer in a sentence, and in small print how it was formed. Knows no data."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget


def answer_head(*parts: QWidget) -> QVBoxLayout:
    head = QVBoxLayout()
    head.setContentsMargins(20, 16, 20, 12)
    head.setSpacing(2)
    for part in parts:
        head.addWidget(part)
    return head
