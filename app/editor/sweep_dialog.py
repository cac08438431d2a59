"""The dialog of a sweep: one parameter with several values makes one variant per value, previewed before they
are made."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.session.session import Session
from app.text.field_text import bounds, plain_type, words
from app.text.phrases import named
from app.text.recipe_text import slot_title
from app.widgets.basics import caption, label, restyle
from app.widgets.dialog import Dialog
from app.widgets.model_form import tame
from app.widgets.swept_list import SweptList
from core.base.formatting import capital
from core.feasibility.sweep import Swept, sweep
from core.spec.value_ranges import RangeError, values
from core.spec.variant import REGISTRY, SLOTS, UnknownStrategy


class SweepDialog(Dialog):
    """A sweep based on the selected variant; its variants are one undo step."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("SweepDialog", "Sweep a parameter"), parent, 560)
        self.session = session
        self.found: list[Swept] = []
        variant = session.variant()
        about = self.tr("One variant for each value, on top of {name}. Undo takes them all away again.")
        self.body.addWidget(caption(about.format(name=variant.name if variant else "A"), wrap=True))
        self.slot, self.method, self.parameter = QComboBox(), QComboBox(), QComboBox()
        self.values = QLineEdit()
        self.values.setFont(theme.font(12, mono=True))
        self.values.setPlaceholderText(self.tr("2, 4, 8   or   2..16 step 2"))
        self.fault = label("", 12, role="warn", wrap=True)
        self.about = caption("", wrap=True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        rows: tuple[tuple[str, QWidget], ...] = (
            (self.tr("Slot"), self.slot),
            (self.tr("Method"), self.method),
            (self.tr("Parameter"), self.parameter),
            (self.tr("Values"), self.values),
        )
        for row, (name, widget) in enumerate(rows):
            title = label(name, 13, role="secondary")
            title.setBuddy(widget)
            widget.setAccessibleName(name)
            grid.addWidget(title, row, 0)
            grid.addWidget(widget, row, 1)
        grid.addWidget(self.about, 4, 1)
        grid.addWidget(self.fault, 5, 1)
        self.body.addLayout(grid)
        self.preview = SweptList(self.tr("Variants that this makes, and values that are refused"))
        self.body.addWidget(self.preview)
        self.add = self.add_buttons(self.tr("Add variants"), self.tr("Cancel"))
        for box in (self.slot, self.method, self.parameter):
            tame(box)
        for slot in SLOTS:
            if _methods(slot):
                self.slot.addItem(slot_title(slot), slot)
        self.slot.currentIndexChanged.connect(self._slot_chosen)
        self.method.currentIndexChanged.connect(self._method_chosen)
        self.parameter.currentIndexChanged.connect(self._parameter_chosen)
        self.values.textChanged.connect(self._preview)
        self.accepted.connect(self._accepted)
        self._begin()

    def _begin(self) -> None:
        """Select a method that the selected variant has and the baseline has not, if there is one."""
        variant, experiment = self.session.variant(), self.session.experiment
        used = [s for s in (variant.strategies() if variant else ()) if type(s).model_fields]
        used = [s for s in used if not isinstance(s, UnknownStrategy)]
        base = experiment.baseline if experiment is not None else None
        used.sort(key=lambda s: base is not None and getattr(base, s.slot) == s)
        slot = used[0].slot if used else "speculation"
        with QSignalBlocker(self.slot):
            self.slot.setCurrentIndex(max(0, self.slot.findData(slot)))
        self._slot_chosen()
        self.values.setFocus()
        self.values.selectAll()

    @Slot()
    def _slot_chosen(self) -> None:
        slot, variant = self.slot.currentData(), self.session.variant()
        own = getattr(variant, slot) if variant is not None else None
        with QSignalBlocker(self.method):
            self.method.clear()
            for key in _methods(slot):
                self.method.addItem(said(REGISTRY[slot][key].title), key)
            self.method.setCurrentIndex(max(0, self.method.findData(getattr(own, "key", ""))))
        self._method_chosen()

    @Slot()
    def _method_chosen(self) -> None:
        kind = REGISTRY[self.slot.currentData()][self.method.currentData()]
        self.method.setToolTip(said(kind.summary))
        with QSignalBlocker(self.parameter):
            self.parameter.clear()
            for name, field in kind.model_fields.items():
                self.parameter.addItem(words(name, field), name)
        self._parameter_chosen()

    @Slot()
    def _parameter_chosen(self) -> None:
        kind = REGISTRY[self.slot.currentData()][self.method.currentData()]
        field = kind.model_fields[self.parameter.currentData()]
        self.about.setText(capital(said(field.description or "")))
        self.about.setVisible(bool(field.description))
        with QSignalBlocker(self.values):
            self.values.setText(proposal(field))
        self._preview()

    @Slot()
    def _preview(self) -> None:
        """Show the variants that the values make, and why some cannot be made."""
        experiment, variant, fault = self.session.experiment, self.session.variant(), ""
        self.found = []
        try:
            wanted = values(self.values.text())
        except RangeError as error:
            wanted, fault = [], said(str(error))
        if experiment is not None and variant is not None and wanted:
            self.found = sweep(
                experiment, variant, self.slot.currentData(), self.method.currentData(), self.parameter.currentData(),
                wanted, self.session.facts, self.session.environment,
            )  # fmt: skip
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        restyle(self.values, invalid=bool(fault))
        self.preview.show_made(
            (one.variant.name if one.variant is not None else named(str(one.value), said(one.refusal)), one.refusal)
            for one in self.found
        )
        count = sum(one.variant is not None for one in self.found)
        self.add.setEnabled(count > 0)
        if count < 2:
            self.add.set_label(self.tr("Add 1 variant") if count else self.tr("Add variants"))
        else:
            self.add.set_label(self.tr("Add {n} variants").format(n=count))

    @Slot()
    def _accepted(self) -> None:
        made = [one.variant for one in self.found if one.variant is not None]
        experiment = self.session.experiment
        if experiment is None or not made:
            return
        place = 1 + next(i for i, v in enumerate(experiment.variants) if v.name == self.session.selected)
        variants = (*experiment.variants[:place], *made, *experiment.variants[place:])
        self.session.edit(experiment.model_copy(update={"variants": variants}))
        self.session.select(made[0].name)


def _methods(slot: str) -> list[str]:
    """Return the methods with parameters."""
    return [key for key, kind in REGISTRY[slot].items() if kind.model_fields]


def proposal(field: Any) -> str:
    """Return initial values: all allowed ones, or half, once and twice the default."""
    kind, default = plain_type(field.annotation), field.default
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    if kind is bool:
        return "true, false"
    if not isinstance(default, int | float) or not default:
        return ""
    low, high, above, below = bounds(field)
    wanted = [default // 2, default, 2 * default] if kind is int else [default / 2, default, 1.5 * default]
    fits = [
        v
        for v in wanted
        if (low is None or (v > low if above else v >= low)) and (high is None or (v < high if below else v <= high))
    ]
    return ", ".join(f"{v:g}" for v in fits)
