"""Opens a run's journal in a thread, with progress, the first rounds early, and a way to stop."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.session.comparison_cache import comparison_of
from app.session.live_data import LiveData
from app.session.run_threads import import_late
from app.widgets.basics import Meter, caption, label
from app.widgets.buttons import button
from core.base import formatting
from core.protocol import events
from core.protocol.fold import Fold
from core.results.journal import JOURNAL, JournalError, replay
from core.results.ratio_statistics import MARGIN
from core.results.results import Results

FIRST_S = 0.2  # so long it reads before the first rounds are shown
DRAWN_S = 0.5  # so long it leaves Python's lock to the window then: each call of Qt's would wait for it
TOLD_S = 0.1  # between two reports of how far it is
SMALL = 2**20  # bytes; a smaller journal is read before a thread would start


class Stopped(Exception):
    """Raised when the journal is no longer wanted."""


class Opened:
    """The content of a journal; `whole` is False for its first rounds."""

    def __init__(self, folder: Path, results: Results, curves: LiveData, whole: bool) -> None:
        self.folder, self.results, self.curves, self.whole = folder, results, curves, whole


def journal_bytes(folder: Path) -> int:
    """Return the size of a run's journal; 0 without one, and opening then says what is wrong."""
    try:
        return (folder / JOURNAL).stat().st_size
    except OSError:
        return 0


def is_large(folder: Path) -> bool:
    """Return whether a run's journal is large enough to show progress."""
    return journal_bytes(folder) >= SMALL


class OpeningThread(QThread):
    """Folds a journal into results, which the thread hands over and never touches again."""

    progressed = Signal(float, float)  # bytes read, bytes there are
    opened = Signal(object)  # Opened: the first rounds, then all of it
    broken = Signal(str)

    def __init__(self, folder: Path, margin: float, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folder, self._margin = folder, margin
        self._told = self._began = 0.0
        self._size = 0
        self.stopped = threading.Event()

    def run(self) -> None:
        try:
            self._size, self._began = journal_bytes(self.folder), time.monotonic()
            import_late()
            self._fold()
        except Stopped:
            pass
        except JournalError as error:
            self.broken.emit(str(error))
        except Exception as error:  # the thread's edge: the window says so and lives on
            self.broken.emit(f"{self.folder}: {type(error).__name__}: {error}")

    def _fold(self) -> None:
        whole, first = _Folded(self.folder, self._margin), list[events.Event]()
        waiting = True  # for the first rounds
        for event in replay(self.folder, self._read):
            whole.fold(event)
            if waiting:
                first.append(event)
                waiting = not (isinstance(event, events.TrialDone) and time.monotonic() - self._began > FIRST_S)
                if not waiting:
                    part = _Folded(self.folder, self._margin)
                    for one in first:
                        part.fold(one)
                    first.clear()
                    self.opened.emit(part.done(whole=False))
                    self.stopped.wait(DRAWN_S)
        self.progressed.emit(float(self._size), float(self._size))
        self.opened.emit(whole.done(whole=True))

    def _read(self, count: int) -> None:
        if self.stopped.is_set():
            raise Stopped
        now = time.monotonic()
        if now - self._told > TOLD_S:
            self._told = now
            self.progressed.emit(float(count), float(self._size))


class _Folded:
    """Results and curves folded from the same events."""

    def __init__(self, folder: Path, margin: float) -> None:
        self._folder, self._curves = folder, LiveData()
        self._results = Results(folder.resolve().name, margin)
        self._parts: tuple[Fold, ...] = (self._results, self._curves)

    def fold(self, event: events.Event) -> None:
        for part in self._parts:
            part.fold(event)

    def done(self, whole: bool) -> Opened:
        """Return the content with its comparison, whose computation would block the window."""
        self._curves.end()
        self._results.interrupted = whole and self._results.finished is None  # unknown for a part
        self._results.partial = not whole
        comparison_of(self._results)
        return Opened(self._folder, self._results, self._curves, whole)


class Opening(QObject):
    """Opens one journal at a time; a new one replaces it."""

    progressed = Signal(float, float)
    opened = Signal(object)  # Opened
    ended = Signal()  # whole, broken or stopped
    broken = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: OpeningThread | None = None
        self._stopped: list[OpeningThread] = []  # threads that may still be comparing; their result is not needed
        self.folder: Path | None = None

    def start(self, folder: Path, margin: float = MARGIN) -> None:
        """Open a run; `margin` is that of the verdicts."""
        self.stop()
        self.folder = folder
        thread = self._thread = OpeningThread(folder, margin, self)
        thread.progressed.connect(self._progressed)
        thread.opened.connect(self._opened)
        thread.broken.connect(self._broken)
        thread.finished.connect(self._ended)
        thread.start()
        self.progressed.emit(0.0, float(journal_bytes(folder)))  # at once: one sees that it has begun

    @Slot()
    def stop(self) -> None:
        """Stop reading; what is shown stays."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.stopped.set()
            self._stopped.append(thread)
            self.ended.emit()

    def close(self) -> None:
        """Stop, and wait for the threads."""
        self.stop()
        for thread in self._stopped:
            thread.wait()

    @property
    def going_on(self) -> bool:
        return self._thread is not None

    @Slot(float, float)
    def _progressed(self, done: float, total: float) -> None:
        if self.sender() is self._thread:
            self.progressed.emit(done, total)

    @Slot(object)
    def _opened(self, found: Opened) -> None:
        if self.sender() is self._thread:
            self.opened.emit(found)

    @Slot(str)
    def _broken(self, text: str) -> None:
        if self.sender() is self._thread:
            self.broken.emit(text)

    @Slot()
    def _ended(self) -> None:
        thread = self.sender()
        if not isinstance(thread, OpeningThread):
            return
        if thread in self._stopped:
            self._stopped.remove(thread)
        if thread is self._thread:
            self._thread = None
            self.ended.emit()
        thread.deleteLater()


class OpeningBar(QFrame):
    """The progress of opening with a stop button; hidden otherwise."""

    def __init__(self, opening: Opening, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "sunken")
        self._opening, self._began = opening, 0.0
        self.text = label("", 13)
        self.left = caption("")
        self.meter = Meter(self.tr("Opening results"))
        self.stop = button(self.tr("Stop opening"), "stop")
        self.stop.setWhatsThis(self.tr("Reads no further; what was open before stays."))
        self.stop.clicked.connect(opening.stop)
        line = QHBoxLayout()
        line.addWidget(self.text, 1)
        line.addWidget(self.left)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addLayout(line)
        column.addWidget(self.meter)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(12)
        row.addLayout(column, 1)
        row.addWidget(self.stop)
        opening.progressed.connect(self._progressed)
        opening.ended.connect(self._hide)
        self.hide()

    @Slot(float, float)
    def _progressed(self, done: float, total: float) -> None:
        if self.isHidden():
            self._began = time.monotonic()
        name = self._opening.folder.name if self._opening.folder is not None else ""
        share = done / total if total else 1.0
        self.text.setText(
            self.tr("Opening {name}: {done} of {total}").format(
                name=name, done=formatting.size(round(done)), total=formatting.size(round(total))
            )
        )
        spent = time.monotonic() - self._began
        left = self.tr("comparing") if share >= 1 else ""
        if 0.05 < share < 1 and spent > 0.5:
            left = self.tr("{time} left").format(time=formatting.seconds(max(1.0, spent * (1 - share) / share)))
        self.left.setText(left)
        self.meter.setValue(round(1000 * share))
        self.show()

    @Slot()
    def _hide(self) -> None:
        self.hide()
