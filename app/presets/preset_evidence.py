"""Shows a preset's evidence: differences between then and now, and the figures measured then."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import said, spoken
from app.charts.forest_plot import Scale, noisy_tag, paint_axis, paint_grid, paint_interval
from app.widgets.basics import IconLabel, caption, hairline, label
from app.widgets.fact_list import level
from core.analysis import measures, verdict_text
from core.analysis.comparison_row import Row
from core.analysis.contrast import Contrast, of_row
from core.base import formatting
from core.presets.preset import Preset
from core.wording import contrast_text
from core.wording.environment_text import field_title


def _tr(text: str) -> str:
    return QCoreApplication.translate("PresetEvidence", text)


class Mismatches(QFrame):
    """A table of then and now; hidden without differences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "warning")
        self.shown: list[tuple[str, str, str]] = []
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 12, 14, 12)
        box.setSpacing(10)
        head = QHBoxLayout()
        head.addWidget(IconLabel("warning", "warn"))
        warning = _tr("This evidence is from a different set-up. The speed-up may not hold here.")
        head.addWidget(label(warning, 13, 600), 1)
        box.addLayout(head)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        for column, stretch in enumerate((2, 3, 3)):
            self._grid.setColumnStretch(column, stretch)
        box.addLayout(self._grid)

    def set(self, lines: list[str], packages: set[str]) -> None:
        """Show lines `name: then → now`, or sentences about files; `packages` keep their names."""
        self.shown = [_split(line, packages) for line in lines]
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.setVisible(bool(lines))
        if any(now for _, _, now in self.shown):
            self._grid.addWidget(caption(_tr("Measured on")), 0, 1)
            self._grid.addWidget(caption(_tr("Here now")), 0, 2)
        for place, texts in enumerate(self.shown, 1):
            parts = label("", 12, role="secondary"), label("", 12, wrap=True), label("", 12, 500, "warn", wrap=True)
            level(parts, texts)
            for column, part in enumerate(parts):
                part.setAlignment(Qt.AlignmentFlag.AlignTop)
                wide = 2 if column == 1 and not texts[2] else 1
                if texts[column]:
                    self._grid.addWidget(part, place, column, 1, wide)


def _split(line: str, packages: set[str]) -> tuple[str, str, str]:
    name, _, change = line.partition(": ")
    then, arrow, now = change.partition(" → ")
    title = name if name in packages else field_title(name, spoken())
    return (title, said(then), said(now)) if arrow else (title, said(change), "")


class Picture(QWidget):
    """The ratio of a variant with its interval over an axis."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: Contrast | None = None
        self._index = 1

    def set(self, found: Contrast | None, index: int) -> None:
        """Show a contrast; `index` is the place of its letter and hue."""
        self._found, self._index = found, index
        self.setAccessibleName(contrast_text.interval(found) if found is not None else "")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(280, 56)

    def paintEvent(self, event) -> None:
        if self._found is None or self._found.ratio is None:
            return
        painter, scale = QPainter(self), Scale.of([self._found])
        line = QRectF(16, 0, self.width() - 32, 34)
        paint_grid(painter, line, scale)
        paint_interval(painter, line, scale, self._found, self._index)
        paint_axis(painter, QRectF(line.left(), line.bottom(), line.width(), 20), scale)


class Evidence(QFrame):
    """The ratio with its interval, and up to four figures."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "card")
        self.ratio = label("", 15, 600)
        self.against = label("", 12, role="secondary", wrap=True)
        self.flags = label("", 12, 500, "warn", wrap=True)
        self.picture = Picture()
        self._figures = [(caption(""), label("", 13, 600), caption("")) for _ in range(4)]
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 14)
        column.setSpacing(12)
        top, told, below = QHBoxLayout(), QVBoxLayout(), QHBoxLayout()
        told.setSpacing(4)
        told.addStretch(1)
        told.addWidget(self.ratio)
        told.addWidget(self.against)
        told.addWidget(self.flags)
        told.addStretch(1)
        top.addLayout(told, 3)
        top.addWidget(self.picture, 2)
        for parts in self._figures:
            stack = QVBoxLayout()
            stack.setSpacing(2)
            for part in parts:
                stack.addWidget(part)
            below.addLayout(stack, 1)
        column.addLayout(top)
        column.addWidget(hairline())
        column.addLayout(below)

    def set(self, preset: Preset, index: int = 1) -> None:
        """Show a preset's evidence; `index` is the place of its variant's letter, if the window knows it."""
        row = preset.row
        assert row is not None
        found = of_row(row, preset.baseline.name)
        rate, unit = measures.compared_rate(row)
        doubt = f" · {noisy_tag()}" if found.noisy and found.decided else ""
        self.ratio.setText(contrast_text.arrow(found) + said(verdict_text.ratio(row)) + doubt)
        self.flags.setText(said(row.flags))
        self.flags.setVisible(bool(row.flags))
        told = _tr("{interval} {unit} vs. {baseline}")
        self.against.setText(
            told.format(interval=verdict_text.interval(row), unit=said(unit), baseline=preset.baseline.name).strip()
        )
        self.picture.set(found, index)
        self.picture.setVisible(found.ratio is not None and found.verdict != "baseline")
        figures = _figures(row, said(unit), rate)
        for place, parts in enumerate(self._figures):
            texts = figures[place] if place < len(figures) else ("", "", "")
            for part, text in zip(parts, texts, strict=True):
                part.setText(text)


def _figures(row: Row, unit: str, rate: float | None) -> list[tuple[str, str, str]]:
    """Return (title, value, note) of the most telling figures."""
    rounds = row.rounds_paired or row.trials
    said_rounds = _tr("1 round") if rounds == 1 else _tr("{n} rounds").format(n=rounds)
    found = [(formatting.capital(unit), formatting.number(rate), said_rounds)]
    if row.kld_mean is not None:
        gate = _tr("gate: {gate}").format(gate=said(row.gate)) if row.gate else ""
        found.append((_tr("KL divergence"), formatting.number(row.kld_mean), gate))
    peak = row.peak_allocated_bytes or row.peak_process_bytes
    weights = _tr("weights {size}").format(size=formatting.size(row.weights_bytes))
    found.append((_tr("Peak memory"), formatting.size(peak), weights))
    receipts = {None: _tr("none"), True: _tr("as requested"), False: _tr("mismatch")}
    found.append((_tr("Receipts"), receipts[row.receipt_ok], ""))
    return found
