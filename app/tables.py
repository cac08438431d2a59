"""How the tables of variants look and behave, whatever their columns. Knows Qt, no data."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView

from app.compare_table import ROW_HEIGHT
from app.theme import theme


def dress(table: QTableView, name: str) -> None:
    """One row chosen at a time, no grid, rows of two lines; `name` is what a screen reader says."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    table.setAccessibleName(name)
    table.setTabKeyNavigation(False)  # Tab leaves it; the arrows move in it
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    header = table.horizontalHeader()
    header.setFont(theme.font(11))
    header.setHighlightSections(False)
    header.setFixedHeight(32)
