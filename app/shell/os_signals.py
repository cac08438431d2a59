"""Handles the system's requests to quit: Ctrl+C in the terminal, logout, shutdown. Python alone would handle them only
when Qt gives it a turn, and then leave the window open or lose the draft."""

from __future__ import annotations

import signal
import socket
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")  # as far as a system has them


class OsSignals(QObject):
    """Handles signals in the main thread until `close`."""

    told_to_end = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ours, theirs = socket.socketpair()
        self._ours.setblocking(False)
        theirs.setblocking(False)
        self._theirs = theirs
        self._wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        numbers = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]
        self._before: dict[int, Any] = {number: signal.signal(number, _noted) for number in numbers}
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._arrived)

    @Slot()
    def _arrived(self) -> None:
        if set(self._ours.recv(64)) & set(self._before):
            self.told_to_end.emit()

    def close(self) -> None:
        """Restore the previous signal handlers."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._ours.close()
        self._theirs.close()


def _noted(number: int, frame: object) -> None:
    """Do nothing: the byte on the wake-up descriptor is enough."""
