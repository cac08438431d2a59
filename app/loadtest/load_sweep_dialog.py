"""The dialog of a sweep over the load: one field of the workload with several values makes one run per value, previewed
before they are queued."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.session.run_queue import RunQueue
from app.text.field_text import words
from app.text.phrases import named
from app.widgets.basics import caption, label, restyle
from app.widgets.dialog import Dialog
from app.widgets.model_form import tame
from app.widgets.swept_list import SweptList
from core.loadtest.load_sweep import FIELDS, LoadVariant, SweepMark, load_sweep, new_id
from core.spec.value_ranges import RangeError, values
from core.spec.workload import Workload

PROPOSED = {"concurrency": "1, 2, 4, 8", "rate": "0.5, 1, 2, 4", "prompt_tokens": "32, 128, 512"}


class LoadSweepDialog(Dialog):
    """A sweep of the present draft with all its participating variants."""

    def __init__(self, queue: RunQueue, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("LoadSweepDialog", "Sweep the load"), parent, 560)
        self.queue = queue
        self.found: list[LoadVariant] = []
        about = self.tr(
            "One run for each value, all of them one after the other from the run queue. Together they make a curve: "
            "how latency grows with throughput."
        )
        self.body.addWidget(caption(about, wrap=True))
        self.field, self.values = QComboBox(), QLineEdit()
        self.values.setFont(theme.font(12, mono=True))
        self.values.setPlaceholderText(self.tr("2, 4, 8   or   2..16 step 2"))
        self.fault = label("", 12, role="warn", wrap=True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (name, widget) in enumerate(((self.tr("Load"), self.field), (self.tr("Values"), self.values))):
            heading = label(name, 13, role="secondary")
            heading.setBuddy(widget)
            widget.setAccessibleName(name)
            grid.addWidget(heading, row, 0)
            grid.addWidget(widget, row, 1)
        grid.addWidget(self.fault, 2, 1)
        self.body.addLayout(grid)
        self.preview = SweptList(self.tr("Runs that this makes, and values that are refused"))
        self.body.addWidget(self.preview)
        self.add = self.add_buttons(self.tr("Add to queue"), self.tr("Cancel"))
        for name in FIELDS:
            self.field.addItem(words(name, Workload.model_fields[name]), name)
        tame(self.field)
        experiment = queue.session.to_run
        if experiment is not None and experiment.workload.arrival == "poisson":
            self.field.setCurrentIndex(self.field.findData("rate"))
        self.field.currentIndexChanged.connect(self._field_chosen)
        self.values.textChanged.connect(self._preview)
        self.accepted.connect(self._accepted)
        self._field_chosen()
        self.values.setFocus()
        self.values.selectAll()

    @Slot()
    def _field_chosen(self) -> None:
        with QSignalBlocker(self.values):
            self.values.setText(PROPOSED[self.field.currentData()])
        self._preview()

    @Slot()
    def _preview(self) -> None:
        """Show the runs that the values make, and why some cannot be made."""
        session, fault = self.queue.session, ""
        experiment = session.to_run
        self.found = []
        try:
            wanted = values(self.values.text())
        except RangeError as error:
            wanted, fault = [], said(str(error))
        if experiment is not None and wanted:
            self.found = load_sweep(experiment, self.field.currentData(), wanted, session.facts)
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        restyle(self.values, invalid=bool(fault))
        load = self.field.currentText()
        self.preview.show_made(
            (
                f"{load} {one.value}" if one.experiment is not None else named(str(one.value), said(one.refusal)),
                one.refusal,
            )
            for one in self.found
        )
        count = sum(one.experiment is not None for one in self.found)
        self.add.setEnabled(count > 0)
        text = self.tr("Add 1 run to the queue") if count == 1 else self.tr("Add {n} runs to the queue").format(n=count)
        self.add.set_label(text if count else self.tr("Add to queue"))

    @Slot()
    def _accepted(self) -> None:
        made = [one for one in self.found if one.experiment is not None]
        sweep, field = new_id(), self.field.currentData()
        self.queue.add_all(
            [
                (one.experiment, SweepMark(sweep, field, one.value, len(made)))
                for one in made
                if one.experiment is not None and isinstance(one.value, int | float)
            ]
        )
