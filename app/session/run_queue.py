"""Experiments that wait for their turn: one starts when the run before it has ended. Kept in a file, so that a window
that was closed has them again, and every other window has them too; nothing starts by itself then, and none twice. One
that cannot be started stays with the reason, and the next one follows. A run that the user ends leaves the queue
waiting."""

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
    """`told` is how it stands in the file, `number` how many before it are told alike; `fault` says why it could not be
    started; `mark` is there where it is of a sweep over the load."""

    experiment: Experiment
    told: Any
    number: int
    fault: str = ""
    mark: SweepMark | None = None


class RunQueue(QObject):
    """`active`: the next one starts when the run that goes on has ended."""

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
        """How many can still be started."""
        return sum(not entry.fault for entry in self.entries)

    # -- the list ------------------------------------------------------------------------------------------
    @Slot()
    def add(self) -> None:
        """The present draft, without the variants that sit out. It follows the run that goes on, if one does."""
        experiment = self.session.to_run
        if experiment is not None:
            self.add_all([(experiment, None)])

    def add_all(self, made: Sequence[tuple[Experiment, SweepMark | None]]) -> None:
        """All of them, or none where there is no room for all."""
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
        """Another window may have written."""
        before = self._file.items
        with contextlib.suppress(OSError):
            self._file.read()
        if self._file.items != before:
            self._know()

    def _know(self) -> None:
        """What an older or a newer version wrote and this one cannot run is not shown."""
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
        """Begin with the first, or after the run that goes on."""
        self.active = bool(self.waiting)
        self.changed.emit()
        if self.active and not self.session.running:
            self._turn.emit()

    @Slot()
    def hold(self) -> None:
        """Start no other one."""
        self.active = False
        self.changed.emit()

    @Slot()
    def _job_changed(self) -> None:
        """What stood in the way of a run may be over."""
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
        """Take the first that can be started; those that cannot stay with the reason."""
        if self.session.jobs.disturbing is not None:
            return  # its end brings the next turn
        while self.active and not self.session.running:
            entry = next((e for e in self.entries if not e.fault), None)
            if entry is None:
                self.hold()
                return
            self._change(partial(self._begin, entry))

    def _begin(self, entry: QueueEntry, items: list[Any]) -> None:
        """Run it, unless another window has taken it meanwhile."""
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
        """What was taken comes back, with the reason; none is given where the user has called it back, which leaves the
        others waiting."""
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
    """Return as it stands in the file. An older version, which would not note the sweep, does not show what is
    of one."""
    return experiment.dump() | ({SWEEP: of.settings()} if of is not None else {})


def _read(told: Any) -> tuple[Experiment, SweepMark | None]:
    """Raises SpecError."""
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
    """Where the other one stands, which gives way."""
    place, there = (place_of(items, e.told, e.number) for e in (entry, other))
    if place is not None and there is not None:
        items.insert(there, items.pop(place))
