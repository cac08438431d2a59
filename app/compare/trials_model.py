"""The trials of a comparison as table rows: round, figures, flags, and whether each counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from PySide6.QtCore import QModelIndex, Qt, Signal

from app.base.core_text import said
from app.base.theme import theme
from app.compare.columns import is_bytes
from app.compare.compare_options import CompareOptions
from app.widgets.basics import tip
from app.widgets.sortable_model import LINE_ROLE, Arranged, Index
from core.base import formatting
from core.report import table_export
from core.results.results import Results
from core.results.trials import Trial
from core.wording.column_meanings import MEANING

COUNTS, VARIANT, ROUND = range(3)
KEYS = (
    "status", "decode_tok_s", "ttft_ms", "itl_ms_p50", "e2e_ms", "aggregate_tok_s", "prefill_tok_s", "new_tokens",
    "kv_bytes", "j_per_token", "flags",
)  # fmt: skip
FLAGS = 3 + KEYS.index("flags")


@dataclass
class TrialLine:
    """One trial. `cells` are the columns of trials.csv, computed when idle; `run` labels its run."""

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
    """The trials of one run or several, by variant and round."""

    column_keys: ClassVar[tuple[str, ...]] = tuple(KEYS)
    toggled = Signal(object, bool)  # TrialLine, whether it is to count

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self._small = theme.font(11)
        self._cells: dict[int, dict[str, Any]] = {}  # computed cells by trial
        self._trials: dict[int, Trial] = {}  # so that no other trial gets the number of one that has gone

    def show(self, lines: Iterable[TrialLine]) -> None:
        found = list(lines)
        self._trials = {id(x.trial): x.trial for x in found}
        self._cells = {number: cells for number, cells in self._cells.items() if number in self._trials}
        for place, line in enumerate(found):
            line.place, line.cells = place, self._cells.get(id(line.trial), {})
        self.set_lines(found)

    def work(self, seconds: float) -> bool:
        """Compute cells for so many seconds; return whether more remain."""
        end = time.monotonic() + seconds
        for line in self.lines:
            if not line.cells:
                line.cells = self._cells[id(line.trial)] = table_export.trial_row(line.results, line.trial)
                if time.monotonic() > end:
                    return True
        return False

    def settle(self) -> None:
        """Sort by the cells, once all are computed."""
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
            return str(line.results.round_number(line.trial.round) or "—")
        key = KEYS[column - 3]
        if key == "status":
            return self._status(line)
        if key == "flags":
            return said("; ".join(line.trial.done.flags))
        found = line.cells.get(key)
        if is_bytes(key):
            return formatting.size(found)
        return formatting.whole(found) if isinstance(found, int) else formatting.number(found)

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
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.sorted_words(section)
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


def lines_of(
    results: Results, looking: CompareOptions, index_of: Callable[[str], int], run: str = ""
) -> list[TrialLine]:
    """Return every trial of a run, by variant."""
    out = looking.left_out(results)
    return [
        TrialLine(results, trial, index_of(name), run, (name, trial.round) not in out)
        for name, state in results.variants.items()
        for trial in state.trials
    ]
