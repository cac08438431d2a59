"""The table of trials: its actions, and the gradual computation of its cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.base.theme import theme
from app.compare.compare_options import CompareOptions
from app.compare.trials_model import COUNTS, FLAGS, ROUND, VARIANT, TrialLine, TrialsModel
from app.widgets.basics import paint_badge
from app.widgets.sortable_model import LINE_ROLE, Index
from app.widgets.sortable_table import SortedTable
from app.widgets.table_cells import paint_ground, paint_line_below
from app.widgets.table_style import titled

WIDTHS = {COUNTS: 72, VARIANT: 200, ROUND: 70, FLAGS: 260}
LINE_HEIGHT = 30
SLICE_S = 0.008  # seconds of one turn of the event loop: the cells of thousands of trials take a second


class TrialDelegate(QStyledItemDelegate):
    """Paints a small badge before the name; excluded trials are dimmed and struck out."""

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


class TrialsTable(SortedTable):
    """Space, the check box or the menu exclude trials from the figures."""

    def __init__(self, model: TrialsModel, looking: CompareOptions, parent: QWidget | None = None) -> None:
        super().__init__(model, model.tr("Trials"), LINE_HEIGHT, parent)
        self._model, self._looking = model, looking
        self.setItemDelegate(TrialDelegate(self))
        self.setWhatsThis(
            self.tr("A row a trial, with its flags. One that is left out here is left out of the figures shown.")
        )
        for column in range(model.columnCount()):
            self.setColumnWidth(column, WIDTHS.get(column) or titled(model, column))
        header = self.horizontalHeader()
        header.moveSection(header.visualIndex(FLAGS), ROUND + 1)  # why one looks here, before all figures
        header.setStretchLastSection(True)
        self.sort_by(VARIANT)
        self._work = QTimer(self, interval=0)
        self._work.timeout.connect(self._go_on)
        model.toggled.connect(self._toggled)

    def show_lines(self, lines: Iterable[TrialLine]) -> None:
        self._model.show(lines)
        self._work.start()

    @property
    def working(self) -> bool:
        """Whether cells are being computed."""
        return self._work.isActive()

    @Slot()
    def _go_on(self) -> None:
        if not self._model.work(SLICE_S):
            self._work.stop()
            self._model.settle()

    def copied(self) -> list[dict[str, Any]]:
        """Return the rows as shown, with the columns of trials.csv."""
        self._model.work(float("inf"))
        return [line.cells for line in self._model.shown]

    def chosen(self) -> list[TrialLine]:
        rows = sorted(i.row() for i in self.selectionModel().selectedRows())
        return [self._model.shown[row] for row in rows]

    # -- leaving out -----------------------------------------------------------------------------------------
    @Slot(object, bool)
    def _toggled(self, line: TrialLine, counts: bool) -> None:
        self._looking.leave_out(line.results, line.key, not counts)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply Space to all selected rows and not to one check box."""
        if event.key() == Qt.Key.Key_Space:
            self._switch()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _switch(self) -> None:
        """Exclude the selected trials, or include them again if none of them counts."""
        chosen = self.chosen()
        out = any(line.counts for line in chosen)
        for line in chosen:
            self._looking.leave_out(line.results, line.key, out)

    def fill_menu(self, menu: QMenu, at: QPoint) -> None:
        chosen = self.chosen()
        if chosen:
            out = any(line.counts for line in chosen)
            text = self.tr("Leave out of the figures") if out else self.tr("Count in the figures")
            menu.addAction(text).triggered.connect(self._switch)
