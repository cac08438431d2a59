"""The results on screen: the run's, a folder's, or earlier ones. Results belong to a model: they are set aside when
another model is opened, and come back with it. A comparison that is not the draft's (a verification, one from the
queue) is a guest with letters of its own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal, Slot

from app.session.draft import Draft, Rename, State
from app.session.live_data import LiveData
from app.session.variant_letters import VariantLetters
from core.model.source import ModelSource
from core.results import variant_letters
from core.results.journal import JournalError, is_held, open_results
from core.results.ratio_statistics import MARGIN
from core.results.results import Results
from core.spec.experiment import Experiment
from core.spec.variant import Variant

STEPS = 4  # so many results are a step away


@dataclass(frozen=True)
class Shown:
    """Results with their curves; `guest` names their owner if they are not the draft's."""

    results: Results
    folder: Path | None
    curves: LiveData | None
    guest: str = ""

    @property
    def model(self) -> ModelSource | None:
        return self.results.experiment.model if self.results.experiment is not None else None


class ShownResults(Draft):
    """A draft with the results on screen."""

    results_changed = Signal()

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self.results: Results | None = None
        self.results_folder: Path | None = None  # where the shown results are
        self.curves: LiveData | None = None  # theirs
        self.guest = ""  # the guest's name, if the results are not the draft's
        self.former: list[Shown] = []  # what was shown before, the newest first
        self.margin = MARGIN  # of the verdict, a share
        self._guests = VariantLetters()

    # -- what there is -------------------------------------------------------------------------------------
    @property
    def begun(self) -> bool:
        """Whether results of a begun run are on screen."""
        return self.results is not None and self.results.started is not None

    def shown(self) -> Collection[str]:
        return self.results.variants if self.results and not self.guest else ()

    def index_of(self, name: str) -> int:
        """Return the index of a variant's letter and hue in results views; a guest's variants have their own."""
        if self.guest and self.results is not None and name in self.results.variants:
            return self._guests.of(name)
        return super().index_of(name)

    def is_measured(self, name: str) -> bool:
        """Return whether the results on screen belong to this variant as it is now."""
        was, now = self.results and self.results.experiment, self.experiment
        if not was or not now or self.guest or was.model != now.model or was.workload.trial() != now.workload.trial():
            return False
        if _recipe(was.baseline) != _recipe(now.baseline):
            return False
        mine, measured = self.variant(name), self.measured_as(name)
        return mine is not None and any(v.name == measured and _recipe(v) == _recipe(mine) for v in was.variants)

    def measured_as(self, name: str) -> str:
        """Return a variant's name in the results on screen; it may have been renamed."""
        return name if name in self.shown() else self.letters.origin(name)

    @property
    def selected_result(self) -> str:
        """The selected variant's name in the results on screen."""
        return self.measured_as(self.selected)

    @Slot(str)
    def select(self, name: str) -> None:
        """Select a variant by its name in the draft or in the results on screen."""
        super().select(next((n for n in self._state.names() if self.measured_as(n) == name), name))

    @property
    def edited(self) -> list[str]:
        """The variants on screen whose settings in the draft have changed since."""
        if self.results is None or self.guest or self.running:
            return []
        now = {self.measured_as(name): name for name in self._state.names()}
        return [name for name in self.results.variants if name in now and not self.is_measured(now[name])]

    # -- the margin ----------------------------------------------------------------------------------------
    def set_margin(self, margin: float) -> None:
        """Judge by another margin (a share: 0.03 is 3 %), also the results on screen; a run keeps its own."""
        self.margin = margin
        if self.results is not None and not self.running and self.results.margin != margin:
            self.results.margin = margin
            self.results_changed.emit()

    # -- opening -------------------------------------------------------------------------------------------
    def open_results(self, folder: Path) -> bool:
        """Show a finished or interrupted run; its experiment becomes the draft. Returns whether it was opened."""
        if self.running:
            return False
        try:
            curves = LiveData()
            results = open_results(folder, also=curves.fold)
        except JournalError as error:
            self.notice.emit("error", str(error))
            return False
        curves.end()
        self.show_results(folder, results, curves)
        return True

    def show_results(self, folder: Path, results: Results, curves: LiveData) -> None:
        """Show results that were read from a folder, here or by another thread. If the first rounds of these results
        are already shown, showing the rest adds no undo step and keeps edits made since."""
        results.margin = self.margin
        part = self.results if folder == self.results_folder and self.results and self.results.partial else None
        if part is None:
            self.step_aside()
        self.results, self.results_folder, self.curves, self.guest = results, folder, curves, ""
        if results.experiment is not None:
            self.letters.adopt(variant_letters.recorded(results))
            state = State(results.experiment)  # its model may have gone: it can be looked at all the same
            if part is None:
                self._commit(state)
            elif part.experiment is not None:
                self._amend(State(part.experiment), state)
            self.letters.assign(self._state.names(), self.shown())
        self.results_changed.emit()
        if results.interrupted and is_held(folder):
            told = self.tr("{name} is still being measured, by another window or command: this is what it had so far.")
            self.notice.emit("info", told.format(name=folder.name))

    def remember(self, found: Shown) -> None:
        """Show the last results beside the draft, which may have been edited since; set them aside if they belong to
        another model."""
        if self.experiment is None or found.model is None or self._is_open(found.model):
            self._show(found)
        else:
            self.former = [*self.former, found][:STEPS]
        self.results_changed.emit()

    def _show(self, found: Shown | None) -> None:
        """Replace the results on screen; the caller keeps the previous ones."""
        self.results, self.results_folder = (found.results, found.folder) if found else (None, None)
        self.curves, self.guest = (found.curves, found.guest) if found else (None, "")
        if found is None:
            return
        found.results.margin = self.margin
        if self.guest:
            self._welcome()
        else:
            now = self.experiment or found.results.experiment
            self.letters.recall(variant_letters.recorded(found.results))
            self.letters.assign([v.name for v in now.variants] if now else [], self.shown())

    def _welcome(self) -> None:
        """Assign letters to a guest's variants."""
        self._guests = VariantLetters()
        if self.results is not None:
            self._guests.adopt(variant_letters.recorded(self.results))

    # -- stepping ------------------------------------------------------------------------------------------
    def step_aside(self) -> None:
        """Set the results on screen aside, if anything was measured."""
        results, folder = self.results, self.results_folder
        if results is None or results.started is None or not any(v.trials for v in results.variants.values()):
            return
        others = [f for f in self.former if f.results is not results and (folder is None or f.folder != folder)]
        self.former = [Shown(results, folder, self.curves, self.guest), *others][:STEPS]

    def back(self, found: Shown) -> None:
        """Show earlier results again. Another model is opened with them, which can be undone."""
        if self.running:
            return
        self.former = [f for f in self.former if f is not found]
        self.step_aside()
        experiment = found.results.experiment
        other = experiment is not None and not found.guest and not self._is_open(found.model)
        if other and experiment is not None:
            self._show(None)
            self.letters.adopt(variant_letters.recorded(found.results))
            self.former.insert(0, found)
            self._commit(State(experiment))  # which brings them along
        else:
            self._show(found)
            self.results_changed.emit()

    def adopt_measured(self) -> None:
        """Copy the settings of the results on screen into the draft; can be undone."""
        if self.results is None or self.results.experiment is None or self.running:
            return
        if self.guest:
            self.guest = ""
            self.letters.adopt(variant_letters.recorded(self.results))
        self._commit(State(self.results.experiment))
        self.results_changed.emit()

    def _is_open(self, model: ModelSource | None) -> bool:
        return self.experiment is not None and self.experiment.model == model

    def _replace(self, state: State, renamed: Rename = None) -> None:
        moved = self._follow(self._state.experiment, state.experiment)
        super()._replace(state, renamed)
        if moved:
            self.results_changed.emit()

    def _follow(self, before: Experiment | None, now: Experiment | None) -> bool:
        """Exchange the results with the model; return whether they changed."""
        model = now.model if now is not None else None
        was = self.results.experiment if self.results is not None else None
        if before is not None and before.model == model:
            return False
        if was is not None and was.model == model and not self.guest:
            return False
        self.step_aside()
        found = next((f for f in self.former if f.model == model and not f.guest), None)
        moved = self.results is not None or found is not None
        self.former = [f for f in self.former if f is not found]
        self.results, self.results_folder, self.curves, self.guest = None, None, None, ""
        if found is not None:
            found.results.margin = self.margin
            self.results, self.results_folder, self.curves = found.results, found.folder, found.curves
            self.letters.adopt(variant_letters.recorded(found.results))
        return moved


def _recipe(variant: Variant) -> Variant:
    """Return the variant without its name, which does not affect measurements."""
    return variant.model_copy(update={"name": ""})
