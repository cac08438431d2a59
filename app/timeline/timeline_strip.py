"""The token timeline of a request: one lane per variant on one time axis."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.charts.axes import AmountAxis, ValueAxis, style_axis
from app.charts.chart_data import ChartData, Keys
from app.charts.plot import PlotBase
from app.session.session import Session
from app.text.phrases import named
from app.timeline.timeline_lanes import LanesLayer
from core.base import formatting
from core.results.token_timeline import Lane, Span, TimelineMark

LANE, AXIS = 62, 24  # pixels: a lane at least, and the axis below
NEAR_PX = 7.0  # how near the pointer must be to a decision


class MsAxis(ValueAxis):
    """Milliseconds since the request's arrival; seconds for long requests."""

    def text(self, value: float, span: float) -> str:
        said = f"{value / 1e3:.6g} s" if span >= 1000 else f"{value:.6g} ms"
        return said.replace("-", "−")


class TimelineStrip(PlotBase):
    """The lanes on one time axis. The wheel zooms into the steps."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(AmountAxis(), MsAxis(), parent)
        self._session = session
        self.lanes: list[Lane] = []
        self.item = LanesLayer(session.index_of, self.heading)
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
        """Return the summary, `first token 45.1 ms · 63 steps · 64 tokens in 1.24 s`."""
        parts = [self.tr("first token {ms} ms").format(ms=formatting.number(lane.ttft_ms))]
        parts.append(self.tr("{n} steps").format(n=lane.steps))
        parts.append(
            self.tr("{n} tokens in {time} s").format(
                n=lane.tokens, time=formatting.number(lane.e2e_ms / 1e3 if lane.e2e_ms is not None else None)
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
        """Return what the lane under the pointer did at x ms."""
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

    def of_mark(self, mark: TimelineMark) -> str:
        text = named(said(mark.what), said(mark.detail)) if mark.detail else said(mark.what)
        return self.tr("at {time} ms, {text}").format(time=formatting.number(mark.at_ms), text=text)

    def of_span(self, span: Span) -> str:
        """Return a piece in words, `step 17 at 312 ms, 21.4 ms, 4 tokens, 3 of them drafted`."""
        if span.kind == "queue":
            return self.tr("waiting, {ms} ms").format(ms=formatting.number(span.ms))
        if span.kind == "prefill":
            return self.tr("prompt and first token, {ms} ms").format(ms=formatting.number(span.ms))
        if span.kind == "rest":
            return self.tr("after the last token, {ms} ms").format(ms=formatting.number(span.ms))
        text = self.tr("step {n} at {at} ms, {ms} ms, {tokens} tokens").format(
            n=span.number, at=formatting.number(span.start_ms), ms=formatting.number(span.ms), tokens=span.tokens
        )
        if span.accepted:
            text += self.tr(", {n} of them drafted").format(n=span.accepted)
        return text

    # -- figures ------------------------------------------------------------------------------------------
    def chart_keys(self) -> Keys:
        return [(self._session.index_of(lane.variant), lane.variant) for lane in self.lanes]

    def chart_data(self) -> ChartData:
        """Return a row per piece, and one per decision."""
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
