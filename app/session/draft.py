"""The experiment being edited, its undo history, the selected variant, and the excluded ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pydantic import ValidationError
from PySide6.QtCore import QObject, Signal, Slot

from app.session.variant_letters import VariantLetters
from app.session.variant_names import free_name
from core.model.facts import ModelFacts
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.source import ModelSource
from core.spec import demo_experiment
from core.spec.experiment import Experiment, QualitySettings, describe
from core.spec.variant import Variant

HISTORY = 100
Rename = tuple[str, str] | None  # from, to


@dataclass(frozen=True)
class State:
    """One step of the history. `excluded` names variants that are kept but not run; never the baseline."""

    experiment: Experiment | None = None
    excluded: frozenset[str] = frozenset()

    def names(self) -> list[str]:
        return [v.name for v in self.experiment.variants] if self.experiment else []


class Draft(QObject):
    """The draft, replaced as a whole by every edit; `undo` restores the previous one. Nothing changes during a run."""

    experiment_changed = Signal()
    selection_changed = Signal()
    notice = Signal(str, str)  # "info" | "warning" | "error", text
    wrote = Signal(object)  # Path of the file or folder that the last notice is about

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.running = False
        self.selected = ""
        self.facts: ModelFacts | None = None
        self.letters = VariantLetters()
        self._state = State()
        self._undo: list[tuple[State, Rename]] = []  # with what was renamed in the step that led away from it
        self._redo: list[tuple[State, Rename]] = []  # with what is renamed in the step that leads to it

    # -- what there is -------------------------------------------------------------------------------------
    @property
    def experiment(self) -> Experiment | None:
        return self._state.experiment

    @property
    def excluded(self) -> frozenset[str]:
        return self._state.excluded

    @property
    def to_run(self) -> Experiment | None:
        """The experiment without the excluded variants."""
        experiment = self.experiment
        if experiment is None or not self.excluded:
            return experiment
        variants = tuple(v for v in experiment.variants if v.name not in self.excluded)
        return experiment.model_copy(update={"variants": variants})

    def index_of(self, name: str) -> int:
        """Return the index of a variant's letter and hue; 0 is the baseline's."""
        return self.letters.of(name)

    def draft_index(self, name: str) -> int:
        """Return the index of a variant of the draft, whatever is on screen."""
        return self.letters.of(name)

    def variant(self, name: str | None = None) -> Variant | None:
        """Return a variant by name, by default the selected one."""
        wanted = self.selected if name is None else name
        return next((v for v in self.experiment.variants if v.name == wanted), None) if self.experiment else None

    def shown(self) -> Collection[str]:
        """Return the names of variants on screen, which may have left the experiment."""
        return ()

    def select(self, name: str) -> None:
        if name != self.selected and (self.variant(name) or name in self.shown()):
            self.selected = name
            self.selection_changed.emit()

    # -- opening -------------------------------------------------------------------------------------------
    def is_free(self) -> bool:
        """Return whether anything can be opened now; a notice says why not."""
        if self.running:
            self.notice.emit("warning", self.tr("A run is in progress: open it when the run is over."))
        return not self.running

    def open_demo(self) -> bool:
        """Open the demo model with a baseline, an int8 and an int4 variant; return whether it was opened."""
        return self.open_experiment(demo_experiment.experiment())

    def open_model(self, source: ModelSource) -> bool:
        """Open another model under the same variants, or the starter comparison without any; return whether it was
        opened."""
        experiment = (self.experiment or demo_experiment.experiment()).model_copy(update={"model": source})
        return self._open(State(experiment, self.excluded))

    def open_experiment(self, experiment: Experiment) -> bool:
        """Open another experiment with all its variants included; return whether it was opened."""
        return self._open(State(experiment))

    def _open(self, state: State) -> bool:
        assert state.experiment is not None
        if not self.is_free():
            return False
        try:
            resolve(state.experiment.model)
        except ModelError as error:
            self.notice.emit("error", "\n".join(filter(None, [str(error), error.hint])))
            return False
        self._commit(state)
        return True

    def restore(
        self,
        experiment: Experiment | None,
        excluded: Collection[str] = (),
        letters: Mapping[str, int] | None = None,
    ) -> None:
        """Restore the last experiment, if its model still exists; this is no undo step."""
        if experiment is not None and _facts(experiment) is not None:
            self.letters.recall(letters or {})
            self._replace(_tidy(State(experiment, frozenset(excluded))))

    # -- editing -------------------------------------------------------------------------------------------
    def edit(self, experiment: Experiment) -> None:
        """Replace the experiment; excluded variants stay excluded. Variants are identified by name."""
        self._commit(State(experiment, self.excluded))

    def insert(self, variant: Variant, name: str, place: int) -> None:
        """Insert a copy of a variant under `name` or the next free one, and select it."""
        experiment = self.experiment
        if experiment is None or self.running:
            return
        try:
            variant = variant.renamed(free_name(experiment, name))
        except ValidationError as error:  # a file of results may contain names that are not allowed now
            self.notice.emit("warning", describe(error))
            return
        variants = (*experiment.variants[:place], variant, *experiment.variants[place:])
        self.edit(experiment.model_copy(update={"variants": variants}))
        self.select(variant.name)

    def edit_variant(self, name: str, changed: Variant) -> None:
        """Replace one variant; its letter and exclusion follow a new name."""
        if self.experiment is None:
            return
        variants = tuple(changed if v.name == name else v for v in self.experiment.variants)
        experiment = self.experiment.model_copy(update={"variants": variants})
        excluded = frozenset(changed.name if n == name else n for n in self.excluded)
        self._commit(State(experiment, excluded), (name, changed.name) if name != changed.name else None)

    def set_quality(self, quality: QualitySettings | None) -> None:
        """Set what variants are judged on after the rounds; None for nothing."""
        if self.experiment is not None:
            self.edit(self.experiment.model_copy(update={"quality": quality}))

    def set_excluded(self, name: str, excluded: bool) -> None:
        """Exclude a variant from the next run or include it again; the baseline is always included."""
        self._commit(State(self.experiment, self.excluded | {name} if excluded else self.excluded - {name}))

    def _commit(self, state: State, renamed: Rename = None) -> None:
        state = _tidy(state)
        if self.running or state == self._state:
            return
        self._undo = [*self._undo, (self._state, renamed)][-HISTORY:]
        self._redo.clear()
        self._replace(state, renamed)

    def _amend(self, before: State, state: State) -> None:
        """Change the result of the last step, unless something was edited since."""
        if not self.running and self._state == _tidy(before):
            self._replace(_tidy(state))

    @property
    def can_undo(self) -> bool:
        return bool(self._undo) and not self.running

    @property
    def can_redo(self) -> bool:
        return bool(self._redo) and not self.running

    @Slot()
    def undo(self) -> None:
        if self.can_undo:
            state, renamed = self._undo.pop()
            self._redo.append((self._state, renamed))
            self._replace(state, renamed and (renamed[1], renamed[0]))

    @Slot()
    def redo(self) -> None:
        if self.can_redo:
            state, renamed = self._redo.pop()
            self._undo.append((self._state, renamed))
            self._replace(state, renamed)

    def _replace(self, state: State, renamed: Rename = None) -> None:
        before, self._state = self._state, state
        old, new = before.names(), state.names()
        if renamed is not None:
            was, now = renamed
            self.letters.rename(was, now, self.shown())
            self.selected = now if self.selected == was else self.selected
        self.letters.assign(new, self.shown())
        if not before.experiment or not state.experiment or before.experiment.model != state.experiment.model:
            self.facts = _facts(state.experiment)
        moved = self.selected not in new
        if moved:  # the one that takes the place of a deleted one
            place = old.index(self.selected) if self.selected in old else 0
            self.selected = new[min(place, len(new) - 1)] if new else ""
        self.experiment_changed.emit()
        if moved:
            self.selection_changed.emit()


def _tidy(state: State) -> State:
    """Return the state with only existing variants excluded, and never the first."""
    return State(state.experiment, state.excluded & frozenset(state.names()[1:]))


def _facts(experiment: Experiment | None) -> ModelFacts | None:
    try:
        return resolve(experiment.model) if experiment else None
    except ModelError:  # undo to a model that has gone: the run will say so
        return None
