"""A plot with one curve per variant in its hue and dash, with its letter beside it."""

from __future__ import annotations

from collections.abc import Collection

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.charts.axes import VerticalAxis
from app.charts.chart_data import Keys
from app.charts.overlay_layers import Layer, Room
from app.charts.plot import PlotBase

LETTER = (14.0, 16.0)  # pixels that a letter takes


class CurvesPlot(PlotBase):
    """The plot. `session` knows the variants' letters; a subclass places them."""

    def __init__(
        self, session, left: VerticalAxis, bottom: pg.AxisItem, left_width: int, width: float = 2,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(left, bottom, parent)
        self._session, self._left_width, self._width = session, left_width, width
        self.curves: dict[str, pg.PlotCurveItem] = {}
        self._looks: dict[str, tuple[int, str, bool]] = {}  # index, theme and patterns that a curve is dressed for
        self.letters = CurveLabels(self)
        self.addItem(self.letters, ignoreBounds=True)
        self.recolour()
        theme.changed.connect(self.recolour)

    def letter_places(self, room: Room) -> dict[str, QPointF]:
        """Return the middle of the left end of each placed letter, by variant."""
        raise NotImplementedError

    def letter(self, name: str) -> str:
        return theme.letter(self._session.index_of(name))

    def keep(self, names: Collection[str]) -> None:
        """Remove the curves of all other variants."""
        for name in [n for n in self.curves if n not in names]:
            self.removeItem(self.curves.pop(name))
            self._looks.pop(name)

    def curve(self, name: str) -> pg.PlotCurveItem:
        if name not in self.curves:
            self.curves[name] = pg.PlotCurveItem(antialias=True)
            self.addItem(self.curves[name], ignoreBounds=True)
        self._dress(name)
        return self.curves[name]

    def chart_keys(self) -> Keys:
        return [(self._session.index_of(name), name) for name in self.curves]

    def _dress(self, name: str) -> None:
        """Set the variant's hue and dash if they changed."""
        index = self._session.index_of(name)
        look = (index, theme.name, theme.patterns)
        if self._looks.get(name) != look:
            self._looks[name] = look
            pen = pg.mkPen(theme.variant(index), width=self._width, style=theme.dash(index))
            self.curves[name].setPen(pen)

    @Slot()
    def recolour(self) -> None:
        self.restyle(self._left_width)
        for name in self.curves:
            self._dress(name)
        self.show_changes()


class CurveLabels(Layer):
    """Paints the letters where the plot places them; of overlapping letters, the first."""

    def __init__(self, plot: CurvesPlot) -> None:
        super().__init__()
        self._plot = plot
        self.standing: dict[str, QRectF] = {}  # the painted labels by variant
        self.setZValue(10)

    def paint_over(self, painter: QPainter, room: Room) -> None:
        painter.setFont(theme.font(11, 600))
        painter.setPen(theme.color("text"))
        self.standing = {}
        wide, high = LETTER
        ground = theme.color("panel")
        ground.setAlphaF(0.75)
        for name, at in self._plot.letter_places(room).items():
            rect = QRectF(at.x(), at.y() - high / 2, wide, high)
            if not any(rect.intersects(other) for other in self.standing.values()):
                self.standing[name] = rect
                flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
                painter.fillRect(rect.adjusted(-1, 2, -3, -2), ground)  # where it lies over a curve
                painter.drawText(rect.adjusted(0, 0, wide, 0), flags, self._plot.letter(name))
