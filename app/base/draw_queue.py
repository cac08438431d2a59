"""A queue of drawing work. Each part runs in its own turn of the event loop: between two parts the window paints and
handles input."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Slot
from shiboken6 import isValid

BREATH_MS = 3


class InParts(Protocol):
    """A drawing that is done in parts."""

    def go_on(self) -> bool:
        """Draw the next part and return whether more remain."""


class DrawQueue(QObject):
    """Draws all queued drawings in turn, one part of each after the other."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[InParts] = deque()
        self._timer: QTimer | None = None  # there is none without an application

    def add(self, one: InParts) -> None:
        self._waiting.append(one)
        if self._timer is None:
            self._timer = QTimer(self, singleShot=True, interval=BREATH_MS)
            self._timer.timeout.connect(self._next)
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _next(self) -> None:
        one = self._waiting.popleft()
        try:
            more = isValid(one) and one.go_on()
        finally:
            if self._waiting and self._timer is not None:
                self._timer.start()
        if more:
            self.add(one)


turns = DrawQueue()
