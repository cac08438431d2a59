"""The base of plots: painted on request, zoomed by wheel, drag and keys."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QGraphicsView, QWidget

from app.base.theme import theme
from app.charts.axes import style_axis
from app.charts.chart_data import ChartData, Keys

Span = tuple[float, float]
MOST_ZOOM = 1e6  # how many times less than all of it a plot can show
GRID = 0.2  # opacity of the lines


class PlotBase(pg.PlotWidget):
    """A plot that paints once for all its changes, on request: by itself each scene would repaint the window, some
    twice. `home` is its default range. From there the wheel zooms and a drag pans on the axes of `free`, as + and − and
    the arrows do; a double-click and Home return. `zoomed` says that the visible part has changed."""

    zoomed = Signal()
    pointed = Signal(str)  # the values under the pointer, "" where there are none
    zooms = True

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem, parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={"left": left, "bottom": bottom}, enableMenu=False)
        self.by_hand = False
        self._home: tuple[Span, Span] | None = None
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.NoViewportUpdate)
        self.getPlotItem().hideButtons()
        self.getViewBox().setDefaultPadding(0)
        self.disableAutoRange()
        self.free(x=True, y=False)
        self.hair = pg.InfiniteLine(angle=90, movable=False)
        self.hair.setZValue(50)
        self.hair.hide()
        self.addItem(self.hair, ignoreBounds=True)
        self.getViewBox().sigRangeChangedManually.connect(self._moved_by_hand)

    # -- as `app.charts.chart.Chart` ------------------------------------------------------------------------
    @property
    def widget(self) -> QWidget:
        return self

    def follow_pointer(self) -> None:
        """Emit the values under the pointer, and show a line through them. Plots on one time axis have a `Crosshair`
        instead."""
        self.scene().sigMouseMoved.connect(self._moved)

    @Slot(object)
    def _moved(self, position: QPointF) -> None:
        place = self.place_of(position)
        self.show_hair(place)
        self.pointed.emit(self.read(place.x(), place.y()) if place is not None else "")

    def place_of(self, position: QPointF) -> QPointF | None:
        """Return a position of the scene in the axes' units; None outside the axes."""
        view = self.getViewBox()
        return view.mapSceneToView(position) if view.sceneBoundingRect().contains(position) else None

    def show_hair(self, place: QPointF | None) -> None:
        """Show the vertical line at a place, or hide it."""
        self.hair.setVisible(place is not None)
        self.hair.setPos(place.x() if place is not None else 0.0)
        self.show_changes()

    def hide_hair(self) -> None:
        self.hair.hide()

    def paint_picture(self, painter: QPainter, page: QRectF, clips: bool) -> None:
        """Paint the scene. Without clipping a frame covers what lies outside, and the axes are painted again."""
        area = self.viewport().rect()
        self.render(painter, QRectF(area), area)
        if clips:
            return
        view = self.getViewBox()
        inside = view.sceneBoundingRect()
        for rect in (
            QRectF(page.topLeft(), QPointF(inside.left(), page.bottom())),
            QRectF(QPointF(inside.right(), page.top()), page.bottomRight()),
            QRectF(page.topLeft(), QPointF(page.right(), inside.top())),
            QRectF(QPointF(page.left(), inside.bottom()), page.bottomRight()),
        ):
            painter.fillRect(rect, theme.color("panel"))
        axes = [self.getAxis("left"), self.getAxis("bottom")]
        grids, ground = [axis.grid for axis in axes], self.backgroundBrush()
        view.childGroup.setOpacity(0)
        self.setBackgroundBrush(Qt.BrushStyle.NoBrush)
        for axis in axes:
            axis.setGrid(False)
        self.render(painter, QRectF(area), area)
        view.childGroup.setOpacity(1)
        self.setBackgroundBrush(ground)
        for axis, grid in zip(axes, grids, strict=True):
            axis.setGrid(grid)

    def chart_data(self) -> ChartData:
        """Return the drawn figures."""
        raise NotImplementedError

    def chart_keys(self) -> Keys:
        """Return the variants' letters in the plot."""
        return []

    def read(self, x: float, y: float) -> str:
        """Return the values at a position, for the row above."""
        return ""

    # -- the part in sight ------------------------------------------------------------------------------------
    def free(self, x: bool, y: bool) -> None:
        """Set which axes the wheel and a drag move."""
        self.setMouseEnabled(x=x, y=y)

    def home(self, x: Span, y: Span) -> None:
        """Set the default range, shown unless the user has chosen another; at most three times as much can be shown."""
        self._home = (x, y)
        (left, right), (bottom, top) = x, y
        wide, high = right - left, top - bottom
        self.getViewBox().setLimits(
            xMin=left - wide, xMax=right + wide, yMin=bottom - high, yMax=top + high, minXRange=wide / MOST_ZOOM,
            minYRange=high / MOST_ZOOM,
        )  # fmt: skip
        if not self.by_hand:
            self._show_home()

    def _show_home(self) -> None:
        if self._home is not None:
            self.getViewBox().setRange(xRange=self._home[0], yRange=self._home[1], padding=0)

    @Slot()
    def reset_view(self) -> None:
        """Return to the default range."""
        self.by_hand = False
        self._show_home()
        self.zoomed.emit()
        self.show_changes()

    @Slot(object)
    def _moved_by_hand(self, _axes: object) -> None:
        self.by_hand = True
        self.zoomed.emit()
        self.show_changes()

    def zoom(self, factor: float) -> None:
        """Show `factor` times as much around the middle, as the keys + and − do."""
        x, y = self.getViewBox().state["mouseEnabled"]
        self.getViewBox().scaleBy(x=factor if x else None, y=factor if y else None)
        self._moved_by_hand(None)

    def pan(self, x: float, y: float = 0.0) -> None:
        """Move by shares of the visible range."""
        free_x, free_y = self.getViewBox().state["mouseEnabled"]
        (left, right), (bottom, top) = self.getViewBox().viewRange()
        self.getViewBox().translateBy(
            x=x * (right - left) if free_x else None, y=y * (top - bottom) if free_y else None
        )
        self._moved_by_hand(None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset_view()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, step = event.key(), 0.1
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(0.8)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1.25)
        elif key == Qt.Key.Key_Home:
            self.reset_view()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.pan(-step if key == Qt.Key.Key_Left else step)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.pan(0.0, step if key == Qt.Key.Key_Up else -step)
        else:
            event.ignore()

    # -- pointer --------------------------------------------------------------------------------------
    def leaveEvent(self, event) -> None:
        self.scene().sigMouseMoved.emit(QPointF(-1, -1))
        super().leaveEvent(event)

    # -- looks --------------------------------------------------------------------------------------------------
    def restyle(self, left_width: int) -> None:
        """Apply the theme's colours to background, axes and grid."""
        self.setBackground(theme.color("panel"))
        style_axis(self.getAxis("left"))
        style_axis(self.getAxis("bottom"))
        self.getAxis("left").setWidth(left_width)
        self.getPlotItem().showGrid(y=True, alpha=GRID)
        self.hair.setPen(pg.mkPen(theme.color("text3"), width=1))

    @Slot()
    def show_changes(self) -> None:
        """Schedule a paint."""
        self.viewport().update()


def dashed(token: str) -> QPen:
    """Return the pen of a limit."""
    return pg.mkPen(theme.color(token), width=1.5, style=Qt.PenStyle.DashLine)
