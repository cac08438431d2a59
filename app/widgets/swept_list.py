"""A preview of a sweep: what it makes, and what it refuses with the reason."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from app.base.theme import theme
from app.widgets.basics import pixmap, tip

ROWS = 8  # before it scrolls


class SweptList(QListWidget):
    """One line per value."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFont(theme.font(13))
        self.setIconSize(QSize(14, 14))
        self.setWordWrap(True)
        self.setProperty("look", "boxed")
        self.setSpacing(2)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedHeight(ROWS * 24 + 6)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)

    def show_made(self, made: Iterable[tuple[str, str]]) -> None:
        """Show a text per value with its reason for refusal, which is part of the text."""
        self.clear()
        for text, refusal in made:
            item = QListWidgetItem(pixmap(*(("warning", "warn") if refusal else ("check", "ok")), 14), text)
            item.setToolTip(tip(text))
            if refusal:
                item.setForeground(theme.color("text2"))
            self.addItem(item)
