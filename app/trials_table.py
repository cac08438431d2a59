"""The trials behind a comparison, a line each: rounds, figures, flags, and whether it counts in what is shown. Knows
trials and `Looking`; deletes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.arranged import LINE_ROLE, Arranged, Index
from app.cells import paint_ground, paint_line_below
from app.columns import is_bytes
from app.looking import Looking
from app.said import said
from app.tables import dress, titled
from app.theme import theme
from app.widgets import paint_badge, tip
from core import export, words
from core.metrics import MEANING
from core.results import Results
from core.trials import Trial

COUNTS, VARIANT, ROUND = range(3)
KEYS = (
    "status", "decode_tok_s", "ttft_ms", "itl_ms_p50", "e2e_ms", "aggregate_tok_s", "prefill_tok_s", "new_tokens",
    "kv_bytes", "j_per_token", "flags",
)  # fmt: skip
FLAGS = 3 + KEYS.index("flags")
WIDTHS = {COUNTS: 96, VARIANT: 200, ROUND: 70, FLAGS: 260}
LINE_HEIGHT = 30
SLICE_S = 0.008  # of one turn of the event loop: figures of thousands of trials take a second


@dataclass
class TrialLine:
    """`cells` are the columns of trials.csv, worked out when there is time; `run` marks the experiment."""

    results: Results
    trial: Trial
    index: int
    run: str = ""
    counts: bool = True
    cells: dict[str, Any] = field(default_factory=dict)
    place: int = 0  # among the lines as they were given

    @property
    def key(self) -> tuple[str, int]:
        return self.trial.variant, self.trial.round


class TrialsModel(Arranged[TrialLine]):
    """Lines of one experiment or several, in the order of variants and rounds."""

    toggled = Signal(object, bool)  # TrialLine, whether it is to count

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self._small = theme.font(11)
        self._cells: dict[int, dict[str, Any]] = {}  # by the trial: what was worked out once
        self._trials: dict[int, Trial] = {}  # so that no other trial gets the number of one that has gone

    def show(self, lines: Iterable[TrialLine]) -> None:
        found = list(lines)
        self._trials = {id(x.trial): x.trial for x in found}
        self._cells = {number: cells for number, cells in self._cells.items() if number in self._trials}
        for place, line in enumerate(found):
            line.place, line.cells = place, self._cells.get(id(line.trial), {})
        self.set_lines(found)

    def work(self, seconds: float) -> bool:
        """Work out figures for so long; True while there are more."""
        end = time.monotonic() + seconds
        for line in self.lines:
            if not line.cells:
                line.cells = self._cells[id(line.trial)] = export.trial_row(line.results.run_id, line.trial)
                if time.monotonic() > end:
                    return True
        return False

    def settle(self) -> None:
        """All figures are there: put the lines into their order by them."""
        self.arrange()
        if self.shown:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.shown) - 1, self.columnCount() - 1))

    # -- order and filter --------------------------------------------------------------------------------
    def identity(self, line: TrialLine) -> tuple[str, str, int]:
        return line.run, *line.key

    def key(self, line: TrialLine, column: int) -> Any:
        if column == COUNTS:
            return int(line.counts)
        if column == VARIANT:
            return line.place
        if column == ROUND:
            return line.trial.round
        return line.cells.get(KEYS[column - 3]) or None

    def words(self, line: TrialLine) -> Iterable[str]:
        return line.trial.variant, self._status(line), self._text(line, FLAGS), line.run

    # -- cells -------------------------------------------------------------------------------------------
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 3 + len(KEYS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        base = super().flags(index)
        return base | Qt.ItemFlag.ItemIsUserCheckable if index.column() == COUNTS else base

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line, column = self.line(index), index.column()
        if role == LINE_ROLE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(line, column)
        if role == Qt.ItemDataRole.CheckStateRole and column == COUNTS:
            return Qt.CheckState.Checked if line.counts else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole and column in (VARIANT, FLAGS):
            return tip(self._text(line, column))
        if role == Qt.ItemDataRole.AccessibleTextRole and column == COUNTS:
            return self.tr("counts") if line.counts else self.tr("left out")
        if role == Qt.ItemDataRole.TextAlignmentRole and (column == ROUND or self._figure(column)):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != COUNTS:
            return False
        self.toggled.emit(self.line(index), Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def _figure(self, column: int) -> bool:
        return column > ROUND and KEYS[column - 3] not in ("status", "flags")

    def _status(self, line: TrialLine) -> str:
        return said(line.trial.fault) or (self.tr("finished") if line.trial.ok else self.tr("failed"))

    def _text(self, line: TrialLine, column: int) -> str:
        if column == COUNTS:
            return "" if line.counts else self.tr("left out")
        if column == VARIANT:
            return f"{line.run} · {line.trial.variant}" if line.run else line.trial.variant
        if column == ROUND:
            return str(line.trial.round + 1)
        key = KEYS[column - 3]
        if key == "status":
            return self._status(line)
        if key == "flags":
            return said("; ".join(line.trial.done.flags))
        found = line.cells.get(key)
        if is_bytes(key):
            return words.size(found)
        return words.whole(found) if isinstance(found, int) else words.number(found)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        meaning = MEANING[KEYS[section - 3]] if section > ROUND else None
        if role == Qt.ItemDataRole.DisplayRole:
            if section <= ROUND:
                return (self.tr("Counts"), self.tr("Variant"), self.tr("Round"))[section]
            return {
                "status": self.tr("Status"),
                "decode_tok_s": self.tr("decode tok/s"),
                "ttft_ms": self.tr("TTFT ms"),
                "itl_ms_p50": self.tr("ITL ms"),
                "e2e_ms": self.tr("End to end ms"),
                "aggregate_tok_s": self.tr("aggregate tok/s"),
                "prefill_tok_s": self.tr("prefill tok/s"),
                "new_tokens": self.tr("New tokens"),
                "kv_bytes": self.tr("KV cache"),
                "j_per_token": self.tr("J per token"),
                "flags": self.tr("Flags"),
            }[KEYS[section - 3]]
        if role == Qt.ItemDataRole.FontRole:
            return self._small
        if role == Qt.ItemDataRole.ToolTipRole:
            if meaning is not None:
                return said(f"{meaning.title}\n{meaning.formula}")
            return self.tr("Whether it is in the figures that are shown; nothing is deleted") if not section else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = section == ROUND or self._figure(section)
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None


class TrialDelegate(QStyledItemDelegate):
    """A small badge before the name; what does not count is dimmed and struck out."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: TrialLine = index.data(LINE_ROLE)
        if index.column() == COUNTS:
            super().paint(painter, option, index)
            paint_line_below(painter, QRectF(option.rect))
            return
        rect = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setClipRect(option.rect)
        paint_ground(painter, rect, False, selected)
        area = rect.adjusted(8, 0, -8, 0)
        if index.column() == VARIANT:
            paint_badge(painter, QRectF(rect.left() + 8, rect.center().y() - 9, 18, 18), line.index)
            area = rect.adjusted(34, 0, -8, 0)
        font = theme.font(13)
        font.setStrikeOut(not line.counts)
        painter.setFont(font)
        painter.setPen(theme.color("text" if line.counts else "text3"))
        side = index.data(Qt.ItemDataRole.TextAlignmentRole) or int(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        text = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, int(area.width()))
        painter.drawText(area, int(side), text)
        paint_line_below(painter, rect)
        painter.restore()


class TrialsTable(QWidget):
    """The table, and what can be done with its lines: Space, the box or the menu leaves a trial out."""

    def __init__(self, looking: Looking, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._looking = looking
        self.model = TrialsModel(self)
        self.table = _Keys(self)
        self.table.setModel(self.model)
        self.table.setItemDelegate(TrialDelegate(self.table))
        dress(self.table, self.tr("Trials"))
        self.table.setWhatsThis(
            self.tr("A row a trial, with its flags. One that is left out here is left out of the figures shown.")
        )
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.table.verticalHeader().setDefaultSectionSize(LINE_HEIGHT)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        for column in range(self.model.columnCount()):
            self.table.setColumnWidth(column, WIDTHS.get(column) or titled(self.model, column))
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(VARIANT, Qt.SortOrder.AscendingOrder)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        self._work = QTimer(self, interval=0)
        self._work.timeout.connect(self._go_on)
        self.model.toggled.connect(self._toggled)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.table.pressed_space.connect(self._switch)

    def show_lines(self, lines: Iterable[TrialLine]) -> None:
        self.model.show(lines)
        self._work.start()

    @property
    def working(self) -> bool:
        """Whether figures are being worked out."""
        return self._work.isActive()

    @Slot()
    def _go_on(self) -> None:
        if not self.model.work(SLICE_S):
            self._work.stop()
            self.model.settle()

    @Slot(object, bool)
    def _toggled(self, line: TrialLine, counts: bool) -> None:
        self._looking.leave_out(line.results, line.key, not counts)

    def copied(self) -> list[dict[str, Any]]:
        """The lines as they are seen, with the columns of trials.csv."""
        self.model.work(float("inf"))
        return [line.cells for line in self.model.shown]

    def chosen(self) -> list[TrialLine]:
        rows = sorted(i.row() for i in self.table.selectionModel().selectedRows())
        return [self.model.shown[row] for row in rows]

    @Slot()
    def _switch(self) -> None:
        """Leave the chosen trials out; take them back in where none of them counts."""
        chosen = self.chosen()
        out = any(line.counts for line in chosen)
        for line in chosen:
            self._looking.leave_out(line.results, line.key, out)

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        chosen = self.chosen()
        if not chosen:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = self.tr("Leave out of the figures") if any(x.counts for x in chosen) else self.tr("Count in the figures")
        menu.addAction(text).triggered.connect(self._switch)
        menu.popup(self.table.viewport().mapToGlobal(at))


class _Keys(QTableView):
    """Space speaks of all chosen lines, not of one box."""

    pressed_space = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.pressed_space.emit()
            return
        super().keyPressEvent(event)


def lines_of(results: Results, looking: Looking, index_of: Callable[[str], int], run: str = "") -> list[TrialLine]:
    """Every trial of an experiment, variant by variant."""
    out = looking.left_out(results)
    return [
        TrialLine(results, trial, index_of(name), run, (name, trial.round) not in out)
        for name, state in results.variants.items()
        for trial in state.trials
    ]
