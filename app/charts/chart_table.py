"""A chart's figures as a table."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.base.theme import theme
from app.charts.chart_data import ChartData
from app.widgets.basics import caption
from app.widgets.dialog import Dialog
from core.base.formatting import plain

Index = QModelIndex | QPersistentModelIndex
COLUMN, ROW = 132, 26
DIGITS = 6  # significant digits shown; a copy or a file has all


class ChartModel(QAbstractTableModel):
    """The rows of a chart, without copies, so that a million rows cost nothing."""

    def __init__(self, data: ChartData, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._data = data

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._data)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._data.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._data.cell(index.row(), index.column(), DIGITS) or "—"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column())
        return None

    def headerData(self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if side != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._data.names[section]
        return self._side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _side(self, column: int) -> int:
        """Return the alignment of a column; figures are on the right."""
        side = Qt.AlignmentFlag.AlignRight if self._data.is_figure(column) else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)


class ChartTable(Dialog):
    """The figures of a chart when it was opened; Ctrl+C copies the selected rows, or all."""

    def __init__(self, title: str, data: ChartData, parent: QWidget | None = None) -> None:
        super().__init__(title, parent, 640)
        self._data = data
        self.table = QTableView()
        self.table.setModel(ChartModel(data, self))
        self.table.setAccessibleName(title)
        self.table.setShowGrid(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW)
        self.table.horizontalHeader().setMinimumSectionSize(COLUMN)
        self.table.horizontalHeader().setFont(theme.font(11))
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().resizeSections(QHeaderView.ResizeMode.ResizeToContents)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(caption(self.tr("{n} rows. Ctrl+C copies what is selected.").format(n=plain(len(data)))))
        self.resize(640, 480)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        copy.activated.connect(self.copy)
        self.add_buttons(self.tr("Close"), "")
        self.table.setFocus()

    @Slot()
    def copy(self) -> None:
        """Copy the selected rows as TSV, or all without a selection."""
        rows = sorted(i.row() for i in self.table.selectionModel().selectedRows())
        QGuiApplication.clipboard().setText(self._data.text("\t", rows or None))
