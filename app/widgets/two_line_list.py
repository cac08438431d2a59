"""Lists with two lines per row: a text, and a note in small print."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.widgets.basics import pixmap, tip
from app.widgets.table_cells import paint_ground, two_lines

ROW = 44
NOTE_ROLE = int(Qt.ItemDataRole.UserRole) + 16
LOOK_ROLE = NOTE_ROLE + 1


class TwoLines(QStyledItemDelegate):
    """Paints the item's text over `NOTE_ROLE`; at the right the icon of `LOOK_ROLE`, a name and a colour token."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect, look = QRectF(option.rect), index.data(LOOK_ROLE)
        painter.save()
        paint_ground(painter, rect, True, bool(option.state & QStyle.StateFlag.State_Selected))
        if look:
            icon, token = look
            painter.drawPixmap(int(rect.right() - 24), int(rect.center().y() - 7), pixmap(icon, token, 14))
        room = rect.adjusted(12, 0, -32 if look else -8, 0)
        two_lines(painter, room, index.data(), index.data(NOTE_ROLE) or "", weight=500 if look else 400)
        painter.restore()


def row(text: str, note: str, look: tuple[str, str] | None = None) -> QListWidgetItem:
    """Return an item for `TwoLines`; its tooltip has the elided text."""
    item = QListWidgetItem(text)
    item.setData(NOTE_ROLE, note)
    item.setData(LOOK_ROLE, look)
    item.setToolTip(tip(f"{text}\n{note}"))
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{text}, {note}")
    return item
