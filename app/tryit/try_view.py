"""Try it: one prompt, answered by every variant side by side. One answer each is no measurement. Events only mark the
view dirty; it repaints on the session's tick while visible."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.session.session import Session
from app.session.tryout_attempts import Attempt, parts_at
from app.text.field_text import words as field_words
from app.text.recipe_text import difference
from app.tryit.try_column import AnswerColumn
from app.widgets.basics import caption, hairline, label
from app.widgets.buttons import PrimaryButton
from app.widgets.model_form import Editor, tame
from app.widgets.view import View
from core.prompts import run_prompts
from core.run.tryout import Question
from core.spec.variant import Variant

OPTIONS = ("template", "temperature", "seed", "max_tokens")
MOST_PICKED = 200  # prompts of a set that the list has
PICK_WIDTH = 204  # with it the view fits between the docks


class PromptPicker(QComboBox):
    """The prompts of the workload's set, read when the list is opened."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._filled = ""
        self.texts: list[str] = []
        self.setFont(theme.font(13))
        tame(self)
        self.setFixedWidth(PICK_WIDTH)
        self.setAccessibleName(self.tr("Pick a prompt of the set"))
        self.setWhatsThis(self.tr("Takes one of the workload's prompts as the question."))
        self.setPlaceholderText(self.tr("Pick a prompt of the set"))
        self.setCurrentIndex(-1)

    def showPopup(self) -> None:
        self.fill()
        super().showPopup()

    def fill(self) -> None:
        """Fill the list with the present workload's set."""
        experiment = self._session.experiment
        name = experiment.workload.prompts if experiment is not None else "chat"
        if name == self._filled:
            return
        try:
            self.texts, _ = run_prompts.read(name, MOST_PICKED)
        except run_prompts.PromptError as error:
            self.texts = []
            self._session.notice.emit("error", str(error))
        self._filled = name
        with QSignalBlocker(self):
            self.clear()
            for text in self.texts:
                self.addItem(" ".join(text[:160].split()))
            self.setCurrentIndex(-1)


class PromptBox(QPlainTextEdit):
    """An input of a few lines; Ctrl+Return submits."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if held and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class TryView(View):
    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.trying = session.trying
        self.answer = label("", 20, 600, wrap=True)
        self.method = label(
            self.tr("Felt, not measured: one answer each, no interval, no rounds. Nothing of it enters results."),
            12, 400, "secondary", wrap=True,
        )  # fmt: skip
        self.prompt = PromptBox()
        self.picker = PromptPicker(session)
        self.act = PrimaryButton(icon_name="play")
        self.reason = caption("", wrap=True)
        self.editors: dict[str, Editor] = {}
        self.columns: list[AnswerColumn] = []
        self._lines: list[QWidget] = []  # between two columns
        self._build()
        self.act.clicked.connect(self._pressed)
        self.prompt.textChanged.connect(self.mark)
        self.picker.activated.connect(self._picked)
        self.prompt.entered.connect(self.ask)
        self.trying.changed.connect(self.mark)
        for signal in (
            session.experiment_changed, session.results_changed, session.run_started, session.run_finished,
            session.jobs.changed,
        ):  # fmt: skip
            signal.connect(self.mark)
        theme.changed.connect(self._recolour)

    def _build(self) -> None:
        self.prompt.setProperty("look", "boxed")
        self.prompt.setFont(theme.font(13))
        self.prompt.setFixedHeight(76)
        self.prompt.setTabChangesFocus(True)
        self.prompt.document().setDocumentMargin(8)
        self.prompt.setAccessibleName(self.tr("Prompt"))
        self.prompt.setWhatsThis(self.tr("The question that every variant gets."))
        self.act.setWhatsThis(self.tr("Asks the ticked variants one after the other, or ends that; no trial is made."))
        self.prompt.setPlaceholderText(self.tr("Type a prompt, or pick one of the set"))
        self.prompt.setPlainText(self.trying.question.prompt)  # another window may have asked it
        self.act.setFixedWidth(232)
        head = QVBoxLayout()
        head.setContentsMargins(20, 16, 20, 12)
        head.setSpacing(2)
        head.addWidget(self.answer)
        head.addWidget(self.method)
        button = QVBoxLayout()
        button.addWidget(self.act)
        button.addWidget(self.reason)
        button.addStretch(1)
        self.reason.setFixedWidth(232)
        ask = QHBoxLayout()
        ask.setContentsMargins(20, 0, 20, 8)
        ask.setSpacing(12)
        ask.addWidget(self.prompt, 1)
        ask.addLayout(button)
        options = QHBoxLayout()
        options.setContentsMargins(20, 0, 20, 12)
        options.setSpacing(8)
        options.addWidget(self.picker)
        for name in OPTIONS:
            self._add_option(options, name)
        options.addStretch(1)
        self._answers = QHBoxLayout()
        self._answers.setContentsMargins(0, 0, 0, 0)
        self._answers.setSpacing(0)
        side_by_side = QWidget()
        side_by_side.setLayout(self._answers)
        side_by_side.setProperty("surface", "panel")
        side_by_side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.area = QScrollArea()
        self.area.setAccessibleName(self.tr("Answers of the variants"))
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(side_by_side)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (head, ask, options):
            layout.addLayout(part)
        layout.addWidget(hairline())
        layout.addWidget(self.area, 1)

    def _add_option(self, row: QHBoxLayout, name: str) -> None:
        """Add one option of the question to a row."""
        field = Question.model_fields[name]
        editor = Editor(name, field, None, self)
        editor.fill(getattr(self.trying.question, name))
        editor.edited.connect(self.mark)
        title = label(field_words(name, field), 12, role="secondary")
        title.setBuddy(editor.widget)
        title.setToolTip(said(field.description or ""))
        row.addSpacing(8)
        row.addWidget(title)
        if name != "template":
            editor.widget.setFixedWidth(76)
        row.addWidget(editor.widget)
        self.editors[name] = editor

    @property
    def question(self) -> Question:
        """The question in the fields; their editors enforce the bounds."""
        options = {name: editor.value() for name, editor in self.editors.items()}
        return Question(prompt=self.prompt.toPlainText(), **options)

    @Slot()
    def ask(self) -> None:
        if not self.trying.running and self.prompt.toPlainText().strip():
            self.trying.ask(self.question)

    @Slot()
    def _pressed(self) -> None:
        if self.trying.running:
            self.trying.stop()
        else:
            self.ask()

    @Slot(int)
    def _picked(self, index: int) -> None:
        if 0 <= index < len(self.picker.texts):
            self.prompt.setPlainText(self.picker.texts[index])
            self.prompt.setFocus()

    @Slot()
    def _recolour(self) -> None:
        for column in self.columns:
            column.text.forget()
        self.mark()

    # -- drawing -------------------------------------------------------------------------------------------
    def _draw(self) -> None:
        self._draw_button()
        experiment = self.trying.asked
        variants: tuple[Variant, ...] = experiment.variants if experiment is not None else ()
        while len(self.columns) < len(variants):
            if self.columns:
                self._lines.append(hairline(vertical=True))
                self._answers.addWidget(self._lines[-1])
            self.columns.append(AnswerColumn())
            self._answers.addWidget(self.columns[-1], 1)
        for place, column in enumerate(self.columns):
            column.setVisible(place < len(variants))
        for place, line in enumerate(self._lines, 1):
            line.setVisible(place < len(variants))
        base = self.trying.attempt(variants[0].name) if variants else None
        results = self.session.results
        for column, variant in zip(self.columns, variants, strict=False):
            state = results.variants.get(variant.name) if results is not None else None
            failed = state.failed if state is not None and self.session.is_measured(variant.name) else None
            before = failed.message if failed is not None and failed.kind != "cancelled" else ""
            attempt = self.trying.attempt(variant.name)
            recipe = difference(variant, variants[0])
            index = self.session.draft_index(variant.name)
            column.show_attempt(index, variant.name, recipe, attempt, base, before)
        self.answer.setText(self._sentence([self.trying.attempt(v.name) for v in variants]))

    def _draw_button(self) -> None:
        trying, reason = self.trying, self.trying.why_not()
        asked, ticked = self.trying.asked, self.session.to_run
        count = len(asked.variants) if asked is not None else 0
        note = reason
        if not reason and ticked is not None and count < len(ticked.variants):
            note = self.tr("The first {n} of {all} variants are asked; untick some to ask others.").format(
                n=count, all=len(ticked.variants)
            )
        self.act.set_look("" if trying.running else "primary")
        if trying.running:
            self.act.setEnabled(not trying.stopping)
            self.act.set_label(self.tr("Stopping…") if trying.stopping else self.tr("Stop"), "", "stop")
        else:
            typed = bool(self.prompt.toPlainText().strip())
            self.act.setEnabled(typed and not reason)
            if count == 1:
                self.act.set_label(self.tr("Ask 1 variant"), "Ctrl+↵", "play")
            else:
                self.act.set_label(self.tr("Ask {n} variants").format(n=count), "Ctrl+↵", "play")
        self.reason.setText(note)
        for editor in self.editors.values():
            editor.widget.setEnabled(not trying.running)
        self.editors["seed"].widget.setEnabled(not trying.running and self.editors["temperature"].value() > 0)

    def _sentence(self, attempts: list[Attempt | None]) -> str:
        """Return what is going on, or the outcome."""
        asked = [a for a in attempts if a is not None]
        if not asked:
            return self.tr("Ask every variant the same.")
        if self.trying.running:
            now = next((a for a in asked if a.state not in ("waiting", "done", "failed", "not asked")), None)
            name = now.variant.name if now is not None else asked[0].variant.name
            return self.tr("{letter} {name} is being asked.").format(
                letter=theme.letter(self.session.draft_index(name)), name=name
            )
        answered = [a for a in asked if a.reply is not None]
        if len(answered) < len(asked):
            return self.tr("{n} of {all} variants have answered.").format(n=len(answered), all=len(asked))
        base, *others = answered
        apart = [a for a in others if parts_at(base, a) is not None]
        if not others:
            return self.tr("The baseline has answered.")
        if not apart:
            return self.tr("All answers are identical to A's.")
        return self.tr("{n} of {all} answers part from A's.").format(n=len(apart), all=len(others))
