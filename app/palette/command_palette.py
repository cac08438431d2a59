"""The command palette: an input line, and the matching commands below it, the best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QLineEdit, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.base.theme import theme
from app.widgets.basics import icon, label
from app.widgets.dropdown_field import Panel

Index = QModelIndex | QPersistentModelIndex
WIDTH, ROW, SHOWN = 620, 34, 11
COMMAND_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Command:
    """One command. `place` says where it is found without the palette, `reason` why it is disabled; `also` are hidden
    search words: its name in the code, which is English in every language."""

    title: str
    place: str
    do: Callable[[], object]
    key: str = ""
    reason: str = ""
    also: str = ""


def match(wanted: str, text: str) -> float | None:
    """Return how well a text fits the input; None if a word is missing. Each word must occur, best at the beginning of
    a word, or consist of beginnings of words in order, as "rl" and "relay" for Reset layout. Scattered letters do not
    count. The words may come in any order."""
    total = 0.0
    for word in wanted.casefold().split():
        score = _word(word, text.casefold())
        if score is None:
            return None
        total += score
    return total - len(text) / 1000  # the shorter of two equal matches


def _word(word: str, text: str) -> float | None:
    begins = [i for i, letter in enumerate(text) if letter.isalnum() and (i == 0 or not text[i - 1].isalnum())]
    at = next((i for i in begins if text.startswith(word, i)), -1)
    if at >= 0:
        return 4.0 * len(word) + (6.0 if at == 0 else 3.0)
    if word in text and (len(word) > 2 or not word.isascii()):  # a sign of Chinese says as much as a word
        return 4.0 * len(word)
    return 1.5 * len(word) if _of_beginnings(word, [text[i:] for i in begins]) else None


def _of_beginnings(word: str, parts: list[str]) -> bool:
    """Return whether the word consists of beginnings of some of the parts, in order."""
    if not word:
        return True
    for place, part in enumerate(parts):
        shared = next(
            (i for i, (x, y) in enumerate(zip(word, part, strict=False)) if x != y), min(len(word), len(part))
        )
        if any(_of_beginnings(word[taken:], parts[place + 1 :]) for taken in range(shared, 0, -1)):
            return True
    return False


def ranked(commands: Sequence[Command], wanted: str) -> list[Command]:
    """Return the matching commands, the best first; all in their order for an empty input."""
    if not wanted.strip():
        return list(commands)
    found = []
    for place, command in enumerate(commands):
        by_title = match(wanted, command.title)
        score = by_title if by_title is not None else match(wanted, f"{command.place} {command.title} {command.also}")
        if score is not None:
            whole = score + (2.0 if by_title is not None else 0.0) - (1.0 if command.reason else 0.0)
            found.append((-whole, place, command))
    return [command for _, _, command in sorted(found, key=lambda f: f[:2])]


class Commands(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.commands: list[Command] = []

    def set(self, commands: list[Command]) -> None:
        self.beginResetModel()
        self.commands = commands
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else len(self.commands)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        command = self.commands[index.row()]
        if role == COMMAND_ROLE:
            return command
        if role == Qt.ItemDataRole.DisplayRole:
            return command.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, [command.title, command.place, command.key, command.reason]))
        return None


class CommandDelegate(QStyledItemDelegate):
    """Paints title, place or the reason for being disabled, and the key at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        command: Command = index.data(COMMAND_ROLE)
        rect: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("accsoft"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        room = rect.adjusted(14, 0, -14, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font(11))
        if command.key:
            painter.setPen(theme.color("text3" if command.reason else "text2"))
            painter.drawText(room, int(middle | Qt.AlignmentFlag.AlignRight), command.key)
            room.setRight(room.right() - painter.fontMetrics().horizontalAdvance(command.key) - 16)
        painter.setFont(theme.font(13, 500))
        painter.setPen(theme.color("text3" if command.reason else "text"))
        title = painter.fontMetrics().elidedText(command.title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(middle), title)
        room.setLeft(room.left() + painter.fontMetrics().horizontalAdvance(title) + 10)
        painter.setFont(theme.font(11))
        painter.setPen(theme.color("text3"))
        second = painter.fontMetrics().elidedText(
            command.reason or command.place, Qt.TextElideMode.ElideRight, max(0, room.width())
        )
        painter.drawText(room, int(middle), second)
        painter.restore()


class Palette(Panel):
    """Opens over the upper part of a window; Enter runs the selected command, Esc closes."""

    def __init__(self, window: QWidget, commands: Callable[[], list[Command]]) -> None:
        super().__init__(WIDTH, window)
        self._over, self._commands = window, commands
        self._all: list[Command] = []
        self._chosen: Command | None = None
        self.column.setContentsMargins(8, 8, 8, 8)
        self.column.setSpacing(6)
        self.line = QLineEdit()
        self.line.setFont(theme.font(15))
        self.line.setMinimumHeight(36)
        self.line.setPlaceholderText(self.tr("Find a command, a variant, a setting, a word"))
        self.line.setAccessibleName(self.tr("Find a command"))
        self.line.addAction(icon("search", "text3"), QLineEdit.ActionPosition.LeadingPosition)
        self.model = Commands(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(CommandDelegate(self.list))
        self.list.setProperty("look", "rows")
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(self.tr("Commands"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrows reach it from the line
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.none = label(self.tr("Nothing fits these letters."), 13, role="secondary")
        self.none.setContentsMargins(14, 6, 14, 8)
        self.column.addWidget(self.line)
        self.column.addWidget(self.list)
        self.column.addWidget(self.none)
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._find)
        self.list.clicked.connect(self._run_at)

    @Slot()
    def open(self) -> None:
        """Open it empty, with all present commands."""
        self._all = self._commands()
        self.line.clear()
        self._find("")
        top = self._over.mapToGlobal(QPoint((self._over.width() - self.width()) // 2, 72))
        self.move(top)
        self.show()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot(str)
    def _find(self, wanted: str) -> None:
        self.model.set(ranked(self._all, wanted))
        rows = self.model.rowCount()
        self.list.setVisible(rows > 0)
        self.none.setVisible(rows == 0)
        self.list.setFixedHeight(ROW * min(rows, SHOWN) + 2)
        self.adjustSize()
        if rows:
            self.list.setCurrentIndex(self.model.index(0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        step = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Tab: 1,
            Qt.Key.Key_Backtab: -1,
            Qt.Key.Key_PageUp: -SHOWN,
            Qt.Key.Key_PageDown: SHOWN,
        }.get(Qt.Key(event.key()))
        if step is not None:
            row = max(0, min(self.list.currentIndex().row() + step, self.model.rowCount() - 1))
            self.list.setCurrentIndex(self.model.index(row))
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run_at(self.list.currentIndex())
            return True
        return False

    @Slot(QModelIndex)
    def _run_at(self, index: QModelIndex) -> None:
        command = index.data(COMMAND_ROLE) if index.isValid() else None
        if command is None or command.reason:
            return  # a disabled command shows its reason
        self._chosen = command
        self.close()
        QTimer.singleShot(0, self._run)  # once the window has the keyboard again

    @Slot()
    def _run(self) -> None:
        command, self._chosen = self._chosen, None
        if command is not None:
            command.do()
