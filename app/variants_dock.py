"""The left dock: the variants, the strategies of the selected one, and the memory they are predicted to need."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QMenu,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.memory_foot import MemoryFoot
from app.recipe_editor import RecipeEditor
from app.session import Session
from app.theme import theme
from app.variants_list import ICON, INDEX, NAME, PILL, ROW, SECOND, STATE, VariantDelegate, state_of
from app.view import View
from app.widgets import Badge, button, dress, hairline, heading, label
from core.spec import Experiment, Variant
from core.strategies import SLOTS

ROWS_SHOWN = 6


def free_name(experiment: Experiment, wanted: str) -> str:
    """`wanted`, or `wanted 2` and so on, so that every name is different."""
    taken = {v.name for v in experiment.variants}
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


class VariantsDock(View):
    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._filling = False  # rows change, and nobody has edited them
        self.setProperty("surface", "win")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._make_actions()
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
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().setAutoFillBackground(False)
        self.editor.setAutoFillBackground(False)
        self._scroll.setStyleSheet("QScrollArea { background: transparent; }")
        column.addWidget(self._scroll, 1)
        column.addWidget(hairline())
        self.memory = MemoryFoot(session)
        column.addWidget(self.memory)
        session.experiment_changed.connect(self.rebuild)
        session.selection_changed.connect(self._show_selection)
        session.event_received.connect(self.mark)
        session.results_changed.connect(self.mark)
        session.run_started.connect(self.rebuild)
        session.run_finished.connect(self.rebuild)
        theme.changed.connect(self.rebuild)
        self.rebuild()

    # -- parts ---------------------------------------------------------------------------------------------
    def _make_actions(self) -> None:
        def action(text: str, icon: str, key: str, slot) -> QAction:
            made = QAction(text, self)
            dress(made, icon)
            if key:
                made.setShortcut(QKeySequence(key))
                made.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            made.triggered.connect(slot)
            self.addAction(made)
            return made

        self.add = action(self.tr("New variant"), "plus", "Ctrl+N", self.add_variant)
        self.duplicate = action(self.tr("Duplicate"), "copy", "Ctrl+D", self.duplicate_variant)
        self.rename = action(self.tr("Rename"), "pencil", "F2", self.rename_variant)
        self.make_baseline = action(self.tr("Make baseline"), "flag", "", self.make_selected_baseline)
        self.delete = action(self.tr("Delete"), "trash", "Del", self.delete_variant)
        for made in (self.add, self.duplicate):
            made.setShortcutContext(Qt.ShortcutContext.WindowShortcut)

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(16, 6, 12, 4)
        row.addStrut(28)
        row.addWidget(heading(self.tr("Variants")), 1)
        self._add_button = button(self.tr("Add"), "plus", "flat")
        self._add_button.clicked.connect(self.add_variant)
        self._add_button.setAccessibleName(self.tr("New variant"))
        row.addWidget(self._add_button)
        return row

    def _list(self) -> QListView:
        self.model = QStandardItemModel(self)
        self.model.itemChanged.connect(self._renamed)
        self.list = QListView()
        self.list.setProperty("look", "rows")
        self.list.setModel(self.model)
        self.list.setItemDelegate(VariantDelegate(self.list))
        self.list.setAccessibleName(self.tr("Variants"))
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._menu)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
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
        """The rows anew, after the experiment has changed."""
        experiment = self.session.experiment
        free = experiment is not None and not self.session.running
        names = [v.name for v in experiment.variants] if experiment else []
        self._filling = True
        self.model.clear()
        for name in names:
            item = QStandardItem(name)
            item.setData(name, NAME)
            item.setEditable(free)
            self.model.appendRow(item)
        self._filling = False
        self._teach.setVisible(not names)
        self.list.setVisible(bool(names))
        self.list.setFixedHeight(ROW * min(max(1, len(names)), ROWS_SHOWN))
        for target in (self._add_button, self.add, self.duplicate, self.rename):
            target.setEnabled(free)
        self._add_button.setVisible(experiment is not None)
        self.refresh()
        self._show_selection()

    def _draw(self) -> None:
        """The words of every row."""
        if self.session.experiment is None:
            return
        self._filling = True
        for row in range(self.model.rowCount()):
            item = self.model.item(row)
            name = item.data(NAME)
            state, icon, second = state_of(self.session, name, self.tr)
            index = self.session.index_of(name)
            item.setData(index, INDEX)
            item.setData(second, SECOND)
            item.setData(state, STATE)
            item.setData(icon, ICON)
            item.setData(state == self.tr("baseline"), PILL)
            item.setToolTip(second if icon == "warning" else "")
            spoken = ", ".join(filter(None, [theme.letter(index), name, second, state, icon]))
            item.setData(spoken, Qt.ItemDataRole.AccessibleTextRole)
        self._filling = False

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
        self._badge.set_index(self.session.index_of(variant.name))
        base = experiment.baseline
        count = sum(getattr(variant, slot) != getattr(base, slot) for slot in SLOTS)
        self._changes.setText(self.tr("{n} changed vs. A").format(n=count) if count else "")
        free = not self.session.running
        self.delete.setEnabled(free and len(experiment.variants) > 1)
        self.make_baseline.setEnabled(free and variant.name != base.name)

    # -- editing -------------------------------------------------------------------------------------------
    @Slot()
    def _current_changed(self, *_: object) -> None:
        item = self.model.itemFromIndex(self.list.currentIndex())
        if item is not None and not self._filling:
            self.session.select(item.data(NAME))

    @Slot(QStandardItem)
    def _renamed(self, item: QStandardItem) -> None:
        if self._filling:
            return
        old, new = item.data(NAME), item.text().strip()
        experiment, variant = self.session.experiment, self.session.variant(old)
        if experiment is None or variant is None or new == old:
            return
        if not new or any(v.name == new for v in experiment.variants):
            self.session.notice.emit(
                "warning", self.tr('"{name}" was not renamed: every name must be different.').format(name=old)
            )
            self.rebuild()
            return
        self.session.edit_variant(old, variant.model_copy(update={"name": new}))

    def _insert(self, variant: Variant) -> None:
        experiment = self.session.experiment
        if experiment is not None and not self.session.running:
            self.session.edit(experiment.model_copy(update={"variants": (*experiment.variants, variant)}))
            self.session.select(variant.name)

    @Slot()
    def add_variant(self) -> None:
        """A copy of the baseline under a name of its own, ready to be changed."""
        if self.session.experiment is not None:
            name = free_name(self.session.experiment, self.tr("variant"))
            self._insert(self.session.experiment.baseline.model_copy(update={"name": name}))

    @Slot()
    def duplicate_variant(self) -> None:
        variant, experiment = self.session.variant(), self.session.experiment
        if variant is not None and experiment is not None:
            name = free_name(experiment, self.tr("{name} copy").format(name=variant.name))
            self._insert(variant.model_copy(update={"name": name[:80]}))

    @Slot()
    def rename_variant(self) -> None:
        self.list.edit(self.list.currentIndex())

    @Slot()
    def make_selected_baseline(self) -> None:
        experiment, variant = self.session.experiment, self.session.variant()
        if experiment is not None and variant is not None:
            rest = tuple(v for v in experiment.variants if v.name != variant.name)
            self.session.edit(experiment.model_copy(update={"variants": (variant, *rest)}))

    @Slot()
    def delete_variant(self) -> None:
        experiment = self.session.experiment
        if experiment is not None and len(experiment.variants) > 1:
            rest = tuple(v for v in experiment.variants if v.name != self.session.selected)
            self.session.edit(experiment.model_copy(update={"variants": rest}))

    @Slot(QPoint)
    def _menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.duplicate, self.rename, self.make_baseline])
        menu.addSeparator()
        menu.addAction(self.delete)
        menu.popup(self.list.viewport().mapToGlobal(position))
