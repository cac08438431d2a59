"""The actions of the window's menus and keys, and when they are enabled. Dialogs are imported when they are opened, so
that the window starts faster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from app.base.language import language
from app.base.theme import theme
from app.compare.other_run_actions import OtherRunActions, OtherRunDrop
from app.files.drop_target import DropFrame
from app.files.file_actions import FileActions
from app.files.recent_models import RecentModelButtons
from app.files.run_loader import OpeningBar
from app.help.help_actions import FIRST_PAGE, HelpActions
from app.inspector.machine_dock import MachineDock
from app.presets.materialize_job import WritingJob
from app.presets.materialize_task import WritingBar
from app.presets.preset_actions import PresetActions
from app.prompts.prompt_actions import PromptActions
from app.run.run_actions import RunActions
from app.session.session import Session
from app.settings import engine_environment
from app.settings.language_menu import why_not
from app.settings.settings import Settings
from app.shell.central_area import CentralArea
from app.shell.menus import Menus
from app.shell.top_bar import TopBar
from core.protocol import events

if TYPE_CHECKING:
    from app.palette.command_palette import Command, Palette


class WindowActions(QObject):
    """Builds the menu bar; `layout` holds the window's own actions: docks, layout, quit."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        window: QMainWindow,
        centre: CentralArea,
        layout: dict[str, Callable[..., object]],
    ) -> None:
        super().__init__(window)
        self.session, self.settings, self._window, self._centre = session, settings, window, centre
        self.files = FileActions(session, settings, window)
        self.presets = PresetActions(session, window)
        self.prompts = PromptActions(session, window)
        self.beside = OtherRunActions(session, settings, centre.beside, window)
        self.beside.added.connect(self._results_opened)
        self.help = HelpActions(session, settings, window)
        self.palette: Palette | None = None
        self._top_bar: TopBar | None = None
        self.menus = Menus(window, session, settings, {**self._table(), **layout})
        self.runs = RunActions(session, window, self.menus.runs)
        centre.views.then(self._view_made)  # at once where the window begins with the comparison
        centre.export.setMenu(self.menus.export)
        centre.bars.addWidget(WritingBar(self.presets.work.writing))
        WritingJob(session.jobs, self.presets.work.writing, self)
        centre.bars.addWidget(OpeningBar(self.files.opening))
        QShortcut(QKeySequence("Ctrl+E"), window).activated.connect(centre.export.showMenu)
        self._settings_wait = False
        self._offered: Callable[[], object] = self.files.open_with_options
        self.files.opened.connect(self._opened)
        self.files.refused.connect(self._offer_options)
        self.files.results_opened.connect(self._results_opened)
        self.files.preset_dropped.connect(self.presets.show_file)
        self.files.prompts_dropped.connect(self.prompts.show_file)
        session.run_finished.connect(self._work_moved)
        session.jobs.changed.connect(self._work_moved)
        centre.notice.acted.connect(self._way_out)
        session.machine.notice.connect(self._offer_settings)
        for signal in (
            session.experiment_changed, session.results_changed, session.selection_changed, session.run_started,
            session.run_finished, session.pace.live_changed,
        ):  # fmt: skip
            signal.connect(self.refresh)
        session.event_received.connect(self._on_event)
        self.refresh()

    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Phase) and event.phase == "trial" and not self.menus.stop.isEnabled():
            self.refresh()  # there is a round now to stop after

    def _table(self) -> dict[str, Callable[..., object]]:
        files, presets, session = self.files, self.presets, self.session
        return {
            "open_demo": files.open_demo,
            "open_folder": files.open_folder,
            "open_gguf": files.open_gguf,
            "open_hub": files.open_hub,
            "open_results": files.open_results,
            "fill_recent": files.recent_results.fill_menu,
            "fill_recent_models": files.recent_models.fill_menu,
            "compare_with": self.beside.ask,
            "fill_beside": self.beside.recent.fill_menu,
            "open_experiment": files.open_experiment,
            "save_experiment": files.save_experiment,
            "export_comparison": files.export_comparison,
            "export_html": files.export_html,
            "export_tsv": files.export_tsv,
            "export_metrics": files.export_metrics,
            "export_trials": files.export_trials,
            "export_json": files.export_json,
            "export_copy": files.export_copy,
            "settings": self.show_settings,
            "find_command": self.find_command,
            "undo": session.undo,
            "redo": session.redo,
            "show_view": self.show_view,
            "set_theme": self.set_theme,
            "line_patterns": self.set_patterns,
            "pause_live": session.pace.pause_live,
            "chart_table": self.view_chart_as_table,
            "fill_sort": self.fill_sort_menu,
            "run": session.run,
            "stop_after_round": session.stop_after_round,
            "cancel": session.cancel,
            "save_preset": presets.save_preset,
            "load_preset": presets.load_preset,
            "prompts": self.prompts.show,
            "formulas": self.show_formulas,
            "show_help": self.show_help,
            "show_reference": self.help.show_reference,
            "whats_this": self.help.whats_this,
            "show_tour": self.help.show_tour,
            "environment": self.help.show_environment,
            "about": self.help.show_about,
        }

    def _view_made(self, name: str, view: QWidget) -> None:
        """Let the comparison accept dropped runs."""
        if name == "compare":
            drop = OtherRunDrop(self.session, view)
            drop.beside.connect(self.beside.add)
            drop.other.connect(self.files.open_path)
            from app.compare.compare_view import CompareView

            assert isinstance(view, CompareView)
            view.more.wanted.connect(self.runs.ask_for_more)

    def connect_parts(self, top_bar: TopBar, machine: MachineDock, drop: DropFrame) -> None:
        """Connect the parts outside the menus that open something."""
        self._top_bar = top_bar
        for source in (top_bar, self._centre.first_start):
            source.open_demo.connect(self.files.open_demo)
            source.open_folder.connect(self.files.open_folder)
            source.open_gguf.connect(self.files.open_gguf)
            source.open_hub.connect(self.files.open_hub)
        self._centre.first_start.open_guide.connect(self.show_help)
        self.prompts.connect_to(top_bar.open_prompts, top_bar.workload)
        top_bar.details.connect(self.help.show_environment)
        self.files.opened.connect(top_bar.controls.primary.setFocus)
        panel = top_bar.model.panel
        if panel is not None:
            recent = RecentModelButtons(self.files.recent_models, panel)
            panel.column.insertWidget(panel.column.count() - 1, recent)
            self.files.opened.connect(recent.refresh)
        machine.open_recent.connect(self.files.open_folder_of_results)
        drop.dropped.connect(self.files.open_path)

    @Slot()
    def refresh(self) -> None:
        """Enable the actions that are possible now."""
        session, menus = self.session, self.menus
        free = not session.running
        known = session.experiment is not None
        measured = session.begun
        menus.run.setEnabled(known and free)
        menus.stop.setEnabled(session.measuring and not session.stopping)  # as the button in the top bar
        menus.cancel.setEnabled(session.running and not session.cancelling)
        menus.undo.setEnabled(session.can_undo)
        menus.redo.setEnabled(session.can_redo)
        menus.save_experiment.setEnabled(known)
        menus.export.setEnabled(measured)
        menus.compare_with.setEnabled(measured)
        menus.beside.setEnabled(measured)
        menus.save_preset.setEnabled(measured and free)
        menus.load_preset.setEnabled(free)
        menus.pause_live.setChecked(session.pace.live_paused)
        menus.patterns.setChecked(self.settings.line_patterns)
        for mode, action in menus.themes.items():
            action.setChecked(mode == self.settings.theme)

    # -- what was opened -----------------------------------------------------------------------------------
    @Slot()
    def _opened(self) -> None:
        self._centre.notice.hide()

    @Slot()
    def _offer_options(self) -> None:
        self._offer(self.tr("Open with options…"), self.files.open_with_options)

    @Slot()
    def _offer_settings(self) -> None:
        """Offer the settings if an engine cannot be asked: its command is usually wrong."""
        self._offer(self.tr("Open settings"), partial(self.open_settings, "engine"))

    def _offer(self, text: str, does: Callable[[], object]) -> None:
        self._offered = does
        self._centre.notice.offer(text)

    @Slot()
    def _way_out(self) -> None:
        self._offered()

    @Slot()
    def _results_opened(self) -> None:
        self._centre.notice.hide()
        self._centre.show_view("compare")

    # -- the palette ---------------------------------------------------------------------------------------
    @Slot()
    def find_command(self) -> None:
        from app.palette.command_palette import Palette

        if self.palette is None:
            self.palette = Palette(self._window, self._commands)
        self.palette.open()

    def _commands(self) -> list[Command]:
        from app.palette.palette_commands import of_menus, of_variants, of_words
        from app.settings.settings_dialog import titles

        place = self.tr("Settings")
        settings = [(name, title, place) for name, title in titles().items()]
        return [
            *of_menus(self._window.menuBar(), self.session),
            *of_variants(self.session),
            *of_words(self._top_bar.words() if self._top_bar is not None else [], self._open_field),
            *of_words(settings, self.open_settings),
            *of_words(self.help.words(), self.help.show_entry),
        ]

    def _open_field(self, name: str) -> None:
        assert self._top_bar is not None
        self._top_bar.open_field(name)

    # -- views and dialogs ---------------------------------------------------------------------------------
    @Slot()
    def show_view(self) -> None:
        """Show the action's view."""
        action = self.sender()
        if isinstance(action, QAction):
            self._centre.show_view(action.data(), by_user=True)

    @Slot()
    def show_help(self) -> None:
        """Show the guide's page for the shown view."""
        opened = self.session.experiment is not None or self.session.results is not None
        self.help.show_page(self._centre.spec.manual_page if opened else FIRST_PAGE)

    @Slot()
    def view_chart_as_table(self) -> None:
        """Show the chart in focus as a table, else the first of the open view."""
        from app.charts.chart_actions import view_as_table

        view_as_table(self._window, self.session)

    @Slot()
    def fill_sort_menu(self) -> None:
        """Fill the menu with the columns of the visible sortable table."""
        from app.widgets.sortable_table import sorted_table

        menu, table = self.menus.sort, sorted_table(self._window)
        menu.clear()
        if table is not None:
            table.fill_sort_menu(menu)
        else:
            menu.addAction(self.tr("Nothing here can be sorted")).setEnabled(False)

    @Slot()
    def set_theme(self) -> None:
        action, app = self.sender(), QApplication.instance()
        if isinstance(action, QAction) and isinstance(app, QApplication):
            self.settings.theme = action.data()
            theme.apply(app, action.data())

    @Slot(bool)
    def set_patterns(self, on: bool) -> None:
        """Switch the dashes of plot lines on or off."""
        self.settings.line_patterns = on
        theme.set_patterns(on)

    @Slot()
    def show_settings(self) -> None:
        self.open_settings()

    def open_settings(self, name: str = "") -> None:
        """Open the settings, with the focus on one of them."""
        from app.settings.settings_dialog import SettingsDialog

        dialog = SettingsDialog(self.settings, self._window, why_not(self.session))
        dialog.applied.connect(self.apply_settings)
        dialog.open()
        dialog.go_to(name)

    @Slot()
    def apply_settings(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, self.settings.theme)
        self.session.runs_folder = self.settings.runs_folder
        self.session.set_margin(self.settings.margin_pct / 100)
        self._apply_to_engines()
        self.refresh()
        if self.settings.language != language.choice:
            self.menus.languages.chosen.emit()

    @Slot()
    def _work_moved(self) -> None:
        if self._settings_wait:
            self._apply_to_engines()

    @Slot()
    def _apply_to_engines(self) -> None:
        """Apply engine settings, after a run or other work that uses the engines has ended."""
        self._settings_wait = self.session.running or self.session.jobs.disturbing is not None
        if not self._settings_wait:
            anew = engine_environment.apply(self.settings)
            self.session.set_engine_command(self.settings.engine_command or None, anew)

    @Slot()
    def show_formulas(self) -> None:
        from app.help.formulas_dialog import FormulasDialog

        results, name = self.session.results, self.session.selected_result
        state = results.variants.get(name) if results is not None else None
        FormulasDialog(self._window, name, state.trials if state is not None else ()).open()
