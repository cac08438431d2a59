"""A bar that says which trials are excluded, with a button that includes them again."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.widgets.basics import IconLabel, label
from app.widgets.buttons import button
from core.analysis.trial_exclusion import TrialKey

NAMED = 4  # variants; more are not


class ExcludedTrialsBar(QFrame):
    """Hidden while every trial counts."""

    take_back = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "warning")
        self.text = label("", 13, wrap=True)
        back = button(self.tr("Count all trials"), "undo")
        back.setWhatsThis(self.tr("Takes the trials that were left out back into the figures."))
        back.clicked.connect(self.take_back)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(10)
        row.addWidget(IconLabel("warning", "warn"))
        row.addWidget(self.text, 1)
        row.addWidget(back)
        self.hide()

    def show_keys(self, keys: Collection[TrialKey]) -> None:
        rounds: dict[str, list[int]] = {}
        for name, number in sorted(keys):
            rounds.setdefault(name, []).append(number + 1)
        named = "; ".join(
            self.tr("{name}, round {rounds}").format(name=name, rounds=", ".join(map(str, found)))
            for name, found in list(rounds.items())[:NAMED]
        )
        text = self.tr("Left out of these figures: {which}. Nothing is deleted; exports hold every trial.")
        self.text.setText(text.format(which=named + ("; …" if len(rounds) > NAMED else "")))
        self.setAccessibleName(self.text.text())
        self.setVisible(bool(keys))
