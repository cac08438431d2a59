"""How to read a comparison, before there is one."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.forest import GhostForest
from app.widgets import caption, heading, label


class CompareGhost(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(60, 60, 60, 60)
        column.addWidget(label(self.tr("A comparison appears here when the first trials end."), 20, 600))
        column.addWidget(
            label(
                self.tr("Every variant runs once per round; its speed is compared with A's in the same round."),
                12, 400, "secondary", wrap=True,
            )
        )  # fmt: skip
        column.addSpacing(24)
        column.addWidget(heading(self.tr("How to read a result")))
        column.addWidget(GhostForest())
        column.addWidget(caption(self.tr("These figures are made up.")))
        column.addStretch(1)
