"""Painted parts of a table's row: background, a badge with two lines, two lines."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetrics, QPainter, QPen, QTextLayout

from app.base.theme import theme
from app.widgets.basics import paint_badge


def paint_ground(painter: QPainter, rect: QRectF, first: bool, selected: bool, failed: bool = False) -> None:
    """Paint the row's background, with an accent edge at its beginning if selected."""
    if failed:
        painter.fillRect(rect, theme.color("errbg"))
    elif selected:
        painter.fillRect(rect, theme.color("accsoft"))
    if selected and first:
        painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))


def paint_line_below(painter: QPainter, rect: QRectF) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.drawLine(QPointF(rect.left(), rect.bottom() - 1), QPointF(rect.right() + 1, rect.bottom() - 1))


def paint_variant(painter: QPainter, rect: QRectF, index: int, name: str, recipe: str) -> None:
    """Paint the badge, the name and the recipe."""
    paint_badge(painter, QRectF(rect.left() + 16, rect.center().y() - 11, 22, 22), index)
    # Names of a sweep begin alike, and end with what tells them apart.
    two_lines(painter, rect.adjusted(48, 0, -8, 0), name, recipe, cut=Qt.TextElideMode.ElideMiddle)


def two_lines(
    painter: QPainter,
    rect: QRectF,
    head: str,
    tail: str,
    token: str = "text",
    weight: int = 500,
    right: bool = False,
    cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Paint a line of 13 px over a line of 11 px, elided at `cut` (the tooltip has the whole text)."""
    top = rect.center().y() - (19 if tail else 10)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    for text, font, colour, down in (
        (head, theme.font(13, weight), token, 0.0),
        (tail, theme.font(11), "text2", 20.0),
    ):
        painter.setFont(font)
        painter.setPen(theme.color(colour))
        line = QRectF(rect.left(), top + down, rect.width(), 20)
        shown = QFontMetrics(font).elidedText(text, cut, int(rect.width()))
        painter.drawText(line, int(side | Qt.AlignmentFlag.AlignVCenter), shown)


def paint_hatch(painter: QPainter, rect: QRectF, token: str = "line2") -> None:
    """Paint hatching over results whose settings were edited since."""
    painter.fillRect(rect, QBrush(theme.color(token), Qt.BrushStyle.BDiagPattern))


def broken(text: str, font: QFont, wide: float, most: int = 2) -> list[str]:
    """Return a text wrapped to lines of that width, at most `most`; the last one is elided if there are more, and so is
    a word longer than a line."""
    layout, lines = QTextLayout(text, font), []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(1.0, wide))
        lines.append((line.textStart(), line.textLength()))
    layout.endLayout()
    metrics = QFontMetrics(font)
    if len(lines) <= most:
        found = [text[start : start + length].strip() for start, length in lines]
    else:
        found = [text[start : start + length].strip() for start, length in lines[: most - 1]]
        found.append(text[lines[most - 1][0] :])
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, int(wide)) for line in found]
