"""Schedules Python's garbage collection. By default it runs wherever an object is made: in another thread, which may
delete no widget; inside Qt, which hangs if a widget dies while Qt holds a lock; and over all events of a run, which
stalls the window for tenths of a second."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

EVERY_MS = 2000
MOST = 30_000  # objects: to look at so many takes some milliseconds


class GcScheduler(QObject):
    """Collects garbage between two turns of the event loop only, until `close`. If many objects were created since the
    last collection, they belong to the window, a run or a journal. These are frozen instead of scanned: they contain
    few cycles, so reference counting frees them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_on = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @Slot()
    def look(self) -> None:
        if gc.get_count()[0] > MOST or len(gc.get_objects(generation=2)) > MOST:
            gc.freeze()
        else:
            gc.collect()

    @Slot()
    def everything(self) -> None:
        """Collect all generations once; takes a tenth of a second and more."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def close(self) -> None:
        self._timer.stop()
        if self._was_on:
            gc.enable()
