"""Three live plots on one time axis: throughput, latency, memory. `refresh` is called by the tick handler only. It
shows the visible part, decimated to the available pixels; its cost depends on the window's width, and hardly on the
length of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.base.theme import theme
from app.charts.axes import LOWEST_MS, AmountAxis, LogAxis, TimeAxis, style_axis
from app.charts.chart_data import ChartData, Keys
from app.charts.crosshair import Crosshair
from app.charts.phase_bands import Bands
from app.charts.plot import GRID, PlotBase, dashed
from app.live.live_chart_data import latencies, memory, rates
from app.live.live_curves import Marks
from app.session.live_data import LiveData, PhaseBand, Track
from app.session.time_series import RingBuffer
from app.text.phase_text import phase_text
from app.widgets.basics import caption, keep_room, label
from core.base import formatting

LAST_S = 40.0
AXIS_WIDTH = 44
SPANS_S = (10.0, 20.0)  # shown until a run is longer
LEAST_DECADES = 0.6  # of the latencies: a factor of 4, so that noise does not fill the plot
ROOM = 7  # half a line of figures
TITLES = 26  # px at the top of a plot


class Plot(PlotBase):
    """One of the three plots. Wheel and drag move the time axis only; a double-click follows the run again."""

    follow = Signal()
    source: Callable[[], ChartData]  # its figures
    keys: Callable[[], Keys]
    note: QLabel | None = None  # the base class resizes before there is one

    def __init__(self, left: pg.AxisItem, index_of: Callable[[str], int], titled: bool) -> None:
        super().__init__(left, TimeAxis())
        self.bands = Bands(index_of, titled)
        self.getViewBox().setLimits(minXRange=1e-5)
        self.getAxis("left").setWidth(AXIS_WIDTH)
        self.getPlotItem().layout.setContentsMargins(0, ROOM, 0, 0)  # else a label at the upper end is cut
        self.addItem(self.bands, ignoreBounds=True)
        self.edge = pg.InfiniteLine(angle=90, movable=False)  # now
        self.addItem(self.edge, ignoreBounds=True)
        self.note = label("", 12, role="caption")  # over the grid, whose lines would run through painted words
        self.note.setParent(self)
        self.note.setProperty("surface", "panel")
        self.note.setContentsMargins(8, 2, 8, 2)
        self.setMinimumHeight(60)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_note(self, text: str) -> None:
        """Show a text in the middle of an empty plot."""
        assert self.note is not None
        self.note.setVisible(bool(text))
        if text != self.note.text():
            self.note.setText(text)
            self._place_note()

    def _place_note(self) -> None:
        assert self.note is not None
        self.note.adjustSize()
        place = self.note.geometry()
        place.moveCenter(self.getViewBox().sceneBoundingRect().center().toPoint())
        self.note.setGeometry(place)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if self.note is not None:
            self._place_note()

    def columns(self) -> int:
        return max(100, int(self.getViewBox().width()))

    def head_room(self) -> float:
        """Return the factor between the axis's top and the highest value, so that no value lies under the bands'
        titles."""
        high = self.getViewBox().height()
        return max(1.2, high / max(1.0, high - TITLES))

    def time_axis(self) -> TimeAxis:
        axis = self.getAxis("bottom")
        assert isinstance(axis, TimeAxis)
        return axis

    def recolour(self, last: bool) -> None:
        self.setBackground(theme.color("panel"))
        style_axis(self.getAxis("left"))
        style_axis(self.time_axis(), labels=last)
        self.time_axis().setHeight(20 if last else 4)
        self.hair.setPen(pg.mkPen(theme.color("text3"), width=1))
        self.edge.setPen(pg.mkPen(theme.color("accent"), width=1))
        self.getPlotItem().showGrid(y=True, alpha=GRID)
        self.show_changes()

    def chart_data(self) -> ChartData:
        return self.source()

    def chart_keys(self) -> Keys:
        return self.keys()

    @Slot()
    def reset_view(self) -> None:
        self.follow.emit()


class LivePlots(QWidget):
    """The three plots with titles, crosshair and the values below."""

    moved = Signal()  # another part of the data is visible: the user zoomed or dragged, or there is more room

    def __init__(self, index_of: Callable[[str], int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.data = LiveData()
        self.last_s: float | None = LAST_S  # None: the whole run
        self.frozen = False
        self.running = False  # the newest time is now
        self.following = True
        self.at_band = False  # and not somewhere else since
        self.capacity_gib: float | None = None
        self.waiting = ""  # the text of an empty plot
        # A zoom by hand shows its points at once, not with the next tick; turns of the wheel that wait are one.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show)
        self._index_of = index_of
        self._marks: dict[str, Marks] = {}
        self.rate = Plot(AmountAxis(), index_of, titled=True)
        self.latency = Plot(LogAxis(), index_of, titled=False)
        self.memory = Plot(AmountAxis(), index_of, titled=False)
        self.plots = (self.rate, self.latency, self.memory)
        self.capacity = pg.InfiniteLine(angle=0, movable=False)
        self.memory.addItem(self.capacity, ignoreBounds=True)
        self.reading = caption("")
        self.memory_note = caption("")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 6, 8, 0)
        layout.setSpacing(0)
        per_token = self.tr("ms, logarithmic · one point per token, large mark: time to first token")
        for plot, title, note in (
            (self.rate, self.tr("Throughput"), caption(self.tr("tok/s, 250 ms windows"))),
            (self.latency, self.tr("Latency"), caption(per_token)),
            (self.memory, self.tr("Memory"), self.memory_note),
        ):
            row = QHBoxLayout()
            row.setContentsMargins(0, 4, 8, 0)
            row.addWidget(label(title, 12, 600))
            if plot is self.rate:
                row.addSpacing(16)
                row.addWidget(self.reading)
            row.addStretch(1)
            row.addWidget(note)
            layout.addLayout(row)
            layout.addWidget(plot, 3 if plot is not self.memory else 2)
            keep_room(plot)
            plot.hide()  # until it is drawn for the first time
            plot.setAccessibleName(title)
            plot.keys = self._keys
            plot.zoomed.connect(self._by_hand)
            plot.follow.connect(self.follow)
        for plot in (self.rate, self.latency):
            plot.setXLink(self.memory)
        self.rate.source, self.latency.source, self.memory.source = self._rates, self._latencies, self._memory
        Crosshair(self.plots, self._read, self).said.connect(self.reading.setText)
        self.recolour()

    # -- what to show -------------------------------------------------------------------------------------
    def reset(self, data: LiveData | None = None) -> None:
        """Show another run: empty series, or those of a finished run."""
        self.data = data or LiveData()
        for marks in self._marks.values():
            for plot, items in (
                (self.rate, (marks.rate, marks.rate_warm)),
                (self.latency, (marks.itl, marks.itl_warm, marks.ttft)),
                (self.memory, (*marks.parts, marks.process, marks.allocated)),
            ):
                for item in items:
                    plot.removeItem(item)
        self._marks.clear()
        self.frozen, self.following, self.at_band = False, True, False
        for plot in self.plots:
            plot.by_hand = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.moved.emit()

    def _keys(self) -> Keys:
        return [(self._index_of(name), name) for name in self.data.tracks]

    def _seen(self) -> tuple[float, float]:
        (low, high), _ = self.memory.getViewBox().viewRange()
        return low, high

    def _rates(self) -> ChartData:
        return rates(self.data, *self._seen())

    def _latencies(self) -> ChartData:
        return latencies(self.data, *self._seen())

    def _memory(self) -> ChartData:
        return memory(self.data, *self._seen())

    @property
    def held(self) -> bool:
        """Whether the plots show another time than the newest: frozen, zoomed, dragged, or at a phase."""
        return self.frozen or not self.following

    @Slot()
    def follow(self) -> None:
        """Follow the run again."""
        self.frozen, self.following, self.at_band = False, True, False
        for plot in self.plots:
            plot.by_hand = False
        self.moved.emit()

    @Slot()
    def _by_hand(self) -> None:
        self.following = self.at_band = False
        for plot in self.plots:
            plot.by_hand = True
            plot.show_changes()
        self._soon.start()
        self.moved.emit()

    def look_at(self, band: PhaseBand) -> None:
        """Show one phase with a margin on both sides."""
        self.following, self.at_band = False, True
        end = band.end if band.end is not None else self.data.now
        room = 0.15 * max(0.1, end - band.start)
        self.memory.setXRange(band.start - room, end + room, padding=0)
        self._soon.start()  # also where they are frozen
        self.moved.emit()

    def refresh(self) -> None:
        """Draw the visible part now."""
        for _ in self.draw():
            pass

    def draw(self) -> Iterator[None]:
        """Draw the visible part in parts, yielding between them; called by the tick handler after changes."""
        if not self.frozen:
            yield from self._parts()

    @Slot()
    def _show(self) -> None:
        """Redraw after a zoom, also while frozen."""
        for _ in self._parts():
            pass

    def _parts(self) -> Iterator[None]:
        """Set the visible points, then paint one plot after another."""
        self._hand_over()
        for plot in self.plots:
            yield
            plot.show()
            plot.scene().prepareForPaint()  # else the paint itself moves something, and another must follow
            plot.show_changes()

    def _hand_over(self) -> None:
        data = self.data
        if self.following:
            low, span = self._time_span()
            self.memory.setXRange(low, low + span * 1.03, padding=0)
        (low, high), _ = self.memory.getViewBox().viewRange()
        scrolled = self.following and self.last_s is not None and data.now > self.last_s
        columns = self.rate.columns()
        for name, track in data.tracks.items():
            if name not in self._marks:
                self._marks[name] = Marks(self._index_of(name), *self.plots)
            self._marks[name].show(track, low, high, columns)
        for plot in self.plots:
            plot.bands.set_bands(data.bands, data.now)
            plot.edge.setPos(data.now)
            plot.edge.setVisible(self.running and data.now > 0)
            plot.time_axis().now = data.now if scrolled else None
        self._scale(low, high)

    def _time_span(self) -> tuple[float, float]:
        """Return the beginning and length of the time axis: all of a short run, then its newest part."""
        now = self.data.now
        if self.last_s is None:
            return 0.0, max(5.0, now)
        span = next((s for s in SPANS_S if now <= s < self.last_s), self.last_s)
        return max(0.0, now - span), span

    def _scale(self, low: float, high: float) -> None:
        """Scale the axes: amounts from 0 with room for the bands' titles, latencies over their decades."""
        tracks = self.data.tracks.values()
        rates = [_top(r, low, high) for t in tracks for r in (t.rate, t.warm_rate)]
        self.rate.setYRange(*_from_zero(self.rate.head_room() * max([*rates, 1.0])), padding=0)
        spans = [s for t in tracks for r in (t.itl, t.warm_itl, t.ttft) if (s := _span(r, low, high))]
        bottom = min([s[0] for s in spans] or [10.0])
        top = max([s[1] for s in spans] or [100.0])
        edges = np.log10(np.maximum([bottom / 1.3, top * 1.3], LOWEST_MS))
        more = max(0.0, LEAST_DECADES - float(edges[1] - edges[0])) / 2
        self.latency.setYRange(float(edges[0]) - more, float(edges[1]) + more, padding=0)
        peak = max([_top(t.process, low, high) for t in tracks] + [_top(t.allocated, low, high) for t in tracks] or [0])
        for plot, something in ((self.rate, any(rates)), (self.latency, bool(spans)), (self.memory, peak > 0)):
            plot.set_note("" if something or not self.following else self.waiting)
        limit = self.capacity_gib
        near = limit is not None and limit < 4 * max(peak, 1e-9)
        self.capacity.setVisible(bool(near))
        if limit is not None:
            self.capacity.setPos(limit)
        self.memory.setYRange(*_from_zero(1.12 * limit if near and limit else max(1.5 * peak, 0.1)), padding=0)
        parts = [self.tr("GiB, resident set of the engine")]
        if any(len(t.allocated) for t in tracks):
            parts.append(self.tr("dashed: allocated on the device"))
        if any(len(t.levels[0]) for t in tracks):
            rest = self.tr("activations") if any(t.on_device for t in tracks) else self.tr("other")
            parts.append(self.tr("from below: weights, KV, {rest}").format(rest=rest))
        if limit is not None:
            parts.append(self.tr("capacity {size} GiB").format(size=formatting.number(limit)))
        self.memory_note.setText(" · ".join(parts))

    # -- reading ------------------------------------------------------------------------------------------
    def _read(self, x: float, y: float, plot: PlotBase) -> str:
        return self.read(x)

    def read(self, x: float) -> str:
        """Return the values at time x in words; the bands show which variant was at work."""
        band = next((b for b in reversed(self.data.bands) if b.start <= x <= (b.end or self.data.now)), None)
        parts = [f"{x:.1f} s"]
        if band is None:
            return parts[0]
        track = self.data.tracks[band.variant]
        warm = band.phase != "trial"
        parts.append(f"{theme.letter(self._index_of(band.variant))} {band.variant}, {phase_text(band.phase).name}")
        for ring, unit in (
            (track.warm_rate if warm else track.rate, "tok/s"),
            (track.warm_itl if warm else track.itl, "ms"),
            (track.process, "GiB"),
            (track.allocated, self.tr("GiB allocated")),
        ):
            value = ring.nearest(x, within=0.5)
            if value is not None:
                parts.append(f"{formatting.number(value)} {unit}")
        parts += self._memory_parts(track, x)
        if warm:
            parts.append(self.tr("not counted"))
        return "   ".join(parts)

    def _memory_parts(self, track: Track, x: float) -> list[str]:
        """Return the parts of the memory at time x, in GiB."""
        tops = [ring.nearest(x, within=0.5) for ring in track.levels]
        if any(top is None for top in tops):
            return []
        known = [0.0, *(top for top in tops if top is not None)]
        rest = self.tr("activations") if track.on_device else self.tr("other")
        names = (self.tr("weights"), self.tr("KV"), rest)
        sizes = (high - low for low, high in pairwise(known))
        return [", ".join(f"{name} {formatting.number(size)}" for name, size in zip(names, sizes, strict=True))]

    @Slot()
    def recolour(self) -> None:
        for plot in self.plots:
            plot.recolour(last=plot is self.memory)
        for marks in self._marks.values():
            marks.recolour()
        self.capacity.setPen(dashed("text"))


def _from_zero(top: float) -> tuple[float, float]:
    """Return a range that includes 0's label, which an axis omits exactly at its end."""
    return -0.005 * top, top


def _top(ring: RingBuffer, low: float, high: float) -> float:
    _, y = ring.between(low, high)
    return float(np.nanmax(y)) if len(y) and not np.isnan(y).all() else 0.0


def _span(ring: RingBuffer, low: float, high: float) -> tuple[float, float] | None:
    """Return the lowest and highest visible value."""
    _, y = ring.between(low, high)
    return (float(y.min()), float(y.max())) if len(y) else None
