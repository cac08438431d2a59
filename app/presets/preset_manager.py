"""The actions on a preset in the library besides loading: verify, materialize, export a script, edit name, note and
tags, delete."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.base.core_text import said, stated
from app.base.theme import theme
from app.session.session import Session
from app.widgets.basics import label, restyle
from app.widgets.buttons import Button, button
from core.base.files import write_whole
from core.model import materialized_note
from core.presets import preset as presets
from core.presets import preset_library, preset_script
from core.presets.materialize_task import loads_in
from core.presets.preset import Preset, PresetError


class PresetCare(QWidget):
    """A row of buttons, with an editor or a message below."""

    changed = Signal()  # the library
    verify = Signal(object, object)  # Path, Preset
    materialize = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._path: Path | None = None
        self._preset: Preset | None = None
        self._deleted: tuple[Path, Preset] | None = None
        self.setProperty("surface", "panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 10, 20, 10)
        column.setSpacing(8)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.verify_button = self._button(self.tr("Verify"), "check", self._verify)
        self.write_button = self._button(self.tr("Materialize…"), "save", self._materialize)
        self.script_button = self._button(self.tr("Export script…"), "upload", self._export)
        self.edit_button = self._button(self.tr("Edit"), "pencil", self._edit)
        self.delete_button = self._button(self.tr("Delete"), "trash", self._delete)
        self.verify_button.setWhatsThis(
            self.tr("Measures the baseline and the variant again, and keeps in the preset whether the ratio agrees.")
        )
        self.write_button.setWhatsThis(self.tr("Writes the pruned or quantized model as a folder that loads at once."))
        self.script_button.setWhatsThis(self.tr("The recipe in transformers alone, as far as it has what it takes."))
        for part in (self.verify_button, self.write_button, self.script_button):
            row.addWidget(part)
        row.addStretch(1)
        row.addWidget(self.edit_button)
        row.addWidget(self.delete_button)
        column.addLayout(row)
        self.form = self._make_form()
        column.addWidget(self.form)
        self.said = label("", 12, role="secondary", wrap=True)
        self.undo = self._button(self.tr("Undo"), "undo", self._undo)
        foot = QHBoxLayout()
        foot.addWidget(self.said, 1)
        foot.addWidget(self.undo)
        column.addLayout(foot)
        self.say("")
        self.show_preset(None, None)

    def _button(self, text: str, icon: str, slot: Callable[[], None]) -> Button:
        made = button(text, icon, "flat")
        made.setAutoDefault(False)
        made.clicked.connect(slot)
        return made

    def _make_form(self) -> QWidget:
        form = QWidget()
        grid = QGridLayout(form)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnMinimumWidth(0, 72)
        self.name, self.note, self.tags = QLineEdit(), QLineEdit(), QLineEdit()
        self.tags.setPlaceholderText(self.tr("separated by commas"))
        titles = (self.tr("Name"), self.tr("Note"), self.tr("Tags"))
        for place, (title, line) in enumerate(zip(titles, (self.name, self.note, self.tags), strict=True)):
            head = label(title, 13, role="secondary")
            head.setBuddy(line)
            line.setAccessibleName(title)
            line.setFont(theme.font(13))
            grid.addWidget(head, place, 0)
            grid.addWidget(line, place, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        for text, slot in ((self.tr("Keep as it was"), self._end_edit), (self.tr("Save changes"), self._save)):
            made = button(text)
            made.setAutoDefault(False)
            made.clicked.connect(slot)
            row.addWidget(made)
        grid.addLayout(row, 3, 1)
        form.hide()
        return form

    # -- showing -------------------------------------------------------------------------------------------
    def show_preset(self, path: Path | None, preset: Preset | None) -> None:
        """Enable the actions of this preset; none without one."""
        if preset is not self._preset:
            self.form.hide()
        self._path, self._preset = path, preset
        known, free = preset is not None, not self.session.running
        self.verify_button.setEnabled(preset is not None and preset.row is not None and free)
        changes = preset is not None and any(getattr(preset.variant, slot) for slot in materialized_note.SLOTS)
        self.write_button.setEnabled(changes and free)
        self.write_button.setToolTip(
            said(loads_in(preset.variant))
            if preset is not None and changes
            else self.tr("It changes no weights, so there is nothing to write.")
            if known
            else ""
        )
        for part in (self.script_button, self.edit_button, self.delete_button):
            part.setEnabled(known)

    def say(self, text: str, role: str = "secondary", undo: bool = False) -> None:
        """Show a message in a role of `label`."""
        self.said.setText(text)
        self.said.setVisible(bool(text))
        restyle(self.said, role=role)
        self.undo.setVisible(undo)

    # -- acting --------------------------------------------------------------------------------------------
    @Slot()
    def _verify(self) -> None:
        if self._preset is not None:
            self.verify.emit(self._path, self._preset)

    @Slot()
    def _materialize(self) -> None:
        if self._preset is not None:
            self.say(said(loads_in(self._preset.variant)))
            self.materialize.emit(self._preset)

    @Slot()
    def _export(self) -> None:
        preset = self._preset
        if preset is None:
            return
        proposed = f"{preset.name}.py".replace("/", "-")
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Export script"), proposed, self.tr("Python (*.py)"))
        if name:
            self.export_to(Path(name))

    def export_to(self, path: Path) -> None:
        """Write the script, and say which parts of the recipe it omits."""
        assert self._preset is not None
        try:
            text, missing = preset_script.build(self._preset)
            write_whole(path, text)
        except PresetError as error:
            self.say(stated(str(error)), "err")
            return
        except OSError as error:
            reason = self.tr("{path} cannot be written: {why}").format(path=path, why=error.strerror or error)
            self.say(reason, "err")
            return
        written = self.tr("Saved {path}").format(path=path)
        if missing:
            lacking = self.tr("Not in the script: {what}").format(what="; ".join(map(said, missing)))
            self.say(f"{written}\n{lacking}", "warn")
        else:
            self.say(written)

    @Slot()
    def _edit(self) -> None:
        preset = self._preset
        if preset is None:
            return
        self.say("")
        self.name.setText(preset.name)
        self.note.setText(preset.note)
        self.tags.setText(", ".join(preset.tags))
        self.form.show()
        self.name.setFocus()
        self.name.selectAll()

    @Slot()
    def _end_edit(self) -> None:
        self.form.hide()
        self.edit_button.setFocus()

    @Slot()
    def _save(self) -> None:
        if self._path is None or self._preset is None:
            return
        try:
            preset_library.amend(self._path, self.name.text(), self.note.text(), self.tags.text().split(","))
        except PresetError as error:
            self.say(stated(str(error)), "err")
            return
        before = self._preset
        self._end_edit()
        self._deleted = (self._path, before)
        self.say(self.tr('"{name}" was changed.').format(name=before.name), undo=True)
        self.changed.emit()

    @Slot()
    def _delete(self) -> None:
        if self._path is None:
            return
        try:
            self._deleted = (self._path, preset_library.remove(self._path))
        except PresetError as error:
            self.say(stated(str(error)), "err")
            return
        self.say(self.tr('"{name}" was deleted, with its evidence.').format(name=self._deleted[1].name), undo=True)
        self.changed.emit()
        self.undo.setFocus()

    @Slot()
    def _undo(self) -> None:
        """Restore what was deleted or changed last."""
        if self._deleted is None:
            return
        path, preset = self._deleted
        try:
            presets.write(preset, path)
        except PresetError as error:
            self.say(stated(str(error)), "err")
            return
        self._deleted = None
        self.say(self.tr('"{name}" is as it was.').format(name=preset.name))
        self.changed.emit()
