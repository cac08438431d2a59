"""The list of variants: check box, badge, name, differences from the baseline, status."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.base.theme import theme
from app.editor.variant_status import RowState
from app.files.drop_target import accept_copy, preset_in
from app.widgets.basics import paint_badge, pixmap

ROW = 48
BOX, BADGE, TEXT = 12, 38, 68  # where they begin
NAME, INDEX, STATE = (int(Qt.ItemDataRole.UserRole) + i for i in range(3))
Index = QModelIndex | QPersistentModelIndex


def is_ticked(index: Index) -> bool:
    return Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked


def box_of(row: QRect) -> QRect:
    """Return the rectangle of a row's check box."""
    return QRect(row.left() + BOX, row.center().y() - 7, 16, 16)


class VariantDelegate(QStyledItemDelegate):
    """Paints a row of 48 px; the box can be ticked and the name edited in place."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        flags: QStyle.StateFlag = option.state
        selected = bool(flags & QStyle.StateFlag.State_Selected)
        state: RowState = index.data(STATE) or RowState("")
        painter.save()
        if selected:
            painter.fillRect(rect, theme.color("accsoft"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        self._paint_box(painter, box_of(rect), index)
        painter.setOpacity(0.6 if state.excluded else 1.0)
        badge = QRectF(rect.left() + BADGE, rect.top() + 14, 20, 20)
        paint_badge(painter, badge, index.data(INDEX) or 0)
        if state.edited:  # the present results are not of this variant
            painter.setPen(QPen(theme.color("text2"), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(badge.adjusted(-3.5, -3.5, 3.5, 3.5), 6, 6)
        painter.setOpacity(1.0)
        right = self._paint_state(painter, rect, state, selected)
        left = rect.left() + TEXT
        room = right - left - 8
        painter.setPen(theme.color("text3" if state.excluded else "text"))
        painter.setFont(theme.font(13, 500))
        name = painter.fontMetrics().elidedText(index.data(NAME), Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRect(left, rect.top() + 6, room, 18), Qt.AlignmentFlag.AlignVCenter, name)
        second_token = "err" if state.icon == "warning" else "text3" if state.excluded else "text2"
        painter.setPen(theme.color(second_token))
        painter.setFont(theme.font(11))
        second = painter.fontMetrics().elidedText(state.second, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(left, rect.top() + 25, room, 15), Qt.AlignmentFlag.AlignVCenter, second)
        if flags & QStyle.StateFlag.State_HasFocus and flags & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        painter.restore()

    def _paint_box(self, painter: QPainter, box: QRect, index: Index) -> None:
        """Paint the box, filled if the variant takes part; the baseline's is grey, since it always does."""
        ticked = is_ticked(index)
        can = bool(index.flags() & Qt.ItemFlag.ItemIsUserCheckable)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill, edge = ("accent", "accent") if ticked else ("raised", "text3")
        if not can:
            fill, edge = ("line2", "line2") if ticked else ("sunken", "line2")
        painter.setPen(QPen(theme.color(edge), 1))
        painter.setBrush(theme.color(fill))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        if ticked:
            painter.drawPixmap(box.left() + 2, box.top() + 2, pixmap("check", "on_accent" if can else "text2", 12))

    def _paint_state(self, painter: QPainter, rect: QRect, state: RowState, selected: bool) -> int:
        """Paint the status at the right end and return its left edge."""
        right = rect.right() - 14
        if state.icon:
            token = "ok" if state.icon == "check" else "err"
            painter.drawPixmap(right - 15, rect.center().y() - 8, pixmap(state.icon, token, 16))
            return right - 16
        if not state.text:
            return right
        painter.setFont(theme.font(11, 600 if state.at_work else 400))
        width = painter.fontMetrics().horizontalAdvance(state.text)
        if state.pill:
            box = QRect(right - width - 14, rect.center().y() - 10, width + 14, 20)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("panel" if selected else "sunken"))
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(theme.color("text2"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, state.text)
            return box.left()
        painter.setPen(theme.color("accent" if state.at_work else "text3"))
        place = QRect(right - width, rect.top(), width, rect.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, state.text)
        return place.left()

    def editorEvent(self, event: QEvent, model, option: QStyleOptionViewItem, index: Index) -> bool:
        """Tick the box on a click or Space."""
        if not index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            return False
        hit = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            rect: QRect = option.rect
            if not box_of(rect).adjusted(-BOX, -8, 6, 8).contains(event.position().toPoint()):
                return False
            if event.type() != QEvent.Type.MouseButtonRelease:
                return True  # a press there neither edits nor drags
            hit = True
        if not hit:
            return False
        assert isinstance(model, QStandardItemModel)
        item = model.itemFromIndex(index)
        item.setCheckState(Qt.CheckState.Unchecked if is_ticked(index) else Qt.CheckState.Checked)
        return True

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setMaxLength(80)
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        editor.setGeometry(rect.adjusted(TEXT - 5, 9, -12, -9))


class VariantsList(QListView):
    """The list; rows can be dragged, except the first and to the first position."""

    moved = Signal(str, int)  # name, place
    preset_dropped = Signal(object, int)  # Path, place

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "rows")
        self.setItemDelegate(VariantDelegate(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDragDropOverwriteMode(False)
        self.setDropIndicatorShown(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def item(self, name: str, checked: bool, free: bool, baseline: bool) -> QStandardItem:
        """Return a row of the model with its allowed actions."""
        item = QStandardItem(name)
        item.setData(name, NAME)
        item.setCheckState(Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if free:
            flags |= Qt.ItemFlag.ItemIsEditable
        if free and not baseline:
            flags |= Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsDragEnabled
        item.setFlags(flags)
        return item

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move a row by Alt and an arrow; at the end of the list the key must not change the selection."""
        arrows = (Qt.Key.Key_Up, Qt.Key.Key_Down)
        if event.key() in arrows and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.accept()
        else:
            super().keyPressEvent(event)

    def place_at(self, position: QPoint) -> int:
        """Return the position of a row dropped there, before it is removed from its own."""
        return max(0, min((position.y() + self.verticalOffset() + ROW // 2) // ROW, self.model().rowCount()))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if preset_in(event) is not None:
            accept_copy(event)
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if preset_in(event) is not None:
            accept_copy(event)
            return
        super().dragMoveEvent(event)
        if self.place_at(event.position().toPoint()) == 0:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Emit the move only: the model is rebuilt from the experiment."""
        preset = preset_in(event)
        if preset is not None:
            accept_copy(event)
            self.preset_dropped.emit(preset, max(1, self.place_at(event.position().toPoint())))
            return
        source, place = self.currentIndex(), self.place_at(event.position().toPoint())
        event.setDropAction(Qt.DropAction.IgnoreAction)  # at a move Qt takes the row away, and selects another
        event.accept()
        self.stopAutoScroll()
        self.setState(QAbstractItemView.State.NoState)
        self.viewport().update()
        if source.isValid() and place > 0:
            self.moved.emit(source.data(NAME), place - 1 if place > source.row() else place)
