"""Series for the live plots: preallocated arrays that keep the newest points, and their decimation to a screen. Times
are seconds and never decrease within a series; a NaN value is a gap in a line."""

from __future__ import annotations

import numpy as np

Series = tuple[np.ndarray, np.ndarray]


class RingBuffer:
    """The newest `capacity` points (time, value). Twice the capacity is allocated once; when it is full, the newest
    half moves to the front. So every view is contiguous, appending costs amortized O(1), and nothing is allocated
    during a run."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._t = np.empty(2 * capacity, dtype=np.float64)
        self._y = np.empty(2 * capacity, dtype=np.float32)
        self._end = 0

    def __len__(self) -> int:
        return min(self._end, self.capacity)

    def append(self, t: np.ndarray, y: np.ndarray) -> None:
        """Add points; of more than `capacity` at once, only the newest are kept."""
        t, y = t[-self.capacity :], y[-self.capacity :]
        self._make_room(len(t))
        self._t[self._end : self._end + len(t)] = t
        self._y[self._end : self._end + len(y)] = y
        self._end += len(t)

    def add(self, t: float, y: float) -> None:
        """Add one point."""
        self._make_room(1)
        self._t[self._end], self._y[self._end] = t, y
        self._end += 1

    def _make_room(self, count: int) -> None:
        """Make room for `count` points by moving the newest half to the front if needed."""
        if self._end + count > len(self._t):
            keep = self.capacity
            self._t[:keep] = self._t[self._end - keep : self._end]
            self._y[:keep] = self._y[self._end - keep : self._end]
            self._end = keep

    def gap(self, until: float) -> None:
        """Break the line between the newest point and the time `until`."""
        if self._end:
            self.append(np.array([self._t[self._end - 1], until]), np.array([np.nan, np.nan]))

    def view(self) -> Series:
        """Return all points, oldest first, without a copy."""
        start = max(0, self._end - self.capacity)
        return self._t[start : self._end], self._y[start : self._end]

    def between(self, low: float, high: float) -> Series:
        """Return the points in [low, high] and one on each side, without a copy."""
        t, y = self.view()
        first = max(0, int(np.searchsorted(t, low)) - 1)
        last = int(np.searchsorted(t, high, side="right")) + 1
        return t[first:last], y[first:last]

    def nearest(self, when: float, within: float) -> float | None:
        """Return the value closest in time, if it is at most `within` seconds away and no gap."""
        t, y = self.between(when - within, when + within)
        known = np.flatnonzero(~np.isnan(y) & (np.abs(t - when) <= within))
        return float(y[known[np.argmin(np.abs(t[known] - when))]]) if len(known) else None


def decimate(t: np.ndarray, y: np.ndarray, columns: int) -> Series:
    """Return the lowest and highest value of each of `columns` equal time spans, so that no spike is lost. At most 3 ·
    columns points are returned: lowest, highest, and a NaN for a span with a gap. Fewer points are returned unchanged.
    Takes milliseconds for a million points: without a gap there is one pass for each."""
    if len(t) <= 3 * columns or t[-1] <= t[0]:
        return t, y
    edges = np.linspace(t[0], t[-1], columns + 1)[:-1]
    starts = np.unique(np.searchsorted(t, edges))
    low, high = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    if not np.isnan(low).any():
        return np.repeat(t[starts], 2), np.stack([low, high], axis=1).ravel()
    gaps = np.isnan(low)
    low, high = np.fmin.reduceat(y, starts), np.fmax.reduceat(y, starts)
    out = np.stack([low, high, np.where(gaps, np.nan, high)], axis=1).ravel()
    return np.repeat(t[starts], 3), out
