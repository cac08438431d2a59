"""The list of variants: badge, name, what differs from A, state. Knows how a row is painted and in what words."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.recipe_words import difference
from app.session import Session
from app.theme import theme
from app.widgets import paint_badge, pixmap
from core import words
from core.results import VariantState

ROW = 48
NAME, INDEX, SECOND, STATE, ICON, PILL = (int(Qt.ItemDataRole.UserRole) + i for i in range(6))
Index = QModelIndex | QPersistentModelIndex


def state_of(session: Session, name: str, tr) -> tuple[str, str, str]:
    """(right-hand text, icon, second line) of a variant; `tr` translates."""
    assert session.experiment is not None
    variant = session.variant(name)
    second = difference(variant, session.experiment.baseline) if variant else ""
    baseline = session.experiment.baseline.name == name
    results = session.results
    state = results.variants.get(name) if results else None
    if results is None or state is None or not session.is_measured(name):
        if state is not None and state.trials:
            return tr("edited"), "", second
        return (tr("baseline") if baseline else ""), "", second
    if state.failed is not None and state.failed.kind != "cancelled":
        cause = words.STATUS.get(results.status_of(state), "failed")
        return "", "warning", f"{cause}: {state.failed.message}"
    planned = session.experiment.workload.trials
    if session.running and results.current == name:
        return _present(state, second, session.experiment.workload.new_tokens, tr)
    if session.running:
        if state.trials:
            return tr("{done} of {all}").format(done=len(state.trials), all=planned), "", second
        return (tr("ready") if state.warm or state.loaded else tr("queued")), "", second
    if len(state.trials) >= planned or results.status_of(state) == "ok":
        return (tr("baseline") if baseline else ""), "" if baseline else "check", second
    return tr("{done} of {all}").format(done=len(state.trials), all=planned), "", second


def _present(state: VariantState, second: str, new_tokens: int, tr) -> tuple[str, str, str]:
    match state.phase:
        case "trial":
            return f"{min(99, 100 * state.tokens // max(1, new_tokens))} %", "", second
        case "warmup":
            return tr("warm-up"), "", tr("warm-up · not counted")
        case "load" | "transform" | "convert" | "start":
            word = {"transform": tr("transforming"), "convert": tr("converting")}.get(state.phase, tr("loading"))
            bar = state.progress
            if bar is not None and bar.total and bar.unit in ("B", "bytes"):
                return word, "", f"{words.size(int(bar.done))} / {words.size(int(bar.total))}"
            return word, "", (bar.detail if bar is not None and bar.detail else second)
    return tr("queued"), "", second


class VariantDelegate(QStyledItemDelegate):
    """Paints a row of 48 px, and lets the name be edited in place."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        flags: QStyle.StateFlag = option.state
        selected = bool(flags & QStyle.StateFlag.State_Selected)
        painter.save()
        if selected:
            painter.fillRect(rect, theme.color("accsoft"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        badge = QRectF(rect.left() + 12, rect.top() + 14, 20, 20)
        paint_badge(painter, badge, index.data(INDEX) or 0)
        right = self._paint_state(painter, rect, index, selected)
        left = rect.left() + 43
        room = right - left - 8
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font(13, 500))
        name = painter.fontMetrics().elidedText(index.data(NAME), Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRect(left, rect.top() + 6, room, 18), Qt.AlignmentFlag.AlignVCenter, name)
        painter.setPen(theme.color("err" if index.data(ICON) == "warning" else "text2"))
        painter.setFont(theme.font(11))
        second = painter.fontMetrics().elidedText(index.data(SECOND), Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(left, rect.top() + 25, room, 15), Qt.AlignmentFlag.AlignVCenter, second)
        if flags & QStyle.StateFlag.State_HasFocus and flags & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        painter.restore()

    def _paint_state(self, painter: QPainter, rect: QRect, index: Index, selected: bool) -> int:
        """The state at the right end; returns where it begins."""
        right = rect.right() - 14
        icon = index.data(ICON)
        if icon:
            token = {"check": "ok", "warning": "err"}[icon]
            painter.drawPixmap(right - 15, rect.center().y() - 8, pixmap(icon, token, 16))
            return right - 16
        text = index.data(STATE)
        if not text:
            return right
        painter.setFont(theme.font(11, 600 if text.endswith("%") else 400))
        width = painter.fontMetrics().horizontalAdvance(text)
        if index.data(PILL):  # "baseline": a pill
            box = QRect(right - width - 14, rect.center().y() - 10, width + 14, 20)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("panel" if selected else "sunken"))
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(theme.color("text2"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            return box.left()
        painter.setPen(theme.color("accent" if text.endswith("%") else "text3"))
        place = QRect(right - width, rect.top(), width, rect.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
        return place.left()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setMaxLength(80)
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        editor.setGeometry(rect.adjusted(38, 9, -12, -9))
