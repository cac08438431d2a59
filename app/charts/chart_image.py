"""Draws a chart as a self-contained picture with title, unit and a legend of the variants' letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from app.base.theme import theme
from app.charts.chart import Chart
from app.charts.chart_data import Keys
from app.widgets.basics import paint_badge

if TYPE_CHECKING:
    pass

PAD, HEAD, KEY, GAP = 16, 40, 24, 18
SHARPNESS = 2.0  # pixels of a PNG for each of the window's


def png(chart: Chart, title: str, note: str, keys: Keys) -> QImage:
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


def svg(chart: Chart, title: str, note: str, keys: Keys) -> bytes:
    """Return the bytes of an SVG file, whose lines and text can be scaled and edited."""
    size = _size(chart, keys)
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(chart.widget.logicalDpiX())  # axes are kept as pictures, which scale where it differs
    generator.setSize(size)
    generator.setViewBox(QRect(QPoint(), size))
    generator.setTitle(title)
    generator.setDescription(note)
    painter = QPainter(generator)
    _paint(painter, size, chart, title, note, keys, clips=False)
    painter.end()
    buffer.close()
    return bytes(written.data())


def _size(chart: Chart, keys: Keys) -> QSize:
    below = KEY * len(_key_rows(keys, chart.widget.width())) + (PAD if keys else 0)
    return QSize(chart.widget.width() + 2 * PAD, chart.widget.height() + HEAD + below + PAD)


def _paint(painter: QPainter, size: QSize, chart: Chart, title: str, note: str, keys: Keys, clips: bool = True) -> None:
    """Paint the picture. `clips` tells whether the paint device honours clipping; Qt's SVG generator does not."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRect(QPoint(), size), theme.color("panel"))
    painter.save()
    painter.translate(PAD, HEAD)
    chart.paint_picture(painter, QRectF(-PAD, -HEAD, size.width(), size.height()), clips)
    painter.restore()
    head = QRectF(PAD, 0, chart.widget.width(), HEAD)
    for text, font, token, side in (
        (title, theme.font(13, 600), "text", Qt.AlignmentFlag.AlignLeft),
        (note, theme.font(11), "text2", Qt.AlignmentFlag.AlignRight),
    ):
        painter.setFont(font)
        painter.setPen(theme.color(token))
        painter.drawText(head, int(side | Qt.AlignmentFlag.AlignVCenter), text)
    top = HEAD + chart.widget.height() + PAD
    for row in _key_rows(keys, chart.widget.width()):
        for x, index, name in row:
            paint_badge(painter, QRectF(PAD + x, top, 16, 16), index)
            painter.setFont(theme.font(12))
            painter.setPen(theme.color("text"))
            painter.drawText(QPointF(PAD + x + 22, top + 13), name)
        top += KEY


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
