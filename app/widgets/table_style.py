"""How the tables of variants look and behave, whatever their columns."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView, QTableView

from app.base.theme import theme

ROW_HEIGHT = 54
MOST_TITLE = 200


def titled(model: QAbstractItemModel, column: int) -> int:
    """Return as many pixels as a column's title takes beside the mark of its order."""
    text = str(model.headerData(column, Qt.Orientation.Horizontal))
    return max(72, min(MOST_TITLE, QFontMetrics(theme.font(11)).horizontalAdvance(text) + 32))


def dress(table: QTableView, name: str, row_height: int = ROW_HEIGHT) -> None:
    """One row chosen at a time, no grid, rows of two lines; `name` is what a screen reader says."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    table.setAccessibleName(name)
    table.setTabKeyNavigation(False)  # Tab leaves it; the arrows move in it
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(row_height)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    header = table.horizontalHeader()
    header.setFont(theme.font(11))
    header.setHighlightSections(False)
    header.setFixedHeight(32)
