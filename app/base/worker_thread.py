"""A thread for work that would block the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QThread, Signal


class WorkerThread(QThread):
    """Runs `work` and emits each yielded object as `came`, until `requestInterruption`. An error is emitted as
    `broken`: errors of the classes `told` with their own text, others with their class."""

    came = Signal(object)
    broken = Signal(str)

    def __init__(
        self,
        work: Callable[[], Iterable[object]],
        parent: QObject | None = None,
        told: tuple[type[Exception], ...] = (),
    ) -> None:
        super().__init__(parent)
        self._work, self._told = work, told

    def run(self) -> None:
        try:
            for one in self._work():
                if self.isInterruptionRequested():
                    return
                self.came.emit(one)
        except self._told as error:
            self.broken.emit(str(error))
        except Exception as error:  # the thread's edge: the window says so and lives on
            self.broken.emit(f"{type(error).__name__}: {error}")
