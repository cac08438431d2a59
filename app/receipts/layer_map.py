"""A map of every Linear's class: one row per part, one column per layer, and single parts beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.charts.chart_data import ChartData, Keys
from app.charts.painted_chart import PaintedChart
from core.base.axis_ticks import labelled
from core.model.layer_map import LayerPart, layers

ROW, GAP, AXIS, LEGEND = 18.0, 2.0, 20.0, 22.0  # pixels
LEFT, ONCE = 172.0, 132.0  # for the names of parts, as wide as those of facts, and for what is there once
MOST_CELL = 24.0
PLAIN = ("Linear", "Conv1D")  # as loaded
STRENGTHS = (0.85, 0.45, 0.25)  # of the hue, for the classes by how often they are there


class LayerMap(PaintedChart):
    """Paints a changed layer filled, and one as it was loaded outlined."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parts: list[LayerPart] = []
        self._index = 0
        self._variant = ""
        self.setAccessibleName(self.tr("Layer map"))

    def show_map(self, parts: Sequence[LayerPart], variant: str, index: int) -> None:
        """Show parts; `index` is the variant's hue."""
        self.parts, self._variant, self._index = list(parts), variant, index
        self.setAccessibleDescription("; ".join(f"{kind}: {n}" for kind, n in self._counts().items()))
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(520, round(max(2, len(self._rows())) * ROW + AXIS + LEGEND))

    def chart_keys(self) -> Keys:
        return [(self._index, self._variant)]

    def chart_data(self) -> ChartData:
        rows = [(p.name, layer, kind) for p in self.parts for layer, kind in p.kinds.items()]
        return ChartData.of_rows((self.tr("part"), self.tr("layer"), self.tr("class")), rows)

    # -- where things are ----------------------------------------------------------------------------------
    def _rows(self) -> list[LayerPart]:
        return [part for part in self.parts if None not in part.kinds]

    def _once(self) -> list[LayerPart]:
        return [part for part in self.parts if None in part.kinds]

    def _counts(self) -> dict[str, int]:
        """Return the number of layers of each class, changed ones first."""
        counts = Counter(kind for part in self.parts for kind in part.kinds.values())
        return dict(sorted(counts.items(), key=lambda pair: (pair[0] in PLAIN, -pair[1])))

    def _cell(self) -> float:
        room = self.width() - LEFT - (ONCE if self._once() else 8.0)
        return max(1.0, min(MOST_CELL, room / max(1, layers(self.parts))))

    def read(self, place: QPointF) -> str:
        """Return the layer under the pointer in words."""
        rows, once, end = self._rows(), self._once(), LEFT + self._cell() * layers(self.parts)
        if 0 <= place.y() < len(rows) * ROW and LEFT <= place.x() < end:
            part, layer = rows[int(place.y() // ROW)], int((place.x() - LEFT) // self._cell())
            if layer in part.kinds:
                return self.tr("layer {n}: {part} is {kind}").format(n=layer, part=part.name, kind=part.kinds[layer])
        if place.x() >= end and once:
            return "   ".join(f"{part.name}: {part.kinds[None]}" for part in once)
        return ""

    # -- painting ------------------------------------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rows, cell, count = self._rows(), self._cell(), layers(self.parts)
        mono = theme.font(11, mono=True)
        for number, part in enumerate(rows):
            painter.setFont(mono)
            painter.setPen(theme.color("text2"))
            name = painter.fontMetrics().elidedText(part.name, Qt.TextElideMode.ElideLeft, int(LEFT - 14))
            painter.drawText(QRectF(0, number * ROW, LEFT - 14, ROW), Qt.AlignmentFlag.AlignVCenter, name)
            for layer, kind in part.kinds.items():
                if layer is not None:
                    self._tile(painter, QRectF(LEFT + layer * cell, number * ROW, cell - GAP, ROW - GAP), kind)
        foot = len(rows) * ROW
        self._axis(painter, foot, cell, count)
        once = self._once()
        for number, part in enumerate(once):
            high = foot / len(once)
            left = LEFT + count * cell + 10
            self._tile(painter, QRectF(left, number * high, 18, high - GAP), part.kinds[None])
            painter.setFont(mono)
            painter.setPen(theme.color("text2"))
            room = QRectF(left + 24, number * high, self.width() - left - 24, high - GAP)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, part.name)
        self._legend(painter, foot + AXIS)

    def _colour(self, kind: str) -> QColor | None:
        """Return the colour of a class; None for a layer as it was loaded."""
        if kind in PLAIN:
            return None
        changed = [other for other in self._counts() if other not in PLAIN]
        colour = theme.variant(self._index)
        colour.setAlphaF(STRENGTHS[min(changed.index(kind), len(STRENGTHS) - 1)])
        return colour

    def _tile(self, painter: QPainter, place: QRectF, kind: str) -> None:
        colour = self._colour(kind)
        radius = min(3.0, place.width() / 4)
        if colour is None:
            painter.setBrush(theme.color("panel"))
            painter.setPen(QPen(theme.color("line2"), 1))
            painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(place, radius, radius)

    def _axis(self, painter: QPainter, foot: float, cell: float, count: int) -> None:
        if not count:
            return
        metrics = QFontMetricsF(theme.font(11))
        painter.setFont(theme.font(11))
        painter.setPen(theme.color("text3"))
        painter.drawText(QRectF(0, foot, LEFT - 14, AXIS), Qt.AlignmentFlag.AlignVCenter, self.tr("layer"))
        _, found = labelled(0, max(1, count - 1), cell * count, lambda v: metrics.horizontalAdvance(f"{v:g}"))
        for value in found:
            if value == int(value):
                middle = LEFT + (value + 0.5) * cell
                painter.drawText(QRectF(middle - 20, foot, 40, AXIS), Qt.AlignmentFlag.AlignCenter, f"{value:g}")

    def _legend(self, painter: QPainter, top: float) -> None:
        x = LEFT
        painter.setFont(theme.font(11))
        for kind, n in self._counts().items():
            self._tile(painter, QRectF(x, top + LEGEND / 2 - 5, 10, 10), kind)
            text = self.tr("{kind}: {n}, as loaded") if kind in PLAIN else "{kind}: {n}"
            said = text.format(kind=kind, n=n)
            painter.setPen(theme.color("text2"))
            painter.drawText(QRectF(x + 16, top, 300, LEGEND), Qt.AlignmentFlag.AlignVCenter, said)
            x += 16 + painter.fontMetrics().horizontalAdvance(said) + 18
