"""The dialog of definitions: every column with its formula, and the selected variant's figures as other benchmarks
define them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from app.base.core_text import said
from app.widgets.basics import caption, label
from app.widgets.dialog import Dialog
from core.base import formatting
from core.base.nonbreaking import tied
from core.report import column_dictionary, peer_benchmarks
from core.results.trials import Trial

NAMES = {"vllm": "vLLM", "guidellm": "GuideLLM", "llmperf": "LLMPerf", "mlperf": "MLPerf"}


class FormulasDialog(Dialog):
    """`trials` are those of the variant `name`, if it was measured, from which the other benchmarks' figures are
    computed."""

    def __init__(self, parent: QWidget | None = None, name: str = "", trials: Sequence[Trial] = ()) -> None:
        super().__init__(QCoreApplication.translate("FormulasDialog", "What the numbers mean"), parent, 860)
        self._trials = [trial for trial in trials if trial.ok]
        self.choice = QComboBox()
        self.choice.setMinimumWidth(260)
        self.choice.setAccessibleName(self.tr("As defined by"))
        self.choice.addItem(self.tr("Dyno: the columns of the CSV files"), "")
        for peer, title in NAMES.items():
            self.choice.addItem(title, peer)
        row = QHBoxLayout()
        row.addWidget(label(self.tr("As defined by"), 13, role="secondary"))
        row.addWidget(self.choice)
        row.addStretch(1)
        self.note = caption("")
        row.addWidget(self.note)
        self.body.addLayout(row)
        self._name = name
        self.table = QTableWidget(0, 4)
        self.table.setProperty("look", "boxed")
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setWordWrap(True)
        self.table.setTabKeyNavigation(False)
        self.table.setAccessibleName(self.tr("What the numbers mean"))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.body.addWidget(self.table)
        self.resize(860, 520)
        self.add_buttons(self.tr("Close"), "")
        self.choice.currentIndexChanged.connect(self._fill)
        self._fill()

    @Slot()
    def _fill(self) -> None:
        peer = self.choice.currentData()
        rows: list[tuple[str, str, str, str, str]]
        if peer:
            found = peer_benchmarks.figures(peer, self._trials)
            rows = [(said(f.name), formatting.number(f.value), f.unit, said(f.formula), f.source) for f in found]
            second = self.tr("Value")
            self.note.setText(self._name if self._trials else self.tr("nothing was measured yet"))
        else:
            rows = [
                (said(c.title), c.name, c.unit, said(c.formula), said(c.source)) for c in column_dictionary.columns()
            ]
            second = self.tr("Column")
            self.note.setText("")
        self.table.setHorizontalHeaderLabels([self.tr("Number"), second, self.tr("Unit"), self.tr("Formula")])
        self.table.setRowCount(len(rows))
        for number, (*texts, source) in enumerate(rows):
            for column, text in enumerate(texts):
                item = QTableWidgetItem(tied(text) if column == 3 else text)
                item.setToolTip(source)
                self.table.setItem(number, column, item)
        self.table.resizeColumnToContents(1)
        self.table.resizeRowsToContents()
