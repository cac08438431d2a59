"""The settings page: window, engines, folders, verdict, notices, caches."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSignalMapper, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from app.base.theme import MODES, theme
from app.settings import engine_environment
from app.settings.cache_rows import CacheRows
from app.settings.engine_command_check import EngineCheck
from app.settings.language_menu import LanguageBox
from app.settings.settings import MARGINS, Settings
from app.widgets.basics import caption, heading, label
from app.widgets.buttons import button
from app.widgets.dialog import Dialog
from app.widgets.model_form import CalmWheel, Real, tame
from core.base.folders import cache_folder, data_folder
from core.protocol import python_finder

TITLE_WIDTH = 136


def titles() -> dict[str, str]:
    """Return the titles of the settings by name, in order, for a search."""
    return {
        "theme": QCoreApplication.translate("SettingsDialog", "Theme"),
        "language": QCoreApplication.translate("SettingsDialog", "Language"),
        "engine": QCoreApplication.translate("SettingsDialog", "Engine command"),
        "threads": QCoreApplication.translate("SettingsDialog", "Engine threads"),
        "runs": QCoreApplication.translate("SettingsDialog", "Results folder"),
        "presets": QCoreApplication.translate("SettingsDialog", "Presets folder"),
        "cache": QCoreApplication.translate("SettingsDialog", "Cache folder"),
        "margin": QCoreApplication.translate("SettingsDialog", "Margin of the verdict"),
        "notify": QCoreApplication.translate("SettingsDialog", "Notifications"),
    }


class SettingsDialog(Dialog):
    """`applied` follows after everything was stored. `fixed` says why settings that a run holds cannot be
    changed now."""

    applied = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None, fixed: str = "") -> None:
        super().__init__(QCoreApplication.translate("SettingsDialog", "Settings"), parent, 640)
        self.settings = settings
        self._row = 0
        self._titles = titles()
        self._calm = CalmWheel(self)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 8, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, TITLE_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self._browse = QSignalMapper(self)
        self._browse.mappedString.connect(self._ask_folder)
        self._window_rows(fixed)
        self._engine_rows(fixed)
        self._folder_rows()
        self._verdict_rows()
        locked = self.tr("Nothing can be cleared while a run goes on.") if fixed else ""
        self.caches = CacheRows(locked)
        self._head(self.tr("Caches"))
        self._grid.addWidget(self.caches, self._row, 0, 1, 3)
        self._grid.setRowStretch(self._row + 1, 1)  # else what is left over parts the rows
        page = QWidget()
        page.setLayout(self._grid)
        self._scroll = scroll = QScrollArea()
        self.caches.asked.connect(self._show_question)
        scroll.setWidget(page)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes from one setting to the next, and it follows
        self.body.addWidget(scroll)
        self.add_buttons(self.tr("Save settings"), self.tr("Cancel"))
        self.accepted.connect(self._store)
        self.finished.connect(self.check.end)
        self.finished.connect(self.caches.close_thread)
        room = parent.height() - 40 if parent is not None else 720
        self.resize(640, min(self._grid.totalHeightForWidth(640 - 56) + 136, max(480, room)))

    # -- rows ----------------------------------------------------------------------------------------------
    def _head(self, text: str) -> None:
        head = heading(text)
        head.setContentsMargins(0, 10 if self._row else 0, 0, 0)
        self._grid.addWidget(head, self._row, 0, 1, 3)
        self._row += 1

    def _add(self, name: str, widget: QWidget, note: str = "", beside: QWidget | None = None) -> None:
        """Add a setting: title, control, a button beside it, and a line of small print below."""
        title = label(self._titles[name], 13, role="secondary")
        title.setBuddy(widget)
        widget.setAccessibleName(self._titles[name])
        widget.setAccessibleDescription(note)
        widget.setWhatsThis(note or self._titles[name])
        widget.setFont(theme.font(13, mono=name == "engine"))
        widget.setObjectName(name)
        if not isinstance(widget, QLineEdit | QCheckBox):
            widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            widget.installEventFilter(self._calm)
        self._grid.addWidget(title, self._row, 0)
        self._grid.addWidget(widget, self._row, 1, 1, 1 if beside is not None else 2)
        if beside is not None:
            self._grid.addWidget(beside, self._row, 2)
        self._row += 1
        if note:
            self._grid.addWidget(caption(note, wrap=True), self._row, 1, 1, 2)
            self._row += 1

    def _window_rows(self, fixed: str) -> None:
        self._head(self.tr("Window"))
        self.theme = QComboBox()
        tame(self.theme)
        for mode, text in zip(MODES, (self.tr("Light"), self.tr("Dark"), self.tr("As the system")), strict=True):
            self.theme.addItem(text, mode)
        self.theme.setCurrentIndex(self.theme.findData(self.settings.theme))
        self._add("theme", self.theme)
        self.language = LanguageBox(self.settings, fixed)
        tame(self.language)
        self._add("language", self.language, fixed)

    def _engine_rows(self, fixed: str) -> None:
        self._head(self.tr("Engine"))
        self.engine = QLineEdit(self.settings.engine_text)
        own = self.tr("this Python: python -m core.engine")
        self.engine.setPlaceholderText(
            self.tr("the first with torch of .venv here and python3") if python_finder.is_standalone() else own
        )
        self.check = EngineCheck(self.engine.text)
        if fixed:
            self.check.button.setEnabled(False)
            self.check.button.setToolTip(self.tr("Not during a run: an engine that starts would disturb it."))
        note = self.tr("Another interpreter, a container, or ssh host python -m core.engine.")
        self._add("engine", self.engine, note, self.check.button)
        self._grid.addWidget(self.check, self._row, 1, 1, 2)
        self._row += 1
        self.threads = QSpinBox()
        self.threads.setRange(0, 1024)
        self.threads.setSpecialValueText(self.tr("as many as the engine takes"))
        self.threads.lineEdit().setTextMargins(5, 0, 0, 0)
        self.threads.setValue(self.settings.threads)
        outside = engine_environment.set_outside(engine_environment.THREADS)
        self.threads.setEnabled(not outside)
        note = self.tr("More threads than usable cores wait for each other. Engines that run are started anew.")
        self._add("threads", self.threads, self._outside(engine_environment.THREADS) or note)

    def _folder_rows(self) -> None:
        self._head(self.tr("Folders"))
        chosen = {"runs": self.settings.runs_folder, **{n: self.settings.folder(n) for n in ("presets", "cache")}}
        usual = {
            "runs": data_folder() / "runs",
            "presets": data_folder() / "presets",
            "cache": cache_folder(),
        }
        variables = {"runs": "", "presets": engine_environment.PRESETS, "cache": engine_environment.CACHE}
        self.folders: dict[str, QLineEdit] = {}
        for name, folder in chosen.items():
            line = QLineEdit(str(folder or ""))
            line.setPlaceholderText(str(usual[name]))
            browse = button(self.tr("Browse…"))
            browse.setAccessibleName(self.tr("Browse: {folder}").format(folder=self._titles[name]))
            browse.setWhatsThis(self.tr("Choose the folder in a dialog."))
            browse.setAutoDefault(False)
            browse.clicked.connect(self._browse.map)
            self._browse.setMapping(browse, name)
            note = self._outside(variables[name]) if variables[name] else ""
            line.setEnabled(not note)
            browse.setEnabled(not note)
            self.folders[name] = line
            self._add(name, line, note, browse)
        self.runs = self.folders["runs"]

    def _verdict_rows(self) -> None:
        self._head(self.tr("Results"))
        self.margin: QDoubleSpinBox = Real()
        self.margin.setRange(*MARGINS)
        self.margin.setSingleStep(0.5)
        self.margin.setPrefix("±")
        self.margin.setSuffix(self.tr(" %"))
        self.margin.lineEdit().setTextMargins(5, 0, 0, 0)
        self.margin.setValue(self.settings.margin_pct)
        note = self.tr(
            "A variant is called faster or slower when its whole interval lies outside of it. The results on screen "
            "are judged anew."
        )
        self._add("margin", self.margin, note)
        self.notify = QCheckBox(self.tr("Say when a long run has ended"))
        self.notify.setChecked(self.settings.notify)
        self._add("notify", self.notify)

    def _outside(self, variable: str) -> str:
        value = engine_environment.set_outside(variable)
        text = self.tr("{variable} is {value} in the environment, which comes first: change or unset it there.")
        return text.format(variable=variable, value=value) if value else ""

    # -- acting --------------------------------------------------------------------------------------------
    def go_to(self, name: str) -> None:
        """Give the focus to one setting."""
        widget = self.findChild(QWidget, name)
        if widget is not None:
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def _show_question(self) -> None:
        self._scroll.ensureWidgetVisible(self.caches.no)

    @Slot(str)
    def _ask_folder(self, name: str) -> None:
        line = self.folders[name]
        folder = QFileDialog.getExistingDirectory(self, self._titles[name], line.text() or line.placeholderText())
        if folder:
            line.setText(folder)

    @Slot()
    def _store(self) -> None:
        settings = self.settings
        settings.theme = self.theme.currentData()
        settings.language = self.language.currentData()
        settings.engine_text = self.engine.text()
        settings.threads = self.threads.value()
        settings.margin_pct = self.margin.value()
        settings.notify = self.notify.isChecked()
        settings.runs_folder = _path(self.runs)
        for name in ("presets", "cache"):
            settings.set_folder(name, _path(self.folders[name]))
        self.applied.emit()


def _path(line: QLineEdit) -> Path | None:
    text = line.text().strip()
    return Path(os.path.abspath(os.path.expanduser(text))) if text else None  # `~nobody` is a folder of that name
