"""The four figures above the live plots: title, number with unit, a note below. Tooltips have the formulas."""

from __future__ import annotations

import statistics

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import said
from app.session.comparison_cache import capacity_bytes
from app.session.live_data import Track
from app.widgets.basics import caption, hairline, label, restyle
from core.analysis.comparison_row import Comparison, Row
from core.analysis.measures import peak_bytes
from core.base import formatting
from core.results.metrics import NEEDED
from core.wording.column_meanings import MEANING


class Tile(QWidget):
    """One figure."""

    def __init__(self, title: str, column: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.value = label("—", 20, 500)
        self.unit = label("", 12, 400, "secondary")
        self.note = caption("")
        self.title = label(title, 11, 400, "secondary")
        number = QHBoxLayout()
        number.setSpacing(5)
        number.addWidget(self.value)
        number.addWidget(self.unit)
        number.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 8, 8)
        layout.setSpacing(2)
        layout.addWidget(self.title)
        layout.addLayout(number)
        layout.addWidget(self.note)
        meaning = MEANING[column]
        self.setToolTip(said(f"{meaning.title}\n{meaning.formula}"))

    def set(self, value: float | None, unit: str, note: str) -> None:
        """Show a value; None shows as `—`, never as 0."""
        self.value.setText(formatting.number(value))
        restyle(self.value, role="caption" if value is None else "")
        self.unit.setText(unit if value is not None else "")
        self.note.setText(note)
        self.setAccessibleName(f"{self.title.text()}: {self.value.text()} {self.unit.text()}, {note}")


class Tiles(QWidget):
    """TTFT, inter-token latency, decode rate and peak memory of one variant."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ttft = Tile(self.tr("Time to first token"), "ttft_ms_p50")
        self.itl = Tile(self.tr("Inter-token latency"), "itl_ms_p50")
        self.rate = Tile(self.tr("Decode throughput"), "decode_tok_s")
        self.memory = Tile(self.tr("Peak memory"), "peak_process_bytes")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, 4, 0)
        layout.setSpacing(0)
        for place, tile in enumerate((self.ttft, self.itl, self.rate, self.memory)):
            if place:
                layout.addWidget(hairline(vertical=True))
            layout.addWidget(tile, 1)

    def show_variant(
        self,
        track: Track | None,
        row: Row | None,
        comparison: Comparison | None,
        nothing: str = "",
        running: bool = True,
    ) -> None:
        """Show figures of the measured trials so far; the rate is the present or latest trial's during a run, and the
        median after it. `nothing` says why there is no figure."""
        nothing = nothing or self.tr("waiting for a trial")
        _, ttft = track.ttft.view() if track is not None else ((), ())
        median = float(statistics.median(ttft)) if len(ttft) else None
        if row is not None and row.ttft_ms_p50 is not None:
            median = row.ttft_ms_p50
        self.ttft.set(
            median,
            "ms",
            self.tr("p50 of {n} requests").format(n=len(ttft))
            if len(ttft) > 1
            else self.tr("1 request")
            if len(ttft)
            else nothing,
        )
        p50 = track.itl_percentile(50, NEEDED[50]) if track is not None else None
        p95 = track.itl_percentile(95, NEEDED[95]) if track is not None else None
        spread = self.tr("p50 · p95 {p95}").format(p95=formatting.number(p95))
        self.itl.set(p50, "ms", spread if p50 is not None else nothing)
        counted = track is not None and len(track.itl) > 0
        rate = track.decode_rate() if track is not None and counted and running else None
        over = rate is None
        if rate is None and row is not None:
            rate = row.decode_tok_s if row.concurrency == 1 else row.aggregate_tok_s
        streams = row.concurrency if row is not None else 1
        kind = self.tr("this trial, 1 stream") if streams == 1 else self.tr("this trial, {n} streams").format(n=streams)
        if over:
            trials = row.trials if row is not None else 0
            kind = self.tr("median of 1 trial") if trials == 1 else self.tr("median of {n} trials").format(n=trials)
        self.rate.set(rate, "tok/s", kind if rate is not None else nothing)
        peak = peak_bytes(row) if row is not None else None
        capacity = capacity_bytes(comparison)
        on_device = row is not None and row.peak_allocated_bytes is not None
        place = self.tr("allocated on the device") if on_device else self.tr("resident, CPU")
        note = self.tr("of {size}").format(size=formatting.size(capacity)) if capacity else ""
        said = " · ".join(p for p in (note, place) if p) if peak is not None else nothing
        self.memory.set(peak / 2**30 if peak is not None else None, "GiB", said)
