"""Forms made from pydantic models: one editor per field, from its type, bounds, title and description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from PySide6.QtCore import QEvent, QLocale, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QStyledItemDelegate,
    QWidget,
)

from app.base.core_text import said, spoken
from app.base.theme import theme
from app.text.field_text import bounds, plain_type, words
from app.text.phrases import named
from app.widgets.basics import label, restyle
from core.wording import recipe_text

M = TypeVar("M", bound=BaseModel)
INT_MAX = 2**31 - 1
DECIMALS = 6
#: That of every figure in the window, whatever the system's is: 0.7 would be read as 7 where the point parts thousands.
FIGURES = QLocale.c()


class CalmWheel(QObject):
    """Lets the wheel scroll the panel and not change the value under the pointer."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


class Real(QDoubleSpinBox):
    """A spin box without trailing zeros, with a decimal point everywhere. With a comma locale, the comma key types the
    point."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLocale(FIGURES)

    def textFromValue(self, value: float) -> str:
        text = f"{Decimal(repr(value)):f}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        if QLocale.system().decimalPoint() == ",":
            text = text.replace(",", ".")
        return super().validate(text, place)


class Wide(Real):
    """An editor of integers beyond 32 bits, which QSpinBox cannot hold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(0)


def tame(box: QComboBox) -> None:
    """Let the style sheet paint a combo box's items, and limit its width."""
    box.setItemDelegate(QStyledItemDelegate(box))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(4)


class Editor(QObject):
    """The editor of one field: a control, how to read it and how to fill it."""

    edited = Signal()

    def __init__(self, name: str, field: FieldInfo, choices: Sequence[str] | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.name, self.field = name, field
        kind = plain_type(field.annotation)
        self.optional = kind is not field.annotation
        self.widget = self._control(kind, choices, parent)
        self.widget.setFont(theme.font(13))
        self.widget.setAccessibleName(words(name, field))
        self.widget.setAccessibleDescription(said(field.description or ""))
        self.widget.setToolTip(said(field.description or ""))
        self.widget.setWhatsThis(said(field.description or ""))
        self.widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._given = self._shown = self._found()

    def _control(self, kind: Any, choices: Sequence[str] | None, parent: QWidget) -> QWidget:
        low, high, above, below = bounds(self.field)
        if choices is not None:  # a text with suggestions
            box = QComboBox(parent)
            box.setEditable(True)
            box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            box.addItems(list(choices))
            tame(box)
            box.activated.connect(self.edited)
            line = box.lineEdit()
            assert line is not None
            line.editingFinished.connect(self.edited)
            return box
        if get_origin(kind) is Literal:
            box = QComboBox(parent)
            for value in get_args(kind):
                box.addItem(recipe_text.value(self.field, value, spoken()), value)
            box.setEnabled(box.count() > 1)
            tame(box)
            box.currentIndexChanged.connect(self.edited)
            return box
        if kind is bool:
            check = QCheckBox(parent)
            check.toggled.connect(self.edited)
            return check
        if kind is int:
            least, most = -INT_MAX if low is None else int(low) + above, INT_MAX if high is None else int(high) - below
            spin = QSpinBox(parent) if most <= INT_MAX else Wide(parent)
            spin.setLocale(FIGURES)
            spin.setRange(least, most)
            spin.setKeyboardTracking(False)
            self._say_unit(spin, low)
            spin.lineEdit().setTextMargins(5, 0, 0, 0)  # the style sheet cannot
            spin.valueChanged.connect(self.edited)
            return spin
        if kind is float:
            real = Real(parent)
            real.setDecimals(DECIMALS)
            span = (high - low) if low is not None and high is not None else None
            real.setSingleStep(0.05 if span is not None and span <= 1 else 0.1)
            nudge = 10.0**-DECIMALS
            real.setRange(
                -1e9 if low is None else low + (nudge if above else 0),
                1e9 if high is None else high - (nudge if below else 0),
            )
            real.setKeyboardTracking(False)
            self._say_unit(real, low)
            real.lineEdit().setTextMargins(5, 0, 0, 0)
            real.valueChanged.connect(self.edited)
            return real
        text = QLineEdit(parent)
        text.editingFinished.connect(self.edited)
        return text

    def _say_unit(self, spin: QSpinBox | QDoubleSpinBox, low: float | None) -> None:
        """Show the unit, and the declared words for 0 if it means none."""
        extra = self.field.json_schema_extra
        declared = extra if isinstance(extra, dict) else {}
        if unit := declared.get("unit"):
            spin.setSuffix(f"\u00a0{unit}")
        if low == 0 and (zero := declared.get("zero")):
            spin.setSpecialValueText(said(str(zero)))

    def value(self) -> Any:
        """Return the value; unedited, it is returned as filled in, since a control may not be able to hold it."""
        found = self._found()
        return self._given if found == self._shown else found

    def _found(self) -> Any:
        box = self.widget
        if isinstance(box, QComboBox):
            return box.currentText().strip() if box.isEditable() else box.currentData()
        if isinstance(box, QCheckBox):
            return box.isChecked()
        if isinstance(box, Wide):
            return int(box.value())
        if isinstance(box, QSpinBox | QDoubleSpinBox):
            return box.value()
        assert isinstance(box, QLineEdit)
        return box.text().strip() or (None if self.optional else "")

    def fill(self, value: Any) -> None:
        box = self.widget
        with QSignalBlocker(box):
            if isinstance(box, QComboBox):
                if box.isEditable():
                    box.setEditText(str(value))
                else:
                    box.setCurrentIndex(box.findData(value))
            elif isinstance(box, QCheckBox):
                box.setChecked(bool(value))
            elif isinstance(box, QSpinBox):
                box.setValue(max(box.minimum(), min(int(value or 0), box.maximum())))
            elif isinstance(box, QDoubleSpinBox):
                box.setValue(float(value or 0))
            elif isinstance(box, QLineEdit):
                box.setText("" if value is None else str(value))
        self._given, self._shown = value, self._found()


class Form(QWidget, Generic[M]):
    """The form of a pydantic model: one row of label and editor per field."""

    changed = Signal(object)  # the new instance

    def __init__(
        self,
        value: M,
        names: Sequence[str] | None = None,
        suggestions: Mapping[str, Sequence[str]] | None = None,
        label_width: int = 104,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.value = value
        self.editors: dict[str, Editor] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnMinimumWidth(0, label_width)
        grid.setColumnStretch(1, 1)
        self._calm = CalmWheel(self)
        fields = type(value).model_fields
        for row, name in enumerate(names if names is not None else fields):
            editor = Editor(name, fields[name], (suggestions or {}).get(name), self)
            editor.edited.connect(self._edited)
            editor.widget.installEventFilter(self._calm)
            title = label(words(name, fields[name]), 13, role="secondary", wrap=True)
            title.setMaximumWidth(label_width)
            title.setToolTip(said(fields[name].description or ""))
            title.setBuddy(editor.widget)
            grid.addWidget(title, 2 * row, 0)
            grid.addWidget(editor.widget, 2 * row, 1)
            self.editors[name] = editor
        self._grid, self._notes = grid, dict[str, QLabel]()  # below the editor, where there is one
        self._problem = label("", 12, role="err", wrap=True)
        self._problem.hide()
        grid.addWidget(self._problem, 2 * len(self.editors), 0, 1, 2)
        self.fill(value)

    def fill(self, value: M) -> None:
        """Show another instance of the same class, without signals."""
        self.value = value
        for name, editor in self.editors.items():
            editor.fill(getattr(value, name))
            restyle(editor.widget, invalid=False)
        self._problem.hide()
        self._enable()

    def _enable(self) -> None:
        """Disable fields that depend on another field's value, with the reason."""
        for editor in self.editors.values():
            extra = editor.field.json_schema_extra
            only = extra.get("only") if isinstance(extra, dict) else None
            about = said(editor.field.description or "")
            for name, wanted in only.items() if isinstance(only, dict) else ():
                field = type(self.value).model_fields[name]
                holds = getattr(self.value, name) == wanted
                editor.widget.setEnabled(holds)
                why = self.tr("Has an effect only where {field} is: {value}").format(
                    field=words(name, field), value=recipe_text.value(field, wanted, spoken())
                )
                editor.widget.setToolTip(about if holds else f"{about}\n{why}")

    def note(self, told: Mapping[str, str]) -> None:
        """Show notes below valid fields, by name; all other notes are cleared."""
        for row, name in enumerate(self.editors):
            text = told.get(name, "")
            if name not in self._notes:
                if not text:
                    continue
                self._notes[name] = label("", 12, role="warn", wrap=True)
                self._grid.addWidget(self._notes[name], 2 * row + 1, 0, 1, 2)
            self._notes[name].setText(text)
            self._notes[name].setHidden(not text)

    def noted(self, name: str) -> str:
        """Return the note below a field."""
        return self._notes[name].text() if name in self._notes else ""

    def mark_changed(self, reference: BaseModel | None) -> None:
        """Accent the fields that differ from another instance of the same class."""
        for name, editor in self.editors.items():
            differs = reference is not None and getattr(reference, name, None) != getattr(self.value, name)
            restyle(editor.widget, changed=differs)

    @Slot()
    def _edited(self) -> None:
        entered = {name: editor.value() for name, editor in self.editors.items()}
        kept = {name: getattr(self.value, name) for name in type(self.value).model_fields}
        try:
            value = type(self.value).model_validate({**kept, **entered})
        except ValidationError as error:
            self._complain(error)
            return
        self._problem.hide()
        for editor in self.editors.values():
            restyle(editor.widget, invalid=False)
        if value != self.value:
            self.value = value
            self._enable()
            self.changed.emit(value)

    def _complain(self, error: ValidationError) -> None:
        """Show validation errors in place; the last valid instance stays in force."""
        lines = []
        for fault in error.errors():
            name = str(fault["loc"][0]) if fault["loc"] else ""
            if name in self.editors:
                restyle(self.editors[name].widget, invalid=True)
                title = words(name, type(self.value).model_fields[name])
                lines.append(named(title, said(fault["msg"])))
            else:
                lines.append(said(fault["msg"]))
        self._problem.setText("\n".join(lines))
        self._problem.show()
