"""What is to be compared: the experiment under edit, its history, the selected variant, and which ones sit out. Runs
nothing and shows nothing."""

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
from core.spec.experiment import Experiment, Quality, describe
from core.spec.variant import Variant

HISTORY = 100
Rename = tuple[str, str] | None  # from, to


@dataclass(frozen=True)
class State:
    """One step of the history. `excluded` names the variants that are kept and not run; never the baseline."""

    experiment: Experiment | None = None
    excluded: frozenset[str] = frozenset()

    def names(self) -> list[str]:
        return [v.name for v in self.experiment.variants] if self.experiment else []


class Draft(QObject):
    """Replaced as a whole with every edit; `undo` brings the former one back. Nothing is changed during a run."""

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
        """The experiment without the variants that sit out."""
        experiment = self.experiment
        if experiment is None or not self.excluded:
            return experiment
        variants = tuple(v for v in experiment.variants if v.name not in self.excluded)
        return experiment.model_copy(update={"variants": variants})

    def index_of(self, name: str) -> int:
        """Return the letter and hue of a variant: 0 is the baseline's."""
        return self.letters.of(name)

    def draft_index(self, name: str) -> int:
        """Return the same of a variant of the draft, whatever is on screen."""
        return self.letters.of(name)

    def variant(self, name: str | None = None) -> Variant | None:
        """Return a variant by name; the selected one without."""
        wanted = self.selected if name is None else name
        return next((v for v in self.experiment.variants if v.name == wanted), None) if self.experiment else None

    def shown(self) -> Collection[str]:
        """Return names of variants that are on screen and may have left the experiment."""
        return ()

    def select(self, name: str) -> None:
        if name != self.selected and (self.variant(name) or name in self.shown()):
            self.selected = name
            self.selection_changed.emit()

    # -- opening -------------------------------------------------------------------------------------------
    def is_free(self) -> bool:
        """Return whether anything can be opened now; says why not."""
        if self.running:
            self.notice.emit("warning", self.tr("A run is in progress: open it when the run is over."))
        return not self.running

    def open_demo(self) -> bool:
        """Return the demo model with a baseline, an int8 and an int4 variant."""
        return self.open_experiment(demo_experiment.experiment())

    def open_model(self, source: ModelSource) -> bool:
        """Return another model under the same variants; the starter comparison where there are none."""
        experiment = (self.experiment or demo_experiment.experiment()).model_copy(update={"model": source})
        return self._open(State(experiment, self.excluded))

    def open_experiment(self, experiment: Experiment) -> bool:
        """Return another experiment, of which every variant takes part, whatever sat out before."""
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
        """The experiment of the last time, if its model is still there; not a step that can be undone."""
        if experiment is not None and _facts(experiment) is not None:
            self.letters.recall(letters or {})
            self._replace(_tidy(State(experiment, frozenset(excluded))))

    # -- editing -------------------------------------------------------------------------------------------
    def edit(self, experiment: Experiment) -> None:
        """Replace the experiment; variants that sit out go on sitting out. Names are what tells variants apart."""
        self._commit(State(experiment, self.excluded))

    def insert(self, variant: Variant, name: str, place: int) -> None:
        """Put a copy of a variant at a place among the others, under `name` or the next that is free, and select it."""
        experiment = self.experiment
        if experiment is None or self.running:
            return
        try:
            variant = variant.renamed(free_name(experiment, name))
        except ValidationError as error:  # it is from a file of results, which may hold names that none may have now
            self.notice.emit("warning", describe(error))
            return
        variants = (*experiment.variants[:place], variant, *experiment.variants[place:])
        self.edit(experiment.model_copy(update={"variants": variants}))
        self.select(variant.name)

    def edit_variant(self, name: str, changed: Variant) -> None:
        """Replace one variant; its name may change, and then its letter and its exclusion go with it."""
        if self.experiment is None:
            return
        variants = tuple(changed if v.name == name else v for v in self.experiment.variants)
        experiment = self.experiment.model_copy(update={"variants": variants})
        excluded = frozenset(changed.name if n == name else n for n in self.excluded)
        self._commit(State(experiment, excluded), (name, changed.name) if name != changed.name else None)

    def set_quality(self, quality: Quality | None) -> None:
        """What every variant is judged on after the rounds; None: nothing."""
        if self.experiment is not None:
            self.edit(self.experiment.model_copy(update={"quality": quality}))

    def set_excluded(self, name: str, excluded: bool) -> None:
        """Let a variant sit out the next run, or take part again; the baseline always takes part."""
        self._commit(State(self.experiment, self.excluded | {name} if excluded else self.excluded - {name}))

    def _commit(self, state: State, renamed: Rename = None) -> None:
        state = _tidy(state)
        if self.running or state == self._state:
            return
        self._undo = [*self._undo, (self._state, renamed)][-HISTORY:]
        self._redo.clear()
        self._replace(state, renamed)

    def _amend(self, before: State, state: State) -> None:
        """Have the last step lead to another state, unless something was edited since."""
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
    """Only variants that are there can sit out, and never the first."""
    return State(state.experiment, state.excluded & frozenset(state.names()[1:]))


def _facts(experiment: Experiment | None) -> ModelFacts | None:
    try:
        return resolve(experiment.model) if experiment else None
    except ModelError:  # undo to a model that has gone: the run will say so
        return None
