"""The charts of the token timeline: a strip with one lane a variant, and the latency of every token by its position.

Knows lanes of `core.token_timeline` and the theme; reads no event. Paints what is visible only, and of bars that are
narrower than a pixel the tallest of each.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.calm_plot import CalmPlot
from app.chart_data import ChartData
from app.chart_picture import Keys
from app.facts import named
from app.plot_axes import LOWEST_MS, AmountAxis, LogAxis, ValueAxis, style_axis
from app.ring import decimate
from app.said import said
from app.theme import theme
from app.widgets import paint_badge
from core import words
from core.token_timeline import Lane, Mark, Span

LANE, AXIS = 62, 24  # pixels: a lane at least, and the axis below
HEAD, FOOT = 22.0, 8.0  # of a lane: above its bars, and below
LETTER = 13.0  # pixels between two letters at the ends of curves
NEAR_PX = 7.0  # how near the pointer must be to a decision
BASE = 0.35  # height of a step of one token where others have more
REST_ALPHA, PREFILL_ALPHA, DRAFT_ALPHA = 0.14, 0.45, 0.55


class MsAxis(ValueAxis):
    """Milliseconds since the request's arrival, in seconds where there are many."""

    def text(self, value: float, span: float) -> str:
        said = f"{value / 1e3:.6g} s" if span >= 1000 else f"{value:.6g} ms"
        return said.replace("-", "−")


class _Bars:
    """A lane as arrays, for painting."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.starts = np.array([s.start_ms for s in lane.spans])
        self.ends = np.array([s.end_ms for s in lane.spans])
        self.tokens = np.array([s.tokens for s in lane.spans])
        self.steps = np.array([s.kind == "step" for s in lane.spans], dtype=bool)

    def within(self, low: float, high: float) -> range:
        first = int(np.searchsorted(self.ends, low))
        return range(first, int(np.searchsorted(self.starts, high)))

    def at(self, ms: float) -> Span | None:
        place = int(np.searchsorted(self.ends, ms))
        if place < len(self.starts) and self.starts[place] <= ms:
            return self.lane.spans[place]
        return None


class LanesItem(pg.GraphicsObject):
    """Paints the lanes in pixels: bars of less than a pixel become one column each."""

    def __init__(self, index_of: Callable[[str], int], heading: Callable[[Lane], str]) -> None:
        super().__init__()
        self._index_of, self._heading = index_of, heading
        self.bars: list[_Bars] = []
        self.most = 1  # tokens of a step

    def set_lanes(self, lanes: list[Lane]) -> None:
        self.bars = [_Bars(lane) for lane in lanes]
        steps = (b.tokens[b.steps] for b in self.bars)
        self.most = max([int(t.max()) for t in steps if len(t)] or [1])
        self.update()

    def boundingRect(self) -> QRectF:
        return self.viewRect() or QRectF()

    def viewTransformChanged(self) -> None:
        self.prepareGeometryChange()
        super().viewTransformChanged()

    def paint(self, painter: QPainter, *args) -> None:
        view, transform = self.viewRect(), painter.transform()
        if view is None:
            return
        painter.save()
        painter.resetTransform()
        for number, bars in enumerate(self.bars):
            top = transform.map(QPointF(view.left(), number))
            bottom = transform.map(QPointF(view.right(), number + 1))
            room = QRectF(top, bottom).normalized()
            self._lane(painter, room, bars, view, lambda ms: transform.map(QPointF(ms, 0)).x())
        painter.restore()

    def _lane(self, painter: QPainter, room: QRectF, bars: _Bars, view: QRectF, x_of: Callable[[float], float]) -> None:
        index = self._index_of(bars.lane.variant)
        self._head(painter, room, bars.lane, index)
        floor, high = room.bottom() - FOOT, room.height() - HEAD - FOOT
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QLineF(room.left(), floor + 0.5, room.right(), floor + 0.5))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        seen = bars.within(view.left(), view.right())
        if len(seen) > room.width():
            self._columns(painter, room, bars, seen, floor, high, index, x_of)
        else:
            for place in seen:
                self._bar(painter, bars.lane.spans[place], floor, high, index, x_of)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for mark in bars.lane.marks:
            if view.left() <= mark.at_ms <= view.right():
                self._mark(painter, x_of(mark.at_ms), room.top() + HEAD, floor)

    def _head(self, painter: QPainter, room: QRectF, lane: Lane, index: int) -> None:
        """Letter, name, and what can be said of the request in a line."""
        paint_badge(painter, QRectF(room.left() + 2, room.top() + 3, 16, 16), index)
        painter.setFont(theme.font(12, 500))
        painter.setPen(theme.color("text"))
        line = QRectF(room.left() + 24, room.top() + 2, room.width() - 30, 18)
        metrics = painter.fontMetrics()
        name = metrics.elidedText(lane.variant, Qt.TextElideMode.ElideMiddle, int(0.45 * room.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, name)
        line.setLeft(line.left() + metrics.horizontalAdvance(name) + 12)
        painter.setFont(theme.font(11))
        painter.setPen(theme.color("text2"))
        facts = painter.fontMetrics().elidedText(
            self._heading(lane), Qt.TextElideMode.ElideRight, max(0, int(line.width()))
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, facts)

    def _height(self, tokens: int) -> float:
        """Share of a lane's height."""
        if self.most <= 1:
            return 0.8 if tokens else 0.12
        return BASE + (1 - BASE) * (tokens - 1) / (self.most - 1) if tokens else 0.12

    def _bar(
        self, painter: QPainter, span: Span, floor: float, high: float, index: int, x_of: Callable[[float], float]
    ) -> None:
        left, right = round(x_of(span.start_ms)), round(x_of(span.end_ms))
        gap = 1 if right - left > 2 and span.kind == "step" else 0
        rect = QRectF(left, 0, max(1, right - left - gap), 0)
        if span.kind in ("queue", "rest"):
            top = floor - 0.3 * high
            painter.fillRect(rect.adjusted(0, top, 0, floor), _faded(theme.color("text3"), 0.35))
            return
        if span.kind == "prefill":
            block = rect.adjusted(0, floor - high, 0, floor)
            painter.fillRect(block, _faded(theme.variant(index), PREFILL_ALPHA))
            painter.setFont(theme.font(11))
            painter.setPen(theme.color("text"))
            name = self.tr("prompt")
            if painter.fontMetrics().horizontalAdvance(name) + 8 <= block.width():
                painter.drawText(block, Qt.AlignmentFlag.AlignCenter, name)
            return
        top = floor - self._height(span.tokens) * high
        own = floor - self._height(min(1, span.tokens)) * high  # what the model's own token accounts for
        painter.fillRect(rect.adjusted(0, own, 0, floor), theme.variant(index))
        if span.accepted:
            painter.fillRect(rect.adjusted(0, top, 0, own - 1), _faded(theme.variant(index), DRAFT_ALPHA))

    def _columns(
        self, painter: QPainter, room: QRectF, bars: _Bars, seen: range, floor: float, high: float, index: int,
        x_of: Callable[[float], float],
    ) -> None:  # fmt: skip
        """Where there are more bars than pixels: of each pixel's steps the one with most tokens."""
        places = np.arange(seen.start, seen.stop)
        origin, scale = x_of(0.0), x_of(1.0) - x_of(0.0)
        columns = np.floor(origin + scale * bars.starts[places]).astype(int)
        first = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1))
        tallest = np.maximum.reduceat(np.where(bars.steps[places], bars.tokens[places], 0), first)
        for column, tokens in zip(columns[first], tallest, strict=True):
            top = floor - self._height(int(tokens)) * high
            painter.fillRect(QRectF(float(column), top, 1.0, floor - top), theme.variant(index))
        for place in seen:
            if not bars.steps[place]:
                self._bar(painter, bars.lane.spans[place], floor, high, index, x_of)

    def _mark(self, painter: QPainter, x: float, top: float, floor: float) -> None:
        """A flag over the lane: the engine changed its way here."""
        painter.setPen(QPen(theme.color("warn"), 1.5))
        painter.drawLine(QLineF(x, top - 2, x, floor))
        painter.setBrush(theme.color("warn"))
        painter.drawPolygon(QPolygonF([QPointF(x - 4, top - 4), QPointF(x + 4, top - 4), QPointF(x, top + 3)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)


class TimelineStrip(CalmPlot):
    """The lanes on one time axis. The wheel zooms into the steps."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(AmountAxis(), MsAxis(), parent)
        self._session = session
        self.lanes: list[Lane] = []
        self.item = LanesItem(session.index_of, self.heading)
        self.addItem(self.item, ignoreBounds=True)
        self.getPlotItem().hideAxis("left")
        self.getViewBox().invertY(True)
        self.setAccessibleName(self.tr("Token timeline"))
        self.recolour()
        theme.changed.connect(self.recolour)

    def refresh(self, lanes: list[Lane]) -> None:
        self.lanes = lanes
        self.item.set_lanes(lanes)
        self.setMinimumHeight(LANE * len(lanes) + AXIS)
        end = max((lane.end_ms for lane in lanes), default=0.0) or 100.0
        self.home((-0.02 * end, 1.02 * end), (0.0, float(max(1, len(lanes)))))
        self.setAccessibleDescription("; ".join(f"{lane.variant}: {self.heading(lane)}" for lane in lanes))
        self.show_changes()

    def heading(self, lane: Lane) -> str:
        """`first token 45.1 ms · 63 steps · 64 tokens in 1.24 s`."""
        parts = [self.tr("first token {ms} ms").format(ms=words.number(lane.ttft_ms))]
        parts.append(self.tr("{n} steps").format(n=lane.steps))
        parts.append(
            self.tr("{n} tokens in {time} s").format(
                n=lane.tokens, time=words.number(lane.e2e_ms / 1e3 if lane.e2e_ms is not None else None)
            )
        )
        if lane.accepted:
            parts.append(self.tr("{n} of them drafted").format(n=lane.accepted))
        if lane.marks:
            count = len(lane.marks)
            parts.append(self.tr("1 decision") if count == 1 else self.tr("{n} decisions").format(n=count))
        return " · ".join(parts)

    # -- reading ------------------------------------------------------------------------------------------
    def read(self, x: float, y: float) -> str:
        """What the lane under the pointer did at x ms."""
        number = int(y)
        if not 0 <= number < len(self.lanes):
            return ""
        bars = self.item.bars[number]
        letter = theme.letter(self._session.index_of(bars.lane.variant))
        (left, right), _ = self.getViewBox().viewRange()
        reach = NEAR_PX * (right - left) / max(1.0, self.getViewBox().width())
        near = min(bars.lane.marks, key=lambda m: abs(m.at_ms - x), default=None)
        if near is not None and abs(near.at_ms - x) <= reach:
            return f"{letter}   {self.of_mark(near)}"
        span = bars.at(x)
        return f"{letter}   {self.of_span(span)}" if span is not None else ""

    def of_mark(self, mark: Mark) -> str:
        text = named(said(mark.what), said(mark.detail)) if mark.detail else said(mark.what)
        return self.tr("at {time} ms, {text}").format(time=words.number(mark.at_ms), text=text)

    def of_span(self, span: Span) -> str:
        """`step 17 at 312 ms, 21.4 ms, 4 tokens, 3 of them drafted`."""
        if span.kind == "queue":
            return self.tr("waiting, {ms} ms").format(ms=words.number(span.ms))
        if span.kind == "prefill":
            return self.tr("prompt and first token, {ms} ms").format(ms=words.number(span.ms))
        if span.kind == "rest":
            return self.tr("after the last token, {ms} ms").format(ms=words.number(span.ms))
        text = self.tr("step {n} at {at} ms, {ms} ms, {tokens} tokens").format(
            n=span.number, at=words.number(span.start_ms), ms=words.number(span.ms), tokens=span.tokens
        )
        if span.accepted:
            text += self.tr(", {n} of them drafted").format(n=span.accepted)
        return text

    # -- figures ------------------------------------------------------------------------------------------
    def chart_keys(self) -> Keys:
        return [(self._session.index_of(lane.variant), lane.variant) for lane in self.lanes]

    def chart_data(self) -> ChartData:
        """A row a piece, and one for each decision."""
        names = (
            self.tr("variant"), self.tr("what"), self.tr("step"), self.tr("start (ms)"), self.tr("duration (ms)"),
            self.tr("tokens"), self.tr("drafted and accepted"),
        )  # fmt: skip
        kinds = {
            "queue": self.tr("queue"), "prefill": self.tr("prefill"), "step": self.tr("step"), "rest": self.tr("rest"),
        }  # fmt: skip
        rows: list[tuple] = []
        for lane in self.lanes:
            rows += [
                (lane.variant, kinds[s.kind], s.number or None, s.start_ms, s.ms, s.tokens, s.accepted)
                for s in lane.spans
            ]
            rows += [(lane.variant, said(m.what), None, m.at_ms, None, None, None) for m in lane.marks]
        return ChartData.of_rows(names, rows)

    @Slot()
    def recolour(self) -> None:
        self.restyle(0)
        self.getPlotItem().showGrid(x=False, y=False)
        style_axis(self.getAxis("bottom"))
        self.show_changes()


class PositionPlot(CalmPlot):
    """Latency of every token over its position in the answer, a curve a variant."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(LogAxis(), ValueAxis(), parent)
        self._session = session
        self._series: dict[str, tuple[np.ndarray, np.ndarray]] = {}  # position, ms
        self._curves: dict[str, tuple[pg.PlotCurveItem, pg.TextItem]] = {}
        self.setMinimumHeight(96)
        self.getPlotItem().layout.setContentsMargins(0, 7, 0, 0)  # else a label at the upper end is cut
        self.setAccessibleName(self.tr("Inter-token latency by position"))
        self.zoomed.connect(self._decimate)
        self.recolour()
        theme.changed.connect(self.recolour)

    def refresh(self, series: dict[str, list[tuple[int, float]]]) -> None:
        self._series = {
            name: (np.array([p for p, _ in found], dtype=float), np.array([ms for _, ms in found]))
            for name, found in series.items()
            if len(found) > 1
        }
        for name in [n for n in self._curves if n not in self._series]:
            for item in self._curves.pop(name):
                self.removeItem(item)
        last = max((float(x[-1]) for x, _ in self._series.values()), default=10.0)
        known = [y for _, y in self._series.values()]
        lowest, highest = (
            min((float(y.min()) for y in known), default=10),
            max((float(y.max()) for y in known), default=100),
        )
        edges = np.log10(np.maximum([lowest / 1.3, highest * 1.3], LOWEST_MS))
        self.home((0.0, 1.06 * last), (float(edges[0]), max(float(edges[1]), float(edges[0]) + 0.3)))
        self._decimate()

    @Slot()
    def _decimate(self) -> None:
        """Hand over what is in sight, as many points as there are pixels."""
        (low, high), _ = self.getViewBox().viewRange()
        columns = max(100, int(self.getViewBox().width()))
        for name, (x, y) in self._series.items():
            if name not in self._curves:
                self._curves[name] = pg.PlotCurveItem(antialias=True), pg.TextItem(anchor=(0, 0.5))
                for item in self._curves[name]:
                    self.addItem(item, ignoreBounds=True)
                self._dress(name)
            first, last = max(0, int(np.searchsorted(x, low)) - 1), int(np.searchsorted(x, high)) + 1
            logs = np.log10(np.maximum(y[first:last], LOWEST_MS))
            curve, letter = self._curves[name]
            curve.setData(*decimate(x[first:last], logs, columns))
            letter.setPos(x[-1], float(np.log10(max(y[-1], LOWEST_MS))))
        self._spread_letters()
        self.show_changes()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if getattr(self, "_series", None):
            self._decimate()  # as many points as there are pixels, and letters apart

    def _spread_letters(self) -> None:
        """Letters of curves that end near each other stand above each other, in the order of the curves."""
        low, high = self.getViewBox().viewRange()[1]
        apart = LETTER * (high - low) / max(1.0, self.getViewBox().height())
        letters = sorted((letter for _, letter in self._curves.values()), key=lambda letter: letter.pos().y())
        places = spread([letter.pos().y() for letter in letters], apart)
        for letter, y in zip(letters, places, strict=True):
            letter.setPos(letter.pos().x(), y)

    def read(self, x: float, y: float) -> str:
        """The latency of the token there, of every variant."""
        position = round(x)
        parts = [self.tr("token {n}").format(n=position)]
        for name, (places, ms) in self._series.items():
            at = int(np.searchsorted(places, position))
            if at < len(places) and places[at] == position:
                parts.append(f"{theme.letter(self._session.index_of(name))} {words.number(float(ms[at]))} ms")
        return "   ".join(parts) if len(parts) > 1 else ""

    def chart_keys(self) -> Keys:
        return [(self._session.index_of(name), name) for name in self._series]

    def chart_data(self) -> ChartData:
        names = (self.tr("variant"), self.tr("token"), self.tr("latency (ms)"))
        rows = ((name, int(p), float(ms)) for name, (x, y) in self._series.items() for p, ms in zip(x, y, strict=True))
        return ChartData.of_rows(names, rows)

    def _dress(self, name: str) -> None:
        index = self._session.index_of(name)
        curve, letter = self._curves[name]
        curve.setPen(pg.mkPen(theme.variant(index), width=1.5, style=theme.dash(index)))
        letter.setText(f" {theme.letter(index)}", theme.color("text"))
        letter.setFont(theme.font(11, 600))

    @Slot()
    def recolour(self) -> None:
        self.restyle(44)
        for name in self._curves:
            self._dress(name)
        self.show_changes()


def spread(values: list[float], apart: float) -> list[float]:
    """Rising values, moved so little that none is nearer than `apart` to the next: those that are near stand about
    their middle."""
    groups: list[list[float]] = []  # the middle of a group, and how many are in it
    for value in values:
        groups.append([value, 1])
        while len(groups) > 1 and groups[-1][0] - groups[-2][0] < apart * (groups[-1][1] + groups[-2][1]) / 2:
            (b, m), (a, n) = groups.pop(), groups.pop()
            groups.append([(a * n + b * m) / (n + m), n + m])
    return [middle + apart * (i - (count - 1) / 2) for middle, count in groups for i in range(int(count))]


def _faded(colour: QColor, alpha: float) -> QColor:
    colour.setAlphaF(alpha)
    return colour
