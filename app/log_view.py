"""What happened, line by line, with time and level; the only place that shows a traceback.

Lines are appended to a list in the slot; the table learns of them on the session's tick while it is visible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app import event_words
from app.buttons import button
from app.said import said
from app.theme import theme
from app.view import View
from app.widgets import hairline, pixmap, redress, tip
from core import events
from core.results import Results

Index = QModelIndex | QPersistentModelIndex
MOST_LINES = 20_000
LEVELS = ("info", "warning", "error")
LEVEL_ROLE = Qt.ItemDataRole.UserRole
TIME, LEVEL, VARIANT, TEXT = range(4)


@dataclass(frozen=True)
class Line:
    time: str
    level: str
    variant: str
    text: str
    detail: str = ""


class LogModel(QAbstractTableModel):
    """The lines; the oldest go when there are too many."""

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self.lines: list[Line] = []
        self._waiting: list[Line] = []

    def add(self, line: Line) -> None:
        """Cheap: nothing is repainted before `flush`."""
        self._waiting.append(line)

    def clear(self) -> None:
        self.beginResetModel()
        self.lines, self._waiting = [], []
        self.endResetModel()

    def flush(self) -> None:
        """Let the views see what was added."""
        if not self._waiting:
            return
        first = len(self.lines)
        self.beginInsertRows(QModelIndex(), first, first + len(self._waiting) - 1)
        self.lines += self._waiting
        self._waiting = []
        self.endInsertRows()
        surplus = len(self.lines) - MOST_LINES
        if surplus > 0:
            self.beginRemoveRows(QModelIndex(), 0, surplus - 1)
            del self.lines[:surplus]
            self.endRemoveRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line, column = self.lines[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return (line.time, self._level(line.level), line.variant, line.text.replace("\n", " · "))[column]
        if role == Qt.ItemDataRole.DecorationRole and column == LEVEL:
            return pixmap(*event_words.LEVEL_ICONS[line.level], 14)
        if role == Qt.ItemDataRole.ForegroundRole:
            token = {"error": "err", "warning": "warn"}.get(line.level, "text") if column == TEXT else "text2"
            return theme.color(token)
        if role == Qt.ItemDataRole.ToolTipRole and column == TEXT:
            return tip(line.text)
        if role == LEVEL_ROLE:
            return LEVELS.index(line.level)
        return None

    def _level(self, level: str) -> str:
        return {"warning": self.tr("warning"), "error": self.tr("error")}.get(level, self.tr("info"))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Time"), self.tr("Level"), self.tr("Variant"), self.tr("What happened"))[section]
        if role == Qt.ItemDataRole.FontRole:
            return theme.font(11)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None


class LogFilter(QSortFilterProxyModel):
    """Lines of a level or above that contain a text."""

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self._least, self._text = 0, ""

    def set(self, least: int, text: str) -> None:
        self._least, self._text = least, text.casefold()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        model = self.sourceModel()
        assert isinstance(model, LogModel)
        line = model.lines[row]
        if LEVELS.index(line.level) < self._least:
            return False
        return not self._text or self._text in f"{line.variant} {line.text} {line.detail}".casefold()


class LogView(View):
    """Filter, lines, and the detail of the chosen one."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._results: Results | None = None
        self.model = LogModel(self)
        self.filter = LogFilter(self)
        self.filter.setSourceModel(self.model)
        self.level = QComboBox()
        self.level.addItems([self.tr("All events"), self.tr("Warnings and errors"), self.tr("Errors")])
        self.level.setAccessibleName(self.tr("Least level that is shown"))
        self.level.setWhatsThis(self.tr("Shows every event, or only those that are as grave as this."))
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Filter"))
        self.search.setAccessibleName(self.tr("Text that a line must contain"))
        self.search.setWhatsThis(self.tr("Shows only lines with this text, in their details too."))
        self.search.setClearButtonEnabled(True)
        self.copy_button = button(self.tr("Copy log"), "copy")
        self.copy_button.setWhatsThis(self.tr("Copies the lines that are shown, with their details."))
        self.table = QTableView()
        self.table.setModel(self.filter)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setFrameShape(QTableView.Shape.NoFrame)
        self.table.setAccessibleName(self.tr("Log"))
        self.table.setWhatsThis(
            self.tr("A line an event: when, how grave, of which variant. The chosen one shows its details below.")
        )
        self.table.setTabKeyNavigation(False)
        self.table.setStyleSheet("QTableView::item { padding: 0 5px; }")  # as the header's words
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(26)
        self.table.setColumnWidth(TIME, 80)
        self.table.setColumnWidth(LEVEL, 90)
        self.table.setColumnWidth(VARIANT, 150)
        self.table.horizontalHeader().setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setHighlightSections(False)
        self.detail = QPlainTextEdit()
        self.detail.setReadOnly(True)
        self.detail.setFont(theme.font(12, mono=True))
        self.detail.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.detail.setAccessibleName(self.tr("Details of the chosen line"))
        self.detail.setWhatsThis(self.tr("All that is known of the chosen line; a traceback stands only here."))
        self.detail.setMaximumHeight(220)
        self.detail.hide()
        bar = QHBoxLayout()
        bar.setContentsMargins(16, 10, 16, 10)
        bar.setSpacing(8)
        bar.addWidget(self.level)
        bar.addWidget(self.search, 1)
        bar.addWidget(self.copy_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(hairline())
        layout.addWidget(self.table, 1)
        layout.addWidget(self.detail)
        self.level.currentIndexChanged.connect(self._filter)
        self.search.textChanged.connect(self._filter)
        self.copy_button.clicked.connect(self.copy)
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(self.copy)
        self.table.selectionModel().currentRowChanged.connect(self._show_detail)
        session.event_received.connect(self._on_event)
        session.run_started.connect(self._on_results)
        session.results_changed.connect(self._on_results)
        session.notice.connect(self._on_notice)
        theme.changed.connect(self._recolour)

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        line = event_words.line(event)
        if line is not None:
            detail = event.detail if isinstance(event, events.Failed) else ""
            time = event_words.clock(self.session.results, event.t_ns)
            self.model.add(Line(time, line[0], event.variant or "", line[1], detail))
            self._dirty = True

    @Slot(str, str)
    def _on_notice(self, level: str, text: str) -> None:
        self.model.add(Line("", level if level in LEVELS else "info", "", said(text)))
        self._dirty = True

    @Slot()
    def _on_results(self) -> None:
        """Another run: what its results remember of its events."""
        if self.session.results is self._results:
            return
        self._results = self.session.results
        self.model.clear()
        if self._results is None or self.session.running:
            return
        known: list[events.Event] = [*self._results.log]
        for state in self._results.variants.values():
            for event in (state.hello, state.loaded, state.warm, *(t.done for t in state.trials)):
                if event is not None:
                    known.append(event)
        for event in (self._results.started, self._results.finished):
            if event is not None:
                known.append(event)
        for event in sorted(known, key=lambda e: e.t_ns):
            self._on_event(event)

    # -- drawing ------------------------------------------------------------------------------------------
    def _draw(self) -> None:
        """Show what was added; the newest line stays in sight where it was in sight before."""
        bar = self.table.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        self.model.flush()
        if at_end:
            self.table.scrollToBottom()

    @Slot()
    def _filter(self) -> None:
        self.filter.set(self.level.currentIndex(), self.search.text())

    @Slot()
    def _show_detail(self) -> None:
        index = self.filter.mapToSource(self.table.currentIndex())
        line = self.model.lines[index.row()] if index.isValid() else None
        text = "\n\n".join(filter(None, [line.text, line.detail])) if line is not None else ""
        self.detail.setPlainText(text)
        self.detail.setVisible(bool(line is not None and (line.detail or "\n" in line.text)))

    @Slot()
    def copy(self) -> None:
        """The lines that are shown, with their details, as text."""
        lines = []
        for row in range(self.filter.rowCount()):
            line = self.model.lines[self.filter.mapToSource(self.filter.index(row, 0)).row()]
            lines.append("\t".join((line.time, line.level, line.variant, line.text)))
            if line.detail:
                lines.append(line.detail)
        QGuiApplication.clipboard().setText("\n".join(lines))

    @Slot()
    def _recolour(self) -> None:
        redress(self)
        self.table.viewport().update()
