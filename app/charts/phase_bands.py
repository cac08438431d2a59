"""Bands of phases behind the live plots, each in its variant's hue."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from app.base.theme import theme
from app.charts.overlay_layers import Layer, Room
from app.session.live_data import PhaseBand
from app.text.phase_text import phase_text

LOADING = ("convert", "load", "transform")  # phases of an engine before it warms up
AT_ONCE_S = 0.05  # between two phases
MOST_BANDS = 600  # more than that on a screen are narrower than a pixel or two


class Bands(Layer):
    """Paints trials in full colour, warm-up and load fainter."""

    def __init__(self, index_of: Callable[[str], int], titled: bool) -> None:
        super().__init__()
        self._index_of, self._titled = index_of, titled
        self._bands: list[PhaseBand] = []
        self._now = 0.0
        self.setZValue(-50)

    def set_bands(self, bands: list[PhaseBand], now: float) -> None:
        self._bands, self._now = bands, now
        self.update()

    def paint_over(self, painter: QPainter, room: Room) -> None:
        view, area = room.seen, room.rect
        seen = [b for b in self._bands if b.start < view.right() and (b.end or self._now) > view.left()]
        if len(seen) > MOST_BANDS:
            return
        for band in seen:
            left, right = room.x(max(band.start, view.left())), room.x(min(band.end or self._now, view.right()))
            painter.fillRect(QRectF(left, area.top(), right - left, area.height()), self._tint(band))
        if self._titled:
            self._titles(painter, room, seen)

    def _tint(self, band: PhaseBand) -> QColor:
        tint = theme.variant(self._index_of(band.variant))
        tint.setAlphaF((0.11 if theme.dark else 0.08) if band.phase == "trial" else 0.04)
        return tint

    def _titles(self, painter: QPainter, room: Room, seen: list[PhaseBand]) -> None:
        """Paint letter and name at the top of each band that is wide enough."""
        view, top = room.seen, room.rect.top()
        painter.setFont(theme.font(11, 600))
        metrics = painter.fontMetrics()
        for band, end in joined(seen):
            left, right = room.x(max(band.start, view.left())), room.x(min(end or self._now, view.right()))
            letter = theme.letter(self._index_of(band.variant))
            title = f"{letter}  {band.variant if band.phase == 'trial' else phase_text(band.phase).name}"
            at = left + 6.0
            if metrics.horizontalAdvance(title) > right - left - 12:
                title = letter
                at = min(at, (left + right - metrics.horizontalAdvance(title)) / 2)
            wide = metrics.horizontalAdvance(title)
            if wide > right - left - 2:
                continue
            place = QRectF(at, top + 5, wide, 14)
            for ground in (theme.color("panel"), self._tint(band)):  # no line of the grid runs through it
                painter.fillRect(place, ground)
            painter.setPen(theme.color("text" if band.phase == "trial" else "text3"))
            painter.drawText(QPointF(at, top + 16), title)


def joined(bands: list[PhaseBand]) -> list[tuple[PhaseBand, float | None]]:
    """Return each band with its end. A variant's consecutive phases until it is loaded form one band, named after its
    longest or its running phase: even looking up a cached conversion takes a moment."""
    found: list[tuple[PhaseBand, float | None]] = []
    longest = 0.0  # seconds of the longest phase in the last band
    for band in bands:
        took = math.inf if band.end is None else band.end - band.start
        if found and band.phase in LOADING:
            before, end = found[-1]
            at_once = end is not None and band.start - end < AT_ONCE_S
            if at_once and before.variant == band.variant and before.phase in LOADING:
                found[-1] = replace(before, phase=band.phase if took > longest else before.phase), band.end
                longest = max(longest, took)
                continue
        found.append((band, band.end))
        longest = took
    return found
