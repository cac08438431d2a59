"""The base of all views: a dirty flag, and one place in which a view draws."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.base.draw_queue import turns
from app.session.session import Session


class View(QWidget):
    """A view. Slots only mark it; `_draw` runs on the session's next tick while it is visible, and whenever it is
    shown. A large view draws as a generator that yields after each part: each part has a turn of the event loop, so
    that the window never stalls for all of them."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._dirty = True
        self._parts: Iterator[None] | None = None  # that are still to be drawn
        session.tick.connect(self._on_tick)

    @Slot()
    def mark(self) -> None:
        """Note that shown content has changed."""
        self._dirty = True

    def refresh(self) -> None:
        """Draw the present state at once."""
        self._dirty, self._parts = False, None
        for _ in self._draw() or ():
            pass

    @property
    def holds(self) -> bool:
        """Whether the view stays as it is for now."""
        return False

    def _draw(self) -> Iterator[None] | None:
        raise NotImplementedError

    def _begin(self) -> None:
        """Draw the present state, or begin to if it has parts."""
        waiting = self._parts is not None
        self._dirty = False
        self._parts = self._draw()
        if self._parts is not None and not waiting:
            turns.add(self)

    def go_on(self) -> bool:
        """Draw the next part and return whether more remain. If that part restarted the drawing, the new parts replace
        the remaining old ones."""
        parts, more = self._parts, False
        try:
            more = parts is not None and next(parts, self) is not self
        finally:
            if self._parts is parts and not more:
                self._parts = None
        return self._parts is not None

    @Slot()
    def _on_tick(self) -> None:
        if self._dirty and self._parts is None and self.isVisible() and not self.holds:
            self._begin()

    def showEvent(self, event: QShowEvent) -> None:
        self._begin()
        super().showEvent(event)
