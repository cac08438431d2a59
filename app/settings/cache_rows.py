"""The caches in the settings: name, size, and a button that clears one after saying what will be lost."""

from __future__ import annotations

from PySide6.QtCore import QSignalMapper, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from app.settings.cache_sizes import CACHES, CacheThread
from app.widgets.basics import caption, label
from app.widgets.buttons import Button, button
from core.base import formatting


class CacheRows(QWidget):
    """One row per cache. `locked` says why nothing can be cleared now; empty if it can."""

    asked = Signal()  # there is a question to answer

    def __init__(self, locked: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._locked = locked
        self._thread: CacheThread | None = None
        self._bytes: dict[str, float] = {}
        self._asked = ""
        self.titles = {
            "models": self.tr("Converted models"),
            "quality": self.tr("Quality references"),
            "kernels": self.tr("Compiled kernels"),
        }
        self._lost = {
            "models": self.tr("GGUF files are converted again at their next load, a minute or more for each."),
            "quality": self.tr("A check of quality reads the whole text with the baseline again."),
            "kernels": self.tr("Compiled variants compile again at their next load, minutes for each."),
        }
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.sizes = {name: label("…", 13) for name in CACHES}
        self.clear: dict[str, Button] = {}
        mapper = QSignalMapper(self)
        mapper.mappedString.connect(self._ask)
        for row, name in enumerate(CACHES):
            clear = button(self.tr("Clear"), "trash")
            clear.setAccessibleName(self.tr("Clear: {cache}").format(cache=self.titles[name]))
            clear.setAutoDefault(False)
            clear.setToolTip(locked)
            clear.setWhatsThis(self._lost[name])
            clear.setEnabled(False)
            clear.clicked.connect(mapper.map)
            mapper.setMapping(clear, name)
            self.clear[name] = clear
            title = label(self.titles[name], 13, role="secondary")
            title.setMinimumWidth(136)
            grid.addWidget(title, row, 0)
            grid.addWidget(self.sizes[name], row, 1)
            grid.addWidget(clear, row, 2)
        self._question = self._make_question()
        grid.addWidget(self._question, len(CACHES), 0, 1, 3)
        self.problem = label("", 12, role="err", wrap=True)
        self.problem.hide()
        grid.addWidget(self.problem, len(CACHES) + 1, 0, 1, 3)
        if locked:
            grid.addWidget(caption(locked, wrap=True), len(CACHES) + 2, 0, 1, 3)
        self._start()

    def _make_question(self) -> QWidget:
        question = QWidget()
        row = QHBoxLayout(question)
        row.setContentsMargins(0, 4, 0, 4)
        self._words = label("", 12, role="warn", wrap=True)
        self.yes = button("", look="danger")
        self.no = button(self.tr("Keep"))
        for part, slot in ((self.yes, self._clear), (self.no, self._keep)):
            part.setAutoDefault(False)
            part.clicked.connect(slot)
        row.addWidget(self._words, 1)
        row.addWidget(self.yes)
        row.addWidget(self.no)
        policy = question.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the dialog need not grow when it asks
        question.setSizePolicy(policy)
        question.setMinimumHeight(44)
        question.hide()
        return question

    # -- clearing ------------------------------------------------------------------------------------------
    @Slot(str)
    def _ask(self, name: str) -> None:
        """Say what will be lost, and wait for an answer."""
        self._asked = name
        self._words.setText(self._lost[name])
        self.yes.setText(self.tr("Delete {size}").format(size=formatting.size(round(self._bytes[name]))))
        self._question.show()
        self.no.setFocus()
        self.asked.emit()

    @Slot()
    def _keep(self) -> None:
        self._question.hide()
        self.clear[self._asked].setFocus()

    @Slot()
    def _clear(self) -> None:
        self._question.hide()
        self.problem.hide()
        self._start([self._asked])

    # -- sizes ---------------------------------------------------------------------------------------------
    def _start(self, clear: list[str] | None = None) -> None:
        self.close_thread()
        for name, shown in self.sizes.items():
            shown.setText(self.tr("being added up…") if name not in self._bytes else shown.text())
            self.clear[name].setEnabled(False)
        self._thread = CacheThread(clear or [], self)
        self._thread.sized.connect(self._sized)
        self._thread.failed.connect(self._failed)
        self._thread.start()

    @Slot(str, float)
    def _sized(self, name: str, size: float) -> None:
        if self.sender() is not self._thread:
            return
        self._bytes[name] = size
        self.sizes[name].setText(formatting.size(round(size)) if size else self.tr("empty"))
        self.clear[name].setEnabled(bool(size) and not self._locked)

    @Slot(str)
    def _failed(self, text: str) -> None:
        self.problem.setText(self.tr("Not everything could be deleted: {why}").format(why=text))
        self.problem.show()

    @Slot()
    def close_thread(self) -> None:
        """Wait for the thread, which checks after each file whether it should stop."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.requestInterruption()
            thread.wait()
            thread.deleteLater()
