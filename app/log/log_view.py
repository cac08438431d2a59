"""The log view: lines with time and level; the only place that shows a traceback. The table is updated on the session's
tick while visible."""

from __future__ import annotations

from PySide6.QtCore import QSortFilterProxyModel, Qt, Slot
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

from app.base.theme import theme
from app.log.log_model import LEVEL, LEVELS, TEXT, TIME, VARIANT, Index, LogModel
from app.session.session import Session
from app.widgets.basics import hairline, redress
from app.widgets.buttons import button
from app.widgets.view import View


class LogFilter(QSortFilterProxyModel):
    """Passes lines of a level or above that contain a text."""

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
    """The filter, the lines, and the detail of the selected one."""

    def __init__(self, session: Session, lines: LogModel | None = None, parent: QWidget | None = None) -> None:
        """`lines` may have been collected before the view existed."""
        super().__init__(session, parent)
        self.model = LogModel(session, self) if lines is None else lines
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
        self.model.added.connect(self.mark)
        theme.changed.connect(self._recolour)

    # -- drawing ------------------------------------------------------------------------------------------
    def _draw(self) -> None:
        """Show the added lines, and keep the newest visible if it was."""
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
        """Copy the shown lines with their details as text."""
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
