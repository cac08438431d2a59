"""The strategies of one variant: a combo box per slot, and the form of the chosen strategy below it.

A choice that cannot work stays visible, disabled, with its reason.
"""

from __future__ import annotations

from pydantic import ValidationError
from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.session.session import Session
from app.session.variant_names import renamed
from app.text.phrases import named
from app.text.recipe_text import slot_help, slot_title, strategy_words
from app.text.reference_entries import strategy_help
from app.widgets.basics import label, restyle
from app.widgets.model_form import CalmWheel, Form, tame
from core.feasibility.compatibility import reason_against
from core.spec.variant import REGISTRY, SLOTS, Strategy, UnknownStrategy, Variant
from core.strategies.precision import default_precision

_NO_DEFAULT = ("precision", "kv_cache", "attention")  # something is always in force there


class Dot(QWidget):
    """The accent dot of a slot that differs from the baseline's."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = False
        self.setFixedSize(8, 28)

    def set_shown(self, shown: bool) -> None:
        if shown != self.shown:
            self.shown = shown
            self.update()

    def paintEvent(self, event) -> None:
        if self.shown:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(1, 11, 6, 6)


class SlotRow(QWidget):
    """One slot: its name, its choices, and the parameters of the chosen one."""

    edited = Signal(str, object)  # slot, Strategy or None

    def __init__(self, slot: str, session: Session) -> None:
        super().__init__()
        self.slot, self._session = slot, session
        self.variant: Variant | None = None
        self.form: Form | None = None
        self._dot = Dot()
        self._name = label(slot_title(slot), 13, role="secondary")
        self._name.setFixedWidth(96)
        self.combo = QComboBox()
        self._name.setBuddy(self.combo)
        self.combo.setFont(theme.font(13))
        self.combo.setAccessibleName(slot_title(slot))
        self.combo.setWhatsThis(slot_help(slot))
        self.combo.setModel(QStandardItemModel(self.combo))
        tame(self.combo)
        self.combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._calm = CalmWheel(self)
        self.combo.installEventFilter(self._calm)
        self.combo.activated.connect(self._chosen)
        self.combo.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._reset = QAction(self.tr("Reset to A"), self.combo)
        self._reset.triggered.connect(self._reset_to_baseline)
        self.combo.addAction(self._reset)
        self._problem = label("", 12, role="warn", wrap=True)
        self._problem.hide()
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self._dot)
        head.addWidget(self._name)
        head.addWidget(self.combo, 1)
        self._body = QVBoxLayout(self)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(6)
        self._body.addLayout(head)
        self._body.addWidget(self._problem)

    def show_variant(self, variant: Variant, baseline: Variant) -> None:
        """Show the variant's choice without emitting signals."""
        self.variant = variant
        chosen: Strategy | None = getattr(variant, self.slot)
        reference: Strategy | None = getattr(baseline, self.slot)
        problem = self._fill_choices(variant, chosen)
        self._problem.setText(said(problem))
        self._problem.setVisible(bool(problem))
        changed = chosen != reference
        self._dot.set_shown(changed)
        self._name.setFont(theme.font(13, 500 if changed else 400))
        restyle(self._name, role="" if changed else "secondary")
        restyle(self.combo, changed=changed)
        self._reset.setEnabled(changed)
        known = chosen is not None and not isinstance(chosen, UnknownStrategy)
        self.combo.setWhatsThis(strategy_help(type(chosen)) if chosen is not None and known else slot_help(self.slot))
        self._show_form(chosen, reference)

    def show_nothing(self) -> None:
        """Show the slot's name only, without a model."""
        model = self.combo.model()
        assert isinstance(model, QStandardItemModel)
        with QSignalBlocker(self.combo):
            model.clear()
            model.appendRow(QStandardItem("—"))
            self.combo.setCurrentIndex(0)
        self._dot.set_shown(False)
        self._problem.hide()
        self._show_form(None, None)

    def _fill_choices(self, variant: Variant, chosen: Strategy | None) -> str:
        """Fill the choices with their reasons, and return why the present choice cannot work."""
        model = self.combo.model()
        assert isinstance(model, QStandardItemModel)
        problem, current = "", 0
        with QSignalBlocker(self.combo):
            model.clear()
            first = QStandardItem(self._default_words())
            first.setData(None, Qt.ItemDataRole.UserRole)
            model.appendRow(first)
            for key, kind in REGISTRY[self.slot].items():
                on = chosen is not None and type(chosen) is kind
                candidate = chosen if on else _default(kind)
                reason = self._reason_against(variant, candidate) if candidate else ""
                title = said(kind.title)
                free = on or not reason or (candidate is not None and reason == candidate.lacks())
                item = QStandardItem(title if free else named(title, said(reason)))
                item.setData(key, Qt.ItemDataRole.UserRole)
                item.setToolTip(strategy_help(kind))
                item.setEnabled(free)
                model.appendRow(item)
                if on:
                    current, problem = model.rowCount() - 1, reason
            if chosen is not None and current == 0:  # of another version of Dyno
                item = QStandardItem(strategy_words(chosen))
                item.setEnabled(False)
                model.appendRow(item)
                current = model.rowCount() - 1
                problem = "; ".join(chosen.conflicts(variant, None, self._workload()))
            self.combo.setCurrentIndex(current)
        view = self.combo.view()
        view.setMinimumWidth(min(460, view.sizeHintForColumn(0) + 24))
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        return problem

    def _reason_against(self, variant, candidate) -> str:
        return reason_against(variant, candidate, self._session.facts, self._workload(), self._session.environment)

    def _workload(self):
        assert self._session.experiment is not None
        return self._session.experiment.workload

    def _default_words(self) -> str:
        if self.slot == "precision" and self._session.environment is not None:
            return self.tr("default ({precision})").format(precision=default_precision(self._session.environment))
        return self.tr("default") if self.slot in _NO_DEFAULT else self.tr("off")

    def _show_form(self, chosen: Strategy | None, reference: Strategy | None) -> None:
        wanted = chosen if chosen is not None and type(chosen).model_fields else None
        wanted = None if isinstance(wanted, UnknownStrategy) else wanted
        if self.form is not None and (wanted is None or type(self.form.value) is not type(wanted)):
            self.form.hide()
            self.form.deleteLater()
            self.form = None
        if wanted is None:
            return
        if self.form is None:
            self.form = Form(wanted, label_width=76)
            layout = self.form.layout()
            assert isinstance(layout, QGridLayout)
            layout.setContentsMargins(28, 0, 0, 4)
            self.form.changed.connect(self._parameters_edited)
            self._body.addWidget(self.form)
            before: QWidget = self.combo
            for editor in self.form.editors.values():  # Tab goes by age otherwise, and these are the youngest
                QWidget.setTabOrder(before, editor.widget)
                before = editor.widget
        else:
            self.form.fill(wanted)
        same_kind = type(reference) is type(wanted)
        self.form.mark_changed(reference if same_kind else _default(type(wanted)))

    @Slot(int)
    def _chosen(self, row: int) -> None:
        key = self.combo.itemData(row)
        kind = REGISTRY[self.slot].get(key) if key else None
        present = getattr(self.variant, self.slot) if self.variant else None
        if kind is not None and type(present) is kind:
            return
        self.edited.emit(self.slot, _default(kind) if kind else None)

    @Slot(object)
    def _parameters_edited(self, strategy: Strategy) -> None:
        self.edited.emit(self.slot, strategy)

    @Slot()
    def _reset_to_baseline(self) -> None:
        if self._session.experiment is not None:
            self.edited.emit(self.slot, getattr(self._session.experiment.baseline, self.slot))


def _default(kind: type[Strategy]) -> Strategy | None:
    """Return the strategy with its defaults; None if a parameter has none."""
    try:
        return kind()
    except ValidationError:
        return None


class RecipeEditor(QWidget):
    """All slots of the selected variant."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.rows: dict[str, SlotRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 0, 14, 8)
        column.setSpacing(6)
        for slot in SLOTS:
            if REGISTRY[slot]:
                row = SlotRow(slot, session)
                row.edited.connect(self._edited)
                column.addWidget(row)
                self.rows[slot] = row
        column.addStretch(1)
        session.experiment_changed.connect(self.refresh)
        session.selection_changed.connect(self.refresh)
        session.environment_changed.connect(self.refresh)
        session.run_started.connect(self._lock)
        session.run_finished.connect(self._lock)
        self.refresh()

    @Slot()
    def _lock(self) -> None:
        """Disable editing during a run."""
        self.setEnabled(self._session.variant() is not None and not self._session.running)

    @Slot()
    def refresh(self) -> None:
        variant = self._session.variant()
        self._lock()
        if variant is None or self._session.experiment is None:
            for row in self.rows.values():
                row.show_nothing()
            return
        for row in self.rows.values():
            row.show_variant(variant, self._session.experiment.baseline)

    @Slot(str, object)
    def _edited(self, slot: str, strategy: Strategy | None) -> None:
        variant, experiment = self._session.variant(), self._session.experiment
        if variant is not None and experiment is not None:
            changed = renamed(experiment, variant, variant.model_copy(update={slot: strategy}))
            self._session.edit_variant(variant.name, changed)
