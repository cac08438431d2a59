"""Two answers side by side: the common beginning is dimmed, the first different word is marked. Beside them are the
prompts by how early answers diverge, and those of the suite."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QKeySequence, QPainter, QResizeEvent, QShortcut, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.base.theme import theme
from app.quality.answers_data import AnswerEntry, parting
from app.text.phrases import named
from app.widgets.basics import Badge, Elided, caption, hairline, pixmap, tip
from app.widgets.buttons import button
from app.widgets.table_cells import two_lines
from core.base import formatting

Index = QModelIndex | QPersistentModelIndex
ENTRY_ROLE = Qt.ItemDataRole.UserRole
ROW, HEADING = 44, 30
ROOMY = 200  # height from which on there is room for the prompt above the answers


class Entries(QAbstractListModel):
    """The list of prompts under unselectable headings."""

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self.entries: list[AnswerEntry] = []

    def set(self, entries: list[AnswerEntry]) -> bool:
        """Show entries; return whether anything changed."""
        if entries == self.entries:
            return False
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()
        return True

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else len(self.entries)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.NoItemFlags if self.entries[index.row()].is_heading else super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.entries[index.row()]
        if role == ENTRY_ROLE:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.listed or entry.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            said = ", ".join(filter(None, [entry.title, entry.note]))
            whole = role == Qt.ItemDataRole.ToolTipRole and bool(entry.prompt)
            return tip(f"{said}\n\n{entry.prompt}") if whole else said
        return None


class EntryDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, HEADING if index.data(ENTRY_ROLE).is_heading else ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: AnswerEntry = index.data(ENTRY_ROLE)
        rect = QRectF(option.rect)
        painter.save()
        painter.setClipRect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("accsoft"))
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if entry.is_heading:
            painter.setFont(theme.font(11, 600))
            painter.setPen(theme.color("text2"))
            painter.drawText(rect.adjusted(16, 4, -4, 0), Qt.AlignmentFlag.AlignVCenter, entry.title)
        else:
            icon, token = entry.look
            if icon:
                painter.drawPixmap(int(rect.right() - 22), int(rect.center().y() - 7), pixmap(icon, token, 14))
            two_lines(painter, rect.adjusted(16, 0, -28, 0), index.data(), entry.note, "text", 500)
        painter.restore()


class AnswersPane(QWidget):
    """The list on the left, the baseline's and the variant's answer beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = Entries(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(EntryDelegate(self.list))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setAccessibleName(self.tr("Prompts, by how early the answers part"))
        self.list.setWhatsThis(
            self.tr("The prompts, by how early the answers part; then those of the suite, by what flipped.")
        )
        self.list.setFixedWidth(216)
        self.title = Elided("", 12, 600)
        self.margins = caption("")
        self.prompt = Elided("", 12, role="secondary", cut=Qt.TextElideMode.ElideRight)
        self.badges = (Badge(0, 18), Badge(1, 18))
        self.names = (Elided("", 12, 500), Elided("", 12, 500))
        self.counts = (caption(""), caption(""))
        self.texts = (QTextEdit(), QTextEdit())
        self._build()
        self.list.selectionModel().currentChanged.connect(self._chosen)
        theme.changed.connect(self._show)

    def _build(self) -> None:
        previous = button(self.tr("Previous"), look="flat", hint="[")
        following = button(self.tr("Next"), look="flat", hint="]")
        previous.setWhatsThis(self.tr("Shows the answers to the prompt before in the list."))
        following.setWhatsThis(self.tr("Shows the answers to the next prompt of the list."))
        previous.clicked.connect(self.previous)
        following.clicked.connect(self.next)
        for key, does in (("[", self.previous), ("]", self.next)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(does)
        head = QHBoxLayout()
        head.setContentsMargins(16, 6, 12, 6)
        head.addWidget(self.title, 1)
        head.addWidget(self.margins)
        head.addSpacing(8)
        head.addWidget(previous)
        head.addWidget(following)
        panes = QHBoxLayout()
        panes.setSpacing(0)
        for side, text in enumerate(self.texts):
            text.setReadOnly(True)
            text.setFont(theme.font(12, mono=True))
            text.setFrameShape(QTextEdit.Shape.NoFrame)
            text.setMinimumHeight(48)
            text.setAccessibleName((self.tr("Answer of the baseline"), self.tr("Answer of the variant"))[side])
            text.setWhatsThis(
                (
                    self.tr("What the baseline answered; pale as far as both agree."),
                    self.tr("What the variant answered; the word is marked in which it parts from the baseline."),
                )[side]
            )
            line = QHBoxLayout()
            line.setSpacing(8)
            line.addWidget(self.badges[side])
            line.addWidget(self.names[side], 1)
            line.addWidget(self.counts[side])
            column = QVBoxLayout()
            column.setContentsMargins(16, 8, 16, 4)
            column.setSpacing(4)
            column.addLayout(line)
            column.addWidget(text, 1)
            if side:
                panes.addWidget(hairline(vertical=True))
            panes.addLayout(column, 1)
        bars = [text.verticalScrollBar() for text in self.texts]
        bars[0].valueChanged.connect(bars[1].setValue)
        bars[1].valueChanged.connect(bars[0].setValue)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addLayout(head)
        self.prompt.setContentsMargins(16, 0, 12, 8)
        right.addWidget(self.prompt)
        right.addWidget(hairline())
        right.addLayout(panes, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.list)
        layout.addWidget(hairline(vertical=True))
        layout.addLayout(right, 1)

    def show_entries(self, entries: list[AnswerEntry], names: tuple[str, str], indices: tuple[int, int]) -> None:
        """Show the answers of two variants; the selection stays if it can."""
        for side in (0, 1):
            self.badges[side].set_index(indices[side])
            self.names[side].setText(names[side])
        place = self.list.currentIndex().row()
        if self.model.set(entries):
            self._choose(place if 0 < place < len(entries) else 0, 1)
        self._show()

    def _choose(self, place: int, step: int) -> None:
        """Select the first entry from a position on, in one direction, that is no heading."""
        entries = self.model.entries
        while 0 <= place < len(entries):
            if not entries[place].is_heading:
                flags = QItemSelectionModel.SelectionFlag
                self.list.selectionModel().setCurrentIndex(self.model.index(place), flags.ClearAndSelect)
                return
            place += step

    @Slot()
    def previous(self) -> None:
        self._choose(self.list.currentIndex().row() - 1, -1)

    @Slot()
    def next(self) -> None:
        self._choose(self.list.currentIndex().row() + 1, 1)

    @Slot(QModelIndex, QModelIndex)
    def _chosen(self, _current: QModelIndex, _before: QModelIndex) -> None:
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.prompt.setVisible(bool(self.prompt.text()) and self.height() >= ROOMY)

    @Slot()
    def _show(self) -> None:
        index = self.list.currentIndex()
        entry: AnswerEntry | None = index.data(ENTRY_ROLE) if index.isValid() else None
        if entry is None or entry.base is None or entry.mine is None:
            return
        self.title.setText(named(entry.title, entry.note))
        self.prompt.setText(" ".join(entry.prompt.split()))
        self.prompt.setVisible(bool(entry.prompt) and self.height() >= ROOMY)
        self.margins.setText(self._margin_words(entry))
        at, *ends = parting(entry.base.text, entry.mine.text)
        for side, answer in enumerate((entry.base, entry.mine)):
            self.counts[side].setText(self.tr("{n} tokens").format(n=len(answer.token_ids)))
            write_parted(self.texts[side], answer.text, at, ends[side])
            self.texts[side].moveCursor(QTextCursor.MoveOperation.Start)

    def _margin_words(self, entry: AnswerEntry) -> str:
        """Return how certain both variants were of the token at which they diverge."""
        assert entry.base is not None
        assert entry.mine is not None
        if entry.where is None:
            return ""
        at = [a.margins[entry.where] if entry.where < len(a.margins) else None for a in (entry.base, entry.mine)]
        if None in at:
            return ""
        return self.tr("logit margin there: {base} and {mine}").format(
            base=formatting.number(at[0], 2), mine=formatting.number(at[1], 2)
        )


def write_parted(pane: QTextEdit, text: str, at: int, end: int) -> None:
    """Write a text with the common part dimmed and a word marked; the cursor is at the end."""
    pane.clear()
    cursor = pane.textCursor()
    for part, ink, ground in (
        (text[:at], "text3", None), (text[at:end], "warn", "warnbg"), (text[end:], "text", None),
    ):  # fmt: skip
        look = QTextCharFormat()
        look.setFont(theme.font(12, mono=True))
        look.setForeground(theme.color(ink))
        if ground:
            look.setBackground(theme.color(ground))
        cursor.insertText(part, look)
