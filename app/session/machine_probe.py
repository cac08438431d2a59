"""The pool of engines, and what they report about the machine, asked in a thread."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.base.worker_thread import WorkerThread
from app.session.run_threads import asked
from core.machine.environment import Environment
from core.protocol.engine_pool import EnginePool
from core.protocol.engine_process import EngineError


class MachineProbe(QObject):
    """`environment` is None until an engine has answered."""

    changed = Signal()
    notice = Signal(str, str)
    measured = Signal(object)  # Machine

    def __init__(self, pool: EnginePool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pool = pool
        self.environment: Environment | None = None
        self._thread: WorkerThread | None = None
        self._measures = self._stopped = False

    @property
    def asking(self) -> bool:
        """Whether an engine is being asked now."""
        return self._thread is not None

    @property
    def cores(self) -> int:
        return self.environment.cores if self.environment else os.cpu_count() or 1

    @Slot()
    def ask(self) -> None:
        """Let an engine describe the machine; `changed` follows."""
        if self._thread is not None:
            return
        self._measures = False
        self._thread = WorkerThread(partial(asked, self.pool.environment), self, (EngineError,))
        self._thread.came.connect(self._answered)
        self._thread.broken.connect(self._broken)
        self._thread.finished.connect(self._done)
        self._thread.start()

    @property
    def measuring(self) -> bool:
        """Whether the machine's bandwidth and peaks are being measured."""
        return self._thread is not None and self._measures

    @Slot()
    def measure(self) -> None:
        """Measure bandwidth and peaks; `measured` follows, and `changed` at the end in any case."""
        if self._thread is not None:
            return
        self._measures, self._stopped = True, False
        self._thread = WorkerThread(partial(asked, self.pool.machine), self, (EngineError,))
        self._thread.came.connect(self.measured)
        self._thread.broken.connect(self._broken)
        self._thread.finished.connect(self._done)
        self._thread.start()
        self.changed.emit()

    @Slot()
    def stop_measuring(self) -> None:
        """Stop the measurement at once, also if its engine is only starting."""
        if self.measuring:
            self._stopped = True
            self.pool.stop_asking()
            QTimer.singleShot(100, self.stop_measuring)

    def know(self, environment: Environment) -> None:
        """Take an environment reported by a run; `changed` follows if more than the free memory differs."""
        before, self.environment = self.environment, environment
        free = {"ram_available_bytes": environment.ram_available_bytes}
        if before is None or before.model_copy(update=free) != environment:
            self.changed.emit()

    @Slot(object)
    def _answered(self, environment: Environment) -> None:
        if self.sender() is self._thread:  # else it is of a pool that was replaced while it answered
            self.know(environment)

    @Slot(str)
    def _broken(self, text: str) -> None:
        if self.sender() is self._thread and not (self._stopped and self.measuring):
            hint = self.tr("Check the engine command in File ▸ Settings.")
            self.notice.emit("error", f"{text[:1].upper()}{text[1:]}\n{hint}")

    @Slot()
    def _done(self) -> None:
        thread = self.sender()
        if thread is self._thread:
            self._thread = None
            self.changed.emit()
        if thread is not None:
            thread.deleteLater()

    def replace_pool(self, command: Sequence[str] | None, anew: bool = False) -> None:
        """Use another engine command and end the running engines. `anew` replaces them even for the same command."""
        wanted = EnginePool(command)
        if wanted.command == self.pool.command and not anew:
            return
        self.close()
        self.pool, self.environment = wanted, None
        self.changed.emit()
        self.ask()

    def close(self) -> None:
        """End the engines, and the thread that waits for one."""
        # An engine that was being started while the pool closed is caught by the next turn.
        while self._thread is not None and not self._thread.isFinished():
            self.pool.close()
            self._thread.wait(100)
        self._thread = None  # its further signals are ignored
        self.pool.close()
