"""Proof of every strategy: what is in effect, read from the loaded models, slot by variant.

Knows receipts; judges none (they say themselves whether they match). Repaints on the session's tick.
"""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QFontMetrics, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.facts import Facts, value_text
from app.theme import theme
from app.widgets import button, caption, hairline, label, paint_badge, pixmap, redress
from core import events
from core.results import Results
from core.strategies import SLOTS

Index = QModelIndex | QPersistentModelIndex
RECEIPT_ROLE, FAILED_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT = 36


class ReceiptsModel(QAbstractTableModel):
    """A row per slot that any variant uses, a column per variant."""

    def __init__(self, session, parent=None) -> None:
        super().__init__(parent)
        self._session = session
        self.slots_used: list[str] = []
        self.names: list[str] = []
        self._results: Results | None = None

    def set_results(self, results: Results | None) -> None:
        self.beginResetModel()
        self._results = results
        variants = results.variants if results is not None else {}
        self.names = list(variants)
        self.slots_used = [s for s in SLOTS if any(self.receipt(s, n) or self.asked(s, n) for n in self.names)]
        self.endResetModel()

    def receipt(self, slot: str, name: str) -> events.Receipt | None:
        state = self._results.variants.get(name) if self._results is not None else None
        return next((r for r in state.receipts if r.slot == slot), None) if state is not None else None

    def asked(self, slot: str, name: str) -> str:
        """What the variant asks for in that slot, empty where it leaves it alone."""
        experiment = self._results.experiment if self._results is not None else None
        variant = next((v for v in experiment.variants if v.name == name), None) if experiment else None
        strategy = getattr(variant, slot, None)
        return strategy.label() if strategy is not None else ""

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else len(self.slots_used)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        slot, name = self.slots_used[index.row()], self.names[index.column()]
        receipt, asked = self.receipt(slot, name), self.asked(slot, name)
        if role == RECEIPT_ROLE:
            return receipt
        if role == FAILED_ROLE:
            return receipt is None and bool(asked) and self._failed(name)
        if role == Qt.ItemDataRole.DisplayRole:
            if receipt is not None:
                return receipt.effective
            if not asked:
                return self.tr("off")
            return self.tr("not reached") if self._failed(name) else self.tr("not loaded yet")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = self.tr("as requested") if receipt is not None and receipt.matches else ""
            if receipt is not None and not receipt.matches:
                words = self.tr("not as requested: {asked}").format(asked=receipt.requested)
            return ", ".join(p for p in (name, slot_title(slot), str(index.data()), words) if p)
        if role == Qt.ItemDataRole.ToolTipRole:
            return str(index.data())
        return None

    def _failed(self, name: str) -> bool:
        return self._results is not None and self._results.variants[name].failed is not None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            if orientation == Qt.Orientation.Vertical:
                return slot_title(self.slots_used[section])
            return theme.letter(self._session.index_of(self.names[section]))
        if role == Qt.ItemDataRole.ToolTipRole and orientation == Qt.Orientation.Horizontal:
            return self.names[section]
        if role == Qt.ItemDataRole.FontRole:
            return theme.font(12)
        return None


def slot_title(slot: str) -> str:
    """`kv_cache` → "KV cache"."""
    return slot.replace("_", " ").capitalize().replace("Kv", "KV")


class BadgeHeader(QHeaderView):
    """The letters of the variants on their tiles."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._session = session

    def paintSection(self, painter: QPainter, rect, section: int) -> None:
        painter.fillRect(rect, theme.color("panel"))
        model = self.model()
        assert isinstance(model, ReceiptsModel)
        index = self._session.index_of(model.names[section])
        paint_badge(painter, QRectF(rect.left() + 8, rect.center().y() - 9, 18, 18), index)
        painter.setPen(theme.color("line"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())


class ReceiptDelegate(QStyledItemDelegate):
    """As A: grey; as requested: a check; otherwise a warning, always with its icon."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        receipt: events.Receipt | None = index.data(RECEIPT_ROLE)
        rect = QRectF(option.rect)
        painter.save()
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        mismatch = receipt is not None and not receipt.matches
        same = receipt is not None and index.data() == index.sibling(index.row(), 0).data()
        token, icon, weight = "text2", "", 400
        if index.data(FAILED_ROLE):
            token, icon, weight = "err", "warning", 600
        elif mismatch:
            token, icon, weight = "warn", "warning", 600
        elif receipt is not None and not (same and index.column()):
            token, icon, weight = "text", "check", 500
        elif receipt is None:
            token = "text3"
        if chosen or mismatch:
            painter.setBrush(theme.color("warnbg" if mismatch else "accsoft"))
            painter.setPen(QPen(theme.color("accent" if chosen else "warnln"), 1.5 if chosen else 1))
            painter.drawRoundedRect(rect.adjusted(2, 4, -4, -4), 6, 6)
        left = rect.left() + 10
        if icon:
            hue = {"check": "ok"}.get(icon, token)
            painter.drawPixmap(int(left), int(rect.center().y() - 7), pixmap(icon, hue, 14))
            left += 20
        font = theme.font(12, weight)
        painter.setFont(font)
        painter.setPen(theme.color(token))
        room = QRectF(left, rect.top(), rect.right() - left - 8, rect.height())
        shown = QFontMetrics(font).elidedText(index.data(), Qt.TextElideMode.ElideMiddle, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()


class ReceiptsView(QWidget):
    """The answer in a sentence, the matrix, and the whole of one receipt."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._dirty = True
        self.answer = label("", 20, 600, wrap=True)
        self.model = ReceiptsModel(session, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setHorizontalHeader(BadgeHeader(session, self.table))
        self.table.setItemDelegate(ReceiptDelegate(self.table))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setFrameShape(QTableView.Shape.NoFrame)
        self.table.setAccessibleName(self.tr("Receipts: what is in effect"))
        self.table.horizontalHeader().setFixedHeight(34)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.verticalHeader().setFixedWidth(128)
        self.table.setCornerButtonEnabled(False)
        self.detail_title = label("", 12, 600)
        self.requested = label("", 12, wrap=True)
        self.effective = label("", 12, wrap=True)
        for text in (self.requested, self.effective):
            text.setFont(theme.font(12, mono=True))
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = Facts()
        self.copy_button = button(self.tr("Copy receipt as JSON"), "copy")
        self._build()
        self.copy_button.clicked.connect(self.copy)
        self.table.selectionModel().currentChanged.connect(self._show_detail)
        session.event_received.connect(self._on_event)
        session.run_started.connect(self._mark)
        session.results_changed.connect(self._mark)
        session.experiment_changed.connect(self._mark)
        session.tick.connect(self._on_tick)
        theme.changed.connect(self._recolour)

    def _build(self) -> None:
        head = QVBoxLayout()
        head.setContentsMargins(20, 16, 20, 12)
        head.setSpacing(2)
        head.addWidget(self.answer)
        head.addWidget(
            label(self.tr("Read from the loaded models, not from the settings."), 12, 400, "secondary")
        )
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
        detail = QVBoxLayout(inner)
        detail.setContentsMargins(20, 10, 20, 12)
        detail.setSpacing(10)
        detail.addLayout(title)
        detail.addLayout(pair)
        detail.addWidget(self.facts)
        detail.addStretch(1)
        self.detail = QScrollArea()
        self.detail.setWidgetResizable(True)
        self.detail.setWidget(inner)
        self.detail.setFrameShape(QScrollArea.Shape.NoFrame)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(hairline())
        layout.addWidget(self.table)
        layout.addWidget(hairline())
        layout.addWidget(self.detail, 1)

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Receipts | events.Failed | events.Started):
            self._dirty = True

    @Slot()
    def _mark(self) -> None:
        self._dirty = True

    @Slot()
    def _recolour(self) -> None:
        redress(self)
        self._dirty = True

    @Slot()
    def _on_tick(self) -> None:
        if self._dirty and self.isVisible():
            self.refresh()

    def showEvent(self, event) -> None:
        self.refresh()
        super().showEvent(event)

    # -- drawing ------------------------------------------------------------------------------------------
    def refresh(self) -> None:
        """Show the receipts as they are; the chosen cell stays chosen."""
        self._dirty = False
        current = self.table.currentIndex()
        place = (current.row(), current.column()) if current.isValid() else None
        self.model.set_results(self.session.results)
        self.answer.setText(sentence(self, self.session.results))
        rows = self.model.rowCount()
        self.table.setFixedHeight(36 + ROW_HEIGHT * rows + 2)
        if place is None:
            place = self._first_of_interest()
        if place is not None and place[0] < rows and place[1] < self.model.columnCount():
            self.table.setCurrentIndex(self.model.index(*place))
        self._show_detail()

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
        self.detail_title.setText(f"{letter}  {name}, {slot_title(receipt.slot).lower()}")
        self.requested.setText(receipt.requested)
        self.effective.setText(receipt.effective)
        self.facts.set([(slot_title(key), value_text(key, value)) for key, value in receipt.detail.items()])

    @Slot()
    def copy(self) -> None:
        """The chosen receipt as JSON."""
        receipt = self.table.currentIndex().data(RECEIPT_ROLE)
        if receipt is not None:
            text = json.dumps(receipt.model_dump(mode="json"), indent=2, ensure_ascii=False)
            QGuiApplication.clipboard().setText(text)


def sentence(view: QWidget, results: Results | None) -> str:
    """What the receipts say together."""
    states = list(results.variants.values()) if results is not None else []
    if not any(s.receipts for s in states):
        return view.tr("Receipts appear here once a variant is loaded.")
    wrong = [(s.name, r) for s in states for r in s.receipts if not r.matches]
    if not wrong:
        return view.tr("Every strategy took effect as requested.")
    name, receipt = wrong[0]
    if len(wrong) == 1:
        return view.tr("{name}: {slot} did not take effect as requested.").format(
            name=name, slot=slot_title(receipt.slot).lower()
        )
    return view.tr("{n} strategies did not take effect as requested.").format(n=len(wrong))
