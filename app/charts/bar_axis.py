"""The axis below painted bars."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from app.base.theme import theme
from core.base.axis_ticks import labelled
from core.base.formatting import plain

LEFT = 34.0  # pixels before the bars: their badges
AXIS = 20.0  # height of the figures below
MOST = 64.0  # height of a row of bars


def paint_axis(painter: QPainter, right: float, foot: float, most: float) -> None:
    """Paint grid lines and labels from 0 at `LEFT` to `most` at `right`, below bars that end at `foot`."""
    font = theme.font(11)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    _, found = labelled(0.0, most, right - LEFT, lambda value: metrics.horizontalAdvance(plain(value)))
    for value in found:
        x = round(LEFT + value / most * (right - LEFT)) + 0.5
        painter.setPen(QPen(theme.color("line2" if value == 0 else "grid"), 1))
        painter.drawLine(QLineF(x, 0, x, foot))
        painter.setPen(theme.color("text3"))
        painter.drawText(QRectF(x - 40, foot, 80, AXIS), Qt.AlignmentFlag.AlignCenter, plain(value))
