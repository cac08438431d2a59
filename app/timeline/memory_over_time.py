"""Memory over the time of a run, one plot per variant on common axes: stacked parts, phases, peak, estimate and
capacity."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.base.theme import theme
from app.charts.axes import AmountAxis, SecondsAxis, style_axis
from app.charts.chart_data import ChartData, Keys
from app.charts.chart_panel import ChartPanel, Readout
from app.charts.crosshair import Crosshair
from app.charts.memory_legend import PART_SHADES
from app.charts.plot import PlotBase, dashed
from app.session.comparison_cache import capacity_bytes
from app.session.live_data import QUIET, PhaseBand
from app.session.session import Session
from app.session.time_series import decimate
from app.text.phase_text import phase_text
from app.timeline.phase_strip import PhaseStrip
from app.widgets.basics import Badge
from core.analysis.comparison_row import Comparison, Row
from core.base import formatting
from core.results.memory_timeline import MemoryPoint, Timeline
from core.results.results import Results

MIB, GIB = 2**20, 2**30
MANY = 2 * GIB  # from there on the axis is in GiB
GAP_S = 2.0  # without a reading: the area ends
COUNTED = ("warmup", "trial")  # phases that a variant's peak is of
NEAR = 3  # capacities that are more than so many times the peak are no line, but words
HEADROOM = 1.3  # above the highest: for the phases


def _tr(text: str) -> str:
    return QCoreApplication.translate("Memory", text)


class MemoryPlot(PlotBase):
    """The plot of one variant: areas by name, the peak marked."""

    def __init__(self, session: Session, variant: str, parent: QWidget | None = None) -> None:
        super().__init__(AmountAxis(), SecondsAxis(), parent)
        self._session, self.variant = session, variant
        self._memory = Timeline()
        self._began_ns, self._last = 0, True
        self._seconds = np.empty(0)
        self._limits: tuple[tuple[pg.InfiniteLine, int | None], ...] = ()
        self._tops: list[np.ndarray] = []  # of each part, in `unit`
        self._unit = GIB
        self.phases = PhaseStrip(session.index_of)
        self.areas = tuple(pg.PlotCurveItem(fillLevel=0) for _ in PART_SHADES)
        self.estimate, self.capacity = (pg.InfiniteLine(angle=0, movable=False) for _ in range(2))
        self.mark = pg.ScatterPlotItem()
        for item in (self.phases, *reversed(self.areas), self.estimate, self.capacity, self.mark):
            self.addItem(item, ignoreBounds=True)
        self.getPlotItem().layout.setContentsMargins(0, 7, 0, 0)  # else a label at the upper end is cut
        self.setMinimumHeight(104)
        self.setAccessibleName(self.tr("Memory over time: {name}").format(name=variant))
        self.zoomed.connect(self.hand_over)
        self.recolour()
        theme.changed.connect(self.recolour)

    def set_last(self, last: bool) -> None:
        """Set whether this is the lowest plot, which shows the common axis's labels."""
        self._last = last
        self.recolour()

    def refresh(self, memory: Timeline, began_ns: int, row: Row | None, capacity: int | None) -> None:
        """Show the figures of one variant; `draw_on` sets the axes."""
        self._memory, self._began_ns = memory, began_ns
        highest = memory.highest(*COUNTED)
        peak = highest.bytes[memory.whole] if highest is not None else None
        self._limits = (
            (self.estimate, row.estimate_bytes if row is not None else None),
            (self.capacity, capacity if capacity is not None and peak and capacity < NEAR * peak else None),
        )
        self.phases.set_bands(
            [
                PhaseBand(self.variant, band.phase, (band.start_ns - began_ns) / 1e9, (band.end_ns - began_ns) / 1e9)
                for band in memory.bands()
                if band.phase not in QUIET
            ]
        )
        self.setAccessibleDescription(self.heading(row))

    @property
    def most(self) -> int:
        """The most bytes drawn."""
        known = [p.bytes[self._memory.whole] for p in self._memory.points if self._memory.whole in p.bytes]
        return max([*known, *(size for _, size in self._limits if size is not None)], default=1)

    def draw_on(self, most: int, until_s: float) -> None:
        """Draw on axes from 0 to `most` bytes and from 0 to `until_s` seconds."""
        self._unit = unit_of(most)[0]
        self._read_points()
        for line, size in self._limits:
            line.setVisible(size is not None)
            line.setPos((size or 0) / self._unit)
        highest = self._memory.highest(*COUNTED)
        if highest is not None:
            self.mark.setData([self._at(highest)], [highest.bytes[self._memory.whole] / self._unit])
        else:
            self.mark.clear()
        top = most / self._unit
        self.home((0.0, max(1.0, 1.02 * until_s)), (-0.005 * top, HEADROOM * top))
        self._dress()
        self.hand_over()

    def heading(self, row: Row | None) -> str:
        """Return the heading, `peak 573 MiB · loading 1.07 GiB · dotted: estimate 610 MiB`; loading only if it took
        more."""
        memory = self._memory
        highest = memory.highest(*COUNTED)
        if highest is None:
            return self.tr("no memory was read")
        peak, loading = highest.bytes[memory.whole], memory.peak(memory.whole, "load", "transform") or 0
        parts = [self.tr("peak {size}").format(size=formatting.size(peak))]
        if loading > peak:
            parts.append(self.tr("loading {size}").format(size=formatting.size(loading)))
        if row is not None and row.estimate_bytes is not None:
            parts.append(self.tr("dotted: estimate {size}").format(size=formatting.size(row.estimate_bytes)))
        return " · ".join(parts)

    def _read_points(self) -> None:
        points = [p for p in self._memory.points if self._memory.whole in p.bytes]
        self._seconds = np.array([(p.t_ns - self._began_ns) / 1e9 for p in points])
        parts = [np.array([p.bytes.get(name, 0) / self._unit for p in points]) for name in self._memory.stack]
        # Before the weights are told, what is there is the rest of it: the process while it loads.
        whole = np.array([p.bytes[self._memory.whole] / self._unit for p in points])
        self._tops = [np.cumsum(parts, axis=0)[i] for i in range(len(parts))] if len(points) else []
        if self._tops:
            self._tops[-1] = np.maximum(self._tops[-1], whole)

    @Slot()
    def hand_over(self) -> None:
        """Set the visible points, as many as there are pixels."""
        (low, high), _ = self.getViewBox().viewRange()
        first = max(0, int(np.searchsorted(self._seconds, low)) - 1)
        last = int(np.searchsorted(self._seconds, high)) + 1
        columns = max(100, int(self.getViewBox().width()))
        for area, tops in zip(self.areas, self._tops or [np.empty(0)] * len(self.areas), strict=True):
            x, y = decimate(self._seconds[first:last], tops[first:last], columns)
            area.setData(*_with_gaps(x, y))
        self.show_changes()

    def _at(self, point: MemoryPoint) -> float:
        return (point.t_ns - self._began_ns) / 1e9

    # -- reading ------------------------------------------------------------------------------------------
    def read(self, x: float, y: float) -> str:
        """Return the parts of the memory at the reading nearest to x seconds."""
        points = self._memory.points
        if not points:
            return ""
        point = min(points, key=lambda p: abs(self._at(p) - x))
        if abs(self._at(point) - x) > GAP_S:
            return ""
        letter = theme.letter(self._session.index_of(self.variant))
        parts = [f"{self._at(point):.1f} s", f"{letter} {phase_text(point.phase).name}"]
        names = part_names()
        parts += [f"{names[n]} {formatting.size(point.bytes[n])}" for n in self._memory.stack if n in point.bytes]
        if self._memory.whole in point.bytes:
            parts.append(f"{names[self._memory.whole]} {formatting.size(point.bytes[self._memory.whole])}")
        return "  ".join(parts)

    def chart_keys(self) -> Keys:
        return [(self._session.index_of(self.variant), self.variant)]

    def chart_data(self) -> ChartData:
        """Return every reading by name."""
        names, known = part_names(), [*self._memory.stack, self._memory.whole]
        rows = (
            (self._at(p), phase_text(p.phase).name, *(p.bytes[n] / GIB if n in p.bytes else None for n in known))
            for p in self._memory.points
        )
        return ChartData.of_rows((self.tr("time (s)"), self.tr("phase"), *(f"{names[n]} (GiB)" for n in known)), rows)

    def _dress(self) -> None:
        index = self._session.index_of(self.variant)
        for area, shade in zip(self.areas, PART_SHADES, strict=True):
            fill = theme.variant(index)
            fill.setAlphaF(shade)
            area.setPen(pg.mkPen(None))
            area.setBrush(pg.mkBrush(fill))
        self.mark.setSymbol("t")
        self.mark.setSize(9)
        self.mark.setPen(pg.mkPen(theme.color("panel"), width=1))
        self.mark.setBrush(pg.mkBrush(theme.color("text")))

    @Slot()
    def recolour(self) -> None:
        self.restyle(44)
        style_axis(self.getAxis("bottom"), labels=self._last)
        self.getAxis("bottom").setHeight(20 if self._last else 4)
        self.estimate.setPen(pg.mkPen(theme.color("text2"), width=1.5, style=Qt.PenStyle.DotLine))
        self.capacity.setPen(dashed("text"))
        self._dress()
        self.show_changes()


class MemoryPlots(QWidget):
    """One plot per variant on one time axis, with one crosshair across them."""

    def __init__(self, session: Session, reading: Readout, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._reading = session, reading
        self.plots: dict[str, MemoryPlot] = {}
        self._panels: dict[str, ChartPanel] = {}
        self._crosshair: Crosshair | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def refresh(self, results: Results, comparison: Comparison, names: list[str]) -> None:
        if names != list(self.plots):
            self._build(names)
        began = results.started.t_ns if results.started is not None else 0
        rows = {row.variant: row for row in comparison.variants}
        points = [results.variants[name].memory.points for name in names]
        until = max((p[-1].t_ns for p in points if p), default=began)
        for name, plot in self.plots.items():
            memory = results.variants[name].memory
            plot.refresh(memory, began, rows.get(name), capacity_bytes(comparison))
            self._panels[name].reading.set_note(plot.heading(rows.get(name)))
        most = max((plot.most for plot in self.plots.values()), default=1)
        for plot in self.plots.values():
            plot.draw_on(most, (until - began) / 1e9)
        self._reading.set_note(unit_of(most)[1])

    def _build(self, names: list[str]) -> None:
        """Make the plots of other variants."""
        if self._crosshair is not None:
            self._crosshair.deleteLater()
            self._crosshair = None
        for panel in self._panels.values():
            self._column.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        self.plots = {name: MemoryPlot(self._session, name) for name in names}
        self._panels = {}
        for name, plot in self.plots.items():
            panel = ChartPanel(name, "", plot, self._session, (16, 8, 16, 0), tells=False)
            panel.doing.title = plot.accessibleName()
            panel.head.insertWidget(0, Badge(self._session.index_of(name), 16))
            plot.set_last(name == names[-1])
            self._panels[name] = panel
            self._column.addWidget(panel, 1)
        plots = list(self.plots.values())
        for plot in plots:
            plot.zoomed.connect(self._zoomed)
            if plot is not plots[0]:
                plot.setXLink(plots[0])
        if plots:
            self._crosshair = Crosshair(plots, _read, self)
            self._crosshair.said.connect(self._reading.say)

    @Slot()
    def _zoomed(self) -> None:
        """Apply a zoom to all plots, which share their time axis."""
        moved = self.sender()
        assert isinstance(moved, MemoryPlot)
        for plot in self.plots.values():
            if plot is not moved:
                plot.by_hand = moved.by_hand
                plot.hand_over()


def unit_of(most: int) -> tuple[int, str]:
    """Return the bytes of an axis's unit, and its name."""
    return (GIB, "GiB") if most >= MANY else (MIB, "MiB")


def _read(x: float, y: float, plot: PlotBase) -> str:
    return plot.read(x, y)


def part_names() -> dict[str, str]:
    """Return the names of the memory parts in words."""
    return {
        "weights": _tr("weights"),
        "kv": _tr("KV"),
        "activations": _tr("activations"),
        "other": _tr("other"),
        "allocated": _tr("allocated"),
        "process": _tr("process"),
    }


def _with_gaps(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the points with drops to 0 where nothing was read for a while."""
    breaks = np.flatnonzero(np.diff(x) > GAP_S)
    if not len(breaks):
        return x, y
    places = np.repeat(breaks + 1, 2)
    edges = np.stack([x[breaks], x[breaks + 1]], axis=1).ravel()
    return np.insert(x, places, edges), np.insert(y, places, 0.0)


def sentence(view: QWidget, results: Results, row: Row) -> str:
    """Return a variant's peak and its parts in a sentence."""
    memory = results.variants[row.variant].memory
    highest = memory.highest(*COUNTED)
    if highest is None:
        return view.tr("No memory was read of {name}.").format(name=row.variant)
    known = {"name": row.variant, "size": formatting.size(highest.bytes[memory.whole])}
    weights = highest.bytes.get("weights")
    if weights is None:
        return view.tr("{name} needed {size} at most.").format(**known)
    return view.tr("{name} needed {size} at most, {weights} of it weights.").format(
        **known, weights=formatting.size(weights)
    )
