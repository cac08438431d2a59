"""The roofline view: the answer in a sentence, the roofline, a table of the figures. Without results it explains
itself. Events only mark the view dirty; it repaints on the session's tick while visible."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    Qt,
    Slot,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.base.core_text import said
from app.base.theme import theme
from app.charts.chart_panel import ChartPanel
from app.roofline.roofline_plot import RooflinePlot
from app.session.comparison_cache import comparison_of
from app.session.session import Session
from app.text.recipe_text import beneath, recipe_in
from app.widgets.basics import hairline, heading, label, tip
from app.widgets.buttons import PrimaryButton
from app.widgets.empty_state import teaching
from app.widgets.table_cells import paint_ground, paint_line_below, paint_variant
from app.widgets.table_style import dress
from app.widgets.view import View
from core.analysis import measures, roofline_text
from core.analysis.comparison_row import Comparison, Row
from core.analysis.roofline_points import points, roofs
from core.base import formatting
from core.protocol import events
from core.results.results import Results
from core.wording.column_meanings import MEANING

Index = QModelIndex | QPersistentModelIndex
VARIANT, BYTES, CEILING, RATE, MBU, MFU, BOUND = range(7)
COLUMNS = {
    BYTES: "bytes_per_token", CEILING: "ceiling_tok_s", RATE: "decode_tok_s", MBU: "mbu_pct", MFU: "mfu_pct",
    BOUND: "bound",
}  # fmt: skip
ROW_ROLE = Qt.ItemDataRole.UserRole
ROW_HEIGHT, MOST_ROWS = 44, 4


class RooflineModel(QAbstractTableModel):
    """A model with one row per variant; its data are text."""

    def __init__(self, session: Session, parent=None) -> None:
        super().__init__(parent)
        self._session = session
        self.rows: list[Row] = []

    def set_rows(self, rows: list[Row]) -> None:
        same = [r.variant for r in rows] == [r.variant for r in self.rows]
        if not same:
            self.beginResetModel()
        self.rows = list(rows)
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, BOUND))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 7

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            title = self.headerData(column, Qt.Orientation.Horizontal)
            if column == VARIANT:
                title = theme.letter(self._session.index_of(row.variant))
            return f"{title}, {self._text(row, column)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(said(row.why)) or None
        if role == Qt.ItemDataRole.TextAlignmentRole and column not in (VARIANT, BOUND):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _text(self, row: Row, column: int) -> str:
        match column:
            case 0:
                return row.variant
            case 1:
                return formatting.number(row.bytes_per_token / 1e6 if row.bytes_per_token is not None else None)
            case 2:
                return formatting.number(row.ceiling_tok_s)
            case 3:
                return formatting.number(measures.compared_rate(row)[0])
            case 4:
                return formatting.number(row.mbu_pct, 2)
            case 5:
                return formatting.number(row.mfu_pct, 2)
        return said(roofline_text.bound(row))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            first = self.rows[0] if self.rows else None
            return (
                self.tr("Variant"),
                self.tr("MB per token"),
                self.tr("Ceiling tok/s"),
                said(measures.compared_rate(first)[1]) if first is not None else self.tr("tok/s"),
                self.tr("MBU %"),
                self.tr("MFU %"),
                self.tr("Bound by"),
            )[section]
        if role == Qt.ItemDataRole.FontRole:
            return theme.font(11)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section in (VARIANT, BOUND) else Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole and section in COLUMNS:
            meaning = MEANING[COLUMNS[section]]
            return said(f"{meaning.title}\n{meaning.formula}")
        return None


class RooflineDelegate(QStyledItemDelegate):
    """Paints the badge with name and recipe, and the figures."""

    def __init__(self, session: Session, parent=None) -> None:
        super().__init__(parent)
        self._session = session

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        rect, column = QRectF(option.rect), index.column()
        painter.save()
        painter.setClipRect(option.rect)
        paint_ground(painter, rect, column == VARIANT, bool(option.state & QStyle.StateFlag.State_Selected))
        if column == VARIANT:
            recipe = beneath(row.variant, recipe_in(self._session.results, row.variant))
            paint_variant(painter, rect, self._session.index_of(row.variant), row.variant, recipe)
        else:
            painter.setFont(theme.font(13))
            painter.setPen(theme.color("text"))
            side = Qt.AlignmentFlag.AlignLeft if column == BOUND else Qt.AlignmentFlag.AlignRight
            painter.drawText(rect.adjusted(8, 0, -8, 0), side | Qt.AlignmentFlag.AlignVCenter, index.data())
        paint_line_below(painter, rect)
        painter.restore()


class RooflineView(View):
    """The roofline with its figures, or how to get them."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.answer = label("", 20, 600, wrap=True)
        self.method = label("", 12, 400, "secondary", wrap=True)
        self.model = RooflineModel(session, self)
        self.table = QTableView()
        self.plot = RooflinePlot(session)
        self.teach, self.teach_why = label("", 20, 600, wrap=True), label("", 12, 400, "secondary", wrap=True)
        self.measure = PrimaryButton(icon_name="play")
        self.measure.set_label(self.tr("Run and measure the roof"))
        self.measure.setWhatsThis(self.tr("Starts a run, which measures bandwidth and peak at its beginning."))
        self._set_up_table()
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        self._empty, self._full = self._build_empty(), self._build_full()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._full)
        self.measure.clicked.connect(session.run)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        session.event_received.connect(self._on_event)
        for signal in (
            session.run_started, session.run_finished, session.results_changed, session.experiment_changed,
            session.selection_changed,
        ):  # fmt: skip
            signal.connect(self.mark)
        theme.changed.connect(self.mark)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setItemDelegate(RooflineDelegate(self.session, table))
        dress(table, self.tr("Roofline"), ROW_HEIGHT)
        table.setWhatsThis(
            self.tr(
                "What a token reads, what the machine would allow, what was reached, and what binds, a row a variant."
            )
        )
        header = table.horizontalHeader()
        for column, wide in ((BYTES, 104), (CEILING, 104), (RATE, 104), (MBU, 76), (MFU, 76), (BOUND, 112)):
            table.setColumnWidth(column, wide)
        header.setSectionResizeMode(VARIANT, QHeaderView.ResizeMode.Stretch)

    def _build_empty(self) -> QWidget:
        page = QWidget()
        column = teaching(page, self.teach, self.teach_why, self.measure)
        column.addWidget(heading(self.tr("How to read it")))
        for text in (
            self.tr("The line is what this machine can do: bytes decide on its slope, computing on its flat part."),
            self.tr("A mark is what a variant does: filled while it decodes, hollow while it reads the prompt."),
            self.tr("The gap between a mark and the line is what is left to gain; the inspector says what takes it."),
        ):
            column.addWidget(label(text, 12, 400, "secondary", wrap=True))
        column.addStretch(1)
        return page

    def _build_full(self) -> QWidget:
        head = QVBoxLayout()
        head.setContentsMargins(20, 16, 20, 12)
        head.setSpacing(2)
        head.addWidget(self.answer)
        head.addWidget(self.method)
        note = self.tr("GFLOP/s over FLOP per byte read, both logarithmic")
        chart = ChartPanel(self.tr("Attained speed"), note, self.plot, self.session, (16, 10, 16, 4))
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(hairline())
        layout.addWidget(chart, 1)
        layout.addWidget(hairline())
        layout.addWidget(self.table)
        return page

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Started | events.Machine | events.Loaded | events.TrialDone | events.Finished):
            self._dirty = True

    # -- drawing ------------------------------------------------------------------------------------------
    def _draw(self) -> None:
        """Draw the present state."""
        results: Results | None = self.session.results
        comparison = comparison_of(results)
        there = points(results) if results is not None and comparison is not None else []
        self._pages.setCurrentWidget(self._full if there else self._empty)
        if results is None or comparison is None or comparison.machine is None or not there:
            self._teach(results, comparison)
            return
        row = shown_row(comparison, self.session.selected_result)
        self.answer.setText(said(roofline_text.answer(row)))
        self.method.setText(said(roofline_text.method(comparison.machine)))
        self.plot.refresh(roofs(results), there, self.session.selected_result)
        self.model.set_rows(comparison.variants)
        self.table.setFixedHeight(32 + min(len(comparison.variants), MOST_ROWS) * ROW_HEIGHT + 2)
        self._select()
        self.table.viewport().update()

    def _teach(self, results: Results | None, comparison: Comparison | None) -> None:
        """Show what is missing, and the way to it."""
        running = self.session.running
        self.measure.setVisible(not running)
        self.measure.setEnabled(self.session.experiment is not None)
        if running and results is not None and results.machine is not None:
            self.teach.setText(self.tr("The roof is measured; marks appear when the first trials end."))
            self.teach_why.setText(said(roofline_text.method(results.machine)))
        elif running:
            self.teach.setText(self.tr("The roof is measured when a run begins."))
            self.teach_why.setText(self.tr("It takes some seconds, once for each machine."))
        elif comparison is not None and comparison.machine is not None:
            self.teach.setText(self.tr("Nothing was measured that could be placed under the roof."))
            self.teach_why.setText(self.tr("It takes a finished trial of a model whose parts are known."))
        elif comparison is not None:
            self.teach.setText(self.tr("This run did not measure what the machine can do."))
            self.teach_why.setText(self.tr("Run again: it takes some seconds, once for each machine."))
        else:
            self.teach.setText(self.tr("The roof of this machine has not been measured."))
            self.teach_why.setText(
                self.tr("A run measures bandwidth and peak at its beginning: some seconds, once for each machine.")
            )

    def _select(self) -> None:
        for place, row in enumerate(self.model.rows):
            if row.variant == self.session.selected_result:
                flags = QItemSelectionModel.SelectionFlag
                self.table.selectionModel().setCurrentIndex(
                    self.model.index(place, 0), flags.ClearAndSelect | flags.Rows
                )

    @Slot(QModelIndex, QModelIndex)
    def _row_chosen(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = current.data(ROW_ROLE)
        if row is not None and row.variant != self.session.selected_result:
            self.session.select(row.variant)


def shown_row(comparison: Comparison, selected: str) -> Row:
    """Return the selected variant if it has a place, else the first that has one, else the baseline."""
    placed = [r for r in comparison.variants if r.bound]
    chosen = next((r for r in placed if r.variant == selected), None)
    return chosen or next(iter(placed), comparison.baseline)
