"""The menu of recent results, in File and for comparing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.settings.settings import Settings
from app.widgets.basics import literal


class RecentResults(QObject):
    """`choose` receives the chosen folder; `empty` is shown without results, and `but` is left out."""

    def __init__(
        self,
        settings: Settings,
        choose: Callable[[Path], object],
        empty: str,
        parent: QObject,
        but: Callable[[], Path | None] = lambda: None,
    ) -> None:
        super().__init__(parent)
        self._settings, self._choose, self._empty, self._but = settings, choose, empty, but

    @Slot()
    def fill_menu(self) -> None:
        """Fill the menu before it is shown."""
        menu = self.sender()
        if not isinstance(menu, QMenu):
            return
        menu.clear()
        but = self._but()
        for path in map(Path, self._settings.recent()):
            if path != but:
                action = menu.addAction(literal(path.name))
                action.setData(str(path))
                action.triggered.connect(self._chosen)
        if menu.isEmpty():
            menu.addAction(self._empty).setEnabled(False)

    @Slot()
    def _chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._choose(Path(action.data()))
