"""The queue of experiments: one starts when the run before it has ended. It is kept in a file, which all windows share
and a new window reads; nothing starts by itself then, and nothing twice. An experiment that cannot be started stays
with its reason, and the next one follows. A run that the user ends leaves the queue waiting."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, Signal, Slot

from app.base.core_text import said
from app.session.run_queue_file import QueueFile, place_of
from app.session.session import Session
from core.base.folders import data_folder
from core.loadtest.load_sweep import SweepMark, mark
from core.spec.experiment import Experiment, SpecError, parse

FILE = "queue.json"
SWEEP = "load_sweep"
MOST = 100


@dataclass(frozen=True)
class QueueEntry:
    """One experiment. `told` is its form in the file, `number` how many equal ones precede it; `fault` says why it
    could not be started; `mark` is that of a load sweep."""

    experiment: Experiment
    told: Any
    number: int
    fault: str = ""
    mark: SweepMark | None = None


class RunQueue(QObject):
    """`active` means that the next one starts when the present run has ended."""

    changed = Signal()
    _turn = Signal()  # of the next one, after all that a run's end brings about

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.entries: list[QueueEntry] = []
        self.active = False
        self._complaint = ""
        self._begun: QueueEntry | None = None  # the last one that was taken
        self._faults: dict[str, str] = {}  # by what is told in the file
        self._file = QueueFile(data_folder() / FILE)
        self._others = QFileSystemWatcher(self)  # windows that write the file
        self._others.directoryChanged.connect(self._look)
        self._know()
        session.run_finished.connect(self._run_finished)
        session.run_refused.connect(self._run_refused)
        session.run_started.connect(self._run_started)
        session.notice.connect(self._heard)
        session.jobs.changed.connect(self._job_changed)
        self._turn.connect(self._next, Qt.ConnectionType.QueuedConnection)

    @property
    def waiting(self) -> int:
        """The number of entries that can still be started."""
        return sum(not entry.fault for entry in self.entries)

    # -- the list ------------------------------------------------------------------------------------------
    @Slot()
    def add(self) -> None:
        """Add the present draft without excluded variants; it follows the present run, if any."""
        experiment = self.session.to_run
        if experiment is not None:
            self.add_all([(experiment, None)])

    def add_all(self, made: Sequence[tuple[Experiment, SweepMark | None]]) -> None:
        """Add all, or none if there is no room for all."""
        if len(self.entries) + len(made) > MOST:
            self.session.notice.emit("warning", self.tr("The queue is full: {n} experiments wait.").format(n=MOST))
            return
        told = [json.loads(json.dumps(_told(experiment, of))) for experiment, of in made]
        for one in told:
            self._faults.pop(_key(one), None)
        self.active = self.active or self.session.running
        self._change(lambda items: items.extend(told))

    def remove(self, place: int) -> None:
        if 0 <= place < len(self.entries):
            self._change(partial(_take, self.entries[place]))

    def move(self, place: int, by: int) -> None:
        if 0 <= place < len(self.entries) and 0 <= place + by < len(self.entries):
            self._change(partial(_put, self.entries[place], self.entries[place + by]))

    def _change(self, edit: Callable[[list[Any]], None]) -> None:
        try:
            self._file.change(edit)
        except OSError as error:
            why = said(error.strerror or str(error))
            self.session.notice.emit("warning", self.tr("The queue cannot be kept: {why}").format(why=why))
        self._know()

    @Slot()
    def _look(self) -> None:
        """Read the file again: another window may have written it."""
        before = self._file.items
        with contextlib.suppress(OSError):
            self._file.read()
        if self._file.items != before:
            self._know()

    def _know(self) -> None:
        """Update the entries; those of another version that cannot run are not shown."""
        told, self.entries = self._file.items, []
        for place, one in enumerate(told):
            with contextlib.suppress(SpecError):
                experiment, of = _read(one)
                number, fault = told[:place].count(one), self._faults.get(_key(one), "")
                self.entries.append(QueueEntry(experiment, one, number, fault, of))
        self.active = self.active and bool(self.waiting)
        if not self._others.directories() and self._file.path.parent.is_dir():
            self._others.addPath(str(self._file.path.parent))
        self.changed.emit()

    # -- turns ---------------------------------------------------------------------------------------------
    @Slot()
    def start(self) -> None:
        """Start the first entry, now or after the present run."""
        self.active = bool(self.waiting)
        self.changed.emit()
        if self.active and not self.session.running:
            self._turn.emit()

    @Slot()
    def hold(self) -> None:
        """Start no further entry."""
        self.active = False
        self.changed.emit()

    @Slot()
    def _job_changed(self) -> None:
        """Try to start the next entry when a job has ended."""
        if self.active and not self.session.running and self.session.jobs.disturbing is None:
            self._turn.emit()

    @Slot()
    def _run_finished(self) -> None:
        results = self.session.results
        ended = results.finished.status if results is not None and results.finished is not None else "failed"
        if self.active and ended in ("cancelled", "stopped"):
            self.hold()
            text = self.tr("The queue waits, since this run was ended: {n} experiments are left in it.")
            self.session.notice.emit("info", text.format(n=self.waiting))
        elif self.active:
            self._turn.emit()

    @Slot()
    def _next(self) -> None:
        """Start the first entry that can be started; others stay with their reason."""
        if self.session.jobs.disturbing is not None:
            return  # its end brings the next turn
        while self.active and not self.session.running:
            entry = next((e for e in self.entries if not e.fault), None)
            if entry is None:
                self.hold()
                return
            self._change(partial(self._begin, entry))

    def _begin(self, entry: QueueEntry, items: list[Any]) -> None:
        """Run an entry, unless another window has taken it."""
        if place_of(items, entry.told, entry.number) is None:
            return
        self._complaint = ""
        noted = entry.mark.settings() if entry.mark is not None else {}
        self.session.run_other(entry.experiment, self.tr("Experiment from the queue"), noted=noted)
        if self.session.running:
            self._begun = entry
            _take(entry, items)
        else:
            self._faults[_key(entry.told)] = self._complaint or self.tr("it could not be started")

    @Slot()
    def _run_started(self) -> None:
        self._begun = None

    @Slot(str)
    def _run_refused(self, why: str) -> None:
        """Put the taken entry back with the reason; without a reason the user has cancelled it, and the others wait."""
        entry, self._begun = self._begun, None
        if not why:
            self.hold()
        if entry is not None:
            if why:
                self._faults[_key(entry.told)] = why
            self._change(lambda items: items.insert(0, entry.told))

    @Slot(str, str)
    def _heard(self, level: str, text: str) -> None:
        if level == "error":
            self._complaint = text


def _told(experiment: Experiment, of: SweepMark | None) -> dict[str, Any]:
    """Return the entry as in the file. An older version, which would not note the sweep, does not show a sweep's
    entries."""
    return experiment.dump() | ({SWEEP: of.settings()} if of is not None else {})


def _read(told: Any) -> tuple[Experiment, SweepMark | None]:
    """Return the experiment and mark of an entry. Raises SpecError."""
    noted = told.get(SWEEP) if isinstance(told, dict) else None
    if not isinstance(noted, dict):
        return parse(told), None
    return parse({key: value for key, value in told.items() if key != SWEEP}), mark(noted)


def _key(told: Any) -> str:
    return json.dumps(told, sort_keys=True)


def _take(entry: QueueEntry, items: list[Any]) -> None:
    place = place_of(items, entry.told, entry.number)
    if place is not None:
        del items[place]


def _put(entry: QueueEntry, other: QueueEntry, items: list[Any]) -> None:
    """Insert an entry at another's position."""
    place, there = (place_of(items, e.told, e.number) for e in (entry, other))
    if place is not None and there is not None:
        items.insert(there, items.pop(place))
