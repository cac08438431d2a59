"""The actions on variants, with their keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.session.session import Session
from app.session.variant_names import new_name
from app.widgets.basics import dress
from core.presets import preset as presets
from core.presets.preset import PresetError
from core.spec.variant import Variant


class VariantActions(QObject):
    """The actions; their keys apply while `owner` has the focus. `rename` is connected by whoever has an editor."""

    def __init__(self, session: Session, owner: QWidget) -> None:
        super().__init__(owner)
        self.session, self._owner = session, owner
        self.add = self._action("variant_add", self.tr("New variant"), "plus", "Ctrl+N", self._add, anywhere=True)
        self.duplicate = self._action(
            "variant_duplicate", self.tr("Duplicate"), "copy", "Ctrl+D", self._duplicate, anywhere=True
        )
        self.rename = self._action("variant_rename", self.tr("Rename"), "pencil", "F2")
        self.make_baseline = self._action(
            "variant_make_baseline", self.tr("Make baseline"), "flag", "", self._make_baseline
        )
        self.exclude = self._action("variant_exclude", self.tr("Exclude from run"), "", "", self._exclude)
        self.exclude.setCheckable(True)
        self.up = self._action("variant_up", self.tr("Move up"), "chevron-up", "Alt+Up", self._move_up)
        self.down = self._action("variant_down", self.tr("Move down"), "chevron-down", "Alt+Down", self._move_down)
        self.sweep = self._action("variant_sweep", self.tr("Sweep a parameter…"), "lines", "", self._sweep)
        self.previous = self._action(
            "variant_previous", self.tr("Previous variant"), "", "Ctrl+Up", self._previous, anywhere=True
        )
        self.next = self._action("variant_next", self.tr("Next variant"), "", "Ctrl+Down", self._next, anywhere=True)
        self.delete = self._action("variant_delete", self.tr("Delete"), "trash", "Del", self._delete)
        session.experiment_changed.connect(self.refresh)
        session.selection_changed.connect(self.refresh)
        session.run_started.connect(self.refresh)
        session.run_finished.connect(self.refresh)
        self.refresh()

    def _action(
        self, name: str, text: str, icon: str, key: str, slot: Callable[[], None] | None = None, anywhere: bool = False
    ) -> QAction:
        made = QAction(text, self._owner)
        made.setObjectName(name)
        if icon:
            dress(made, icon)
        made.setShortcut(QKeySequence(key))
        context = Qt.ShortcutContext.WindowShortcut if anywhere else Qt.ShortcutContext.WidgetWithChildrenShortcut
        made.setShortcutContext(context)
        if slot is not None:
            made.triggered.connect(slot)
        self._owner.addAction(made)
        return made

    def fill(self, menu: QMenu, whole: bool) -> None:
        """Fill a menu with all actions, or with those of the selected variant."""
        if whole:
            menu.addAction(self.add)
        menu.addActions([self.duplicate, self.sweep, self.rename, self.make_baseline, self.exclude])
        menu.addSeparator()
        menu.addActions([self.up, self.down])
        if whole:
            menu.addActions([self.previous, self.next])
        menu.addSeparator()
        menu.addAction(self.delete)

    @Slot()
    def refresh(self) -> None:
        """Enable the actions that are possible now."""
        names, place = self._names(), self._place()
        free = bool(names) and not self.session.running
        for action in (self.add, self.duplicate, self.sweep, self.rename):
            action.setEnabled(free)
        self.delete.setEnabled(free and len(names) > 1)
        for action in (self.make_baseline, self.exclude):
            action.setEnabled(free and place > 0)
        self.exclude.setChecked(self.session.selected in self.session.excluded)
        self.up.setEnabled(free and place > 1)
        self.down.setEnabled(free and 0 < place < len(names) - 1)
        self.previous.setEnabled(place > 0)
        self.next.setEnabled(0 <= place < len(names) - 1)

    def _names(self) -> list[str]:
        return [v.name for v in self.session.experiment.variants] if self.session.experiment else []

    def _place(self) -> int:
        """Return the selected variant's position; −1 without a selection."""
        names = self._names()
        return names.index(self.session.selected) if self.session.selected in names else -1

    # -- what they do ----------------------------------------------------------------------------------
    def _set(self, variants: tuple[Variant, ...]) -> None:
        if self.session.experiment is not None:
            self.session.edit(self.session.experiment.model_copy(update={"variants": variants}))

    @Slot()
    def _add(self) -> None:
        """Add a copy of the baseline under a new name."""
        experiment = self.session.experiment
        if experiment is not None:
            self.session.insert(experiment.baseline, new_name(), len(experiment.variants))

    @Slot()
    def _duplicate(self) -> None:
        """Add a copy below the selected variant."""
        variant = self.session.variant()
        if variant is not None:
            self.session.insert(variant, self.tr("{name} copy").format(name=variant.name), self._place() + 1)

    @Slot(object, int)
    def add_preset(self, path: Path, place: int) -> None:
        """Insert the variant of a preset's file."""
        try:
            preset = presets.load(path)
        except PresetError as error:
            self.session.notice.emit("error", str(error))
            return
        if preset.newer:
            self.session.notice.emit("warning", f"{path}: {preset.newer}")
        variant = preset.variant
        self.session.insert(variant, variant.name, place)

    @Slot()
    def _sweep(self) -> None:
        from app.editor.sweep_dialog import SweepDialog

        SweepDialog(self.session, self._owner.window()).open()

    @Slot()
    def _make_baseline(self) -> None:
        experiment, variant = self.session.experiment, self.session.variant()
        if experiment is not None and variant is not None:
            self._set((variant, *(v for v in experiment.variants if v.name != variant.name)))

    @Slot()
    def _exclude(self) -> None:
        self.session.set_excluded(self.session.selected, self.session.selected not in self.session.excluded)
        self.refresh()  # the check mark has changed by itself

    @Slot()
    def _delete(self) -> None:
        experiment = self.session.experiment
        if experiment is not None and len(experiment.variants) > 1:
            self._set(tuple(v for v in experiment.variants if v.name != self.session.selected))

    @Slot(str, int)
    def move(self, name: str, place: int) -> None:
        """Move a variant; the baseline stays first."""
        experiment, variant = self.session.experiment, self.session.variant(name)
        if experiment is None or variant is None or variant.name == experiment.baseline.name:
            return
        rest = [v for v in experiment.variants if v.name != name]
        rest.insert(max(1, place), variant)
        self._set(tuple(rest))

    @Slot()
    def _move_up(self) -> None:
        self.move(self.session.selected, self._place() - 1)

    @Slot()
    def _move_down(self) -> None:
        self.move(self.session.selected, self._place() + 1)

    @Slot()
    def _previous(self) -> None:
        self.session.select(self._names()[self._place() - 1])

    @Slot()
    def _next(self) -> None:
        self.session.select(self._names()[self._place() + 1])
