"""Zooming through a million points: the live charts of a long run, from all of it down to a thousandth and back.

A frame is what a turn of the wheel costs: the new range, the points in it (lowest and highest of each pixel), and the
three charts painted.
"""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtWidgets import QApplication

from app.base.theme import theme
from app.live.live_plots import LivePlots
from app.session.live_data import Track
from tests.bench import Figure

POINTS, FRAMES, SECONDS = 1_000_000, 120, 3600.0
SIZE = (1100, 700)
NEAREST = 1e-3  # of the run that is in sight at most


def filled() -> LivePlots:
    """The charts of an invented run of an hour: a latency and a rate for every point, memory at 5 Hz."""
    plots = LivePlots(lambda _name: 0)
    dice = np.random.default_rng(1)
    t = np.linspace(0.0, SECONDS, POINTS)
    data = plots.data
    track = data.tracks["invented"] = Track()
    track.itl.append(t, (20 + dice.gamma(2.0, 2.0, POINTS)).astype(np.float32))
    track.rate.append(t[::16], (50 + dice.normal(0, 3, len(t[::16]))).astype(np.float32))
    seconds = np.arange(0.0, SECONDS, 0.2)
    track.process.append(seconds, np.full(len(seconds), 0.7, dtype=np.float32))
    data.now = SECONDS
    plots.last_s = None
    return plots


def frames(plots: LivePlots) -> list[tuple[float, float]]:
    """Seconds of each frame of a zoom to the middle and back: of time, and of the thread's own CPU."""
    plots.resize(*SIZE)
    plots.show()
    plots.refresh()
    QApplication.processEvents()
    plots.following = False
    took = []
    half = FRAMES // 2
    for number in range(FRAMES):
        share = NEAREST ** ((number if number < half else FRAMES - number) / half)
        began, cpu = time.perf_counter(), time.thread_time()
        middle, wide = SECONDS / 2, SECONDS * share
        plots.memory.setXRange(middle - wide / 2, middle + wide / 2, padding=0)
        plots.refresh()
        for plot in plots.plots:
            plot.viewport().repaint()
        took.append((time.perf_counter() - began, time.thread_time() - cpu))
    return took


def figures() -> list[Figure]:
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    theme.apply(application, "light")
    plots = filled()
    took = frames(plots)
    plots.close()
    found = []
    for name, seconds in zip(("", ", by its own CPU"), zip(*took, strict=True), strict=True):
        found.append(
            Figure(
                name=f"zooming through 1,000,000 points{name}",
                ratio=len(seconds) / sum(seconds),
                low=1 / max(seconds),
                high=1 / min(seconds),
                against="at least 30 frames/s; low: its slowest frame",
                unit="frames/s",
            )
        )
    return found
