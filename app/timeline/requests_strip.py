"""All requests of a round on one time axis, one row each: who waited, who overlapped."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.charts.axes import AmountAxis, style_axis
from app.charts.chart_data import ChartData, Keys
from app.charts.plot import PlotBase
from app.session.session import Session
from app.timeline.requests_layer import RequestsLayer
from app.timeline.timeline_strip import MsAxis
from core.base import formatting
from core.results.request_lanes import Lanes

ROW, AXIS = 15, 24  # pixels: a request at least, and the axis below


class RequestsStrip(PlotBase):
    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(AmountAxis(), MsAxis(), parent)
        self._session = session
        self.lanes: list[Lanes] = []
        self.item = RequestsLayer(session.index_of, self.heading)
        self.addItem(self.item, ignoreBounds=True)
        self.getPlotItem().hideAxis("left")
        self.getViewBox().invertY(True)
        self.setAccessibleName(self.tr("Requests over time"))
        self.recolour()
        theme.changed.connect(self.recolour)

    def refresh(self, found: list[Lanes]) -> None:
        self.lanes = found
        self.item.set_lanes(found)
        self.setMinimumHeight(round(ROW * self.item.height) + AXIS)
        end = max((lanes.end_ms for lanes in found), default=0.0) or 100.0
        self.home((-0.02 * end, 1.02 * end), (0.0, max(1.0, self.item.height)))
        self.setAccessibleDescription("; ".join(f"{lanes.variant}: {self.heading(lanes)}" for lanes in found))
        self.show_changes()

    def heading(self, lanes: Lanes) -> str:
        """Return the summary, `8 requests · at most 4 at once, 3.2 on average · 1.24 s · longest wait 310 ms`."""
        parts = [
            self.tr("{n} requests").format(n=len(lanes.requests)),
            self.tr("at most {n} at once, {mean} on average").format(
                n=lanes.slots, mean=formatting.number(lanes.occupancy, 2)
            ),
            self.tr("{time} s").format(time=formatting.number(lanes.end_ms / 1e3)),
        ]
        waited = max((r.queue_ms for r in lanes.requests), default=0.0)
        if waited >= 1:
            parts.append(self.tr("longest wait {ms} ms").format(ms=formatting.number(waited)))
        return " · ".join(parts)

    # -- reading ------------------------------------------------------------------------------------------
    def read(self, x: float, y: float) -> str:
        """Return what the request under the pointer did, and when."""
        row = self.item.at(y)
        if row is None:
            return ""
        request = row.request
        first = request.first_ms - request.arrival_ms if request.first_ms is not None else None
        text = self.tr(
            "request {n}, slot {slot}: waited {wait} ms, first token {first} ms after its arrival, {tokens} tokens, "
            "done after {end} ms"
        ).format(
            n=request.number + 1,
            slot=request.slot + 1,
            wait=formatting.number(request.queue_ms),
            first=formatting.number(first),
            tokens=request.tokens,
            end=formatting.number(request.end_ms - request.arrival_ms),
        )
        return f"{theme.letter(self._session.index_of(row.lanes.variant))}   {text}"

    # -- figures ------------------------------------------------------------------------------------------
    def chart_keys(self) -> Keys:
        return [(self._session.index_of(lanes.variant), lanes.variant) for lanes in self.lanes]

    def chart_data(self) -> ChartData:
        """Return a row per request."""
        names = (
            self.tr("variant"), self.tr("request"), self.tr("slot"), self.tr("arrival (ms)"), self.tr("dispatch (ms)"),
            self.tr("first token (ms)"), self.tr("end (ms)"), self.tr("tokens"),
        )  # fmt: skip
        rows: list[tuple] = [
            (lanes.variant, r.number + 1, r.slot + 1, r.arrival_ms, r.dispatch_ms, r.first_ms, r.end_ms, r.tokens)
            for lanes in self.lanes
            for r in lanes.requests
        ]
        return ChartData.of_rows(names, rows)

    @Slot()
    def recolour(self) -> None:
        self.restyle(0)
        self.getPlotItem().showGrid(x=False, y=False)
        style_axis(self.getAxis("bottom"))
        self.show_changes()
