"""The receipts as a table of slots by variants: model, delegate and header."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.session.session import Session
from app.text.recipe_text import requested, slot_title
from app.widgets.basics import paint_badge, pixmap, tip
from app.widgets.table_cells import broken
from core.model.receipt import Receipt
from core.protocol import events
from core.results.results import Results
from core.spec.variant import SLOTS

Index = QModelIndex | QPersistentModelIndex
RECEIPT_ROLE, FAILED_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT, LINE, MOST_LINES = 36, 15, 3
LEFT, ICON, RIGHT = 10, 20, 8  # of a cell: before its icon, for it, and after the text


class ReceiptsModel(QAbstractTableModel):
    """One row per slot that any variant uses, one column per variant."""

    def __init__(self, session: Session, parent=None) -> None:
        super().__init__(parent)
        self._session = session
        self.slots_used: list[str] = []
        self.names: list[str] = []
        self._results: Results | None = None

    def set_results(self, results: Results | None) -> None:
        self.beginResetModel()
        self._results = results
        variants = results.variants if results is not None else {}
        self.names = list(variants)
        rows = (*SLOTS, events.EXACTNESS)
        self.slots_used = [s for s in rows if any(self.receipt(s, n) or self.asked(s, n) for n in self.names)]
        self.endResetModel()

    def cell(self, index: Index) -> tuple[str, str] | None:
        """Return the slot and variant of a position; positions shift when others come or go."""
        return (self.slots_used[index.row()], self.names[index.column()]) if index.isValid() else None

    def place(self, cell: tuple[str, str] | None) -> tuple[int, int] | None:
        """Return row and column of a slot and a variant if both exist."""
        if cell is None or cell[0] not in self.slots_used or cell[1] not in self.names:
            return None
        return self.slots_used.index(cell[0]), self.names.index(cell[1])

    def receipt(self, slot: str, name: str) -> Receipt | None:
        state = self._results.variants.get(name) if self._results is not None else None
        return next((r for r in state.receipts if r.slot == slot), None) if state is not None else None

    def asked(self, slot: str, name: str) -> str:
        """Return what the variant requests in a slot; empty if nothing."""
        experiment = self._results.experiment if self._results is not None else None
        variant = next((v for v in experiment.variants if v.name == name), None) if experiment else None
        strategy = getattr(variant, slot, None)
        return strategy.label() if strategy is not None else ""

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else len(self.slots_used)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        slot, name = self.slots_used[index.row()], self.names[index.column()]
        receipt, asked = self.receipt(slot, name), self.asked(slot, name)
        if role == RECEIPT_ROLE:
            return receipt
        if role == FAILED_ROLE:
            return receipt is None and bool(asked) and self._failed(name)
        if role == Qt.ItemDataRole.DisplayRole:
            if receipt is not None:
                return said(receipt.effective)
            if not asked:
                return self.tr("off") if slot in SLOTS else "—"
            return self.tr("not reached") if self._failed(name) else self.tr("not loaded yet")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = self.tr("as requested") if receipt is not None and receipt.matches else ""
            if receipt is not None and not receipt.matches:
                words = self.tr("not as requested: {asked}").format(asked=requested(self._results, name, receipt))
            return ", ".join(p for p in (name, slot_title(slot), str(index.data()), words) if p)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(str(index.data()))
        return None

    def _failed(self, name: str) -> bool:
        return self._results is not None and self._results.variants[name].failed is not None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            if orientation == Qt.Orientation.Vertical:
                return slot_title(self.slots_used[section])
            return theme.letter(self._session.index_of(self.names[section]))
        if role == Qt.ItemDataRole.ToolTipRole and orientation == Qt.Orientation.Horizontal:
            return tip(self.names[section])
        if role == Qt.ItemDataRole.FontRole:
            return theme.font(12)
        return None


class BadgeHeader(QHeaderView):
    """A header with the variants' letters on their tiles."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._session = session

    def paintSection(self, painter: QPainter, rect, section: int) -> None:
        painter.fillRect(rect, theme.color("panel"))
        model = self.model()
        assert isinstance(model, ReceiptsModel)
        index = self._session.index_of(model.names[section])
        paint_badge(painter, QRectF(rect.left() + 8, rect.center().y() - 9, 18, 18), index)
        painter.setPen(theme.color("line"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())


def height(model: ReceiptsModel, slot: int, wide: int) -> int:
    """Return the height of a row with cells of that width: as many lines as its longest text needs."""
    font, room = theme.font(12, 600), wide - LEFT - ICON - RIGHT
    texts = (str(model.index(slot, column).data()) for column in range(model.columnCount()))
    lines = max((len(broken(text, font, room, MOST_LINES)) for text in texts), default=1)
    return max(ROW_HEIGHT, LINE * lines + 20)


class ReceiptDelegate(QStyledItemDelegate):
    """Paints a cell: grey if as the baseline's, a check mark if as requested, else a warning with its icon."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        receipt: Receipt | None = index.data(RECEIPT_ROLE)
        rect = QRectF(option.rect)
        painter.save()
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        mismatch = receipt is not None and not receipt.matches
        same = receipt is not None and index.data() == index.sibling(index.row(), 0).data()
        token, icon, weight = "text2", "", 400
        if index.data(FAILED_ROLE):
            token, icon, weight = "err", "warning", 600
        elif mismatch:
            token, icon, weight = "warn", "warning", 600
        elif receipt is not None and not (same and index.column()):
            token, icon, weight = "text", "check", 500
        elif receipt is None:
            token = "text3"
        if chosen or mismatch:
            painter.setBrush(theme.color("warnbg" if mismatch else "accsoft"))
            painter.setPen(QPen(theme.color("accent" if chosen else "warnln"), 1.5 if chosen else 1))
            painter.drawRoundedRect(rect.adjusted(2, 4, -4, -4), 6, 6)
        left = rect.left() + LEFT
        if icon:
            hue = {"check": "ok"}.get(icon, token)
            painter.drawPixmap(int(left), int(rect.center().y() - 7), pixmap(icon, hue, 14))
            left += ICON
        font = theme.font(12, weight)
        painter.setFont(font)
        painter.setPen(theme.color(token))
        room = QRectF(left, rect.top(), rect.right() - left - RIGHT, rect.height())
        lines = "\n".join(broken(index.data(), font, room.width(), MOST_LINES))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), lines)
        painter.restore()
