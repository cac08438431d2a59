"""The axis of ratios below the forest column."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QTableView, QWidget

from app.charts.forest_plot import Scale, paint_axis
from app.compare.compare_table import FOREST

HEIGHT, ROOM = 24, 12


class ForestAxis(QWidget):
    def __init__(self, table: QTableView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table, self.scale = table, Scale()
        self.setFixedHeight(HEIGHT)
        table.horizontalHeader().sectionResized.connect(self.update)
        table.horizontalScrollBar().valueChanged.connect(self.update)

    def set_scale(self, scale: Scale) -> None:
        if scale != self.scale:
            self.scale = scale
            self.update()

    def paintEvent(self, event) -> None:
        left = self._table.columnViewportPosition(FOREST) + ROOM
        wide = self._table.columnWidth(FOREST) - 2 * ROOM
        paint_axis(QPainter(self), QRectF(left, 0, wide, self.height()), self.scale)
