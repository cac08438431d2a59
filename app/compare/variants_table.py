"""The comparison's table of variants: shown columns, their widths, selected rows."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QItemSelectionModel, QPoint, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QMenu, QWidget

from app.compare import columns
from app.compare.compare_rows import CompareRow
from app.compare.compare_table import FOREST, QUALITY, RATE, SPEED, VARIANT, ComparisonModel, RowDelegate, column_of
from app.session.comparison_cache import FAILURES
from app.widgets.basics import keep_room
from app.widgets.sortable_model import LINE_ROLE
from app.widgets.sortable_table import SortedTable
from app.widgets.table_style import ROW_HEIGHT, titled

WIDTHS = {VARIANT: 164, SPEED: 166}
TIGHT = 10  # of columns that stand beside many others: no room for the mark of the order beside the title
LEAST_FOREST = 112
HEADER, SCROLL_BAR = 34, 14
LEAST_ROWS, MOST_ROWS = 3, 6  # that are in sight: with the window's height, and from the next on the table scrolls


class VariantsTable(SortedTable):
    reference_wanted = Signal(str)
    copy_wanted = Signal()

    def __init__(self, model: ComparisonModel, keys: Collection[str], parent: QWidget | None = None) -> None:
        super().__init__(model, model.tr("Comparison"), ROW_HEIGHT, parent)
        self._model = model
        self.row_actions: list[QAction] = []  # what can be done with a variant of the present run, once it is selected
        self._rate_wide = 0  # what the title of the rate takes
        self.setItemDelegate(RowDelegate(model, self))
        self.setWhatsThis(
            self.tr(
                "A row a variant: ratio to the reference and its interval, then figures. Two rows are chosen with Ctrl."
            )
        )
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setMinimumSectionSize(56)
        for column in range(model.columnCount()):
            key = columns.KEYS[column - RATE] if column >= RATE else ""
            wide = titled(model, column) - (TIGHT if key in columns.SEVERAL else 0)
            self.setColumnWidth(column, WIDTHS.get(column) or columns.WIDTHS.get(key) or wide)
        self.show_columns(keys, judged=False)
        self.sort_by(VARIANT)
        keep_room(self)
        self.resized.connect(self.widen)
        for signal in (model.layoutChanged, model.modelReset):
            signal.connect(self.span)

    # -- columns ---------------------------------------------------------------------------------------------
    def show_columns(self, keys: Collection[str], judged: bool) -> None:
        """Show the chosen columns, and quality once a variant was judged."""
        chosen = {column_of(key) for key in keys} - (set() if judged else {QUALITY})
        for column in range(RATE, self._model.columnCount()):
            if self.isColumnHidden(column) == (column in chosen):
                self.setColumnHidden(column, column not in chosen)
        wide = titled(self._model, RATE) - TIGHT
        if wide > self._rate_wide:  # "aggregate tok/s" has more letters than "decode tok/s"
            self._rate_wide = wide
            self.setColumnWidth(RATE, max(wide, self.columnWidth(RATE)))
        self.widen()

    @property
    def keys(self) -> list[str]:
        """The keys of the shown columns after the forest."""
        return [key for key in columns.KEYS if not self.isColumnHidden(column_of(key))]

    @Slot()
    def widen(self) -> None:
        """Give the forest the width that the other columns leave."""
        shown = [c for c in range(self._model.columnCount()) if c != FOREST and not self.isColumnHidden(c)]
        rest = self.viewport().width() - sum(self.columnWidth(c) for c in shown)
        self.setColumnWidth(FOREST, max(LEAST_FOREST, rest))
        self._fit(scrolls=rest < LEAST_FOREST)

    def _fit(self, scrolls: bool) -> None:
        """Show all rows if they are few and fit; from seven on, or in a low window, the table scrolls."""
        rows, head = len(self._model.lines), HEADER + (SCROLL_BAR if scrolls else 0)
        self.setMaximumHeight(head + min(rows, MOST_ROWS) * ROW_HEIGHT)
        self.setMinimumHeight(head + min(rows, LEAST_ROWS) * ROW_HEIGHT)

    @Slot()
    def span(self) -> None:
        """Let a failed row's cause span its forest, or the whole row if nothing was measured."""
        self.clearSpans()
        for place, entry in enumerate(self._model.shown):
            if entry.row.status in FAILURES:
                self.setSpan(place, SPEED, 1, 2 if entry.row.trials else self._model.columnCount() - SPEED)

    # -- rows ------------------------------------------------------------------------------------------------
    def chosen(self) -> list[CompareRow]:
        """Return the selected rows in the table's order."""
        rows = sorted(i.row() for i in self.selectionModel().selectedRows())
        return [self._model.shown[row] for row in rows]

    def current(self) -> CompareRow | None:
        return self.currentIndex().data(LINE_ROLE)

    def choose(self, variant: str) -> None:
        """Select a variant of the present run, unless it is among the selected ones."""
        run = self._model.sheet.run
        if any(e.row.variant == variant and e.run == run for e in self.chosen()):
            return
        for place, entry in enumerate(self._model.shown):
            if entry.row.variant == variant and entry.run == run:
                flags = QItemSelectionModel.SelectionFlag
                self.selectionModel().setCurrentIndex(self._model.index(place, 0), flags.ClearAndSelect | flags.Rows)
                return

    def fill_menu(self, menu: QMenu, at: QPoint) -> None:
        entry = self.indexAt(at).data(LINE_ROLE)
        if entry is not None:
            against = menu.addAction(self.tr("Compare all with {name}").format(name=entry.row.variant))
            against.setData(entry.row.variant)
            against.triggered.connect(self._reference_asked)
            if entry.run == self._model.sheet.run and self.row_actions:
                menu.addSeparator()
                menu.addActions(self.row_actions)
                menu.addSeparator()
        menu.addAction(self.tr("Copy table")).triggered.connect(self.copy_wanted)

    @Slot()
    def _reference_asked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.reference_wanted.emit(action.data())
