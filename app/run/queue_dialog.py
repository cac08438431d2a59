"""The queue as a list: waiting experiments in order, and why one could not be started."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from app.session.run_queue import QueueEntry, RunQueue
from app.text.field_text import words
from app.text.model_names import named
from app.text.prompt_text import title as prompts_title
from app.widgets.basics import caption, label
from app.widgets.buttons import button
from app.widgets.dialog import Dialog
from app.widgets.two_line_list import ROW, TwoLines, row
from core.spec.experiment import Experiment
from core.spec.workload import Workload


class QueueDialog(Dialog):
    """Stays open beside the window until the queue starts; later it would cover the run and keep its keys from it."""

    def __init__(self, queue: RunQueue, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("QueueDialog", "Run queue"), parent, 560)
        self.queue = queue
        self.note = caption("", wrap=True)
        self.body.addWidget(self.note)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Experiments that wait"))
        self.list.setProperty("look", "boxed")
        self.list.setItemDelegate(TwoLines(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumHeight(4 * ROW + 2)
        self.body.addWidget(self.list)
        self.fault = label("", 12, role="warn", wrap=True)
        self.body.addWidget(self.fault)
        self.up = button(self.tr("Move up"), "chevron-up")
        self.down = button(self.tr("Move down"), "chevron-down")
        self.remove = button(self.tr("Remove"), "trash")
        acts = QHBoxLayout()
        acts.setSpacing(8)
        for one, slot in ((self.up, self._move_up), (self.down, self._move_down), (self.remove, self._remove)):
            one.setAutoDefault(False)
            one.clicked.connect(slot)
            acts.addWidget(one)
        acts.addStretch(1)
        self.body.addLayout(acts)
        self.start = self.add_buttons(self.tr("Start queue"), self.tr("Close"))
        self.start.clicked.disconnect()
        self.start.clicked.connect(self._start_or_hold)
        self.list.currentRowChanged.connect(self._mark)
        queue.changed.connect(self.refresh)
        queue.session.run_started.connect(self.refresh)
        queue.session.run_finished.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        queue, place = self.queue, self.list.currentRow()
        self.list.clear()
        for entry in queue.entries:
            self.list.addItem(_item(entry))
        self.list.setCurrentRow(min(max(0, place), len(queue.entries) - 1))
        if not queue.entries:
            self.note.setText(self.tr("Run ▸ Add to queue puts the present experiment here."))
        elif queue.active and queue.session.running:
            self.note.setText(self.tr("The next one starts when the present run ends. Each gets results of its own."))
        else:
            self.note.setText(self.tr("One starts when the one before it ends. Each gets results of its own."))
        if queue.active:
            self.start.set_label(self.tr("Hold queue"), "", "pause")
        else:
            self.start.set_label(self.tr("Start queue"), "", "play")
        self.start.setEnabled(bool(queue.waiting))
        self._mark()

    @Slot()
    def _mark(self) -> None:
        place, count = self.list.currentRow(), self.list.count()
        self.up.setEnabled(place > 0)
        self.down.setEnabled(0 <= place < count - 1)
        self.remove.setEnabled(place >= 0)
        self.fault.setText(self.queue.entries[place].fault if 0 <= place < len(self.queue.entries) else "")
        self.fault.setVisible(bool(self.fault.text()))

    @Slot()
    def _start_or_hold(self) -> None:
        if self.queue.active:
            self.queue.hold()
        else:
            self.queue.start()
            self.accept()

    @Slot()
    def _move_up(self) -> None:
        self._move(-1)

    @Slot()
    def _move_down(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        place = self.list.currentRow()
        self.queue.move(place, by)
        self.list.setCurrentRow(place + by)

    @Slot()
    def _remove(self) -> None:
        self.queue.remove(self.list.currentRow())


def described(experiment: Experiment) -> tuple[str, str]:
    """Return an experiment in two lines: `Demo model · baseline, int8, int4`, and `5 rounds · Chat, 128 tokens in, 64
    out`."""
    work = experiment.workload
    rounds = QCoreApplication.translate("QueueDialog", "{n} rounds").format(n=work.trials)
    if work.trials == 1:
        rounds = QCoreApplication.translate("QueueDialog", "1 round")
    asked = QCoreApplication.translate("QueueDialog", "{prompts}, {into} tokens in, {out} out")
    asked = asked.format(prompts=prompts_title(work.prompts), into=work.prompt_tokens, out=work.new_tokens)
    return f"{named(experiment.model)} · {', '.join(v.name for v in experiment.variants)}", f"{rounds} · {asked}"


def _item(entry: QueueEntry) -> QListWidgetItem:
    text, note = described(entry.experiment)
    if entry.mark is not None:
        load = words(entry.mark.field, Workload.model_fields[entry.mark.field])
        note = f"{load} {entry.mark.value:g} · {note}"
    return row(text, entry.fault or note, ("warning", "warn") if entry.fault else ("clock", "text2"))
