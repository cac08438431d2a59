"""The legend of the memory shades, shared by all plots that use them."""

from __future__ import annotations

from itertools import accumulate

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.base.theme import theme

SWATCH, GAP = 8, 6  # pixels


class PartsLegend(QWidget):
    """Weights, KV cache and the rest, from the bottom, in the shades of their stacked areas."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = (self.tr("weights"), self.tr("KV"), self.tr("rest"))
        self.setAccessibleName(self.tr("From below: weights, KV cache, the rest"))
        self.setToolTip(self.accessibleName())
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(sum(self._wide(name) for name in self._names), 16)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _wide(self, name: str) -> int:
        return SWATCH + GAP + QFontMetrics(theme.font(11)).horizontalAdvance(name) + 2 * GAP

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(theme.font(11))
        left, middle = 0, self.height() / 2
        # An area lies over all that are above it: together they let so much of the ground through.
        through = list(accumulate((1 - shade for shade in reversed(PART_SHADES)), lambda a, b: a * b))
        for name, clear in zip(self._names, reversed(through), strict=True):
            colour = theme.variant(0)
            colour.setAlphaF(1 - clear)
            painter.fillRect(QRectF(left, middle - SWATCH / 2, SWATCH, SWATCH), colour)
            painter.setPen(theme.color("text2"))
            place = QRectF(left + SWATCH + GAP, 0, self.width(), self.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, name)
            left += self._wide(name)


PART_SHADES = (0.5, 0.3, 0.2)  # of weights, cache and the rest; each lies over the ones above it
