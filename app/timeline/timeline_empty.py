"""The Timeline page without results: how to read a timeline, with a made-up request that is labelled as such."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.base.theme import theme

STEPS = (1, 1, 1, 4, 3, 1, 4, 1, 1, 1)  # tokens
WAIT, PROMPT, STEP = 26.0, 96.0, 42.0  # pixels
TOP, HIGH = 34.0, 56.0


class GhostTimeline(QWidget):
    """An example lane with its parts named."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(156)
        self.setAccessibleName(self.tr("How to read a timeline"))
        self.setAccessibleDescription(
            self.tr(
                "From the left: waiting, reading the prompt, then a bar for each step. A tall bar is a step that "
                "yielded several tokens, its pale part are accepted drafts. A flag is a decision of the engine."
            )
        )
        theme.changed.connect(self.update)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        floor, x = TOP + HIGH, 0.0
        own, pale, grey = theme.variant(1), theme.variant(1), theme.color("text3")
        pale.setAlphaF(0.5)
        grey.setAlphaF(0.35)
        painter.fillRect(QRectF(x, floor - 0.3 * HIGH, WAIT - 1, 0.3 * HIGH), grey)
        painter.fillRect(QRectF(WAIT, TOP, PROMPT - 1, HIGH), pale)
        x = WAIT + PROMPT
        for tokens in STEPS:
            low = 0.35 * HIGH
            high = low + (HIGH - low) * (tokens - 1) / 3
            painter.fillRect(QRectF(x, floor - low, STEP - 2, low), own)
            painter.fillRect(QRectF(x, floor - high, STEP - 2, max(0.0, high - low - 1)), pale)
            x += STEP
        painter.setPen(QPen(theme.color("line2"), 1))
        painter.drawLine(QLineF(0, floor + 0.5, x, floor + 0.5))
        flag = WAIT + PROMPT + 7 * STEP
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("warn"), 1.5))
        painter.setBrush(theme.color("warn"))
        painter.drawLine(QLineF(flag, TOP - 6, flag, floor))
        painter.drawPolygon(QPolygonF([QPointF(flag - 4, TOP - 8), QPointF(flag + 4, TOP - 8), QPointF(flag, TOP - 1)]))
        painter.setFont(theme.font(11))
        painter.setPen(theme.color("text2"))
        first = WAIT + PROMPT
        for at, text, above in (
            (0.0, self.tr("waiting"), False),
            (WAIT + 22, self.tr("prompt"), False),
            (first, self.tr("one step, one token"), False),
            (first + 3 * STEP, self.tr("accepted drafts, pale"), True),
            (flag - 10, self.tr("a decision: drafts were given up"), True),
        ):
            top = 0.0 if above else floor + 6
            painter.drawText(QRectF(at, top, 300, 18), Qt.AlignmentFlag.AlignVCenter, text)
        painter.setPen(theme.color("text3"))
        painter.drawText(QRectF(0, floor + 30, 600, 18), Qt.AlignmentFlag.AlignVCenter, self.tr("This one is made up."))
