"""Ends the warm engines on demand, in a thread that is shown as a job and can be hurried."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from app.base.worker_thread import WorkerThread
from app.session.jobs import Job
from app.session.owner import Owner
from core.run.engine_unloading import end_engines


class EngineShutdown(QObject):
    """`start` ends all idle engines; what they gave back is added to the results on screen."""

    def __init__(self, session: Owner, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._thread: WorkerThread | None = None
        self._job: Job | None = None
        self._hurry = False

    @property
    def running(self) -> bool:
        return self._thread is not None

    @property
    def possible(self) -> bool:
        """Whether there are warm engines, and none is in use."""
        session = self._session
        busy = session.running or session.answering or self.running
        return not busy and any(e.alive for e in list(session.pool.engines))

    @Slot()
    def start(self) -> None:
        if not self.possible:
            return
        session, self._hurry = self._session, False
        experiment = session.results.experiment if session.results is not None else None
        environment = session.results.environment if session.results is not None else None
        ending = partial(
            end_engines, session.pool, experiment, environment, session.results_folder, lambda: self._hurry
        )
        self._job = session.jobs.begin(self.tr("Ending the engines"), self.hurry)
        self._job.tell(self.tr("measuring what that gives back"))
        self._thread = WorkerThread(ending, self)
        self._thread.came.connect(session.engine_ended)
        self._thread.finished.connect(self._done)
        self._thread.start()

    def hurry(self) -> None:
        """End the remaining engines without measuring."""
        self._hurry = True

    @Slot()
    def _done(self) -> None:
        if self._thread is not None:
            self._thread.deleteLater()
            self._thread = None
        if self._job is not None:
            self._job.end()
            self._job = None
        self._session.environment_changed.emit()

    def close(self) -> None:
        """Stop; the remaining engines end with the pool."""
        self.hurry()
        if self._thread is not None:
            self._thread.wait()
