"""The receipts view: what is in effect in the loaded models, slot by variant. Repaints on the session's tick while
visible."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.base.core_text import said, spoken
from app.base.theme import theme
from app.charts.chart_panel import ChartPanel
from app.receipts.layer_map import LayerMap
from app.receipts.receipts_table import RECEIPT_ROLE, ROW_HEIGHT, BadgeHeader, ReceiptDelegate, ReceiptsModel, height
from app.session.session import Session
from app.text.phrases import name_text, value_text
from app.text.recipe_text import requested, slot_word
from app.widgets.basics import caption, hairline, label, redress
from app.widgets.buttons import button
from app.widgets.fact_list import Facts
from app.widgets.view import View
from core.model import layer_map
from core.protocol import events
from core.results.results import Results

MAP = "layer_map"  # of a receipt's detail
LEAST_COLUMN, HEADER = 88, 36
MOST_OF_IT = 0.62  # of the height for the table: the details need some too
NAMES = 160  # width of the names of details


class ReceiptsView(View):
    """The answer in a sentence, the matrix, and one receipt in full."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.answer = label("", 20, 600, wrap=True)
        self.model = ReceiptsModel(session, self)
        self.table = QTableView()
        self.table.setTabKeyNavigation(False)
        self.table.setModel(self.model)
        self.table.setHorizontalHeader(BadgeHeader(session, self.table))
        self.table.setItemDelegate(ReceiptDelegate(self.table))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setFrameShape(QTableView.Shape.NoFrame)
        self.table.setAccessibleName(self.tr("Receipts: what is in effect"))
        self.table.setWhatsThis(
            self.tr("What is in effect, slot by variant; a warning stands where that is not what was asked for.")
        )
        self.table.horizontalHeader().setFixedHeight(HEADER)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setMinimumSectionSize(LEAST_COLUMN)
        self.table.verticalHeader().setFixedWidth(128)
        self.table.setCornerButtonEnabled(False)
        self.table.setStyleSheet("QTableCornerButton::section { background: transparent; border: none; }")
        self.detail_title = label("", 12, 600)
        self.requested = label("", 12, wrap=True)
        self.effective = label("", 12, wrap=True)
        for text in (self.requested, self.effective):
            text.setFont(theme.font(12, mono=True))
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = Facts(left=NAMES)
        self.map = LayerMap()
        self.map_panel = ChartPanel(self.tr("Layer map"), "", self.map, session, (0, 8, 0, 0))
        self.copy_button = button(self.tr("Copy receipt as JSON"), "copy")
        self.copy_button.setWhatsThis(self.tr("Copies the chosen receipt as JSON, with all its details."))
        self._build()
        self.copy_button.clicked.connect(self.copy)
        self.table.selectionModel().currentChanged.connect(self._show_detail)
        session.event_received.connect(self._on_event)
        session.run_started.connect(self.mark)
        session.results_changed.connect(self.mark)
        session.experiment_changed.connect(self.mark)
        theme.changed.connect(self._recolour)

    def _build(self) -> None:
        head = QVBoxLayout()
        head.setContentsMargins(20, 16, 20, 12)
        head.setSpacing(2)
        head.addWidget(self.answer)
        head.addWidget(label(self.tr("Read from the loaded models, not from the settings."), 12, 400, "secondary"))
        title = QHBoxLayout()
        title.addWidget(self.detail_title)
        title.addStretch(1)
        title.addWidget(self.copy_button)
        pair = QHBoxLayout()
        for caption_text, value in (
            (self.tr("Requested"), self.requested), (self.tr("Effective"), self.effective),
        ):  # fmt: skip
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(caption(caption_text))
            column.addWidget(value)
            column.addStretch(1)
            pair.addLayout(column, 1)
        inner = QWidget()
        inner.setProperty("surface", "panel")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        detail = QVBoxLayout(inner)
        detail.setContentsMargins(20, 10, 20, 12)
        detail.setSpacing(10)
        detail.addLayout(title)
        detail.addLayout(pair)
        detail.addWidget(self.facts)
        detail.addWidget(self.map_panel)
        detail.addStretch(1)
        self.detail = QScrollArea()
        self.detail.setWidgetResizable(True)
        self.detail.setAccessibleName(self.tr("Receipt in detail"))
        self.detail.setWidget(inner)
        self.detail.setFrameShape(QScrollArea.Shape.NoFrame)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(hairline())
        layout.addWidget(self.table)
        layout.addWidget(hairline())
        rest = QVBoxLayout()  # keeps its place without a receipt to show: the head does not grow
        rest.addWidget(self.detail, 1)
        rest.addStretch(0)
        layout.addLayout(rest, 1)

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Receipts | events.Failed | events.Started):
            self._dirty = True

    @Slot()
    def _recolour(self) -> None:
        redress(self)
        self._dirty = True

    # -- drawing ------------------------------------------------------------------------------------------
    def _draw(self) -> None:
        """Draw the present receipts; the selected cell stays selected."""
        chosen = self.model.cell(self.table.currentIndex())
        self.model.set_results(self.session.results)
        self.answer.setText(sentence(self, self.session.results))
        self._fit()
        place = self.model.place(chosen)
        if place is None or self.model.index(*place).data(RECEIPT_ROLE) is None:  # what is off has nothing to show
            place = self._first_of_interest()
        if place is not None:
            self.table.setCurrentIndex(self.model.index(*place))
        self._show_detail()

    def _fit(self) -> None:
        """Fit the table's height to its rows, and to the scroll bar if the variants do not fit."""
        table = self.table
        bar = table.horizontalScrollBar().sizeHint().height()
        columns, room = max(1, self.model.columnCount()), self.width() - table.verticalHeader().width()
        wide = LEAST_COLUMN * columns > room
        each = max(LEAST_COLUMN, room // columns)
        heights = [height(self.model, slot, each) for slot in range(self.model.rowCount())]
        for slot, high in enumerate(heights):
            table.setRowHeight(slot, high)
        whole = HEADER + sum(heights) + 2 + wide * bar
        table.setFixedHeight(min(whole, max(HEADER + 2 * ROW_HEIGHT, round(MOST_OF_IT * self.height()))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _first_of_interest(self) -> tuple[int, int] | None:
        cells = [(r, c) for r in range(self.model.rowCount()) for c in range(self.model.columnCount())]
        receipts = {cell: self.model.index(*cell).data(RECEIPT_ROLE) for cell in cells}
        wrong = [cell for cell in cells if (r := receipts[cell]) is not None and not r.matches]
        return next(iter([*wrong, *[c for c in reversed(cells) if receipts[c] is not None]]), None)

    @Slot()
    def _show_detail(self) -> None:
        index = self.table.currentIndex()
        receipt = index.data(RECEIPT_ROLE) if index.isValid() else None
        self.detail.setVisible(receipt is not None)
        if receipt is None:
            return
        name = self.model.names[index.column()]
        letter = theme.letter(self.session.index_of(name))
        self.detail_title.setText(f"{letter}  {name}{spoken().comma}{slot_word(receipt.slot)}")
        self.requested.setText(requested(self.session.results, name, receipt))
        self.effective.setText(said(receipt.effective))
        told = {key: value for key, value in receipt.detail.items() if key != MAP}
        self.facts.set([(name_text(key), value_text(key, value)) for key, value in told.items()])
        lines = receipt.detail.get(MAP)
        parts = layer_map.parsed(lines) if isinstance(lines, list) else []
        self.map_panel.setVisible(bool(parts))
        if parts:
            self.map.show_map(parts, name, self.session.index_of(name))

    @Slot()
    def copy(self) -> None:
        """Copy the selected receipt as JSON."""
        receipt = self.table.currentIndex().data(RECEIPT_ROLE)
        if receipt is not None:
            text = json.dumps(receipt.model_dump(mode="json"), indent=2, ensure_ascii=False)
            QGuiApplication.clipboard().setText(text)


def sentence(view: QWidget, results: Results | None) -> str:
    """Return what the receipts say together."""
    states = list(results.variants.values()) if results is not None else []
    if not any(s.receipts for s in states):
        return view.tr("Receipts appear here once a variant is loaded.")
    wrong = [(s.name, r) for s in states for r in s.receipts if not r.matches]
    if not wrong:
        return view.tr("Every strategy took effect as requested.")
    name, receipt = wrong[0]
    if all(r.slot == events.EXACTNESS for _, r in wrong):
        names = spoken().comma.join(n for n, _ in wrong)
        return view.tr("{names}: called exact, and not as the plain decoder.").format(names=names)
    if len(wrong) == 1:
        return view.tr("{name}: {slot} did not take effect as requested.").format(
            name=name, slot=slot_word(receipt.slot)
        )
    return view.tr("{n} strategies did not take effect as requested.").format(n=len(wrong))
