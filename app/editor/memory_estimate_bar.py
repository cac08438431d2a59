"""The predicted memory peak of all engines against the machine's memory, and the predicted time of a run."""

from __future__ import annotations

import psutil
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.session.session import Session
from app.widgets.basics import Meter, label, restyle, tip
from core.base import formatting
from core.feasibility.memory_estimate import TIGHT, card_bytes, memory_estimate
from core.machine.environment import capacity_bytes
from core.machine.machine_roof import kept
from core.model.facts import ModelFacts
from core.run.run_time import predicted
from core.spec.experiment import Experiment
from core.strategies.precision import default_precision


class MemoryFoot(QWidget):
    """The foot of the left dock. A prediction that does not fit warns and forbids nothing."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 16, 10)
        column.setSpacing(6)
        row = QHBoxLayout()
        self._title = label(self.tr("Predicted peak"), 12, role="secondary")
        row.addWidget(self._title)
        row.addStretch(1)
        self.text = label("", 12, 500)
        row.addWidget(self.text)
        column.addLayout(row)
        self.bar = Meter(self.tr("Predicted peak memory of all engines"))
        column.addWidget(self.bar)
        self.note = label("", 11, role="secondary", wrap=True)
        column.addWidget(self.note)
        row = QHBoxLayout()
        self._time_title = label(self.tr("Predicted time"), 12, role="secondary")
        row.addWidget(self._time_title)
        row.addStretch(1)
        self.time = label("", 12, 500)
        row.addWidget(self.time)
        column.addLayout(row)
        for signal in (
            session.experiment_changed,
            session.selection_changed,
            session.environment_changed,
            session.run_started,
            session.run_finished,
        ):
            signal.connect(self.refresh)
        session.results_changed.connect(self._results_changed)
        self.refresh()

    @Slot()
    def _results_changed(self) -> None:
        """Update the predicted time from new results, once their run is over."""
        if not self.session.running:
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the predicted memory of all engines together, which stay loaded while rounds alternate."""
        experiment, facts = self.session.to_run, self.session.facts
        known = experiment is not None and facts is not None
        self.bar.setVisible(known)
        self.text.setVisible(known)
        self._title.setVisible(known)
        for part in (self._time_title, self.time):
            part.setVisible(known and not self.session.running)
        if experiment is None or facts is None:
            self.note.setText(self.tr("Open a model to edit these.") if experiment is None else "")
            return
        environment = self.session.environment
        precision = default_precision(environment) if environment else "fp32"
        on_host = environment is None or not environment.devices
        needs, words_of = {}, {}
        for variant in experiment.variants:
            found = memory_estimate(facts, variant, experiment.workload, precision)
            device = card_bytes(found.parts)
            needs[variant.name] = found.total if on_host else device
            words_of[variant.name] = formatting.sizes(found.least, found.most) if on_host else formatting.size(device)
        total = sum(needs.values())
        capacity = capacity_bytes(environment) if environment is not None else None
        capacity = capacity or psutil.virtual_memory().total
        share = total / capacity
        level = "err" if share > 1 else "warn" if share > TIGHT else ""
        restyle(self.bar, level=level)
        restyle(self.text, role=level)
        self.bar.setValue(round(1000 * min(1.0, share)))
        self.text.setText(
            self.tr("{need} of {capacity} GiB").format(
                need=formatting.number(total / 2**30), capacity=formatting.number(capacity / 2**30)
            )
        )
        if not self.session.running:
            self._show_time(experiment, facts, precision)
        if self.session.running:
            note = self.tr("Locked until this run ends.")
        elif share > 1:
            note = self.tr("Predicted not to fit. Running is allowed: the prediction may be wrong.")
        elif self.session.selected not in needs:
            note = self.tr("{letter} sits out the run.").format(
                letter=theme.letter(self.session.draft_index(self.session.selected))
            )
        else:
            fits = self.tr("Tight.") if share > TIGHT else self.tr("Fits.")
            note = self.tr("{fits} {n} engines stay loaded; {letter} needs {need}.").format(
                fits=fits,
                n=len(needs),
                letter=theme.letter(self.session.draft_index(self.session.selected)),
                need=words_of[self.session.selected],
            )
        self.note.setText(note)

    def _show_time(self, experiment: Experiment, facts: ModelFacts, precision: str) -> None:
        """Show the predicted time of the run that would begin now."""
        environment = self.session.environment
        machine = kept(environment) if environment is not None else None
        span = predicted(experiment, facts, precision, machine, self.session.results)
        self.time.setText(said(span.words()))
        self.time.setToolTip(
            tip(
                self.tr(
                    "Loading, warming up and all rounds of the ticked variants: from the last results where these were "
                    "measured, else from the size of the model and the machine's bandwidth."
                )
            )
        )
