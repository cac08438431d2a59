"""Asks for the name of a preset to save, and says what happens to others of that name."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from app.session.variant_names import LONGEST
from app.text.model_names import named
from app.text.recipe_text import recipe
from app.widgets.basics import caption, label
from app.widgets.dialog import Dialog
from core.presets import preset_library
from core.presets.preset import Preset


class PresetNameDialog(Dialog):
    """Proposes the variant's name, or one with the model if that is taken."""

    chosen = Signal(object)  # Preset, under the name

    def __init__(self, preset: Preset, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("PresetNameDialog", "Save preset"), parent, 440)
        self._preset = preset
        self._versions = {p.name: p.version for _, p in preset_library.library()}
        self.name = QLineEdit(preset_library.free_name(preset))
        self.name.setMaxLength(LONGEST)
        self.name.setAccessibleName(self.tr("Name"))
        title = label(self.tr("Name"), 13, role="secondary")
        title.setBuddy(self.name)
        self.body.addWidget(title)
        self.body.addWidget(self.name)
        self.note = caption("", wrap=True)
        self.body.addWidget(self.note)
        made = self.tr("{recipe}, measured with {model}.").format(
            recipe=recipe(preset.variant), model=named(preset.model)
        )
        self.body.addWidget(caption(made, wrap=True))
        self.save = self.add_buttons(self.tr("Save preset"), self.tr("Cancel"))
        self.name.textChanged.connect(self._changed)
        self.accepted.connect(self._accepted)
        self._changed()
        self.name.setFocus()
        self.name.selectAll()

    def _named(self) -> Preset:
        return self._preset.model_copy(update={"name": self.name.text().strip()})

    @Slot()
    def _changed(self) -> None:
        name = self.name.text().strip()
        self.save.setEnabled(bool(name))
        if not name:
            self.note.setText(self.tr("A preset needs a name."))
            return
        free = preset_library.free_name(self._named())
        if free != name:
            text = self.tr('Another model has presets of this name: it becomes "{name}".')
            self.note.setText(text.format(name=free))
        elif name in self._versions:
            text = self.tr("It becomes version {n}; the older ones stay.")
            self.note.setText(text.format(n=self._versions[name] + 1))
        else:
            self.note.setText(self.tr("A new name in the library."))

    @Slot()
    def _accepted(self) -> None:
        if self.name.text().strip():
            self.chosen.emit(self._named())
