"""The comparison table: its model, and a delegate that paints the forest. The model's data are text, so that a screen
reader and a copy get what is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from PySide6.QtCore import QModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.base.core_text import said as shown
from app.base.core_text import stated
from app.base.theme import theme
from app.charts.forest_plot import accessible, noisy_tag, paint_grid, paint_interval
from app.compare import columns
from app.compare.compare_rows import CompareRow, Sheet, said
from app.session.comparison_cache import FAILURES
from app.text.recipe_text import beneath
from app.widgets.basics import pixmap, tip
from app.widgets.sortable_model import LINE_ROLE, Arranged, Index
from app.widgets.table_cells import paint_ground, paint_hatch, paint_line_below, paint_variant, two_lines
from app.widgets.table_style import ROW_HEIGHT
from core.analysis import verdict_text as words
from core.analysis.comparison_row import Row
from core.analysis.measures import SPEED as BY_SPEED
from core.analysis.measures import Measure
from core.base import formatting
from core.wording import contrast_text, quality_text

VARIANT, SPEED, FOREST, RATE = range(4)  # from the rate on, `columns.KEYS`


def key_of(column: int) -> str:
    """Return the key of a column after the forest."""
    return columns.KEYS[column - RATE]


def column_of(key: str) -> int:
    return RATE + columns.KEYS.index(key)


TTFT, ITL, PEAK, QUALITY = (column_of(key) for key in ("ttft_ms_p50", "itl_ms_p50", "peak", "kld_mean"))


class ComparisonModel(Arranged[CompareRow]):
    """A model with one row per variant."""

    column_keys: ClassVar[tuple[str, ...]] = columns.KEYS

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self.sheet = Sheet()
        self._small = theme.font(11)

    @property
    def by(self) -> Measure:
        return self.sheet.measure or BY_SPEED

    def show(self, sheet: Sheet) -> None:
        """Set the content."""
        self.sheet = sheet
        self.set_lines(sheet.entries)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, SPEED, self.columnCount() - 1)

    # -- order and filter ------------------------------------------------------------------------------------
    def identity(self, line: CompareRow) -> tuple[str, str]:
        return line.name

    def key(self, line: CompareRow, column: int) -> Any:
        if column == VARIANT:
            return line.place
        if column in (SPEED, FOREST):
            found = line.contrast
            return None if found is None else found.value if self.by.amount else found.ratio
        return columns.value(line.row, key_of(column))

    def sort_title(self, column: int) -> str:
        """Return the title of the column that a sort is by; the forest sorts by the verdict."""
        return "" if column == FOREST else super().sort_title(column)

    def words(self, line: CompareRow) -> Iterable[str]:
        status = shown(words.STATUS.get(line.row.status, line.row.status))
        verdict = re.sub(
            r"\S*\d\S*", "", said(line, self.by, self.sheet.margin)[0]
        )  # figures have columns of their own
        return line.run, line.row.variant, line.recipe, line.row.recipe, verdict, status

    # -- cells -----------------------------------------------------------------------------------------------
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else RATE + len(columns.KEYS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry, column = self.line(index), index.column()
        row = entry.row
        if role == LINE_ROLE:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(entry, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if column == QUALITY:
                return ", ".join(filter(None, [self._text(entry, column), shown(quality_text.gate(row))]))
            if column <= FOREST:
                return self._spoken(entry)
            return ", ".join(filter(None, [self._text(entry, column), self.delta(entry, column)]))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self._tip(entry, column) or "") or None
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= RATE and not columns.is_text(key_of(column)):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _spoken(self, entry: CompareRow) -> str:
        if entry.contrast is None or self.by.amount:
            return ", ".join(filter(None, [entry.run, entry.row.variant, *said(entry, self.by, self.sheet.margin)]))
        text = accessible(entry.row, entry.contrast, entry.index, self.sheet.margin)
        return f"{entry.run}, {text}" if entry.run else text

    def _text(self, entry: CompareRow, column: int) -> str:
        row = entry.row
        if column == VARIANT:
            return row.variant
        if column == SPEED:
            return stated(row.error) or said(entry, self.by, self.sheet.margin)[0]
        if column == FOREST:
            return contrast_text.interval(entry.contrast) if entry.contrast is not None else ""
        return columns.text(row, key_of(column))

    def delta(self, entry: CompareRow, column: int) -> str:
        """Return the difference from the reference below a figure."""
        if column < RATE or not self.sheet.deltas or entry.unlike:
            return ""
        found, compared = entry.contrast, {"speed": "rate", "peak_memory": "peak"}.get(self.by.key, self.by.column)
        if key_of(column) == compared and found is not None and found.ratio is not None:
            # The mean of the ratios within rounds, as the verdict has it: that of the medians may differ by much.
            return "" if found.verdict == "baseline" else shown(columns.percent(found.ratio))
        return shown(columns.delta(entry.row, entry.base, key_of(column)))

    def _tip(self, entry: CompareRow, column: int) -> str | None:
        row, found = entry.row, entry.contrast
        if column == VARIANT:
            return "\n".join(filter(None, [row.variant, entry.recipe, entry.run]))
        if column in (SPEED, FOREST) and row.error:
            return stated(f"{row.error}\n{row.hint}".strip())
        if column in (SPEED, FOREST) and entry.unlike:
            return shown(entry.unlike)
        if column in (SPEED, FOREST) and found is not None and found.rounds_to_settle:
            return self.tr("About {n} rounds would likely settle it.").format(n=found.rounds_to_settle)
        if column == QUALITY:
            return shown(row.quality_error or quality_text.clause(row)) or None
        if column == RATE and row.concurrency > 1:
            return self.tr("{n} tok/s per request").format(n=formatting.number(row.per_user_tok_s))
        if column >= RATE and columns.is_text(key_of(column)):
            return self._text(entry, column)
        return shown(row.flags) or None

    # -- headers ---------------------------------------------------------------------------------------------
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            if section >= RATE:
                return columns.title(key_of(section), self.sheet.first).short
            return (self.tr("Variant"), self._versus(), self._directions())[section]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.sorted_words(section)
        if role == Qt.ItemDataRole.FontRole:
            return self._small
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = section >= RATE and not columns.is_text(key_of(section))
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole and section != VARIANT:
            if section < RATE:
                of = "speed_ratio" if self.by.key == "speed" else self.by.column
                return columns.title(of, self.sheet.first).tip
            return columns.title(key_of(section), self.sheet.first).tip
        return None

    def _versus(self) -> str:
        first, letter = self.sheet.first, self.sheet.letter
        if self.by.key != "speed":
            text = self.tr("{measure} from {letter}") if self.by.amount else self.tr("{measure} vs. {letter}")
            return text.format(measure=formatting.capital(shown(contrast_text.title(self.by.key))), letter=letter)
        if first is not None and first.arrival == "poisson":
            return self.tr("Speed vs. {letter}").format(letter=letter)
        if first is not None and first.concurrency > 1:
            return self.tr("Aggregate speed vs. {letter}").format(letter=letter)
        return self.tr("Decode speed vs. {letter}").format(letter=letter)

    def _directions(self) -> str:
        if self.by.amount:
            return self.tr("nats per token")
        if self.by.key == "speed":
            return self.tr("◂ slower   faster ▸")
        return self.tr("◂ better   worse ▸") if self.by.better == "lower" else self.tr("◂ worse   better ▸")


class RowDelegate(QStyledItemDelegate):
    """Paints a row: badge and recipe, verdict and interval, forest; or the failure with its way out."""

    def __init__(self, model: ComparisonModel, parent=None) -> None:
        super().__init__(parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: CompareRow = index.data(LINE_ROLE)
        row, sheet = entry.row, self._model.sheet
        rect = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        failed = row.status in FAILURES
        painter.save()
        painter.setClipRect(option.rect)
        column = index.column()
        paint_ground(painter, rect, column == VARIANT, selected, failed)
        if column == VARIANT:
            recipe = " · ".join(filter(None, [entry.run, beneath(row.variant, entry.recipe)]))
            paint_variant(painter, rect, entry.index, row.variant, recipe)
        elif column == SPEED and failed:
            self._failure(painter, rect, row)
        elif column == SPEED:
            self._verdict(painter, rect, entry)
        elif column == FOREST and not failed and entry.contrast is not None:
            area = rect.adjusted(12, 0, -12, 0)
            if entry.edited:
                paint_hatch(painter, rect.adjusted(0, 6, -6, -6))
            paint_grid(painter, area, sheet.scale)
            paint_interval(painter, area, sheet.scale, entry.contrast, entry.index)
        elif column >= RATE:
            words_in_it = columns.is_text(key_of(column))
            below = shown(quality_text.gate(row)) if column == QUALITY else self._model.delta(entry, column)
            area = rect.adjusted(8, 0, -8, 0)
            two_lines(painter, area, index.data(), below, weight=400, right=not words_in_it)
        paint_line_below(painter, rect)
        painter.restore()

    def _verdict(self, painter: QPainter, rect: QRectF, entry: CompareRow) -> None:
        row, found, by = entry.row, entry.contrast, self._model.by
        head, tail = said(entry, by, self._model.sheet.margin)
        token, weight = "text2", 400
        if found is None:
            head = self.tr("not in this forest")
        elif found.decided:
            head, token, weight = f"{contrast_text.arrow(found)}{head}", "text", 600
            if found.noisy:
                head, token = f"{head} · {noisy_tag()}", "warn"
        elif found.verdict == "withheld":
            token, weight = "warn", 600
        elif found.verdict == "baseline" and found.ratio is not None:
            head, tail = "1.00×", self.tr("reference of {run}").format(run=entry.run) if entry.run else head
        elif found.ratio is None and not by.amount:
            if by.key == "speed" or row.status in ("queued", "running"):
                head = {
                    "queued": self.tr("not measured yet"),
                    "running": self.tr("waiting for round 2"),
                }.get(row.status, shown(words.STATUS.get(row.status, row.status)))
            tail = ""
        if row.flags and found is not None and found.verdict:
            flags = shown(row.flags)
            tail = f"{tail} · {flags}" if tail else flags
        if entry.edited:
            tail = " · ".join(filter(None, [self.tr("edited since"), tail]))
        two_lines(painter, rect.adjusted(8, 0, -4, 0), head, tail, token, weight)

    def _failure(self, painter: QPainter, rect: QRectF, row: Row) -> None:
        painter.drawPixmap(QPointF(rect.left() + 8, rect.top() + 10), pixmap("warning", "err", 16))
        two_lines(painter, rect.adjusted(32, 0, -8, 0), stated(row.error), stated(row.hint), "err", 600)
