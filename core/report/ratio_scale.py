"""A logarithmic axis of ratios around 1×: 2× and 0.5× are equally far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, exp, floor, log, log10
from typing import Self

from core.analysis.comparison_row import Row

TICKS = (0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0)
LABEL = 38  # pixels that the label of a tick takes


@dataclass(frozen=True)
class RatioScale:
    low: float = 0.9
    high: float = 1.5

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Self:
        """Return a scale that contains every interval of the rows' speed."""
        return cls.around(v for r in rows for v in (r.speed_ratio, r.speed_ratio_low, r.speed_ratio_high))

    @classmethod
    def around(cls, ratios: Iterable[float | None]) -> Self:
        """Return a scale that contains all known ratios, and 1× with a margin on both sides."""
        known = [v for v in ratios if v is not None and v > 0]
        low, high = min([*known, 1.0]), max([*known, 1.0])
        room = max(log(1.06), 0.06 * log(high / low))
        return cls(exp(log(low) - room), exp(log(high) + room))

    def share(self, ratio: float) -> float:
        """Return the position of a ratio: 0 at the low end, 1 at the high end."""
        return log(max(ratio, 1e-9) / self.low) / log(self.high / self.low)

    def ticks(self, width: float = 240.0) -> list[float]:
        """Return round ratios inside the scale, 1 among them, no closer than their labels allow."""
        extra = [10.0**p for p in range(floor(log10(self.low)), ceil(log10(self.high)) + 1)]
        span = log(self.high / self.low)
        chosen = [1.0]
        candidates = {t for t in (*TICKS, *extra) if self.low <= t <= self.high}
        for tick in sorted(candidates, key=lambda t: (t not in (0.5, 1.5, 2.0), abs(log(t)))):
            if all(abs(log(tick / c)) / span * width >= LABEL for c in chosen):
                chosen.append(tick)
        return sorted(chosen)
