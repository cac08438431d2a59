"""The dialog of presets: the library on the left; mismatches, settings and evidence of the selected one on the right.
Evidence is shown as measured then and never enters the present comparison."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.base.core_text import said, stated
from app.base.theme import theme
from app.presets.preset_evidence import Evidence, Mismatches
from app.presets.preset_manager import PresetCare
from app.session.session import Session
from app.text.prompt_text import title as prompts_title
from app.text.recipe_text import recipe, slot_title, strategy_words
from app.widgets.basics import Elided, caption, hairline, heading, icon
from app.widgets.buttons import PrimaryButton, button
from app.widgets.fact_list import Facts
from app.widgets.notes import Notes
from app.widgets.two_line_list import TwoLines, row
from core.analysis import verdict_text
from core.presets import preset as presets
from core.presets import preset_library
from core.presets.preset import Preset, PresetError
from core.spec.variant import SLOTS
from core.spec.workload import HOW_LONG

NAMES = 160  # px of the names of facts


class PresetDialog(QDialog):
    """Emits `load_settings` or `load_and_measure` with a Preset."""

    load_settings = Signal(object)
    load_and_measure = Signal(object)
    verify = Signal(object, object)  # Path, Preset
    materialize = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setWindowTitle(self.tr("Load preset"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(1000, 680)
        self._known = preset_library.library()
        self._changed: dict[int, list[str]] = {}  # files that have, by the preset: they are read in full for it
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self._left())
        middle.addWidget(hairline(vertical=True))
        middle.addWidget(self._right(), 1)
        outer.addLayout(middle, 1)
        outer.addWidget(hairline())
        outer.addLayout(self._foot())
        self.care.changed.connect(self._reload)
        self.care.verify.connect(self._verify)
        self.care.materialize.connect(self._materialize)
        self._fill_list("")
        self._show(self._chosen())

    # -- parts ---------------------------------------------------------------------------------------------
    def _left(self) -> QWidget:
        side = QWidget()
        side.setFixedWidth(272)
        column = QVBoxLayout(side)
        column.setContentsMargins(12, 12, 12, 8)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search presets"))
        self.search.setAccessibleName(self.tr("Search presets"))
        self.search.addAction(icon("search", "text3"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(self._fill_list)
        column.addWidget(self.search)
        column.addWidget(heading(self.tr("Saved")))
        self.list = QListWidget()
        self.list.setProperty("look", "rows")
        self.list.setFont(theme.font(13))
        self.list.setItemDelegate(TwoLines(self.list))
        self.list.setAccessibleName(self.tr("Presets"))
        self.list.currentItemChanged.connect(self._current_changed)
        column.addWidget(self.list, 1)
        import_button = button(self.tr("Open a preset file…"), "file", "flat")
        import_button.setAutoDefault(False)
        import_button.clicked.connect(self._import)
        column.addWidget(import_button, 0, Qt.AlignmentFlag.AlignLeft)
        return side

    def _right(self) -> QWidget:
        side = QWidget()
        side.setProperty("surface", "panel")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(side)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(8)
        self.title = Elided("", 20, 600)
        self.saved = Elided("", 12, role="secondary")
        column.addWidget(self.title)
        column.addWidget(self.saved)
        column.addSpacing(8)
        self.warning = Mismatches()
        column.addWidget(self.warning)
        self._settings_title = heading(self.tr("Settings"))
        column.addWidget(self._settings_title)
        self.settings = Facts(left=NAMES)
        column.addWidget(self.settings)
        column.addSpacing(8)
        self._evidence_title = heading(self.tr("Evidence, as measured then"))
        column.addWidget(self._evidence_title)
        self.evidence = Evidence()
        self.about = Facts(left=NAMES)
        column.addWidget(self.evidence)
        column.addSpacing(8)
        column.addWidget(self.about)
        column.addSpacing(8)
        self._history_title = heading(self.tr("Verified since"))
        column.addWidget(self._history_title)
        self.history = Notes()
        column.addWidget(self.history)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(side)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(self.tr("The chosen preset"))
        whole = QWidget()
        around = QVBoxLayout(whole)
        around.setContentsMargins(0, 0, 0, 0)
        around.setSpacing(0)
        around.addWidget(scroll, 1)
        around.addWidget(hairline())
        self.care = PresetCare(self.session)
        around.addWidget(self.care)
        return whole

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(20, 12, 20, 12)
        row.setSpacing(8)
        self._note = caption("")
        row.addWidget(self._note, 1)
        cancel = button(self.tr("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.only = button(self.tr("Load settings only"))
        self.only.setAutoDefault(False)
        self.only.clicked.connect(self._load_settings)
        self.measure = PrimaryButton(self.tr("Load and measure here"), "play")
        self.measure.setDefault(True)
        self.measure.clicked.connect(self._load_and_measure)
        for part in (cancel, self.only):
            part.setMinimumHeight(34)
            row.addWidget(part)
        row.addWidget(self.measure)
        return row

    # -- showing -------------------------------------------------------------------------------------------
    @Slot(str)
    def _fill_list(self, wanted: str) -> None:
        self.list.clear()
        for place, (path, preset) in enumerate(self._known):
            if preset_library.search([(path, preset)], wanted):
                refuted = bool(preset.history) and not preset.history[-1].confirmed
                differs = refuted or bool(self._mismatches(preset))
                ratio = said(verdict_text.hedged(preset.row)) if preset.row else self.tr("no evidence")
                item = row(
                    _called(preset), f"{recipe(preset.variant)} · {ratio}",
                    ("warning", "warn") if differs else ("check", "ok"),
                )  # fmt: skip
                item.setData(Qt.ItemDataRole.UserRole, place)
                self.list.addItem(item)
        if self.list.count():
            self.list.setCurrentRow(0)

    @Slot()
    def _current_changed(self, *_: object) -> None:
        self._show(self._chosen())

    def _chosen(self) -> Preset | None:
        item = self.list.currentItem()
        return self._known[item.data(Qt.ItemDataRole.UserRole)][1] if item else None

    def _mismatches(self, preset: Preset) -> list[str]:
        """Return the mismatches with the present model and machine; the model's fingerprint is known once it was
        loaded."""
        fingerprint = None
        if self.session.results is not None:
            loaded = [v.loaded for v in self.session.results.variants.values() if v.loaded is not None]
            fingerprint = loaded[0].fingerprint if loaded else None
        if id(preset) not in self._changed:
            self._changed[id(preset)] = preset.changed_files()
        lines = self._changed[id(preset)] + preset.mismatches(fingerprint, self.session.environment)
        now = self.session.experiment
        if now is not None and now.model.source != preset.model.source:
            lines.append(f"model: {preset.model.source} → {now.model.source}")
        if now is not None and now.workload != preset.workload:
            then, here = preset.workload, now.workload
            for name in type(then).model_fields:
                if name not in HOW_LONG and getattr(then, name) != getattr(here, name):
                    lines.append(f"{name}: {getattr(then, name)} → {getattr(here, name)}")
        return lines

    def _show(self, preset: Preset | None) -> None:
        for part in (self.only, self.measure):
            part.setEnabled(preset is not None and not self.session.running)
        for heading_ in (self._settings_title, self._evidence_title):
            heading_.setVisible(preset is not None)
        self.care.show_preset(self._path(), preset)
        self._show_history(preset)
        self.evidence.setVisible(preset is not None and preset.row is not None)
        if preset is None:
            self.warning.set([], set())
            if self._known:
                self.title.setText(self.tr("No preset has these words"))
                self.saved.setText("")
            else:
                self.title.setText(self.tr("No presets yet"))
                hint = self.tr("Measure a variant, then save it with Ctrl+Shift+S: its evidence goes with it.")
                self.saved.setText(hint)
            self.settings.set([])
            self.about.set([])
            return
        self.title.setText(_called(preset))
        saved = self.tr("Saved {when} · {model} · {prompts}, {into} in → {out} out")
        self.saved.setText(
            saved.format(
                when=preset.created[:16].replace("T", " "),
                model=preset.model.source,
                prompts=prompts_title(preset.workload.prompts),
                into=preset.workload.prompt_tokens,
                out=preset.workload.new_tokens,
            )
        )
        here = self.session.environment
        known = [e.versions for e in (preset.environment, here) if e is not None]
        self.warning.set(self._mismatches(preset), {name for versions in known for name in versions})
        chosen = [(slot, getattr(preset.variant, slot)) for slot in SLOTS]
        rows = [(slot_title(slot), strategy_words(s)) for slot, s in chosen if s is not None]
        self.settings.set(rows or [(self.tr("Strategies"), self.tr("as loaded"))])
        self._evidence_title.setVisible(preset.row is not None)
        if preset.row is not None:
            self.evidence.set(preset, self.session.letters.kept().get(preset.variant.name) or 1)
        told = ((self.tr("Tags"), ", ".join(preset.tags)), (self.tr("Note"), preset.note))
        self.about.set([one for one in told if one[1]])
        self._note.setText(self.tr("Loads as a new variant. Undo with Ctrl+Z."))

    def _path(self) -> Path | None:
        item = self.list.currentItem()
        return self._known[item.data(Qt.ItemDataRole.UserRole)][0] if item else None

    def _show_history(self, preset: Preset | None) -> None:
        """Show every verification, the newest first."""
        done = preset.history[::-1] if preset is not None else []
        self._history_title.setVisible(bool(done))
        self.history.set(
            [
                (
                    "check" if v.confirmed else "warning",
                    "ok" if v.confirmed else "warn",
                    said(v.words()),
                    " · ".join([v.at[:16].replace("T", " "), *map(said, v.differs[:3])]),
                )
                for v in done
            ]
        )

    @Slot()
    def _reload(self) -> None:
        """Reload the library after a change; the selection stays, or moves to its neighbour."""
        path, row = self._path(), self.list.currentRow()
        outside = [e for e in self._known if e[0].parent != preset_library.folder() and e[0].exists()]
        self._known = [*outside, *preset_library.library()]
        self._changed.clear()
        self._fill_list(self.search.text())
        for place in range(self.list.count()):
            if self._known[self.list.item(place).data(Qt.ItemDataRole.UserRole)][0] == path:
                self.list.setCurrentRow(place)
                return
        self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
        self._show(self._chosen())

    # -- acting --------------------------------------------------------------------------------------------
    @Slot()
    def _import(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, self.tr("Open a preset"), "", self.tr("Presets (*.json *.dyno-preset)")
        )
        if name:
            self.add_file(Path(name))

    def add_file(self, path: Path) -> None:
        """Show the preset in a file; an error is shown in the dialog, which covers the window's notices."""
        try:
            self.add(path, presets.load(path))
        except PresetError as error:
            self.care.say(stated(str(error)), "err")

    def add(self, path: Path, preset: Preset) -> None:
        """Show a preset that is not in the library."""
        self._known.insert(0, (path, preset))
        self.search.clear()
        self._fill_list("")

    @Slot(object, object)
    def _verify(self, path: Path, preset: Preset) -> None:
        self.verify.emit(path, preset)
        self.accept()

    @Slot(object)
    def _materialize(self, preset: Preset) -> None:
        self.materialize.emit(preset)
        if self.session.jobs.disturbing is not None:  # it has begun: how far it is, is said behind this dialog
            self.accept()

    @Slot()
    def _load_settings(self) -> None:
        preset = self._chosen()
        if preset is not None:
            self.load_settings.emit(preset)
            self.accept()

    @Slot()
    def _load_and_measure(self) -> None:
        preset = self._chosen()
        if preset is not None:
            self.load_and_measure.emit(preset)
            self.accept()


def _called(preset: Preset) -> str:
    return f"{preset.name} · v{preset.version}" if preset.version > 1 else preset.name
