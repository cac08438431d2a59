"""Long tasks of presets: verification by a run of its comparison, and materialization."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from app.base.core_text import said
from app.presets.materialize_task import Writing
from app.session.comparison_cache import comparison_of
from app.session.session import Session
from core.presets import preset as presets
from core.presets import preset_library, verification
from core.presets.materialize_task import Materialize
from core.presets.preset import Preset, PresetError
from core.run.run import RunError
from core.spec.preset_location import slug


class PresetWork(QObject):
    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self.session, self._window = session, window
        self._verifying: tuple[Path, Preset] | None = None
        self.writing = Writing(self)
        self.writing.written.connect(self._written)
        self.writing.broken.connect(self._broken)
        session.run_finished.connect(self._run_finished)
        session.run_refused.connect(self._run_refused)

    # -- verifying -----------------------------------------------------------------------------------------
    @Slot(object, object)
    def verify(self, path: Path, preset: Preset) -> None:
        """Run the comparison behind the evidence; the draft stays as it is."""
        if self.session.trying.running:  # the engines are being asked something
            self.session.trying.stop_then(partial(self.verify, path, preset))
            return
        try:
            presets.stored_ratio(preset)
        except PresetError as error:
            self.session.notice.emit("error", said(str(error)))
            return
        changed_text = self.tr("{name} cannot be verified: {why}")

        def check() -> None:
            if changed := preset.changed_files():
                raise RunError(changed_text.format(name=preset.name, why=said("; ".join(changed))))

        guest = self.tr('Verification of the preset "{name}"').format(name=preset.name)
        self.session.run_other(preset.experiment(), guest, check)
        if self.session.running:
            self._verifying = (path, preset)

    @Slot()
    def _run_refused(self) -> None:
        self._verifying = None

    @Slot()
    def _run_finished(self) -> None:
        """Judge the new results against the evidence, and record the verification."""
        asked, self._verifying = self._verifying, None
        results = self.session.results
        if asked is None or results is None:
            return
        path, preset = asked
        state = results.variants.get(preset.variant.name)
        comparison = comparison_of(results)
        row = next((r for r in comparison.variants if r.variant == preset.variant.name), None) if comparison else None
        done = results.finished is not None and results.finished.status == "ok"
        if state is None or row is None or preset.row is None or not done:
            text = self.tr("{name}: the run did not finish, so nothing is confirmed or refuted.")
            self.session.notice.emit("warning", text.format(name=preset.name))
            return
        if state.loaded is not None and state.loaded.fingerprint != preset.fingerprint:
            text = self.tr("{name}: the model has changed, so its evidence cannot be confirmed.")
            self.session.notice.emit("error", text.format(name=preset.name))
            return
        differs = preset.mismatches(None, results.environment)
        outcome = verification.judge(preset.row, row, results.environment, differs, self.session.margin)
        try:
            preset_library.record(path, outcome)
        except PresetError as error:
            self.session.notice.emit("warning", said(str(error)))
        self.session.notice.emit("info" if outcome.confirmed else "warning", f"{preset.name}: {said(outcome.words())}")

    # -- writing -------------------------------------------------------------------------------------------
    @Slot(object)
    def materialize(self, preset: Preset) -> None:
        """Ask for a path and write the folder, with a progress bar above the views."""
        name, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Write the model into a new folder"), str(Path.home() / slug(preset.name))
        )
        if name:
            self.write(preset, Path(name))

    def write(self, preset: Preset, out: Path) -> None:
        if self.writing.at_work or self.session.running:
            return
        try:
            self.writing.start(Materialize(preset, out, self.session.pool))
        except PresetError as error:
            self.session.notice.emit("error", said(str(error)))

    @Slot(object)
    def _written(self, out: Path) -> None:
        self.session.notice.emit("info", self.tr("Written: {path}. It opens like any model folder.").format(path=out))
        self.session.wrote.emit(out)

    @Slot(str)
    def _broken(self, text: str) -> None:
        self.session.notice.emit("warning", said(text))
