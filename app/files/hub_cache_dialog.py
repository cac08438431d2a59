"""The dialog of the hub's local cache: models, sizes, and whether they can run."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.base.core_text import said
from app.base.theme import theme
from app.widgets.basics import caption, label, pixmap
from app.widgets.buttons import button
from app.widgets.dialog import Dialog
from app.widgets.table_style import dress
from core.base import formatting
from core.model import hub_cache
from core.model.hub_cache import Cached

NAME, SIZE, REVISION, ARCHITECTURE, RUNS = range(5)
ROWS = 9  # visible rows
ROW = 30
_FOUND = int(Qt.ItemDataRole.UserRole)


class HubThread(QThread):
    """Reads folder names, config.json and headers of weights in the cache, whose disk may be slow."""

    found = Signal(object)  # list[Cached]

    def __init__(self, root: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = root

    def run(self) -> None:
        found = []
        for model in hub_cache.models(self._root):
            if self.isInterruptionRequested():
                return
            found.append(model)
        self.found.emit(found)


class HubDialog(Dialog):
    """`chosen` emits a ModelSource; `by_name` asks for a model that is not listed."""

    chosen = Signal(object)
    by_name = Signal()

    def __init__(self, parent: QWidget | None = None, root: Path | None = None) -> None:
        super().__init__(QCoreApplication.translate("HubDialog", "Open from the hub cache"), parent, 820)
        self.root = root or hub_cache.folder()
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setAccessibleName(self.tr("Search"))
        self.search.setClearButtonEnabled(True)
        self.table = QTableWidget(0, 5)
        dress(self.table, self.tr("Models in the hub's local cache"))
        self.table.setHorizontalHeaderLabels(
            [self.tr("Model"), self.tr("Size"), self.tr("Revision"), self.tr("Architecture"), self.tr("Runs here")]
        )
        self.table.verticalHeader().setDefaultSectionSize(ROW)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setMinimumHeight(ROWS * ROW + 34)
        self.table.setWordWrap(False)
        self.table.setProperty("look", "boxed")
        self.nothing = label(self.tr("There is no model in the cache."), 13, role="secondary")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.hide()
        QVBoxLayout(self.table.viewport()).addWidget(self.nothing)
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(RUNS, QHeaderView.ResizeMode.Stretch)
        for column, width in ((NAME, 250), (SIZE, 84), (REVISION, 92), (ARCHITECTURE, 150)):
            self.table.setColumnWidth(column, width)
        self.reason = label("", 12, role="warn", wrap=True)
        self.reason.hide()
        self.note = caption(self.tr("Looking at {folder}").format(folder=self.root), wrap=True)
        self.body.addWidget(self.search)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(self.reason)
        self.body.addWidget(self.note)
        self.name = button(self.tr("Open by name…"))
        self.name.setMinimumHeight(32)
        self.name.setAutoDefault(False)
        self.name.clicked.connect(self._by_name)
        self._buttons.insertWidget(0, self.name)
        self.open_button = self.add_buttons(self.tr("Open model"), self.tr("Cancel"))
        self.open_button.setEnabled(False)
        self.accepted.connect(self._accepted)
        self.search.textChanged.connect(self._filter)
        self.table.itemSelectionChanged.connect(self._selected)
        self.table.doubleClicked.connect(self._double_clicked)
        self.thread_ = HubThread(self.root, self)
        self.thread_.found.connect(self.fill)
        self.finished.connect(self._end)
        self.thread_.start()
        self.search.setFocus()

    @Slot(object)
    def fill(self, found: list[Cached]) -> None:
        self.table.setRowCount(len(found))
        for row, one in enumerate(found):
            revision = ", ".join(one.names) or one.revision[:8]
            name = one.id if not one.path.endswith(".gguf") else f"{one.id} · {Path(one.path).name}"
            runs = formatting.capital(said(one.refusal)) if one.refusal else self.tr("yes")
            for column, text in enumerate(
                (name, formatting.size(one.size_bytes), revision, one.architecture or "—", runs)
            ):
                item = QTableWidgetItem(text)
                item.setFont(theme.font(12))
                item.setToolTip("\n".join(filter(None, [text, said(one.hint) if column == RUNS else one.revision])))
                if column == SIZE:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if one.refusal:
                    item.setForeground(theme.color("text2"))
                self.table.setItem(row, column, item)
            first, last = self.table.item(row, NAME), self.table.item(row, RUNS)
            assert first is not None
            assert last is not None
            first.setData(_FOUND, one)
            last.setIcon(pixmap(*(("warning", "warn") if one.refusal else ("check", "ok")), 14))
        self.nothing.setVisible(not found)
        if found:
            text = self.tr("{folder}. Dyno downloads nothing; a model that is not here comes with hf download.")
        else:
            text = self.tr("{folder}. Dyno downloads nothing; hf download puts a model there.")
        self.note.setText(text.format(folder=self.root))
        self._filter()

    @Slot()
    def _filter(self) -> None:
        """Show rows that contain all words, and select the first that can run."""
        wanted = self.search.text().casefold().split()
        best = None
        for row in range(self.table.rowCount()):
            told = " ".join(item.text() for c in range(5) if (item := self.table.item(row, c)) is not None).casefold()
            hidden = not all(word in told for word in wanted)
            self.table.setRowHidden(row, hidden)
            one = self._at(row)
            if not hidden and best is None and one is not None and not one.refusal:
                best = row
        if best is not None:
            self.table.selectRow(best)
        else:
            self.table.clearSelection()
        self._selected()

    def _at(self, row: int) -> Cached | None:
        item = self.table.item(row, NAME)
        return item.data(_FOUND) if item is not None else None

    def present(self) -> Cached | None:
        """Return the selected model."""
        rows = self.table.selectionModel().selectedRows()
        return self._at(rows[0].row()) if rows else None

    @Slot()
    def _selected(self) -> None:
        one = self.present()
        self.open_button.setEnabled(one is not None and not one.refusal)
        self.reason.setText(said(formatting.sentence(one.refusal, one.hint)) if one is not None and one.refusal else "")
        self.reason.setVisible(bool(self.reason.text()))

    @Slot()
    def _double_clicked(self) -> None:
        if self.open_button.isEnabled():
            self.accept()

    @Slot()
    def _accepted(self) -> None:
        one = self.present()
        if one is not None:
            self.chosen.emit(one.source)

    @Slot()
    def _by_name(self) -> None:
        self.reject()
        self.by_name.emit()

    @Slot()
    def _end(self) -> None:
        """Wait for the thread, which checks after each model whether it should stop."""
        self.thread_.requestInterruption()
        self.thread_.wait()
