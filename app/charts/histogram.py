"""A small histogram: bars, their bounds below, their counts above."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from app.base.theme import theme
from core.base import formatting
from core.prompts.prompt_lengths import Bin

TOP, BOTTOM, GAP = 18, 20, 2


def bin_words(b: Bin) -> str:
    """Return the bounds of a bin, both inclusive."""
    if b.high is None:
        return QCoreApplication.translate("Histogram", "{low} and more").format(low=formatting.whole(b.low))
    if b.high - b.low == 1:
        return formatting.whole(b.low)
    return QCoreApplication.translate("Histogram", "{low} to {high}").format(
        low=formatting.whole(b.low), high=formatting.whole(b.high - 1)
    )


class Histogram(QWidget):
    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bins: tuple[Bin, ...] = ()
        self.setMinimumHeight(112)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(360, 120)

    def set_bins(self, bins: Sequence[Bin]) -> None:
        self.bins = tuple(bins)
        self.setAccessibleDescription("; ".join(f"{bin_words(b)}: {b.count}" for b in self.bins))
        self.update()

    def _bar(self, place: int) -> QRectF:
        """Return the rectangle of one bin."""
        wide = self.width() / max(1, len(self.bins))
        return QRectF(place * wide, TOP, wide, self.height() - TOP - BOTTOM)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setFont(theme.font(11))
        floor = self.height() - BOTTOM
        painter.setPen(QPen(theme.color("line2"), 1))
        painter.drawLine(0, floor, self.width(), floor)
        most = max((b.count for b in self.bins), default=0)
        room = 0.0
        for place, b in enumerate(self.bins):
            place_, high = self._bar(place), 0.0
            if b.count:
                high = max(2.0, place_.height() * b.count / most)
                bar = QRectF(place_.left() + GAP, floor - high, place_.width() - 2 * GAP, high)
                painter.fillRect(bar, theme.color("text3"))
                painter.setPen(theme.color("text2"))
                above = QRectF(place_.left() - 20, bar.top() - 16, place_.width() + 40, 14)
                painter.drawText(above, Qt.AlignmentFlag.AlignCenter, formatting.whole(b.count))
            text = formatting.whole(b.low) + ("+" if b.high is None else "")
            wide = painter.fontMetrics().horizontalAdvance(text)
            left = min(place_.left() + GAP, self.width() - wide)
            if left >= room:
                painter.setPen(theme.color("text3"))
                painter.drawText(QRectF(left, floor + 3, wide + 2, 14), Qt.AlignmentFlag.AlignVCenter, text)
                room = left + wide + 10

    def event(self, event: QEvent) -> bool:
        """Show a tooltip for the bar under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.bins:
            place = int(event.pos().x() / max(1.0, self._bar(0).width()))
            b = self.bins[min(place, len(self.bins) - 1)]
            QToolTip.showText(event.globalPos(), f"{bin_words(b)}: {formatting.whole(b.count)}", self)
            return True
        return super().event(event)
