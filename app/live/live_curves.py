"""The curves and points of one variant in the three live plots."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

from app.base.theme import theme
from app.charts.axes import LOWEST_MS
from app.charts.memory_legend import PART_SHADES
from app.session.live_data import Track
from app.session.time_series import RingBuffer, Series, decimate

POINT = 3  # pixels


class Marks:
    """The curves of one variant."""

    def __init__(self, index: int, rate: pg.PlotWidget, latency: pg.PlotWidget, memory: pg.PlotWidget) -> None:
        self.index = index
        self.rate = pg.PlotCurveItem(connect="finite", antialias=True)
        self.rate_warm = pg.ScatterPlotItem(pxMode=True)
        self.itl = pg.ScatterPlotItem(pxMode=True)
        self.itl_warm = pg.ScatterPlotItem(pxMode=True)
        self.ttft = pg.ScatterPlotItem(pxMode=True)
        self.parts = tuple(pg.PlotCurveItem(connect="all", fillLevel=0) for _ in PART_SHADES)
        self.process = pg.PlotCurveItem(connect="finite")
        self.allocated = pg.PlotCurveItem(connect="finite")
        for plot, items in (
            (rate, (self.rate, self.rate_warm)),
            (latency, (self.itl, self.itl_warm, self.ttft)),
            (memory, (*reversed(self.parts), self.process, self.allocated)),
        ):
            for item in items:
                plot.addItem(item, ignoreBounds=True)
        self.recolour()

    def recolour(self) -> None:
        colour = theme.variant(self.index)
        faint = theme.variant(self.index)
        faint.setAlphaF(0.75)
        self.rate.setPen(pg.mkPen(colour, width=2))
        self.process.setPen(pg.mkPen(colour, width=1.5))
        self.allocated.setPen(pg.mkPen(colour, width=1.5, style=Qt.PenStyle.DashLine))
        for part, shade in zip(self.parts, PART_SHADES, strict=True):
            fill = theme.variant(self.index)
            fill.setAlphaF(shade)
            part.setPen(pg.mkPen(None))
            part.setBrush(pg.mkBrush(fill))
        self.itl.setPen(pg.mkPen(None))
        self.itl.setBrush(pg.mkBrush(faint))
        self.itl.setSize(POINT)
        for hollow in (self.itl_warm, self.rate_warm):
            hollow.setPen(pg.mkPen(faint, width=1))
            hollow.setBrush(pg.mkBrush(None))
            hollow.setSize(5)
        self.ttft.setSymbol(theme.symbol(self.index))
        self.ttft.setSize(11)
        self.ttft.setPen(pg.mkPen(theme.color("panel"), width=1.5))
        self.ttft.setBrush(pg.mkBrush(colour))

    def show(self, track: Track, low: float, high: float, columns: int) -> None:
        """Show the points within [low, high]."""

        def visible(ring: RingBuffer, every: int = 1) -> Series:
            return decimate(*ring.between(low, high), columns // every)

        rate = visible(track.rate)
        self.rate.opts["antialias"] = len(rate[0]) <= columns  # a band of pixels looks the same without, at a tenth
        self.rate.setData(*rate)
        _points(self.rate_warm, *visible(track.warm_rate))
        _points(self.itl, *log_ms(visible(track.itl, every=POINT)))  # a point hides what lies closer
        _points(self.itl_warm, *log_ms(visible(track.warm_itl)))
        _points(self.ttft, *log_ms(visible(track.ttft)))
        self.process.setData(*visible(track.process))
        for part, ring in zip(self.parts, track.levels, strict=True):
            t, y = visible(ring)
            part.setData(t, np.nan_to_num(y))
        self.allocated.setData(*visible(track.allocated))


def _points(item: pg.ScatterPlotItem, t: np.ndarray, y: np.ndarray) -> None:
    known = ~np.isnan(y)
    if known.any() or len(item.data):
        item.setData(x=t[known], y=y[known])


def log_ms(series: Series) -> Series:
    """Return latencies as plotted; a gap of 0 stays visible."""
    t, y = series
    return t, np.log10(np.maximum(y, LOWEST_MS))
