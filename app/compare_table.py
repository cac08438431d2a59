"""The comparison as a table: a model, a sort order and a delegate that paints the forest.

Knows comparison rows, words and the theme; computes no statistics. The model's data are text, so that a
screen reader and a copy see what the eye sees.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.cells import paint_ground, paint_line_below, paint_variant, two_lines
from app.forest import Scale, accessible, paint_grid, paint_interval
from app.measured import FAILURES, peak_bytes
from app.theme import theme
from app.widgets import pixmap
from core import quality_words, words
from core.comparison import Comparison, Row
from core.metrics import MEANING

Index = QModelIndex | QPersistentModelIndex
VARIANT, SPEED, FOREST, RATE, TTFT, ITL, PEAK, QUALITY = range(8)
COLUMNS = {
    SPEED: "speed_ratio",
    FOREST: "speed_ratio",
    TTFT: "ttft_ms_p50",
    ITL: "itl_ms_p50",
    QUALITY: "kld_mean",
}
SORT_ROLE, ROW_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT = 54


class ComparisonModel(QAbstractTableModel):
    """One row a variant, in the order of their letters."""

    def __init__(self, session, parent=None) -> None:
        super().__init__(parent)
        self._session = session
        self.rows: list[Row] = []
        self.scale = Scale()
        self.margin = 0.03

    def set_comparison(self, comparison: Comparison | None) -> None:
        """Rows that stay are updated in place, so that selection and order stay too."""
        rows = comparison.variants if comparison is not None else []
        self.margin = comparison.margin if comparison is not None else 0.03
        same = [r.variant for r in rows] == [r.variant for r in self.rows]
        if not same:
            self.beginResetModel()
        self.rows, self.scale = list(rows), Scale.of(rows)
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, QUALITY))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, SPEED, RATE)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 8

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if role == ROW_ROLE:
            return row
        if role == SORT_ROLE:
            return self._value(row, column, index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if column == QUALITY:
                return ", ".join(filter(None, [self._text(row, column), quality_words.gate(row)]))
            place = self._session.index_of(row.variant)
            return accessible(row, place) if column <= FOREST else self._text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= RATE:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _value(self, row: Row, column: int, place: int) -> float | int | None:
        if column == VARIANT:
            return place
        if column == PEAK:
            return peak_bytes(row)
        if column == RATE:
            return words.compared_rate(row)[0]
        return getattr(row, COLUMNS[column])

    def _text(self, row: Row, column: int) -> str:
        if column == VARIANT:
            return row.variant
        if column == SPEED:
            return row.error or words.ratio(row, self.margin)
        if column == FOREST:
            return words.interval(row)
        if column == PEAK:
            peak = peak_bytes(row)
            return words.number(peak / 2**30 if peak is not None else None)
        if column == QUALITY:
            return quality_words.divergence(row)
        return words.number(self._value(row, column, 0))

    def _tip(self, row: Row, column: int) -> str | None:
        if column == VARIANT:
            return f"{row.variant}\n{row.recipe}"
        if column in (SPEED, FOREST) and row.error:
            return f"{row.error}\n{row.hint}".strip()
        if column in (SPEED, FOREST) and row.verdict == "undecided" and row.rounds_to_settle:
            return self.tr("About {n} rounds would likely settle it.").format(n=row.rounds_to_settle)
        if column == QUALITY:
            return row.quality_error or quality_words.clause(row) or None
        if column == RATE and row.concurrency > 1:
            return self.tr("{n} tok/s per request").format(n=words.number(row.per_user_tok_s))
        return row.flags or None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        first = self.rows[0] if self.rows else None
        waits = first is not None and first.arrival == "poisson"
        together = first is not None and first.concurrency > 1
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                self.tr("Variant"),
                self.tr("Speed vs. A")
                if waits
                else self.tr("Aggregate speed vs. A")
                if together
                else self.tr("Decode speed vs. A"),
                self.tr("◂ slower   faster ▸"),
                words.compared_rate(first)[1] if first is not None else self.tr("tok/s"),
                self.tr("TTFT ms"),
                self.tr("ITL ms"),
                self.tr("Peak GiB"),
                self.tr("KL, nats"),
            )[section]
        if role == Qt.ItemDataRole.FontRole:
            return theme.font(11)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section >= RATE else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole and section != VARIANT:
            column = COLUMNS.get(section, "peak_process_bytes")
            if section == PEAK and any(r.peak_allocated_bytes is not None for r in self.rows):
                column = "peak_allocated_bytes"
            if section == RATE:
                column = "e2e_ms_p50" if waits else "aggregate_tok_s" if together else "decode_tok_s"
            meaning = MEANING[column]
            return f"{meaning.title}\n{meaning.formula}"
        return None


class Order(QSortFilterProxyModel):
    """Sorts by value; what is not available comes last, whichever way."""

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self.setSortRole(SORT_ROLE)

    def lessThan(self, left: Index, right: Index) -> bool:
        a, b = left.data(SORT_ROLE), right.data(SORT_ROLE)
        descending = self.sortOrder() == Qt.SortOrder.DescendingOrder
        if a is None or b is None:
            return (a is None) == descending if a is not b else False
        return a < b


class RowDelegate(QStyledItemDelegate):
    """Paints a row: badge and recipe, verdict and interval, forest; or what failed and the way out."""

    def __init__(self, session, model: ComparisonModel, parent=None) -> None:
        super().__init__(parent)
        self._session, self._model = session, model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        place = self._session.index_of(row.variant)
        rect = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        failed = row.status in FAILURES
        painter.save()
        painter.setClipRect(option.rect)
        column = index.column()
        paint_ground(painter, rect, column == VARIANT, selected, failed)
        if column == VARIANT:
            paint_variant(painter, rect, place, row.variant, row.recipe)
        elif column == SPEED and failed:
            self._failure(painter, rect, row)
        elif column == SPEED:
            self._verdict(painter, rect, row)
        elif column == FOREST and not failed:
            area = rect.adjusted(12, 0, -12, 0)
            paint_grid(painter, area, self._model.scale)
            paint_interval(painter, area, self._model.scale, row, place)
        elif column == QUALITY:
            two_lines(
                painter, rect.adjusted(0, 0, -8, 0), index.data(), quality_words.gate(row), weight=400, right=True
            )
        elif column >= RATE:
            painter.setFont(theme.font(13))
            painter.setPen(theme.color("text"))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(rect.adjusted(0, 0, -8, 0), right, index.data())
        paint_line_below(painter, rect)
        painter.restore()

    def _verdict(self, painter: QPainter, rect: QRectF, row: Row) -> None:
        head, tail = words.ratio(row, self._model.margin), words.interval(row)
        token, weight = "text", 600
        if row.verdict == "faster":
            head = f"▲ {head}"
        elif row.verdict == "slower":
            head = f"▼ {head}"
        elif row.verdict == "withheld":
            token = "warn"
        else:
            token, weight = "text2", 400
        if row.verdict == "baseline" and row.speed_ratio is not None:
            head, tail = "1.00×", words.ratio(row)
        elif row.speed_ratio is None:
            head, tail = (
                {
                    "queued": self.tr("not measured yet"),
                    "running": self.tr("waiting for round 2"),
                }.get(row.status, words.STATUS.get(row.status, row.status)),
                "",
            )
        if row.flags and row.verdict:
            tail = f"{tail} · {row.flags}"
        two_lines(painter, rect.adjusted(8, 0, -4, 0), head, tail, token, weight)

    def _failure(self, painter: QPainter, rect: QRectF, row: Row) -> None:
        painter.drawPixmap(QPointF(rect.left() + 8, rect.top() + 10), pixmap("warning", "err", 16))
        two_lines(painter, rect.adjusted(32, 0, -8, 0), row.error, row.hint, "err", 600)
