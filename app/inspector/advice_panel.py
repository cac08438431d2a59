"""The first pieces of advice, each with its measurement and a button that adds the variant."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import said
from app.session.session import Session
from app.widgets.basics import IconLabel, caption, label
from app.widgets.buttons import button
from core.analysis.advice_variants import variant_for
from core.analysis.comparison_row import Advice
from core.base import formatting
from core.spec.variant import Variant

SHOWN = 2


class NextSteps(QWidget):
    """Rebuilt when the advice or the variants change."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._names: Sequence[str] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self.shown: list[tuple[Advice, Variant | None]] = []

    def set(self, pieces: Sequence[Advice], names: Sequence[str]) -> None:
        """Show the advice; `names` are the measured variants."""
        experiment, self._names = self._session.experiment, names
        rows = [(p, variant_for(p, experiment) if experiment is not None else None) for p in pieces[:SHOWN]]
        if rows == self.shown:
            return
        self.shown = rows
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for place, (piece, variant) in enumerate(rows):
            self._column.addWidget(self._row(place, piece, variant))

    def _row(self, place: int, piece: Advice, variant: Variant | None) -> QWidget:
        row = QWidget()
        line, column = QHBoxLayout(row), QVBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(IconLabel("bulb" if piece.binds else "info", "accent" if piece.binds else "text2", 15), 0,
                       Qt.AlignmentFlag.AlignTop)  # fmt: skip
        column.setSpacing(2)
        column.addWidget(label(said(piece.what), 12, 500, wrap=True))
        column.addWidget(caption(said(self._sentence(piece.because)), wrap=True))
        if piece.ceiling_tok_s is not None:
            ceiling = self.tr("At most {rate} tok/s.").format(rate=formatting.number(piece.ceiling_tok_s))
            column.addWidget(caption(ceiling, wrap=True))
        if variant is not None:
            add = button(self.tr("Add {name}").format(name=variant.name), "plus")
            add.let_elide()
            add.setProperty("place", place)
            add.setEnabled(not self._session.running)
            add.clicked.connect(self._add)
            across = QHBoxLayout()
            across.setContentsMargins(0, 4, 0, 0)
            across.addWidget(add)
            across.addStretch(1)
            column.addLayout(across)
        line.addLayout(column, 1)
        return row

    def _sentence(self, because: str) -> str:
        """Return the sentence capitalized, unless it begins with a variant's name."""
        named = any(because.startswith(name) for name in self._names)
        return formatting.sentence(because if named else formatting.capital(because))

    @Slot()
    def _add(self) -> None:
        """Add the variant without running it."""
        sender = self.sender()
        experiment = self._session.experiment
        if sender is None or experiment is None:
            return
        _, variant = self.shown[sender.property("place")]
        if variant is not None:
            self._session.insert(variant, variant.name, len(experiment.variants))
