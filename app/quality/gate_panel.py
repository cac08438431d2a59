"""The gate's limits: a variant's figures against them, and a panel that sets them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.session.session import Session
from app.widgets.basics import caption, heading, label
from app.widgets.buttons import button
from app.widgets.dropdown_field import Panel
from app.widgets.model_form import Form
from core.analysis.comparison_row import Row
from core.spec.experiment import QualitySettings
from core.spec.gate import Gate
from core.wording import quality_text


class LimitRows(QWidget):
    """Three rows: a figure's name, its value, and the gate's limits below."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        self.shown: list[tuple[str, str, str]] = []
        self._rows = [(label("", 12, 400, "secondary"), label("", 12, 500), caption("")) for _ in range(3)]
        for place, (name, value, limits) in enumerate(self._rows):
            limits.setContentsMargins(0, 0, 0, 6)
            grid.addWidget(name, 2 * place, 0)
            grid.addWidget(value, 2 * place, 1, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(limits, 2 * place + 1, 0, 1, 2)

    def set_low(self, low: bool) -> None:
        """Move the small print into tooltips, in a window too low for it."""
        for *beside, limits in self._rows:
            limits.setVisible(not low)
            for part in beside:
                part.setToolTip(limits.text() if low else "")

    def set(self, rows: list[tuple[str, str, str]]) -> None:
        self.setVisible(bool(rows))
        self.shown = list(rows)
        for parts, texts in zip(self._rows, rows, strict=False):
            for part, text in zip(parts, texts, strict=True):
                part.setText(text)


class QualityLimits(QWidget):
    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.title = heading("")
        self.rows = LimitRows()
        self.edit = button(self.tr("Edit"), "pencil", "flat")
        self.edit.setAccessibleName(self.tr("Edit limits"))
        self.edit.setWhatsThis(self.tr("Sets the limits of the gate, from the next run on."))
        self.gate: Form[Gate] = Form(Gate(), label_width=176)
        self.proxy = caption(
            self.tr(
                "KL divergence tells how far the next-token probabilities move from A's; 0 is identical. It is a "
                "proxy: run your own task set before shipping."
            ),
            wrap=True,
        )
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.edit)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 16, 8)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.rows)
        column.addWidget(self.proxy)
        column.addStretch(1)
        self.panel = Panel(320, self.edit)
        self.panel.column.addWidget(heading(self.tr("Limits of the gate")))
        self.panel.column.addWidget(self.gate)
        note = self.tr("They hold from the next run on; this one keeps its own.")
        self.panel.column.addWidget(caption(note, wrap=True))
        self.edit.clicked.connect(self._open)
        self.gate.changed.connect(self._edited)

    def show_row(self, row: Row | None, gate: Gate | None) -> None:
        """Show a variant against the limits."""
        letter = theme.letter(self._session.index_of(row.variant)) if row is not None else ""
        title = self.tr("Limits, and what {letter} reaches").format(letter=letter) if row else self.tr("Limits")
        self.title.setText(title)
        self.edit.setEnabled(self._session.experiment is not None and not self._session.running)
        self.rows.set(limit_rows(self, row, gate) if gate is not None else [])

    @Slot()
    def _open(self) -> None:
        """Open the panel above its button, since there is no room below."""
        experiment = self._session.experiment
        if experiment is not None and experiment.quality is not None:
            self.gate.fill(experiment.quality.gate)
        self.panel.adjustSize()
        self.panel.move(self.edit.mapToGlobal(QPoint(self.edit.width() - self.panel.width(), -self.panel.height() - 4)))
        self.panel.show()

    @Slot(object)
    def _edited(self, gate: Gate) -> None:
        experiment = self._session.experiment
        if experiment is not None:
            quality = experiment.quality or QualitySettings()
            self._session.set_quality(quality.model_copy(update={"gate": gate}))


def limit_rows(view: QWidget, row: Row | None, gate: Gate) -> list[tuple[str, str, str]]:
    """Return each of the three figures with its two limits."""
    none = "—"
    return [
        (
            view.tr("KL divergence"),
            quality_text.divergence(row) if row else none,
            view.tr("green < {g}, amber < {a}").format(g=f"{gate.kld_green:g}", a=f"{gate.kld_amber:g}"),
        ),
        (
            view.tr("Same top token"),
            said(quality_text.same_top(row)) if row else none,
            view.tr("green ≥ {g} %, amber ≥ {a} %").format(g=f"{gate.same_top_green:g}", a=f"{gate.same_top_amber:g}"),
        ),
        (
            view.tr("Ratio, upper bound"),
            f"{row.ppl_ratio_high:.4f}" if row and row.ppl_ratio_high is not None else none,
            view.tr("green ≤ {g}, amber ≤ {a}").format(g=f"{gate.ppl_green:g}", a=f"{gate.ppl_amber:g}"),
        ),
    ]
