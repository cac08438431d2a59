"""The repaint timer of all views. Repaints are rarer while a trial runs on few cores, stop while the window is hidden,
and skip the live view while the user has paused it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

LIVE_HZ = 10.0
SPARING_HZ = 2.0  # drawing takes CPU from an engine that runs on few cores
FEW_CORES = 4


class RepaintTimer(QObject):
    """Emits `tick` at `hz`. `live_paused` tells the live view to ignore it during a run."""

    tick = Signal()
    live_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hz = LIVE_HZ
        self.live_paused = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.tick)
        self.set_visible(True)

    def set_visible(self, visible: bool) -> None:
        """Start or stop the timer with the window's visibility."""
        if visible and not self._timer.isActive():
            self._timer.start(round(1000 / self.hz))
        elif not visible:
            self._timer.stop()

    def set_hz(self, hz: float) -> None:
        if hz != self.hz:
            self.hz = hz
            self._timer.setInterval(round(1000 / hz))

    def pause_live(self, paused: bool) -> None:
        if paused != self.live_paused:
            self.live_paused = paused
            self.live_changed.emit()

    def stop(self) -> None:
        self._timer.stop()


def measuring_hz(cores: int) -> float:
    """Return the repaint rate while a trial runs."""
    return SPARING_HZ if cores <= FEW_CORES else LIVE_HZ
