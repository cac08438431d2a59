"""The Quality page without results: what is missing, a button that measures it, and the figures to come."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from app.base.core_text import said
from app.session.session import Session
from app.widgets.basics import caption, heading, label
from app.widgets.buttons import PrimaryButton
from app.widgets.empty_state import teaching
from core.results.results import Results
from core.wording.column_meanings import MEANING

TAUGHT = ("kld_mean", "same_top_pct", "ppl_ratio")


class QualityGhost(QWidget):
    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.teach, self.why = label("", 20, 600, wrap=True), label("", 12, 400, "secondary", wrap=True)
        self.check = PrimaryButton(icon_name="play")
        self.check.set_label(self.tr("Check quality"))
        self.check.setWhatsThis(
            self.tr("Judges what was measured. Where nothing was, or it was edited since, it is measured first.")
        )
        self.check.clicked.connect(session.check_quality)
        column = teaching(self, self.teach, self.why, self.check)
        column.addWidget(heading(self.tr("What is compared")))
        column.addSpacing(4)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for place, name in enumerate(TAUGHT):
            meaning = MEANING[name]
            grid.addWidget(label(said(meaning.title), 12, 500), place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(said(meaning.formula), 12, 400, "secondary", wrap=True), place, 1)
        column.addLayout(grid)
        column.addSpacing(12)
        column.addWidget(
            caption(
                self.tr(
                    "These are proxies: they tell how far a variant moves from the baseline, not whether its answers "
                    "are good. Run a task set of your own before you ship."
                ),
                wrap=True,
            )
        )
        column.addStretch(1)

    def show_state(self, results: Results | None) -> None:
        """Show what is missing, and the way to it."""
        experiment = self._session.experiment
        running, alone = self._session.running, experiment is not None and len(experiment.variants) < 2
        planned = running and results is not None and results.experiment and results.experiment.quality is not None
        self.check.setVisible(not running)
        self.check.setEnabled(experiment is not None and not alone)
        if planned:
            self.teach.setText(self.tr("Quality is judged after the rounds."))
            self.why.setText(self.tr("Apart from them, so that it costs no trial anything."))
        elif running:
            self.teach.setText(self.tr("This run measures speed only."))
            self.why.setText(self.tr("Switch quality on under Protocol, and run again."))
        elif alone:
            self.teach.setText(self.tr("Quality takes two variants."))
            self.why.setText(self.tr("Every variant is compared with the baseline, A: add another one first."))
        else:
            self.teach.setText(self.tr("Quality has not been checked."))
            if self._session.can_judge:
                self.why.setText(
                    self.tr(
                        "Every variant reads the same text as the baseline, and their next-token probabilities are "
                        "compared. The rounds that were measured stay as they are: none is measured again."
                    )
                )
                return
            self.why.setText(
                self.tr(
                    "Every variant reads the same text as the baseline, after the rounds of the speed trials, and "
                    "their next-token probabilities are compared."
                )
            )
