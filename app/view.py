"""What every view has in common: a dirty flag, and one place in which it draws. Knows the session's tick, no data."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

BREATH_MS = 3  # between two parts: the event loop paints and hears the user


class View(QWidget):
    """Slots only mark it; `_draw` runs on the session's next tick while it is visible, and whenever it is shown.

    A view with much to draw does it as a generator, which yields after each part: the next one has a turn of the event
    loop of its own, so that the window never stands still for all of them."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._dirty = True
        self._parts: Iterator[None] | None = None  # that are still to be drawn
        self._breath = QTimer(self, singleShot=True, interval=BREATH_MS)
        self._breath.timeout.connect(self._go_on)
        session.tick.connect(self._on_tick)

    @Slot()
    def mark(self) -> None:
        """Something that is shown has changed."""
        self._dirty = True

    def refresh(self) -> None:
        """Show the present state at once."""
        self._dirty, self._parts = False, None
        for _ in self._draw() or ():
            pass

    @property
    def holds(self) -> bool:
        """Whether it stays as it is for now."""
        return False

    def _draw(self) -> Iterator[None] | None:
        raise NotImplementedError

    def _begin(self) -> None:
        """Show the present state, its first part at once."""
        self._dirty = False
        self._parts = self._draw()
        self._go_on()

    @Slot()
    def _go_on(self) -> None:
        parts, self._parts = self._parts, None
        if parts is not None and next(parts, self) is not self:
            self._parts = parts
            self._breath.start()

    @Slot()
    def _on_tick(self) -> None:
        if self._dirty and self._parts is None and self.isVisible() and not self.holds:
            self._begin()

    def showEvent(self, event: QShowEvent) -> None:
        self._begin()
        super().showEvent(event)
