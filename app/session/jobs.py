"""Long work besides a run: its name, progress and cancellation. Whoever starts a thread begins a job, reports its
progress and ends it, all in the window's thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal


class Job:
    """One job. `words` name it ("Writing the model"), `detail` says how far it is; `share` is the done part of 1.
    `wait` blocks until a cancelled job has ended; `disturbs` means that nothing can be measured beside it."""

    def __init__(
        self,
        jobs: Jobs,
        words: str,
        cancel: Callable[[], object] | None,
        wait: Callable[[], object] | None = None,
        disturbs: bool = False,
    ) -> None:
        self._jobs, self._cancel, self.wait = jobs, cancel, wait
        self.words, self.detail, self.disturbs = words, "", disturbs
        self.share: float | None = None
        self.cancelling = False

    @property
    def can_cancel(self) -> bool:
        return self._cancel is not None

    def tell(self, detail: str, share: float | None = None) -> None:
        self.detail, self.share = detail, share
        self._jobs.changed.emit()

    def cancel(self) -> None:
        if self._cancel is not None and not self.cancelling:
            self.cancelling = True
            self._cancel()
            self._jobs.changed.emit()

    def end(self) -> None:
        self._jobs.over(self)


class Jobs(QObject):
    """The running jobs; the newest is shown."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._going: list[Job] = []

    @property
    def current(self) -> Job | None:
        return self._going[-1] if self._going else None

    @property
    def disturbing(self) -> Job | None:
        """The job that prevents measuring, if any."""
        return next((job for job in self._going if job.disturbs), None)

    def begin(
        self,
        words: str,
        cancel: Callable[[], object] | None = None,
        wait: Callable[[], object] | None = None,
        disturbs: bool = False,
    ) -> Job:
        job = Job(self, words, cancel, wait, disturbs)
        self._going.append(job)
        self.changed.emit()
        return job

    def over(self, job: Job) -> None:
        if job in self._going:
            self._going.remove(job)
            self.changed.emit()

    def cancel(self) -> None:
        """Cancel the shown job."""
        if self.current is not None:
            self.current.cancel()

    def close(self) -> None:
        """End all jobs when the window closes."""
        for job in list(self._going):
            job.cancel()
            if job.wait is not None:
                job.wait()
