"""The toolbar of the comparison: measure, reference, filter, columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSettings, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QWidget,
)

from app.base.core_text import said
from app.base.theme import theme
from app.compare import columns
from app.widgets.basics import caption
from app.widgets.buttons import Button, button
from app.widgets.dropdown_field import Panel
from core.analysis.comparison_row import Comparison
from core.analysis.measures import MEASURES, SPEED, known
from core.base import formatting
from core.wording import contrast_text

COLUMNS_KEY, DELTAS_KEY = "compare/columns", "compare/deltas"
HEIGHT = 44


class CompareToolbar(QWidget):
    """Shows the options and emits the user's choices."""

    measure_chosen = Signal(str)
    reference_chosen = Signal(str)
    filter_changed = Signal(str)
    columns_changed = Signal()
    trials_wanted = Signal(bool)  # instead of the variants

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        self.measure = _combo(self.tr("Compare by"), 190)
        self.reference = _combo(self.tr("Compared with"), 170)
        self.measure.setWhatsThis(
            self.tr("The figure that variants are compared by; verdicts, forest and sentence follow.")
        )
        self.reference.setWhatsThis(self.tr("The variant that all others are compared with."))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Filter by name, recipe, verdict, status"))
        self.filter.setAccessibleName(self.tr("Filter variants"))
        self.filter.setWhatsThis(
            self.tr("Shows only variants with these words in their name, recipe, verdict or status.")
        )
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(120)
        self.count = caption("")
        self.trials: Button = button(self.tr("Trials"), "lines")
        self.trials.setCheckable(True)
        self.trials.setAccessibleName(self.tr("Show single trials"))
        self.trials.setToolTip(self.tr("Each trial with its figures and flags; one can be left out of the figures"))
        self.trials.setWhatsThis(self.tr("Shows single trials instead of variants, and the variants again."))
        self.load: Button = button(self.tr("Load curve"), "activity")
        self.load.setToolTip(self.tr("Throughput and latency of all runs of this sweep over the load"))
        self.load.setWhatsThis(self.tr("Opens the load curve of the sweep that this run belongs to."))
        self.load.hide()
        self.columns: Button = button(self.tr("Columns"), "table")
        self.columns.setAccessibleName(self.tr("Choose columns"))
        self.columns.setWhatsThis(self.tr("Which figures the table has; each says how it is computed."))
        self.panel = ColumnsPanel(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 6, 16, 6)
        row.setSpacing(8)
        row.addWidget(self.measure)
        row.addWidget(caption(self.tr("vs.")))
        row.addWidget(self.reference)
        row.addSpacing(8)
        row.addWidget(self.filter, 1)
        row.addWidget(self.count)
        row.addWidget(self.load)
        row.addWidget(self.trials)
        row.addWidget(self.columns)
        self.measure.activated.connect(self._measure_chosen)
        self.reference.activated.connect(self._reference_chosen)
        self.filter.textChanged.connect(self.filter_changed)
        self.columns.clicked.connect(self._open)
        self.trials.toggled.connect(self._trials_toggled)
        self.panel.changed.connect(self.columns_changed)
        for key in MEASURES:
            self.measure.addItem(formatting.capital(said(contrast_text.title(key.key))), key.key)

    def refresh(self, comparison: Comparison, by: str, reference: str, letters: Sequence[str]) -> None:
        """Show the available measures and variants, and the chosen ones."""
        model = self.measure.model()
        assert isinstance(model, QStandardItemModel)
        there = known(comparison.variants) | {SPEED.key}
        for place, measure in enumerate(MEASURES):
            title = formatting.capital(said(contrast_text.title(measure.key)))
            item = model.item(place)
            item.setEnabled(measure.key in there or measure.key == by)
            item.setText(title if measure.key in there else self.tr("{measure} (not measured)").format(measure=title))
        names = [row.variant for row in comparison.variants]
        with QSignalBlocker(self.measure), QSignalBlocker(self.reference):
            self.measure.setCurrentIndex(self.measure.findData(by))
            shown = [f"{letter}  {name}" for letter, name in zip(letters, names, strict=True)]
            if shown != [self.reference.itemText(i) for i in range(self.reference.count())]:
                self.reference.clear()
                for text, name in zip(shown, names, strict=True):
                    self.reference.addItem(text, name)
            self.reference.setCurrentIndex(max(0, self.reference.findData(reference)))

    def show_count(self, shown: int, of: int) -> None:
        """Show how many rows pass the filter, if one is set."""
        self.count.setText(self.tr("{n} of {all}").format(n=shown, all=of) if self.filter.text().strip() else "")

    @Slot(int)
    def _measure_chosen(self, _place: int) -> None:
        self.measure_chosen.emit(self.measure.currentData())

    @Slot(int)
    def _reference_chosen(self, _place: int) -> None:
        self.reference_chosen.emit(self.reference.currentData())

    @Slot(bool)
    def _trials_toggled(self, wanted: bool) -> None:
        """Update the button's text to its next action."""
        self.trials.setText(self.tr("Variants") if wanted else self.tr("Trials"))
        self.columns.setEnabled(not wanted)
        self.trials_wanted.emit(wanted)

    @Slot()
    def _open(self) -> None:
        self.panel.open_below(self.columns)


class ColumnsPanel(Panel):
    """The choice of columns with their definitions: those proposed for the workload until the user chooses others,
    which are remembered."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(380, parent)
        self.deltas = QCheckBox(self.tr("Differences from the reference"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Find a column"))
        self.search.setAccessibleName(self.tr("Find a column"))
        self.list = QListWidget()
        self.list.setProperty("look", "boxed")
        self.list.setAccessibleName(self.tr("Columns"))
        self.list.setMinimumHeight(320)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        reset = button(self.tr("Reset columns"), "reset")
        self.column.addWidget(self.deltas)
        self.column.addWidget(self.search)
        self.column.addWidget(self.list)
        self.column.addWidget(reset)
        settings = QSettings()
        kept = settings.value(COLUMNS_KEY, list(columns.FIRST))
        chosen = kept if isinstance(kept, list) else [kept]
        self._proposed: tuple[str, ...] = columns.FIRST
        self._by_hand = chosen != list(columns.FIRST)
        self.deltas.setChecked(str(settings.value(DELTAS_KEY, "true")) == "true")
        for key in columns.KEYS:
            title = columns.title(key, None)
            item = QListWidgetItem(title.long)
            item.setData(Qt.ItemDataRole.UserRole, key)
            item.setToolTip(title.tip)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if key in chosen else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.deltas.toggled.connect(self._keep_deltas)
        self.search.textChanged.connect(self._find)
        self.list.itemChanged.connect(self._keep)
        reset.clicked.connect(self.reset)

    @property
    def chosen(self) -> list[str]:
        """The chosen keys in the table's order."""
        items = [self.list.item(i) for i in range(self.list.count())]
        return [i.data(Qt.ItemDataRole.UserRole) for i in items if i.checkState() == Qt.CheckState.Checked]

    def choose(self, keys: Sequence[str]) -> None:
        self._check(keys)
        self._keep()

    def propose(self, keys: Sequence[str]) -> None:
        """Show these columns unless the user has chosen."""
        if tuple(keys) != self._proposed:
            self._proposed = tuple(keys)
            if not self._by_hand:
                self._check(keys)

    def _check(self, keys: Sequence[str]) -> None:
        with QSignalBlocker(self.list):
            for place in range(self.list.count()):
                item = self.list.item(place)
                wanted = item.data(Qt.ItemDataRole.UserRole) in keys
                item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)

    @Slot()
    def reset(self) -> None:
        """Return to the proposed columns."""
        self._by_hand = False
        QSettings().remove(COLUMNS_KEY)
        self._check(self._proposed)
        self.changed.emit()

    @Slot()
    def _keep(self) -> None:
        self._by_hand = True
        QSettings().setValue(COLUMNS_KEY, self.chosen)
        self.changed.emit()

    @Slot()
    def _keep_deltas(self) -> None:
        QSettings().setValue(DELTAS_KEY, "true" if self.deltas.isChecked() else "false")
        self.changed.emit()

    @Slot(str)
    def _find(self, text: str) -> None:
        for place in range(self.list.count()):
            item = self.list.item(place)
            item.setHidden(text.casefold() not in f"{item.text()} {item.toolTip()}".casefold())


def _combo(name: str, width: int) -> QComboBox:
    combo = QComboBox()
    combo.setAccessibleName(name)
    combo.setToolTip(name)
    combo.setFont(theme.font(13))
    combo.setMaximumWidth(width)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    combo.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return combo
