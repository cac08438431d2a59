"""What every view has in common: a dirty flag, and one place in which it draws. Knows the session's tick, no data."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget


class View(QWidget):
    """Slots only mark it; `_draw` runs on the session's next tick while it is visible, and whenever it is shown."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._dirty = True
        session.tick.connect(self._on_tick)

    @Slot()
    def mark(self) -> None:
        """Something that is shown has changed."""
        self._dirty = True

    def refresh(self) -> None:
        """Show the present state at once."""
        self._dirty = False
        self._draw()

    @property
    def holds(self) -> bool:
        """Whether it stays as it is for now."""
        return False

    def _draw(self) -> None:
        raise NotImplementedError

    @Slot()
    def _on_tick(self) -> None:
        if self._dirty and self.isVisible() and not self.holds:
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        self.refresh()
        super().showEvent(event)
