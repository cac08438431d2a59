"""The actions on the run on screen besides starting and stopping: pause, continue, more rounds, one variant again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QSpinBox, QWidget

from app.session.comparison_cache import comparison_of
from app.session.run_queue import RunQueue
from app.session.session import Session
from app.widgets.basics import caption, dress, label
from app.widgets.buttons import button
from app.widgets.dialog import Dialog
from app.widgets.more_rounds_button import missing_rounds, proposed
from core.analysis.contrast import of_row
from core.base import formatting
from core.run.continuation import MOST_ROUNDS
from core.run.stopping_rule import round_s

if TYPE_CHECKING:
    from app.run.queue_dialog import QueueDialog


class RunActions(QObject):
    """Adds its actions to the Run menu after the common ones."""

    def __init__(self, session: Session, window: QWidget, menu: QMenu) -> None:
        super().__init__(window)
        self.session, self._window = session, window
        self._dialog: QueueDialog | None = None
        menu.addSeparator()
        self.pause = self._action(menu, "run_pause", self.tr("Pause"), "pause", "Ctrl+F5")
        self.pause.triggered.connect(session.pause)
        self.go_on = self._action(menu, "run_continue", self.tr("Continue run"), "play")
        self.go_on.triggered.connect(self._continue)
        self.more = self._action(menu, "run_more", self.tr("Run more rounds…"), "plus", "Ctrl+R")
        self.more.triggered.connect(self._more)
        self.again = self._action(menu, "run_again", self.tr("Measure this variant again"), "redo")
        self.again.triggered.connect(self._measure_again)
        self.failed = self._action(menu, "run_failed", self.tr("Measure failed variants again"), "redo")
        self.failed.triggered.connect(self._measure_failed)
        self.end = self._action(menu, "run_end_engines", self.tr("End the engines"))
        self.end.triggered.connect(session.ending.start)
        menu.aboutToShow.connect(self.refresh)
        menu.addSeparator()
        self.queue = RunQueue(session, self)
        self.enqueue = self._action(menu, "run_enqueue", self.tr("Add to queue"), "plus", "Ctrl+Shift+F5")
        self.enqueue.triggered.connect(self.queue.add)
        self.sweep = self._action(menu, "run_sweep", self.tr("Sweep the load…"), "activity")
        self.sweep.triggered.connect(self._sweep)
        self.show_queue = self._action(menu, "run_queue", self.tr("Run queue…"), "lines")
        self.show_queue.triggered.connect(self.open_queue)
        self.queue.changed.connect(self.refresh)
        self.queue_button = button("", "lines", "flat")  # the number of waiting entries, for the status bar
        self.queue_button.clicked.connect(self.open_queue)
        self.queue_button.setWhatsThis(self.tr("How many experiments wait to be run; opens their list."))
        for signal in (
            session.results_changed, session.experiment_changed, session.selection_changed, session.run_started,
            session.run_finished, session.environment_changed,
        ):  # fmt: skip
            signal.connect(self.refresh)
        self.refresh()

    def _action(self, menu: QMenu, name: str, text: str, icon: str = "", key: str = "") -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(name)
        if key:
            action.setShortcut(QKeySequence(key))
        if icon:
            dress(action, icon)
        menu.addAction(action)
        return action

    @Slot()
    def refresh(self) -> None:
        """Enable the actions that are possible now."""
        session = self.session
        over = not session.running and session.begun
        self.pause.setEnabled(session.can_pause)
        self.pause.setText(self.tr("Resume") if session.pausing else self.tr("Pause"))
        self.go_on.setEnabled(session.can_continue)
        self.more.setEnabled(over)
        self.again.setEnabled(over and session.selected_result in self._others())
        self.failed.setEnabled(over and bool(self._failed()))
        self.end.setEnabled(session.ending.possible)
        self.enqueue.setEnabled(session.experiment is not None)
        self.sweep.setEnabled(session.experiment is not None)
        waiting = self.queue.waiting
        said = self.tr("1 in queue") if waiting == 1 else self.tr("{n} in queue").format(n=waiting)
        self.queue_button.setText(said)
        self.queue_button.setAccessibleName(said)
        self.queue_button.setVisible(waiting > 0)
        self.show_queue.setText(self.tr("Run queue ({n})…").format(n=waiting) if waiting else self.tr("Run queue…"))

    def _others(self) -> list[str]:
        """Return the variants of the run on screen without its baseline."""
        results = self.session.results
        names = [v.name for v in results.experiment.variants] if results and results.experiment else []
        return names[1:]

    def _failed(self) -> list[str]:
        results = self.session.results
        return [name for name in self._others() if results is not None and results.variants[name].failed is not None]

    @Slot()
    def _continue(self) -> None:
        self.session.run_more()

    @Slot()
    def _measure_again(self) -> None:
        self.session.run_more(only=[self.session.selected_result])

    @Slot()
    def _measure_failed(self) -> None:
        self.session.run_more(only=self._failed())

    @Slot()
    def _sweep(self) -> None:
        """Open the load sweep dialog, then the queue, which starts its runs."""
        from app.loadtest.load_sweep_dialog import LoadSweepDialog

        dialog = LoadSweepDialog(self.queue, self._window)
        dialog.accepted.connect(self.open_queue)
        dialog.open()

    @Slot()
    def open_queue(self) -> None:
        from app.run.queue_dialog import QueueDialog

        if self._dialog is None:
            self._dialog = QueueDialog(self.queue, self._window)
            self._dialog.destroyed.connect(self._queue_closed)
        self._dialog.show()
        self._dialog.raise_()

    @Slot()
    def _queue_closed(self) -> None:
        self._dialog = None

    @Slot()
    def _more(self) -> None:
        comparison = comparison_of(self.session.results)
        if comparison is not None:
            baseline = comparison.baseline.variant
            self.ask_for_more(missing_rounds([of_row(row, baseline) for row in comparison.variants]))

    @Slot(object)
    def ask_for_more(self, missing: Mapping[str, int]) -> None:
        """Ask how many rounds to add, proposing the missing ones, and continue the run."""
        comparison = comparison_of(self.session.results)
        if comparison is None or self.session.results is None:
            return
        dialog = MoreRoundsDialog(comparison.rounds, missing, round_s(self.session.results), self._window)
        dialog.chosen.connect(self.session.run_more)
        dialog.open()


class MoreRoundsDialog(Dialog):
    """Asks for a number of rounds; proposes what would likely settle the undecided variants."""

    chosen = Signal(int)

    def __init__(
        self, rounds: int, missing: Mapping[str, int], round_s: float | None, parent: QWidget | None = None
    ) -> None:
        """`rounds` are done; `missing` holds the likely missing rounds of each undecided variant."""
        super().__init__(QCoreApplication.translate("MoreRoundsDialog", "Run more rounds"), parent, 440)
        self._round_s = round_s
        self.rounds = QSpinBox()
        self.rounds.setRange(1, max(1, MOST_ROUNDS - rounds))
        self.rounds.setValue(proposed(missing))
        self.rounds.lineEdit().setTextMargins(5, 0, 0, 0)  # the style sheet cannot
        self.rounds.setAccessibleName(self.tr("Rounds to add"))
        title = label(self.tr("Rounds to add"), 13, role="secondary")
        title.setBuddy(self.rounds)
        self.body.addWidget(title)
        self.body.addWidget(self.rounds)
        self.time = caption("")
        self.body.addWidget(self.time)
        if missing:
            text = self.tr("About {n} more rounds would likely settle {names}.")
            self.body.addWidget(caption(text.format(n=max(missing.values()), names=", ".join(missing)), wrap=True))
        note = self.tr(
            "The new rounds go into the same results, with new prompts and engines of this session. Nothing that was "
            "measured is lost. If the model or the environment has changed since, the run says so and adds nothing."
        )
        self.body.addWidget(caption(note, wrap=True))
        self.add_buttons(self.tr("Run more rounds"), self.tr("Cancel"))
        self.rounds.valueChanged.connect(self._show_time)
        self.accepted.connect(self._accepted)
        self._show_time()
        self.rounds.setFocus()
        self.rounds.selectAll()

    @Slot()
    def _show_time(self) -> None:
        if self._round_s is not None:
            time = formatting.about(self._round_s * self.rounds.value())
            self.time.setText(self.tr("About {time} of measuring, after loading and warm-up.").format(time=time))

    @Slot()
    def _accepted(self) -> None:
        self.chosen.emit(self.rounds.value())
