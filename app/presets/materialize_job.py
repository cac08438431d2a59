"""Shows the materialization of a preset in the status bar, as a job beside which no run can begin."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from app.presets.materialize_task import Writing
from app.session.jobs import Job, Jobs
from app.text.phase_text import phase_text
from core.base import formatting


class WritingJob(QObject):
    """Follows `writing` for its lifetime."""

    def __init__(self, jobs: Jobs, writing: Writing, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._writing = jobs, writing
        self._job: Job | None = None
        writing.changed.connect(self._changed)

    @Slot()
    def _changed(self) -> None:
        writing = self._writing
        if not writing.at_work:
            if self._job is not None:
                self._job.end()
                self._job = None
            return
        if self._job is None:
            name = writing.out.name if writing.out is not None else ""
            self._job = self._jobs.begin(
                self.tr("Writing {folder}").format(folder=name), writing.stop, writing.close, disturbs=True
            )
        phase, share = phase_text(writing.phase).name, writing.done / writing.total if writing.total else None
        done = (
            f"{formatting.size(int(writing.done))} / {formatting.size(int(writing.total))}" if share is not None else ""
        )
        self._job.tell(" · ".join(filter(None, [phase, done])), share)
