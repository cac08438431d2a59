"""Experiments that wait for their turn: one starts when the run before it has ended. Kept in a file, so that a window
that was closed has them again; nothing starts by itself then.

Knows the session and a file; shows nothing. One that cannot be started stays with the reason, and the next one follows.
A run that the user ends leaves the queue waiting.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.said import said
from app.session import Session
from core.files import parse_json, read_whole, write_whole
from core.folders import FolderError, data_folder
from core.spec import Experiment, SpecError, parse

FILE = "queue.json"
MOST = 100


@dataclass(frozen=True)
class Entry:
    """`fault` says why it could not be started."""

    experiment: Experiment
    fault: str = ""


class RunQueue(QObject):
    """`active`: the next one starts when the run that goes on has ended."""

    changed = Signal()
    _turn = Signal()  # of the next one, after all that a run's end brings about

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.entries: list[Entry] = []
        self.active = False
        self._complaint = ""
        self._read()
        session.run_finished.connect(self._run_finished)
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
        if experiment is not None and len(self.entries) < MOST:
            self.active = self.active or self.session.running
            self._replace([*self.entries, Entry(experiment)])

    def remove(self, place: int) -> None:
        if 0 <= place < len(self.entries):
            self._replace([e for i, e in enumerate(self.entries) if i != place])

    def move(self, place: int, by: int) -> None:
        if 0 <= place < len(self.entries) and 0 <= place + by < len(self.entries):
            entries = list(self.entries)
            entries.insert(place + by, entries.pop(place))
            self._replace(entries)

    def _replace(self, entries: list[Entry]) -> None:
        self.entries = entries
        self.active = self.active and bool(self.waiting)
        self._write()
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
        if self.active and self.session.trying.running:
            self.session.trying.stop_then(self._next)
            return
        while self.active and not self.session.running:
            place = next((i for i, e in enumerate(self.entries) if not e.fault), None)
            if place is None:
                self.hold()
                return
            entry, self._complaint = self.entries[place], ""
            if self.session.open_experiment(entry.experiment):
                self.session.run()
            if self.session.running:
                active = self.active
                self._replace([e for i, e in enumerate(self.entries) if i != place])
                self.active = active and bool(self.waiting)
            else:
                fault = self._complaint or self.tr("it could not be started")
                self._replace([replace(e, fault=fault) if e is entry else e for e in self.entries])

    @Slot(str, str)
    def _heard(self, level: str, text: str) -> None:
        if level == "error":
            self._complaint = text

    # -- the file ------------------------------------------------------------------------------------------
    def _read(self) -> None:
        """What an older or a newer version wrote and this one cannot run is left out."""
        try:
            told = parse_json(read_whole(data_folder() / FILE))
        except (OSError, ValueError, FolderError):
            return
        for one in told if isinstance(told, list) else []:
            try:
                self.entries.append(Entry(parse(one)))
            except SpecError:
                continue

    def _write(self) -> None:
        try:
            path: Path = data_folder() / FILE
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps([entry.experiment.dump() for entry in self.entries]))
        except (OSError, FolderError) as error:
            why = getattr(error, "strerror", None) or str(error)
            self.session.notice.emit("warning", self.tr("The queue cannot be kept: {why}").format(why=said(why)))
