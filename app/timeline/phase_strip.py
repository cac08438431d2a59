"""The phases of a variant as a strip along its plot's upper edge, named where the name fits."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from app.base.theme import theme
from app.charts.overlay_layers import Layer, Room
from app.charts.phase_bands import MOST_BANDS
from app.session.live_data import PhaseBand
from app.text.phase_text import phase_text

HEIGHT = 14.0  # pixels
#: How strong the variant's hue is in each phase; trials are what counts.
ALPHA = {"trial": 0.45, "warmup": 0.22}
OTHERWISE = 0.12


class PhaseStrip(Layer):
    """A strip over the upper end of the visible range."""

    def __init__(self, index_of: Callable[[str], int]) -> None:
        super().__init__()
        self._index_of = index_of
        self.bands: list[PhaseBand] = []
        self.setZValue(-40)

    def set_bands(self, bands: list[PhaseBand]) -> None:
        """Set the bands, each with an end."""
        self.bands = bands
        self.update()

    def paint_over(self, painter: QPainter, room: Room) -> None:
        view = room.seen
        seen = [b for b in self.bands if b.start < view.right() and (b.end or b.start) > view.left()]
        painter.setFont(theme.font(11))
        metrics = painter.fontMetrics()
        for band in seen[:MOST_BANDS]:
            left, right = room.x(max(band.start, view.left())), room.x(min(band.end or band.start, view.right()))
            place = QRectF(round(left), room.rect.top(), max(1.0, round(right) - round(left) - 1), HEIGHT)
            tint = theme.variant(self._index_of(band.variant))
            tint.setAlphaF(ALPHA.get(band.phase, OTHERWISE))
            painter.fillRect(place, tint)
            name = phase_text(band.phase).name
            if metrics.horizontalAdvance(name) + 6 <= place.width():
                painter.setPen(theme.color("text2"))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, name)
