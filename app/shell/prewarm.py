"""Makes, styles and paints hidden views in advance. The first appearance of a view costs several times as much as later
ones, and during a run or at its end there is no time for that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget


class Prewarm(QObject):
    """Prepares one part per turn of the event loop, so that the user does not notice."""

    def __init__(self, owner: QObject) -> None:
        super().__init__(owner)
        self._steps: Iterator[None] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._next)

    def start(self, parts: Iterable[QWidget | None]) -> None:
        """Prepare parts. A generator's parts are made in one turn and painted in the next; None stands for
        other work."""
        self._steps = _steps(parts)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    @Slot()
    def _next(self) -> None:
        for _ in self._steps:
            return
        self._timer.stop()


def _steps(parts: Iterable[QWidget | None]) -> Iterator[None]:
    for part in parts:
        yield
        if part is not None and not part.isVisible():
            paint_ahead(part)
            yield


def paint_ahead(part: QWidget) -> None:
    """Paint a hidden part. Qt lays it out among its neighbours for that, and its layout is restored in the same
    turn."""
    part.grab()
    around = part.parentWidget()
    layout = around.layout() if around is not None else None
    if layout is not None:
        layout.invalidate()
        layout.activate()
