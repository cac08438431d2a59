"""The lines of the log: events of a run, and notices of the window. They are kept from the start, although the view is
made later."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot

from app.base.core_text import said
from app.base.theme import theme
from app.session.session import Session
from app.text import event_text
from app.widgets.basics import pixmap, tip
from core.protocol import events
from core.results.results import Results

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
    """The lines; the oldest are removed beyond a limit."""

    added = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._results: Results | None = None  # the results whose events are shown
        self.lines: list[Line] = []
        self._waiting: deque[Line] = deque(maxlen=MOST_LINES)  # until somebody looks
        session.event_received.connect(self._on_event)
        session.run_started.connect(self._on_results)
        session.results_changed.connect(self._on_results)
        session.notice.connect(self._on_notice)
        self._on_results()

    def add(self, line: Line) -> None:
        """Add a line; views see it after `flush`."""
        self._waiting.append(line)
        self.added.emit()

    def clear(self) -> None:
        self.beginResetModel()
        self.lines = []
        self._waiting.clear()
        self.endResetModel()

    def flush(self) -> None:
        """Let the views see the added lines."""
        if not self._waiting:
            return
        first = len(self.lines)
        self.beginInsertRows(QModelIndex(), first, first + len(self._waiting) - 1)
        self.lines += self._waiting
        self._waiting.clear()
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
            return pixmap(*event_text.LEVEL_ICONS[line.level], 14)
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

    # -- what is told ---------------------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        line = event_text.line(event)
        if line is not None:
            detail = event.detail if isinstance(event, events.Failed) else ""
            time = event_text.clock(self._session.results, event.t_ns)
            self.add(Line(time, line[0], event.variant or "", line[1], detail))

    @Slot(str, str)
    def _on_notice(self, level: str, text: str) -> None:
        self.add(Line("", level if level in LEVELS else "info", "", said(text)))

    @Slot()
    def _on_results(self) -> None:
        """Show the remembered events of another run's results."""
        if self._session.results is self._results:
            return
        self._results = self._session.results
        self.clear()
        if self._results is None or self._session.running:
            return
        for event in event_text.remembered(self._results):
            self._on_event(event)
