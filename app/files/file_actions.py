"""File actions: opening models, results and experiments, saving, exporting."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from app.files import export_menu
from app.files.drop_target import kind_of
from app.files.recent_models import RecentModels
from app.files.recent_results import RecentResults
from app.files.run_loader import Opened, Opening, is_large
from app.session.session import Session
from app.settings.settings import Settings
from app.widgets.dialog import OpenModelDialog
from core.base.files import write_whole
from core.base.folders import data_folder
from core.model.source import ModelSource
from core.spec import experiment
from core.spec.experiment import SpecError


class FileActions(QObject):
    opened = Signal()  # a model or an experiment is there
    results_opened = Signal()
    refused = Signal()  # the model was not opened; options may help
    preset_dropped = Signal(object)  # Path
    prompts_dropped = Signal(str)  # path

    def __init__(self, session: Session, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self.session, self.settings, self.window = session, settings, window
        self._failed_source: ModelSource | None = None
        self.recent_models = RecentModels(settings, self.open_source, self)
        self.recent_results = RecentResults(
            settings, lambda folder: self.open_folder_of_results(str(folder)), self.tr("Results appear here"), self
        )
        self.opening = Opening(self)
        self._shown: Opened | None = None  # the latest part of the journal being opened
        self.opening.opened.connect(self._some_opened)
        self.opening.ended.connect(self._opening_ended)
        self.opening.broken.connect(self._opening_broken)
        session.run_started.connect(self.opening.stop)

    # -- opening -------------------------------------------------------------------------------------------
    @Slot()
    def open_demo(self) -> None:
        if self.session.open_demo():
            self._opened()

    @Slot()
    def open_folder(self) -> None:
        if not self.session.is_free():
            return
        folder = QFileDialog.getExistingDirectory(self.window, self.tr("Open a model folder"))
        if folder:
            self.open_source(ModelSource(source=folder))

    @Slot()
    def open_gguf(self) -> None:
        if not self.session.is_free():
            return
        name, _ = QFileDialog.getOpenFileName(self.window, self.tr("Open a GGUF file"), "", self.tr("GGUF (*.gguf)"))
        if name:
            self.open_source(ModelSource(source=name))

    @Slot()
    def open_hub(self) -> None:
        if not self.session.is_free():
            return
        from app.files.hub_cache_dialog import HubDialog

        dialog = HubDialog(self.window)
        dialog.chosen.connect(self.open_source)
        dialog.by_name.connect(self.open_by_name)
        dialog.open()

    @Slot()
    def open_by_name(self) -> None:
        if not self.session.is_free():
            return
        self._ask_for_model(ModelSource(source="organization/model"))

    def _ask_for_model(self, source: ModelSource) -> None:
        dialog = OpenModelDialog(source, self.window)
        dialog.chosen.connect(self.open_source)
        dialog.open()

    @Slot(object)
    def open_source(self, source: ModelSource) -> None:
        if self.session.open_model(source):
            self._opened()
        elif not self.session.running:  # pickled weights or remote code may be all that is in the way
            self._failed_source = source
            self.refused.emit()

    @Slot()
    def open_with_options(self) -> None:
        if self._failed_source is not None:
            self._ask_for_model(self._failed_source)

    def _opened(self) -> None:
        self._failed_source = None
        if self.session.experiment is not None:
            self.settings.add_recent_model(self.session.experiment.model)
        self.opened.emit()

    @Slot()
    def open_results(self) -> None:
        if not self.session.is_free():
            return
        start = self.session.runs_folder or data_folder() / "runs"
        folder = QFileDialog.getExistingDirectory(self.window, self.tr("Open results"), str(start))
        if folder:
            self.open_folder_of_results(folder)

    @Slot(str)
    def open_folder_of_results(self, folder: str) -> None:
        """Open results, at once for a small journal, else in parts."""
        path = Path(folder)
        if not self.session.is_free():
            return
        if is_large(path):
            self._shown = None
            self.opening.start(path, self.session.margin)
        elif self.session.open_results(path):
            self._opened_results(path)

    def _opened_results(self, folder: Path) -> None:
        self.settings.add_recent(folder)
        self.results_opened.emit()

    @Slot(object)
    def _some_opened(self, found: Opened) -> None:
        """Show the first rounds of a large journal, or all of it."""
        before, self._shown = self._shown, found
        self.session.show_results(found.folder, found.results, found.curves)
        if before is None:
            self._opened_results(found.folder)

    @Slot()
    def _opening_ended(self) -> None:
        if self._shown is not None and not self._shown.whole and not self.session.running:
            self._shown.results.interrupted = True
            self.session.results_changed.emit()
            said = self.tr("The rest of {name} was not read: only its first rounds are shown. Open it again for all.")
            self.session.notice.emit("warning", said.format(name=self._shown.folder.name))
        self._shown = None

    @Slot(str)
    def _opening_broken(self, text: str) -> None:
        self._shown = None
        self.session.notice.emit("error", text)

    @Slot()
    def open_experiment(self) -> None:
        if not self.session.is_free():
            return
        name, _ = QFileDialog.getOpenFileName(
            self.window, self.tr("Open an experiment"), "", self.tr("Experiments (*.toml)")
        )
        if name:
            self._open_experiment(Path(name))

    def _open_experiment(self, path: Path) -> None:
        try:
            opened = self.session.open_experiment(experiment.read_toml(path, waits=False))
        except SpecError as error:
            self.session.notice.emit("error", str(error))
            return
        if opened:
            self._opened()

    @Slot()
    def save_experiment(self) -> None:
        if self.session.experiment is None:
            return
        name, _ = QFileDialog.getSaveFileName(
            self.window, self.tr("Save the experiment"), "experiment.toml", self.tr("Experiments (*.toml)")
        )
        if name:
            try:
                write_whole(Path(name), experiment.to_toml(self.session.experiment))
            except OSError as error:
                reason = self.tr("{path} cannot be written: {why}").format(path=name, why=error.strerror or error)
                self.session.notice.emit("error", reason)
                return
            self.session.notice.emit("info", self.tr("Saved {path}").format(path=name))
            self.session.wrote.emit(Path(name))

    # -- export ----------------------------------------------------------------------------------------
    @Slot()
    def export_comparison(self) -> None:
        export_menu.ask_and_write(self.session, "comparison", self.window)

    @Slot()
    def export_html(self) -> None:
        export_menu.ask_and_write(self.session, "html", self.window)

    @Slot()
    def export_tsv(self) -> None:
        export_menu.ask_and_write(self.session, "tsv", self.window)

    @Slot()
    def export_metrics(self) -> None:
        export_menu.ask_and_write(self.session, "metrics", self.window)

    @Slot()
    def export_trials(self) -> None:
        export_menu.ask_and_write(self.session, "trials", self.window)

    @Slot()
    def export_json(self) -> None:
        export_menu.ask_and_write(self.session, "json", self.window)

    @Slot()
    def export_copy(self) -> None:
        if export_menu.copy_table(self.session):
            self.session.notice.emit("info", self.tr("The table is on the clipboard, tab-separated."))

    def open_path(self, path: Path) -> None:
        """Open a model, results, an experiment, a preset or prompts, by the path's content."""
        match kind_of(path):
            case "results":
                self.open_folder_of_results(str(path))
            case "experiment":
                self._open_experiment(path)
            case "preset":
                self.preset_dropped.emit(path)
            case "prompts":
                self.prompts_dropped.emit(str(path))
            case "model":
                self.open_source(ModelSource(source=str(path)))
