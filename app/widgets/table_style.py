"""The look and behaviour of all tables of variants."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView, QTableView

from app.base.theme import theme

ROW_HEIGHT = 54
MOST_TITLE = 200


def titled(model: QAbstractItemModel, column: int) -> int:
    """Return the pixels of a column's title with its sort mark."""
    text = str(model.headerData(column, Qt.Orientation.Horizontal))
    return max(72, min(MOST_TITLE, QFontMetrics(theme.font(11)).horizontalAdvance(text) + 32))


def dress(table: QTableView, name: str, row_height: int = ROW_HEIGHT) -> None:
    """Set single selection, no grid, and rows of two lines; `name` is for screen readers."""
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
