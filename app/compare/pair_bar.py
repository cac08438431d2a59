"""A sentence below the table that compares two selected rows."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import said
from app.compare.compare_rows import CompareRow
from app.widgets.basics import label
from app.widgets.buttons import button
from core.analysis.comparison_row import Comparison
from core.analysis.contrast import contrast
from core.analysis.measures import Measure
from core.results.results import Results
from core.wording import contrast_text


class PairBar(QFrame):
    """Hidden without a pair. The second row is the reference; a button makes it the whole table's."""

    reference_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "sunken")
        self.said = label("", 13, 600, wrap=True)
        self.how = label("", 12, 400, "secondary", wrap=True)
        self.use = button("")
        self.use.setWhatsThis(self.tr("Makes the second of the two what all variants are compared with."))
        self._name = ""
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.said)
        column.addWidget(self.how)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 8, 16, 8)
        row.addLayout(column, 1)
        row.addWidget(self.use)
        self.use.clicked.connect(self._wanted)
        self.hide()

    def show_pair(
        self, first: CompareRow, second: CompareRow, by: Measure, results: Results | None, comparison: Comparison | None
    ) -> None:
        """Show two rows; `results` and `comparison` are those of both, or None for rows of different runs."""
        if results is None or comparison is None:
            self._across(first, second, by)
            return
        found = contrast(results, comparison, by, first.row, second.row)
        answer, how = map(said, contrast_text.pair(comparison, by, found, first.row, second.row))
        self._say(answer, how)
        self._name = second.row.variant
        self.use.setText(self.tr("Compare all with {name}").format(name=second.row.variant))
        self.use.setVisible(not by.amount and second.base is not second.row)

    def _across(self, first: CompareRow, second: CompareRow, by: Measure) -> None:
        """Show the figures of two runs side by side; they share no round, so no ratio is formed."""
        values = [said(contrast_text.figure(by, e.row, by.value(e.row))) for e in (first, second)]
        self._say(
            self.tr("{name} ({run}): {value}; {other} ({other_run}): {other_value}").format(
                name=first.row.variant,
                run=first.run,
                value=values[0],
                other=second.row.variant,
                other_run=second.run,
                other_value=values[1],
            ),
            said(first.unlike or second.unlike) or self.tr("Different runs share no round, so no ratio is formed."),
        )
        self.use.hide()

    def _say(self, said: str, how: str) -> None:
        self.said.setText(said)
        self.how.setText(how)
        self.setAccessibleName(said)
        self.show()

    @Slot()
    def _wanted(self) -> None:
        self.reference_wanted.emit(self._name)
