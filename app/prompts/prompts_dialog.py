"""The prompts of a workload: built-in sets and the user's files on the left; on the right what the selected one
stresses, its lengths, and its prompts. A thread of the prompt cache reads the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.base.core_text import said
from app.base.theme import theme
from app.charts.histogram import Histogram
from app.session.prompt_cache import CachedPrompts
from app.session.session import Session
from app.text.prompt_text import about, count_words, length_words, size_words, title
from app.widgets.basics import Elided, hairline, heading, label, restyle
from app.widgets.buttons import PrimaryButton, button
from app.widgets.two_line_list import NOTE_ROLE, TwoLines
from core.base import formatting
from core.prompts import run_prompts
from core.prompts.prompt_files import SUFFIXES
from core.prompts.prompt_lengths import COUNTED

Index = QModelIndex | QPersistentModelIndex
NAME_ROLE = int(Qt.ItemDataRole.UserRole)
TEXT_ROLE = NAME_ROLE + 1


class Preview(QAbstractListModel):
    """The prompts of a set with their lengths."""

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self.found: CachedPrompts | None = None

    def show_set(self, found: CachedPrompts | None) -> None:
        self.beginResetModel()
        self.found = found
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() or self.found is None else len(self.found.shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.found is None:
            return None
        text = self.found.shown[index.row()]
        if role == TEXT_ROLE:
            return text
        if role == NOTE_ROLE:
            tokens = self.found.tokens[index.row()] if self.found.tokens is not None else None
            return size_words(tokens, len(text))
        if role == Qt.ItemDataRole.DisplayRole:
            return " ".join(text[:300].split())
        return None


class PromptsDialog(QDialog):
    """Emits `chosen` with the name of a set or the path of a file."""

    chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setWindowTitle(self.tr("Prompts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(1000, 640)
        self.sets = QListWidget()
        self.title = Elided("", 20, 600)
        self.about = label("", 12, 400, "secondary", wrap=True)
        self.lengths = label("", 13, 500, wrap=True)
        self.note = label("", 12, 400, "caption", wrap=True)
        self.histogram = Histogram(self.tr("Lengths of the prompts"))
        self.model = Preview(self)
        self.preview = QListView()
        self.text = QPlainTextEdit()
        self.use = PrimaryButton(self.tr("Use this set"))
        self._build()
        self._fill()
        self.sets.currentItemChanged.connect(self._set_chosen)
        self.preview.selectionModel().currentChanged.connect(self._prompt_chosen)
        self.use.clicked.connect(self._use)
        session.shelf.changed.connect(self._show)
        session.run_finished.connect(self._set_chosen)  # it may have ended the counting
        experiment = session.experiment
        self.select(experiment.workload.prompts if experiment is not None else "chat")

    # -- parts ---------------------------------------------------------------------------------------------
    def _build(self) -> None:
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self._left())
        middle.addWidget(hairline(vertical=True))
        middle.addLayout(self._right(), 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 10, 16, 10)
        foot.addStretch(1)
        cancel = button(self.tr("Cancel"))
        cancel.setMinimumHeight(32)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        foot.addWidget(cancel)
        foot.addSpacing(8)
        self.use.setDefault(True)
        foot.addWidget(self.use)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(middle, 1)
        outer.addWidget(hairline())
        outer.addLayout(foot)

    def _left(self) -> QWidget:
        side = QWidget()
        side.setFixedWidth(232)
        column = QVBoxLayout(side)
        column.setContentsMargins(12, 16, 12, 12)
        column.setSpacing(8)
        column.addWidget(heading(self.tr("Sets")))
        self.sets.setProperty("look", "rows")
        self.sets.setFont(theme.font(13))
        self.sets.setAccessibleName(self.tr("Prompt sets"))
        column.addWidget(self.sets, 1)
        browse = button(self.tr("Open a file…"), "file", "flat", left=True)
        browse.setAutoDefault(False)
        browse.setToolTip(self.tr("A .txt or .jsonl file with a prompt a line, or a .json list, as ShareGPT's."))
        browse.clicked.connect(self._browse)
        column.addWidget(browse)
        return side

    def _right(self) -> QVBoxLayout:
        self.preview.setModel(self.model)
        self.preview.setItemDelegate(TwoLines(self.preview))
        self.preview.setFrameShape(QListView.Shape.NoFrame)
        self.preview.setUniformItemSizes(True)
        self.preview.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.preview.setAccessibleName(self.tr("Prompts of the set"))
        self.text.setReadOnly(True)
        self.text.setFont(theme.font(12, mono=True))
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setTabChangesFocus(True)
        self.text.document().setDocumentMargin(12)
        self.text.setAccessibleName(self.tr("The chosen prompt"))
        head = QVBoxLayout()
        head.setContentsMargins(20, 16, 20, 12)
        head.setSpacing(4)
        head.addWidget(self.title)
        head.addWidget(self.about)
        head.addSpacing(8)
        head.addWidget(self.lengths)
        head.addWidget(self.note)
        head.addWidget(self.histogram)
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(self.preview, 4)
        below.addWidget(hairline(vertical=True))
        below.addWidget(self.text, 5)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addLayout(head)
        right.addWidget(hairline())
        right.addLayout(below, 1)
        return right

    def _fill(self) -> None:
        for name in run_prompts.names():
            self._add(name)

    def _add(self, name: str) -> QListWidgetItem:
        item = QListWidgetItem(title(name))
        item.setData(NAME_ROLE, name)
        item.setSizeHint(QSize(120, 30))
        item.setToolTip(about(name))
        self.sets.addItem(item)
        return item

    # -- choosing ------------------------------------------------------------------------------------------
    def select(self, name: str) -> None:
        """Show a set; a new file is added below the built-in ones."""
        items = [self.sets.item(i) for i in range(self.sets.count())]
        item = next((i for i in items if i.data(NAME_ROLE) == name), None) or self._add(name)
        self.sets.setCurrentItem(item)
        self._set_chosen()

    @property
    def name(self) -> str:
        item = self.sets.currentItem()
        return str(item.data(NAME_ROLE)) if item is not None else ""

    @Slot()
    def _browse(self) -> None:
        files = self.tr("Prompts ({patterns})").format(patterns=" ".join(f"*{s}" for s in SUFFIXES))
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Open prompts"), "", files)
        if path:
            self.select(str(Path(path)))

    @Slot()
    def _set_chosen(self) -> None:
        self.session.shelf.ask(self.name)
        self._show()

    @Slot(QModelIndex, QModelIndex)
    def _prompt_chosen(self, current: QModelIndex, _before: QModelIndex) -> None:
        self.text.setPlainText(current.data(TEXT_ROLE) if current.isValid() else "")

    @Slot()
    def _use(self) -> None:
        self.chosen.emit(self.name)
        self.accept()

    # -- showing -------------------------------------------------------------------------------------------
    @Slot()
    def _show(self) -> None:
        name, found = self.name, self.session.shelf.get(self.name)
        usable = found is not None and not found.error
        self.title.setText(title(name))
        self.about.setText(about(name))
        self.use.setEnabled(usable and self.session.experiment is not None and not self.session.running)
        measured = found.lengths() if found is not None and usable else None
        self.histogram.set_bins(measured.bins if measured is not None else ())
        self.histogram.setVisible(measured is not None)
        self.note.setText(self._note(found))
        restyle(self.note, role="err" if found is not None and found.error else "caption")
        if found is not None and measured is not None:
            count = count_words(len(found.texts), found.more)
            told = length_words(measured, found.tokens is not None, found.template)
            self.lengths.setText(f"{count} · {told}")
        else:
            self.lengths.setText("")
        if self.model.found is not found:
            place = self.preview.currentIndex().row() if self.model.found and self.model.found.name == name else 0
            self.model.show_set(found if usable else None)
            self.preview.setCurrentIndex(self.model.index(max(0, place)))
            self._prompt_chosen(self.preview.currentIndex(), QModelIndex())

    def _note(self, found: CachedPrompts | None) -> str:
        """Return the lengths in words, or why there are none."""
        if found is None:
            return self.tr("Being read…")
        if found.error:
            return formatting.capital(said(found.error))
        first = (
            self.tr("Of the first {n} prompts.").format(n=formatting.whole(COUNTED))
            if len(found.texts) > COUNTED
            else ""
        )
        if found.tokens is not None:
            note = self.tr("Counted by the open model's tokenizer. A workload trims or extends prompts to its length.")
        elif found.why or self.session.shelf.why_not():
            note = said(found.why or self.session.shelf.why_not())
        elif self.session.shelf.counting:
            note = self.tr("Tokens are being counted…")
        else:
            note = ""
        return " ".join(filter(None, [first, note]))
