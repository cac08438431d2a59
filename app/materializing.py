"""Writing the pruned or quantized model of a preset as a folder, from the window: the thread, its job, and what came
of it. Knows the session and `core.materialize`; shows notices.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from app.event_words import phase_name
from app.jobs import Job
from app.session import Session
from core import events, words
from core.engines import EngineError
from core.materialize import Materialize
from core.presets import Preset, PresetError


class MaterializeThread(QThread):
    """Iterates one materialization and ends with it."""

    happened = Signal(object)
    broken = Signal(str)

    def __init__(self, work: Materialize, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work

    def run(self) -> None:
        try:
            for event in self._work:
                self.happened.emit(event)
        except (EngineError, OSError) as error:
            self.broken.emit(str(error))


class Materializing(QObject):
    """One at a time, and none beside a run: an engine that converts would be heard in it."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self.session, self._window = session, window
        self._thread: MaterializeThread | None = None
        self._job: Job | None = None
        self._out = Path()
        self._phase = ""

    @Slot(object)
    def ask(self, preset: Preset) -> None:
        """Where to; the folder is made, and must not be there yet."""
        name, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Write the model of {name} as a folder").format(name=preset.name), preset.name
        )
        if name:
            self.start(preset, Path(name))

    def start(self, preset: Preset, out: Path) -> None:
        session = self.session
        if session.running or session.trying.running or self._thread is not None:
            session.notice.emit("warning", self.tr("The engines are at work: write the model when they are done."))
            return
        try:
            work = Materialize(preset, out, session.pool)
        except PresetError as error:
            session.notice.emit("error", str(error))
            return
        self._out, self._phase = work.out, ""
        self._thread = thread = MaterializeThread(work, self)
        self._job = session.jobs.begin(
            self.tr("Writing the model of {name}").format(name=preset.name), work.cancel, thread.wait, disturbs=True
        )
        thread.happened.connect(self._happened)
        thread.broken.connect(self._broken)
        thread.finished.connect(self._done)
        thread.start()

    @Slot(object)
    def _happened(self, event: events.Event) -> None:
        notice = self.session.notice
        match event:
            case events.Phase():
                self._phase = phase_name(event.phase)
                self._tell(self._phase)
            case events.Progress() if event.total:
                how = f"{event.done:.0f} / {event.total:.0f}"
                if event.unit in ("B", "bytes"):
                    how = f"{words.size(int(event.done))} / {words.size(int(event.total))}"
                self._tell(" · ".join(filter(None, [event.detail or self._phase, how])), event.done / event.total)
            case events.Log() if event.level != "info":
                notice.emit("warning", words.capital(event.text))
            case events.Failed(kind="cancelled"):
                notice.emit("info", self.tr("Cancelled: nothing was written."))
            case events.Failed():
                notice.emit("error", "\n".join(filter(None, [words.capital(event.message), event.hint])))
            case events.Done():
                notice.emit("info", self.tr("Written: {folder}. It opens as any model.").format(folder=self._out))

    def _tell(self, detail: str, share: float | None = None) -> None:
        if self._job is not None:
            self._job.tell(detail, share)

    @Slot(str)
    def _broken(self, text: str) -> None:
        self.session.notice.emit("error", words.capital(text))

    @Slot()
    def _done(self) -> None:
        if self._thread is not None:
            self._thread.deleteLater()
            self._thread = None
        if self._job is not None:
            self._job.end()
            self._job = None
