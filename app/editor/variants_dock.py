"""The left dock: the variants, the strategies of the selected one, and their predicted memory."""

from __future__ import annotations

from pydantic import ValidationError
from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QAction, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from app.base.theme import theme
from app.editor.memory_estimate_bar import MemoryFoot
from app.editor.strategy_editor import RecipeEditor
from app.editor.variant_actions import VariantActions
from app.editor.variant_status import row_state
from app.editor.variants_list import INDEX, NAME, ROW, STATE, VariantsList, is_ticked
from app.session.session import Session
from app.widgets.basics import Badge, hairline, heading, label, tip
from app.widgets.buttons import button
from app.widgets.view import View
from core.base.visible_text import look
from core.spec.experiment import describe
from core.spec.variant import SLOTS

ROWS_SHOWN = 6


class VariantsDock(View):
    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._filling = False  # rows change without an edit by the user
        self.setProperty("surface", "win")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.variant_actions = VariantActions(session, self)
        self.variant_actions.rename.triggered.connect(self._rename)
        column.addLayout(self._head())
        self._teach = label(
            self.tr(
                "A variant is the model plus the strategies you switch on. The first one, A, is the baseline; "
                "every other is compared with it."
            ),
            12,
            role="secondary",
            wrap=True,
        )
        self._teach.setContentsMargins(16, 0, 16, 20)
        column.addWidget(self._teach)
        column.addWidget(self._list())
        column.addWidget(hairline())
        column.addLayout(self._recipe_head())
        self.editor = RecipeEditor(session)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self.editor)
        self._scroll.setAccessibleName(self.tr("Strategies"))
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().setAutoFillBackground(False)
        self.editor.setAutoFillBackground(False)
        self._scroll.setStyleSheet("QScrollArea { background: transparent; }")
        column.addWidget(self._scroll, 1)
        column.addWidget(hairline())
        self.memory = MemoryFoot(session)
        column.addWidget(self.memory)
        self.measured_actions: list[QAction] = []  # what can be done with the results of the selected one
        session.experiment_changed.connect(self.rebuild)
        session.selection_changed.connect(self._show_selection)
        session.event_received.connect(self.mark)
        session.results_changed.connect(self.mark)
        session.run_started.connect(self.rebuild)
        session.run_finished.connect(self.rebuild)
        theme.changed.connect(self.rebuild)
        self.rebuild()

    # -- parts ---------------------------------------------------------------------------------------------
    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 12, 2)  # below the grip, as high as the tabs beside it
        row.addStrut(28)
        row.addWidget(heading(self.tr("Variants")), 1)
        self._add_button = button(self.tr("Add"), "plus", "flat")
        self._add_button.clicked.connect(self.variant_actions.add.trigger)
        self._add_button.setAccessibleName(self.tr("New variant"))
        self._add_button.setWhatsThis(self.tr("Adds a variant like the selected one; its strategies are chosen below."))
        row.addWidget(self._add_button)
        return row

    def _list(self) -> VariantsList:
        self.model = QStandardItemModel(self)
        self.model.itemChanged.connect(self._item_changed)
        self.list = VariantsList()
        self.list.setModel(self.model)
        self.list.setAccessibleName(self.tr("Variants"))
        self.list.customContextMenuRequested.connect(self._menu)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        # Queued: the rows are made anew, and the drag has to be over by then.
        self.list.moved.connect(self.variant_actions.move, Qt.ConnectionType.QueuedConnection)
        self.list.preset_dropped.connect(self.variant_actions.add_preset, Qt.ConnectionType.QueuedConnection)
        return self.list

    def _recipe_head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(16, 9, 16, 8)
        row.setSpacing(8)
        self._recipe_title = heading(self.tr("Strategies"))
        self._badge = Badge(0)
        self._changes = label("", 12, role="accent")
        row.addWidget(self._recipe_title)
        row.addWidget(self._badge)
        row.addStretch(1)
        row.addWidget(self._changes)
        return row

    # -- showing -------------------------------------------------------------------------------------------
    @Slot()
    def rebuild(self) -> None:
        """Rebuild the rows after the experiment has changed."""
        experiment = self.session.experiment
        free = experiment is not None and not self.session.running
        names = [v.name for v in experiment.variants] if experiment else []
        self._filling = True
        self.model.clear()
        for place, name in enumerate(names):
            item = self.list.item(name, name not in self.session.excluded, free, baseline=place == 0)
            self.model.appendRow(item)
        self._filling = False
        self._teach.setVisible(not names)
        self.list.setVisible(bool(names))
        self.list.setFixedHeight(ROW * min(max(1, len(names)), ROWS_SHOWN))
        self._add_button.setEnabled(free)
        self._add_button.setVisible(experiment is not None)
        self.refresh()
        self._show_selection()

    def _draw(self) -> None:
        """Update the texts of all rows."""
        if self.session.experiment is None:
            return
        self._filling = True
        for row in range(self.model.rowCount()):
            item = self.model.item(row)
            name = item.data(NAME)
            state, index = row_state(self.session, name), self.session.draft_index(name)
            item.setData(index, INDEX)
            item.setData(state, STATE)
            item.setToolTip(tip(self._tip(state.second if state.icon == "warning" else "", row)))
            spoken = ", ".join(filter(None, [theme.letter(index), name, state.second, state.text, state.icon]))
            item.setData(spoken, Qt.ItemDataRole.AccessibleTextRole)
        self._filling = False

    def _tip(self, problem: str, row: int) -> str:
        if problem:
            return problem
        return self.tr("The baseline: it takes part in every run.") if row == 0 else self.tr("Drag to reorder.")

    @Slot()
    def _show_selection(self) -> None:
        experiment, variant = self.session.experiment, self.session.variant()
        for row in range(self.model.rowCount()):
            if self.model.item(row).data(NAME) == self.session.selected:
                self.list.setCurrentIndex(self.model.index(row, 0))
        known = variant is not None and experiment is not None
        self._badge.setVisible(known)
        self._recipe_title.setText(self.tr("Strategies of") if known else self.tr("Strategies"))
        if variant is None or experiment is None:
            self._changes.setText("")
            return
        self._badge.set_index(self.session.draft_index(variant.name))
        count = sum(getattr(variant, slot) != getattr(experiment.baseline, slot) for slot in SLOTS)
        self._changes.setText(self.tr("{n} changed vs. A").format(n=count) if count else "")

    # -- editing -------------------------------------------------------------------------------------------
    @Slot()
    def _current_changed(self, *_: object) -> None:
        item = self.model.itemFromIndex(self.list.currentIndex())
        if item is not None and not self._filling:
            self.session.select(item.data(NAME))

    @Slot(QStandardItem)
    def _item_changed(self, item: QStandardItem) -> None:
        """Apply a rename or a tick of a row."""
        if self._filling:
            return
        name, ticked = item.data(NAME), is_ticked(item.index())
        if ticked == (name in self.session.excluded):
            self.session.set_excluded(name, not ticked)
        else:
            self._renamed(name, item.text().strip())

    def _renamed(self, old: str, new: str) -> None:
        variant = self.session.variant(old)
        if variant is None or new == old:
            return
        if not new:  # nothing typed is no name: it keeps the one that it has
            self.rebuild()
            return
        try:
            renamed = variant.renamed(new)
            others = self.session.experiment.variants if self.session.experiment is not None else ()
            taken = {look(v.name) for v in others if v.name != old}
            reason = self.tr("every name must be different") if look(renamed.name) in taken else ""
        except ValidationError as error:
            reason = describe(error)
        if reason:
            words = self.tr('"{name}" was not renamed: {reason}.').format(name=old, reason=reason)
            self.session.notice.emit("warning", words)
            self.rebuild()
            return
        self.session.edit_variant(old, renamed)

    @Slot()
    def _rename(self) -> None:
        self.list.edit(self.list.currentIndex())

    @Slot(QPoint)
    def _menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.variant_actions.fill(menu, whole=False)
        if self.measured_actions:
            menu.addSeparator()
            menu.addActions(self.measured_actions)
        menu.popup(self.list.viewport().mapToGlobal(position))
