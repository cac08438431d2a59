"""The table of what each variant costs in quality: a model and a delegate. The model's data are text, so that a screen
reader and a copy get what is shown."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.base.core_text import said
from app.base.theme import theme
from app.session.session import Session
from app.text.recipe_text import beneath, recipe_in
from app.widgets.basics import pixmap, tip
from app.widgets.table_cells import paint_ground, paint_line_below, paint_variant, two_lines
from core.analysis.comparison_row import Row
from core.wording import quality_text
from core.wording.column_meanings import MEANING

Index = QModelIndex | QPersistentModelIndex
VARIANT, KLD, SAME_TOP, RATIO, DIVERGENCE, GATE = range(6)
COLUMNS = {KLD: "kld_mean", SAME_TOP: "same_top_pct", RATIO: "ppl_ratio", DIVERGENCE: "first_divergence", GATE: "gate"}
ROW_ROLE = Qt.ItemDataRole.UserRole
ROW_HEIGHT = 48
#: The icon and its colour beside the gate's word.
GATE_LOOKS = {"green": ("check", "ok"), "amber": ("warning", "warn"), "red": ("cross", "err")}


class QualityModel(QAbstractTableModel):
    """A model with one row per variant. `doing` says what is happening with variants without figures."""

    def __init__(self, session: Session, parent=None) -> None:
        super().__init__(parent)
        self._session = session
        self.rows: list[Row] = []
        self.doing: dict[str, str] = {}

    def set_rows(self, rows: list[Row], doing: dict[str, str]) -> None:
        same = [r.variant for r in rows] == [r.variant for r in self.rows]
        if not same:
            self.beginResetModel()
        self.rows, self.doing = list(rows), doing
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, GATE))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 6

    def spans(self, row: Row) -> bool:
        """Return whether one sentence replaces all figures of a row."""
        return not quality_text.is_judged(row) and row.quality_status != "reference"

    def lines(self, row: Row, column: int) -> tuple[str, str]:
        """Return a figure, and its spread below."""
        reference = row.quality_status == "reference"
        if column == VARIANT:
            return row.variant, beneath(row.variant, recipe_in(self._session.results, row.variant))
        if column == KLD and self.spans(row):
            why = said(row.quality_error) or self.doing.get(row.variant, "")
            return said(quality_text.STATUS.get(row.quality_status, why)), why if row.quality_status else ""
        if column == KLD:
            return quality_text.divergence(row), quality_text.spread(row)
        if column == SAME_TOP:
            return said(quality_text.same_top(row)), ""
        if column == RATIO:
            own = said(quality_text.perplexity(row)) if reference else quality_text.ratio_interval(row)
            return quality_text.ratio(row), own
        if column == DIVERGENCE:
            if reference:
                return "—", ""
            where, equal = quality_text.first_divergence(row)
            return said(where), said(equal)
        if reference:
            return self.tr("reference"), ""
        return said(quality_text.gate(row)) or "—", self._gate(row.gate)

    def _gate(self, colour: str) -> str:
        """Return the gate's colour in the window's language."""
        words = {"green": self.tr("gate green"), "amber": self.tr("gate amber"), "red": self.tr("gate red")}
        return words.get(colour, colour)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if role == ROW_ROLE:
            return row
        head, tail = self.lines(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return head
        if role == Qt.ItemDataRole.AccessibleTextRole:
            title = self.headerData(column, Qt.Orientation.Horizontal)
            if column == VARIANT:
                title = theme.letter(self._session.index_of(row.variant))
            return ", ".join(filter(None, [str(title), head, tail]))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip("\n".join(filter(None, [head, tail]))) if column == VARIANT or self.spans(row) else None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                self.tr("Variant vs. A"),
                self.tr("KL, nats per token"),
                self.tr("Same top token"),
                self.tr("Perplexity ratio"),
                self.tr("First divergence"),
                self.tr("Gate"),
            )[section]
        if role == Qt.ItemDataRole.FontRole:
            return theme.font(11)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole and section in COLUMNS:
            meaning = MEANING[COLUMNS[section]]
            return said(f"{meaning.title}\n{meaning.formula}")
        return None


class QualityDelegate(QStyledItemDelegate):
    """Paints two lines per cell; the gate as an icon and a word."""

    def __init__(self, session: Session, model: QualityModel, parent=None) -> None:
        super().__init__(parent)
        self._session, self._model = session, model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        column, rect = index.column(), QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        failed = bool(row.quality_error)
        painter.save()
        painter.setClipRect(option.rect)
        paint_ground(painter, rect, column == VARIANT, selected, failed)
        head, tail = self._model.lines(row, column)
        if column == VARIANT:
            paint_variant(painter, rect, self._session.index_of(row.variant), head, tail)
        elif column == KLD and failed:
            painter.drawPixmap(int(rect.left() + 8), int(rect.top() + 8), pixmap("warning", "err", 16))
            two_lines(painter, rect.adjusted(32, 0, -8, 0), head, tail, "err", 600)
        elif column == GATE and row.gate in GATE_LOOKS:
            icon, token = GATE_LOOKS[row.gate]
            painter.drawPixmap(int(rect.left() + 8), int(rect.top() + 7), pixmap(icon, token, 15))
            two_lines(painter, rect.adjusted(30, 0, -8, 0), head, tail, "text", 600)
        else:
            waits = self._model.spans(row) or row.quality_status == "reference"
            two_lines(
                painter, rect.adjusted(8, 0, -8, 0), head, tail, "text2" if waits else "text", 400 if waits else 500
            )
        paint_line_below(painter, rect)
        painter.restore()
