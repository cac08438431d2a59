"""Materializes a preset in a thread, with progress and a way to stop, from the events of
`core.presets.materialize_task`."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.text.phase_text import phase_text
from app.widgets.basics import Meter, label
from app.widgets.buttons import button
from core.presets.materialize_task import Materialize
from core.protocol import events


class WritingThread(QThread):
    """Iterates one materialization; `ended` is always its last signal."""

    happened = Signal(object)  # Event
    ended = Signal(object, str)  # Done or Failed, or None with the reason

    def __init__(self, work: Materialize, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.work = work

    def run(self) -> None:
        last: events.Event | None = None
        try:
            for event in self.work:
                last = event
                if isinstance(event, events.Phase | events.Progress):
                    self.happened.emit(event)
            self.ended.emit(last, "")
        except Exception as error:  # the thread's edge: the window says so and lives on
            self.ended.emit(None, str(error) or type(error).__name__)


class Writing(QObject):
    """Writes one folder at a time."""

    changed = Signal()
    written = Signal(object)  # Path
    broken = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: WritingThread | None = None
        self.phase: events.PhaseName = "start"
        self.done = self.total = 0.0
        self.out: Path | None = None

    @property
    def at_work(self) -> bool:
        return self._thread is not None

    def start(self, work: Materialize) -> None:
        self.phase, self.done, self.total, self.out = "start", 0.0, 0.0, work.out
        thread = self._thread = WritingThread(work, self)
        thread.happened.connect(self._happened)
        thread.ended.connect(self._ended)
        thread.finished.connect(thread.deleteLater)
        thread.start()
        self.changed.emit()

    @Slot()
    def stop(self) -> None:
        """Stop now; the partial folder is removed."""
        if self._thread is not None:
            self._thread.work.cancel()

    def close(self) -> None:
        """Stop, and wait for the end."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.work.cancel()
            thread.wait()

    @Slot(object)
    def _happened(self, event: events.Event) -> None:
        if isinstance(event, events.Phase):
            self.phase, self.done, self.total = event.phase, 0.0, 0.0
        elif isinstance(event, events.Progress):
            self.done, self.total = event.done, event.total or 0
        self.changed.emit()

    @Slot(object, str)
    def _ended(self, event: events.Event | None, reason: str) -> None:
        if self._thread is None:
            return  # its result is no longer wanted
        self._thread = None
        self.changed.emit()
        if isinstance(event, events.Done):
            self.written.emit(self.out)
        elif isinstance(event, events.Failed):
            self.broken.emit("\n".join(filter(None, [event.message, event.hint])))
        else:
            self.broken.emit(reason or self.tr("The engine gave no answer."))


class WritingBar(QFrame):
    """The progress bar above the views while a folder is written."""

    def __init__(self, writing: Writing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._writing = writing
        self.setProperty("surface", "sunken")
        self.text = label("", 13)
        self.meter = Meter(self.tr("Share that is written"))
        self.meter.setProperty("level", "accent")
        self.meter.setFixedWidth(160)
        self.stop = button(self.tr("Stop writing"), "cross")
        self.stop.setWhatsThis(self.tr("Ends it at once; what was written so far is removed."))
        self.stop.clicked.connect(writing.stop)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(12)
        row.addWidget(self.text, 1)
        row.addWidget(self.meter)
        row.addWidget(self.stop)
        writing.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        writing = self._writing
        self.setVisible(writing.at_work)
        if not writing.at_work or writing.out is None:
            return
        text = self.tr("Writing {folder}: {phase}")
        self.text.setText(text.format(folder=writing.out.name, phase=phase_text(writing.phase).name))
        self.meter.setValue(round(1000 * writing.done / writing.total) if writing.total else 0)
