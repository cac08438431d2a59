"""The page that explains how to read a comparison, before there is one."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.charts.forest_plot import GhostForest
from app.widgets.basics import caption, heading, label
from app.widgets.empty_state import teaching


class CompareGhost(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = self.tr("A comparison appears here when the first trials end.")
        why = self.tr("Every variant runs once per round; its speed is compared with A's in the same round.")
        column = teaching(self, label(title, 20, 600), label(why, 12, 400, "secondary", wrap=True))
        column.addWidget(heading(self.tr("How to read a result")))
        column.addWidget(GhostForest())
        column.addWidget(caption(self.tr("These figures are made up.")))
        column.addStretch(1)
