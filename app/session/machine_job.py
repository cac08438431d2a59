"""Shows the measurement of the machine in the status bar, as a job beside which no run can begin."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from app.session.jobs import Job, Jobs
from app.session.machine_probe import MachineProbe


class MachineJob(QObject):
    """Follows the probe for its lifetime."""

    def __init__(self, jobs: Jobs, machine: MachineProbe, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._machine = jobs, machine
        self._job: Job | None = None
        machine.changed.connect(self._changed)

    @Slot()
    def _changed(self) -> None:
        if self._machine.measuring and self._job is None:
            self._job = self._jobs.begin(self.tr("Measuring the machine"), self._machine.stop_measuring, disturbs=True)
            self._job.tell(self.tr("bandwidth and peaks: some seconds"))
        elif not self._machine.measuring and self._job is not None:
            self._job.end()
            self._job = None
