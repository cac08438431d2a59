"""Preset actions: saves the selected variant with its evidence in the library, and loads presets into the editor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from app.presets.preset_name import PresetNameDialog
from app.presets.preset_tasks import PresetWork
from app.session.session import Session
from core.presets import preset as presets
from core.presets import preset_library
from core.presets.preset import Preset, PresetError

if TYPE_CHECKING:
    from app.presets.preset_dialog import PresetDialog


class PresetActions(QObject):
    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self.session, self.window = session, window
        self.work = PresetWork(session, window)

    @Slot()
    def save_preset(self) -> None:
        """Ask for a name, and save the selected variant with its evidence."""
        results = self.session.results
        if results is None:
            return
        try:
            preset = presets.from_results(results, self.session.selected_result)
        except PresetError as error:
            self.session.notice.emit("error", str(error))
            return
        dialog = PresetNameDialog(preset, self.window)
        dialog.chosen.connect(self._save)
        dialog.open()

    @Slot(object)
    def _save(self, preset: Preset) -> None:
        try:
            path = preset_library.save(preset)
        except PresetError as error:
            self.session.notice.emit("error", str(error))
            return
        self.session.notice.emit("info", self.tr("Saved preset {path}").format(path=path))
        self.session.wrote.emit(path)

    def _preset_dialog(self) -> PresetDialog:
        from app.presets.preset_dialog import PresetDialog

        dialog = PresetDialog(self.session, self.window)
        dialog.load_settings.connect(self.use_preset)
        dialog.load_and_measure.connect(self._measure_preset)
        dialog.verify.connect(self.work.verify)
        dialog.materialize.connect(self.work.materialize)
        return dialog

    @Slot()
    def load_preset(self) -> None:
        self._preset_dialog().open()

    @Slot(object)
    def use_preset(self, preset: Preset) -> None:
        """Add the preset's variant to the experiment; without a model, open the preset's."""
        experiment = self.session.experiment
        if experiment is None:
            if self.session.open_experiment(preset.experiment()):
                self.session.select(preset.variant.name)
            return
        self.session.insert(preset.variant, preset.variant.name, len(experiment.variants))

    @Slot(object)
    def _measure_preset(self, preset: Preset) -> None:
        self.use_preset(preset)
        self.session.run()

    @Slot(object)
    def show_file(self, path: Path) -> None:
        """Show a preset's file outside the library in the dialog; a notice reports an unreadable one."""
        try:
            preset = presets.load(path)
        except PresetError as error:
            self.session.notice.emit("error", str(error))
            return
        dialog = self._preset_dialog()
        dialog.add(path, preset)
        dialog.open()
