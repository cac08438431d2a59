"""The answer of one variant in Try it: name, timings, and its growing text, with the place marked where it leaves the
baseline's."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QTextEdit, QVBoxLayout, QWidget

from app.base.core_text import said, stated
from app.base.theme import theme
from app.quality.answers_data import parting
from app.quality.answers_pane import write_parted
from app.session.tryout_attempts import Attempt, divergence_words, state_words, timing_rows
from app.widgets.basics import Badge, Elided, caption, hairline, label
from app.widgets.fact_list import Facts
from core.base import formatting

WIDTH = 200  # four beside each other in a window of ordinary size
LINE = 20


class AnswerText(QTextEdit):
    """Text that grows: additions are appended, and everything is rewritten only if the mark moves."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFont(theme.font(12, mono=True))
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setAccessibleName(name)
        self._shown: tuple[str, int, int] = ("", 0, 0)

    def show_answer(self, text: str, at: int, end: int) -> None:
        """Show the text dimmed up to `at`, marked up to `end`, and plain after it."""
        before, at_before, end_before = self._shown
        if (text, at, end) == self._shown:
            return
        self._shown = (text, at, end)
        bar = self.verticalScrollBar()
        follows = bool(text) and bar.value() >= bar.maximum() - 4
        same = (at, end) == (at_before, end_before) and (end < len(before) or end == 0)
        if before and same and text.startswith(before):
            cursor = self.textCursor()
            cursor.movePosition(cursor.MoveOperation.End)
            cursor.insertText(text[len(before) :])
        else:
            place = bar.value()
            write_parted(self, text, at, end)
            bar.setValue(place)
        if follows:
            bar.setValue(bar.maximum())

    def forget(self) -> None:
        """Rewrite everything at the next call, since colours have changed."""
        self._shown = ("", 0, 0)


class AnswerColumn(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(WIDTH)
        self.badge = Badge(0, 20)
        self.name = Elided("", 13, 600)
        self.recipe = Elided("", 11, role="caption")
        self.state = label("", 12, 400, "secondary")
        self.parting = label("", 12, 400, "secondary")
        self.facts = Facts(ahead=5)
        self.text = AnswerText(self.tr("Answer"))
        self.why = label("", 12, 500, "err", wrap=True)
        self.hint = label("", 12, 400, "secondary", wrap=True)
        self.later = caption("", wrap=True)
        for part in (self.why, self.hint):
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._build()

    def _build(self) -> None:
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self.name)
        names.addWidget(self.recipe)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(names, 1)
        told = QVBoxLayout()
        told.setSpacing(2)
        for line in (self.state, self.parting):
            line.setFixedHeight(LINE)  # with words and without, so that the answers begin at one height
        told.addWidget(self.state)
        told.addWidget(self.parting)
        top = QVBoxLayout()
        top.setContentsMargins(16, 12, 16, 10)
        top.setSpacing(8)
        top.addLayout(head)
        top.addWidget(self.facts)
        top.addLayout(told)
        failed = QWidget()
        column = QVBoxLayout(failed)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        for part in (self.why, self.hint, self.later):
            column.addWidget(part)
        column.addStretch(1)
        said = QWidget()
        inner = QVBoxLayout(said)
        inner.setContentsMargins(12, 8, 4, 4)
        inner.addWidget(self.text)
        self._failed, self._said = failed, said
        self._pages = QStackedLayout()
        self._pages.addWidget(said)
        self._pages.addWidget(failed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(hairline())
        layout.addLayout(self._pages, 1)

    def show_attempt(
        self, index: int, name: str, recipe: str, attempt: Attempt | None, base: Attempt | None, before: str
    ) -> None:
        """Show an answer; `base` is the baseline's, `before` says why the variant failed in the last run, if it did."""
        self.badge.set_index(index)
        self.name.setText(name)
        self.recipe.setText(recipe)
        self.text.setAccessibleName(self.tr("Answer of {name}").format(name=name))
        self.facts.set(timing_rows(attempt))
        self.state.setText(state_words(attempt) if attempt is not None else self.tr("not asked yet"))
        self.parting.setText(divergence_words(base, attempt) if attempt is not None else "")
        failed = attempt.failed if attempt is not None else None
        silent = bool(before) and (attempt is None or not attempt.text)
        if failed is not None:
            self.why.setText(stated(formatting.sentence(failed.message)))
            self.hint.setText(said(failed.hint))
            self.later.setText("")
        elif silent:
            self.why.setText(self.tr("Failed in the last run: {why}").format(why=said(formatting.sentence(before))))
            self.hint.setText("")
            self.later.setText(self.tr("It is asked all the same."))
        self._pages.setCurrentWidget(self._failed if failed is not None or silent else self._said)
        text = attempt.text if attempt is not None else ""
        self.text.show_answer(text, *self._mark(attempt, base))

    def _mark(self, attempt: Attempt | None, base: Attempt | None) -> tuple[int, int]:
        """Return where the marked word begins and ends, as far as known while it is being written."""
        if attempt is None or base is None or base is attempt or not base.text:
            return 0, 0
        mine = attempt.text
        if attempt.reply is None and base.text.startswith(mine):
            return 0, 0
        at, _, end = parting(base.text, mine)
        return at, end
