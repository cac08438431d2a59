"""A table that can be sorted by its header or a menu, and shows its order."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from app.widgets.basics import literal
from app.widgets.sortable_model import Arranged
from app.widgets.table_style import dress


class SortedTable(QTableView):
    """A table with multiple selection. A subclass adds the actions of its rows to the context menu."""

    resized = Signal()  # there is more or less room for columns: it may be as wide as before, beside a scroll bar

    def __init__(self, model: Arranged, name: str, row_height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._arranged = model
        self.setModel(model)
        dress(self, name, row_height)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)

    def sort_by(self, column: int) -> None:
        """Sort by a column from now on; hidden columns are asked for no titles."""
        self.setSortingEnabled(True)
        self.sortByColumn(column, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().sortIndicatorChanged.connect(self._announce)  # after Qt has sorted

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def fill_menu(self, menu: QMenu, at: QPoint) -> None:
        """Fill the menu with the actions of the row at a position, or of the selection."""

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu, at)
        self.fill_sort_menu(menu.addMenu(self.tr("Sort by")))
        menu.popup(self.viewport().mapToGlobal(at))

    # -- by menu ---------------------------------------------------------------------------------------------
    def fill_sort_menu(self, menu: QMenu) -> None:
        """Fill the menu with the shown columns and both directions; the present ones are checked."""
        header = self.horizontalHeader()
        by, order = header.sortIndicatorSection(), header.sortIndicatorOrder()
        columns, ways = QActionGroup(menu), QActionGroup(menu)
        for column in map(header.logicalIndex, range(header.count())):
            title = self._arranged.sort_title(column)
            if title and not self.isColumnHidden(column):
                self._offer(menu, columns, title, (column, order), column == by)
        menu.addSeparator()
        for text, way in (
            (self.tr("Ascending"), Qt.SortOrder.AscendingOrder), (self.tr("Descending"), Qt.SortOrder.DescendingOrder),
        ):  # fmt: skip
            self._offer(menu, ways, text, (by, way), way == order)

    def _offer(self, menu: QMenu, group: QActionGroup, text: str, data: object, holds: bool) -> None:
        action = menu.addAction(literal(text))
        action.setCheckable(True)
        action.setChecked(holds)
        action.setData(data)
        action.triggered.connect(self._asked)
        group.addAction(action)

    @Slot()
    def _asked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.sortByColumn(*action.data())

    @Slot()
    def _announce(self) -> None:
        words = self._arranged.sorted_words(self.horizontalHeader().sortIndicatorSection())
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))


def sorted_table(page: QWidget) -> SortedTable | None:
    """Return the visible sortable table of a page."""
    return next((table for table in page.findChildren(SortedTable) if table.isVisible()), None)
