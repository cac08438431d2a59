"""Draws a chart as a self-contained picture with title, unit and a legend of the variants' letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QImage, QImageWriter, QPainter, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.charts.chart_data import Keys
from app.widgets.basics import paint_badge

if TYPE_CHECKING:
    import pyqtgraph as pg

PAD, HEAD, KEY, GAP = 16, 40, 24, 18
SHARPNESS = 2.0  # pixels of a PNG for each of the window's


def png(chart: QWidget, title: str, note: str, keys: Keys) -> QImage:
    """Return the picture at twice the window's pixel size, in the colours of the present theme."""
    size = _size(chart, keys)
    image = QImage(size * SHARPNESS, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(SHARPNESS)
    painter = QPainter(image)
    _paint(painter, size, chart, title, note, keys)
    painter.end()
    return image


def png_bytes(image: QImage) -> bytes:
    """Return the bytes of a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"PNG")).write(image)
    return bytes(buffer.data().data())


def svg(chart: QWidget, title: str, note: str, keys: Keys) -> bytes:
    """Return the bytes of an SVG file, whose lines and text can be scaled and edited."""
    size = _size(chart, keys)
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(chart.logicalDpiX())  # axes are kept as pictures, which scale where it differs
    generator.setSize(size)
    generator.setViewBox(QRect(QPoint(), size))
    generator.setTitle(title)
    generator.setDescription(note)
    painter = QPainter(generator)
    _paint(painter, size, chart, title, note, keys, clips=False)
    painter.end()
    buffer.close()
    return bytes(written.data())


def _size(chart: QWidget, keys: Keys) -> QSize:
    below = KEY * len(_key_rows(keys, chart.width())) + (PAD if keys else 0)
    return QSize(chart.width() + 2 * PAD, chart.height() + HEAD + below + PAD)


def _paint(
    painter: QPainter, size: QSize, chart: QWidget, title: str, note: str, keys: Keys, clips: bool = True
) -> None:
    """Paint the picture. `clips` tells whether the paint device honours clipping; Qt's SVG generator does not."""
    import pyqtgraph as pg  # here: the first page of the window has charts, and no plot

    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRect(QPoint(), size), theme.color("panel"))
    painter.save()
    painter.translate(PAD, HEAD)
    if isinstance(chart, pg.PlotWidget):
        _paint_plot(painter, QRectF(-PAD, -HEAD, size.width(), size.height()), chart, clips)
    else:
        chart.render(painter, QPoint(), QRegion(), QWidget.RenderFlag(0))  # without a ring that lies over it
    painter.restore()
    head = QRectF(PAD, 0, chart.width(), HEAD)
    for text, font, token, side in (
        (title, theme.font(13, 600), "text", Qt.AlignmentFlag.AlignLeft),
        (note, theme.font(11), "text2", Qt.AlignmentFlag.AlignRight),
    ):
        painter.setFont(font)
        painter.setPen(theme.color(token))
        painter.drawText(head, int(side | Qt.AlignmentFlag.AlignVCenter), text)
    top = HEAD + chart.height() + PAD
    for row in _key_rows(keys, chart.width()):
        for x, index, name in row:
            paint_badge(painter, QRectF(PAD + x, top, 16, 16), index)
            painter.setFont(theme.font(12))
            painter.setPen(theme.color("text"))
            painter.drawText(QPointF(PAD + x + 22, top + 13), name)
        top += KEY


def _paint_plot(painter: QPainter, page: QRectF, plot: pg.PlotWidget, clips: bool) -> None:
    """Paint the plot's scene. Without clipping a frame covers what lies outside, and the axes are painted again."""
    area = plot.viewport().rect()
    plot.render(painter, QRectF(area), area)
    if clips:
        return
    view = plot.getViewBox()
    inside = view.sceneBoundingRect()
    for rect in (
        QRectF(page.topLeft(), QPointF(inside.left(), page.bottom())),
        QRectF(QPointF(inside.right(), page.top()), page.bottomRight()),
        QRectF(page.topLeft(), QPointF(page.right(), inside.top())),
        QRectF(QPointF(page.left(), inside.bottom()), page.bottomRight()),
    ):
        painter.fillRect(rect, theme.color("panel"))
    axes = [plot.getAxis("left"), plot.getAxis("bottom")]
    grids, ground = [axis.grid for axis in axes], plot.backgroundBrush()
    view.childGroup.setOpacity(0)
    plot.setBackgroundBrush(Qt.BrushStyle.NoBrush)
    for axis in axes:
        axis.setGrid(False)
    plot.render(painter, QRectF(area), area)
    view.childGroup.setOpacity(1)
    plot.setBackgroundBrush(ground)
    for axis, grid in zip(axes, grids, strict=True):
        axis.setGrid(grid)


def _key_rows(keys: Keys, width: int) -> list[list[tuple[float, int, str]]]:
    """Return the positions of letters and names, in as many rows as they need."""
    metrics = QFontMetrics(theme.font(12))
    rows: list[list[tuple[float, int, str]]] = []
    x = float("inf")
    for index, name in keys:
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, max(40, width - 30))
        wide = 22 + metrics.horizontalAdvance(shown)
        if x + wide > width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, index, shown))
        x += wide + GAP
    return rows
