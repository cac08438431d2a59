"""A bar that lists interrupted runs at the start, and continues one."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.base.worker_thread import WorkerThread
from app.files.file_actions import FileActions
from app.session.session import Session
from app.settings.settings import Settings
from app.text.model_names import named
from app.widgets.basics import IconLabel, label
from app.widgets.buttons import button
from core.base.folders import data_folder
from core.run.interrupted_runs import Interrupted, find


class InterruptedBar(QFrame):
    """Shows one run at a time, the newest first; hidden without any, and during a run."""

    def __init__(self, session: Session, settings: Settings, files: FileActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.settings, self._files = session, settings, files
        self.runs: list[Interrupted] = []
        self._thread: WorkerThread | None = None
        self._then: Path | None = None  # the run being opened to continue it
        self.setProperty("surface", "warning")
        self.text = label("", 13, wrap=True)
        self.go_on = button(self.tr("Continue run"), "play")
        self.open = button(self.tr("Open"))
        self.dismiss = button(self.tr("Dismiss"), "cross", "flat")
        self.go_on.setWhatsThis(self.tr("Opens the results, and measures the rounds that are missing beside them."))
        self.open.setWhatsThis(self.tr("Shows what was measured until then."))
        self.dismiss.setWhatsThis(self.tr("Says it no more. The results stay where they are, among the recent ones."))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(10)
        row.addWidget(IconLabel("warning", "warn"))
        row.addWidget(self.text, 1)
        for part in (self.go_on, self.open, self.dismiss):
            row.addWidget(part)
        self.go_on.clicked.connect(self._continue)
        self.open.clicked.connect(self._open)
        self.dismiss.clicked.connect(self._dismiss)
        files.opening.ended.connect(self._opened)
        session.run_started.connect(self._run_started)
        session.run_finished.connect(self.refresh)
        session.results_changed.connect(self.refresh)
        self.hide()

    # -- looking -------------------------------------------------------------------------------------------
    def look(self) -> None:
        """Search the folder of runs and the recent results in a thread."""
        runs = self.session.runs_folder or data_folder() / "runs"
        others = [Path(path) for path in self.settings.recent()]
        self._thread = WorkerThread(lambda: [find(runs, others)], self)
        self._thread.came.connect(self._found)
        self._thread.start()

    def close_down(self) -> None:
        """Wait for the thread."""
        if self._thread is not None:
            self._thread.wait()

    @Slot(object)
    def _found(self, runs: list[Interrupted]) -> None:
        told = self.settings.told()
        self.runs = [run for run in runs if _key(run) not in told]
        self.refresh()

    # -- showing -------------------------------------------------------------------------------------------
    @Slot()
    def refresh(self) -> None:
        self.setVisible(bool(self.runs) and not self.session.running)
        if not self.runs:
            return
        run = self.runs[0]
        self.text.setText(self._words(run))
        self.setAccessibleName(self.text.text())
        self.open.setVisible(self.session.results_folder != run.folder)
        self.go_on.setEnabled(not run.model_is_gone)
        gone = self.tr("Its model is not in its place any more: put it back to go on.")
        self.go_on.setToolTip(gone if run.model_is_gone else "")

    def _words(self, run: Interrupted) -> str:
        if not run.rounds:
            head = self.tr("A run was interrupted before its first round was whole")
        elif run.planned:
            head = self.tr("A run was interrupted after round {n} of {all}").format(n=run.rounds, all=run.planned)
        else:
            head = self.tr("A run was interrupted after round {n}").format(n=run.rounds)
        count = self.tr("1 variant") if run.variants == 1 else self.tr("{n} variants").format(n=run.variants)
        when = _local(run.created)
        text = self.tr("{what}: {model}, {variants}, {when}.").format(
            what=head, model=named(run.model), variants=count, when=when
        )
        more = len(self.runs) - 1
        return text if not more else text + " " + self.tr("And {n} more.").format(n=more)

    # -- acting --------------------------------------------------------------------------------------------
    def _handled(self) -> Interrupted | None:
        """Remove and return the first run, which is not offered again unless it continues."""
        if not self.runs or not self.session.is_free():
            return None
        run = self.runs.pop(0)
        self.settings.add_told(_key(run))
        return run

    @Slot()
    def _dismiss(self) -> None:
        self._handled()
        self.refresh()

    @Slot()
    def _open(self) -> None:
        if (run := self._handled()) is not None:
            self._files.open_folder_of_results(str(run.folder))
        self.refresh()

    @Slot()
    def _continue(self) -> None:
        if (run := self._handled()) is None:
            return
        self._then = run.folder
        if self.session.results_folder != run.folder:
            self._files.open_folder_of_results(str(run.folder))
        self._opened()
        self.refresh()

    @Slot()
    def _opened(self) -> None:
        """Continue the run whose journal was opened for it."""
        if self._then is None or self._files.opening.going_on:
            return
        folder, self._then = self._then, None
        results = self.session.results
        if results is not None and self.session.results_folder == folder and not results.partial:
            self.session.run_more()

    @Slot()
    def _run_started(self) -> None:
        """Remove a run that is continued otherwise."""
        self.runs = [run for run in self.runs if run.folder != self.session.results_folder]
        self.refresh()


def _local(created: str) -> str:
    """Return a UTC time in local time."""
    try:
        return datetime.fromisoformat(created).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:  # a journal written by another program
        return created[:16]


def _key(run: Interrupted) -> str:
    """Return a key of the run's state: a run that continued and was interrupted again has another journal size."""
    return f"{run.folder}|{run.size}"
