"""The window's try-out: the thread that iterates it, and the variants' answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from app.base.worker_thread import WorkerThread
from app.session.jobs import Job
from app.session.owner import Owner
from app.session.tryout_attempts import Attempt, state_words
from core.model.source import ModelSource
from core.protocol import events
from core.run.tryout import Question, TryOut
from core.spec.experiment import Experiment

MOST = 12  # variants that are asked


class TryoutSession(QObject):
    """Asks one question at a time; never during a run, since both would disturb each other."""

    changed = Signal()

    def __init__(self, session: Owner, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._tryout: TryOut | None = None
        self._thread: WorkerThread | None = None
        self._afterwards: Callable[[], object] | None = None
        self.question = Question()  # the last one
        self.attempts: dict[str, Attempt] = {}
        self.stopping = False
        self._model: ModelSource | None = None
        self._job: Job | None = None
        self._moved = False  # since the job told how far it is
        session.tick.connect(self._tell)

    @property
    def running(self) -> bool:
        return self._thread is not None

    @property
    def asked(self) -> Experiment | None:
        """The experiment with the asked variants: the included ones, as many as can be read."""
        experiment = self._session.to_run
        if experiment is None or len(experiment.variants) <= MOST:
            return experiment
        return experiment.model_copy(update={"variants": experiment.variants[:MOST]})

    def attempt(self, name: str) -> Attempt | None:
        """Return a variant's answer, if the variant is still the one that was asked."""
        found, experiment = self.attempts.get(name), self._session.experiment
        if found is None or experiment is None or experiment.model != self._model:
            return None
        return found if found.variant == self._session.variant(name) else None

    def why_not(self) -> str:
        """Return why nothing can be asked now, or ""."""
        if self._session.running:
            return self.tr("Not during a run: answers and trials would disturb each other.")
        if self.asked is None:
            return self.tr("Open a model first.")
        job = self._session.jobs.disturbing
        if job is not None and job is not self._job:
            return self.tr("Not now: {work}. It would disturb the answers.").format(work=job.words)
        return ""

    def ask(self, question: Question) -> None:
        """Let every included variant answer."""
        experiment = self.asked
        if self.running or self.why_not() or experiment is None:
            return
        self.question, self.stopping, self._model = question, False, experiment.model
        self.attempts = {v.name: Attempt(v) for v in experiment.variants}
        self._tryout = TryOut(experiment, question, self._session.pool)
        self._thread = WorkerThread(partial(iter, self._tryout), self)
        self._thread.came.connect(self._happened)
        self._thread.broken.connect(self._broken)
        self._thread.finished.connect(self._ended)
        self._job = self._session.jobs.begin(self.tr("Answering a prompt"), self.stop, self.close, disturbs=True)
        self._thread.start()
        self.changed.emit()

    @Slot()
    def stop(self) -> None:
        """End the running answer; the other variants are not asked."""
        if self._tryout is not None:
            self.stopping = True
            self._tryout.stop()
            self.changed.emit()

    def stop_then(self, do: Callable[[], object]) -> None:
        """Stop, and call `do` when the engines are free."""
        self._afterwards = do
        self.stop()

    @Slot(object)
    def _happened(self, event: events.Event) -> None:
        attempt = self.attempts.get(event.variant or "")
        if attempt is not None:
            attempt.fold(event)
            self._moved = True
            self.changed.emit()

    @Slot()
    def _tell(self) -> None:
        """Report the progress as a job."""
        if not self._moved or self._job is None:
            return
        self._moved = False
        over = sum(a.over for a in self.attempts.values())
        now = next((a for a in self.attempts.values() if a.state != "waiting" and not a.over), None)
        detail = f"{now.variant.name}: {state_words(now)}" if now is not None else ""
        self._job.tell(detail, over / len(self.attempts))

    @Slot(str)
    def _broken(self, text: str) -> None:
        self._session.notice.emit("error", self.tr("The answers ended unexpectedly.") + f"\n{text}")

    @Slot()
    def _ended(self) -> None:
        if self._thread is not None:
            self._thread.deleteLater()
        self._thread = self._tryout = None
        self.stopping = False
        for attempt in self.attempts.values():
            attempt.close()
        after, self._afterwards = self._afterwards, None
        if self._job is not None:
            self._job.end()
            self._job = None
        self.changed.emit()
        if after is not None:
            after()

    def close(self) -> None:
        """End the thread; its engines end with the pool."""
        self._afterwards = None
        if self._tryout is not None:
            self._tryout.stop()
        if self._thread is not None:
            self._thread.wait()
