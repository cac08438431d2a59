"""Recently opened models, in the File menu and in the model panel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QVBoxLayout, QWidget

from app.settings.settings import Settings
from app.text.model_names import named
from app.widgets.basics import heading, literal, tip
from app.widgets.buttons import button
from app.widgets.dropdown_field import Panel
from core.model.source import ModelSource

IN_PANEL = 5


class RecentModels(QObject):
    """The menu; `open_source` opens a model."""

    def __init__(self, settings: Settings, open_source: Callable[[ModelSource], object], parent: QObject) -> None:
        super().__init__(parent)
        self.settings, self._open = settings, open_source

    @Slot()
    def fill_menu(self) -> None:
        """Fill the menu before it is shown."""
        menu = self.sender()
        if isinstance(menu, QMenu):
            menu.clear()
            for source in self.settings.recent_models():
                action = menu.addAction(literal(named(source)))
                action.setToolTip(source.source)
                action.setData(source)
                action.triggered.connect(self._chosen)
            if menu.isEmpty():
                menu.addAction(self.tr("Models appear here")).setEnabled(False)

    @Slot()
    def _chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._open(action.data())
        elif isinstance(action, QPushButton):
            self._open(action.property("model"))


class RecentModelButtons(QWidget):
    """The newest models as buttons, in a panel that closes on a choice."""

    def __init__(self, recent: RecentModels, panel: Panel) -> None:
        super().__init__()
        self._recent, self._panel = recent, panel
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 4, 0, 0)
        self._column.setSpacing(2)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        sources = self._recent.settings.recent_models()[:IN_PANEL]
        if sources:
            self._column.addWidget(heading(self.tr("Recent")))
        for source in sources:
            one = button(named(source), "cube", "flat", left=True)
            one.setProperty("model", source)
            one.setToolTip(tip(source.source))
            one.clicked.connect(self._panel.close)
            one.clicked.connect(self._recent._chosen)
            self._column.addWidget(one)
        self.setVisible(bool(sources))
