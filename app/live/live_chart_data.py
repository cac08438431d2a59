"""The figures of the live charts as columns, within a span of time."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QCoreApplication

from app.charts.chart_data import ChartData
from app.session.live_data import LiveData
from app.session.time_series import RingBuffer


def _tr(text: str) -> str:
    return QCoreApplication.translate("LiveChartData", text)


def rates(data: LiveData, low: float, high: float) -> ChartData:
    """Return the throughput of each time window; a warm-up's is not counted."""
    counted, warm = _tr("trial"), _tr("warm-up")
    series = [(n, word, r) for n, t in data.tracks.items() for word, r in ((warm, t.warm_rate), (counted, t.rate))]
    return _long(series, (_tr("variant"), _tr("phase"), _tr("time (s)"), _tr("throughput (tok/s)")), low, high)


def latencies(data: LiveData, low: float, high: float) -> ChartData:
    """Return a row per token, and one per time to first token."""
    words = _tr("inter-token, warm-up"), _tr("inter-token"), _tr("time to first token")
    series = [
        (name, word, ring)
        for name, t in data.tracks.items()
        for word, ring in zip(words, (t.warm_itl, t.itl, t.ttft), strict=True)
    ]
    return _long(series, (_tr("variant"), _tr("kind"), _tr("time (s)"), _tr("latency (ms)")), low, high)


def memory(data: LiveData, low: float, high: float) -> ChartData:
    """Return a row per sample and name; stacked parts are listed separately."""
    series: list[tuple[str, str, RingBuffer]] = []
    for name, t in data.tracks.items():
        third = _tr("weights, KV and activations") if t.on_device else _tr("weights, KV and other")
        series += [(name, _tr("resident set"), t.process), (name, _tr("allocated on the device"), t.allocated)]
        tops = (_tr("weights"), _tr("weights and KV"), third)
        series += [(name, word, ring) for word, ring in zip(tops, t.levels, strict=True)]
    return _long(series, (_tr("variant"), _tr("what"), _tr("time (s)"), _tr("memory (GiB)")), low, high)


def _long(
    series: Iterable[tuple[str, str, RingBuffer]], names: tuple[str, str, str, str], low: float, high: float
) -> ChartData:
    """Return a row per point: variant, kind, time, value."""
    parts: list[tuple[np.ndarray, ...]] = []
    for variant, word, ring in series:
        t, y = ring.between(low, high)
        inside = (t >= low) & (t <= high) & ~np.isnan(y)
        count = int(inside.sum())
        if count:
            texts = (np.full(count, text, dtype=object) for text in (variant, word))
            parts.append((*texts, t[inside], y[inside]))
    if not parts:
        return ChartData.of_rows(names, [])
    return ChartData(names, tuple(np.concatenate(column) for column in zip(*parts, strict=True)))
