"""The run buttons: Run or Continue; during a run pause, stop after the round, cancel."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from app.session.session import Session
from app.widgets.buttons import PrimaryButton
from core.protocol import events


class RunControls(QWidget):
    """The primary button; beside it Cancel during a run, and Pause until the rounds are over."""

    changed = Signal()  # its buttons, and so its width

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._keys = self._words = True
        self._running = QElapsedTimer()
        self.cancel, self.pause, self.primary = PrimaryButton(), PrimaryButton(), PrimaryButton()
        self.cancel.set_look("danger")
        self.pause.set_look("")
        self.cancel.setWhatsThis(self.tr("Ends the run at once; finished trials are kept."))
        self.pause.setWhatsThis(
            self.tr(
                "Pauses after the present round, with the engines loaded; without a run, measures the missing rounds."
            )
        )
        self.primary.setWhatsThis(self.tr("Runs every ticked variant; during a run, ends it after the present round."))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.cancel)
        row.addWidget(self.pause)
        row.addWidget(self.primary)
        self.cancel.clicked.connect(session.cancel)
        self.pause.clicked.connect(self._pause_pressed)
        self.primary.clicked.connect(self._pressed)
        session.experiment_changed.connect(self.refresh)
        session.results_changed.connect(self.refresh)
        session.event_received.connect(self._on_event)
        session.run_started.connect(self._started)
        session.run_finished.connect(self.refresh)
        self.refresh()

    def fit(self, keys: bool, words: bool) -> None:
        """Set whether there is room for the keys beside the words, and for words beside Pause's icon."""
        if (keys, words) != (self._keys, self._words):
            self._keys, self._words = keys, words
            self._show()

    def shown(self) -> list[str]:
        """Return the visible words of its buttons."""
        return [b.accessibleName() for b in (self.cancel, self.pause, self.primary) if not b.isHidden()]

    @Slot()
    def _started(self) -> None:
        self._running.start()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        session = self.session
        self.cancel.setVisible(session.running and not self._waits)  # then the other one ends it at once
        self.primary.setVisible(not session.judging)  # no round is left to stop after
        self._refresh_pause()
        if not session.running:
            self.primary.setEnabled(session.experiment is not None)
            self.primary.set_look("primary")
            self.primary.set_label(self._run_words(), self._key("F5"), "play")
            return
        self.cancel.setEnabled(not session.cancelling)
        self.cancel.set_label(self.tr("Cancel"), self._key("Ctrl+."), "cross")
        judging = self.tr("Ends at once. Speed is measured, and kept.")
        self.cancel.setToolTip(judging if session.judging else self.tr("Ends at once. Finished trials are kept."))
        self.primary.set_look("")
        self.primary.setEnabled(session.measuring and not session.stopping)
        self.primary.setToolTip("" if session.measuring else self.tr("No round has begun yet: Cancel ends the run."))
        if session.cancelling:
            self.primary.set_label(self.tr("Cancelling…"), "", "stop")
        elif session.stopping:
            self.primary.set_label(self.tr("Stopping…"), "", "stop")
        elif self._waits:
            self.primary.set_label(self.tr("Stop here"), self._key("Shift+F5"), "stop")
        else:
            self.primary.set_label(self.tr("Stop after round"), self._key("Shift+F5"), "stop")

    @property
    def _waits(self) -> bool:
        """Whether the run is paused, and not only asked to."""
        session = self.session
        return session.running and session.pausing and session.results is not None and session.results.paused

    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Phase) and event.phase == "trial" and not self.primary.isEnabled():
            self.refresh()  # there is a round now to stop after

    def _refresh_pause(self) -> None:
        """Update Pause or Resume; without a run, Continue for one that was ended early."""
        session, button = self.session, self.pause
        button.setEnabled(session.can_pause or not session.running)
        if not session.running:
            button.setVisible(session.can_continue)
            button.set_look("")
            button.set_label(self.tr("Continue run"), "", "play")
            button.setToolTip(self.tr("Measures the rounds that are missing, beside what is there."))
            return
        button.setVisible(not session.judging and not session.stopping)
        button.set_look("primary" if self._waits else "")
        if self._waits:
            button.set_label(self.tr("Resume"), self._key("Ctrl+F5"), "play")
            button.setToolTip(self.tr("Goes on with the next round. The engines are loaded."))
        elif session.pausing:
            self._label_pause(self.tr("Pausing…"))
            button.setToolTip(self.tr("Waits when this round is over. Press again to go on instead."))
        else:
            self._label_pause(self.tr("Pause"))
            button.setToolTip(self.tr("Waits when this round is over. The engines stay loaded."))
        if not button.isEnabled():
            button.setToolTip(self.tr("The prompts are being read: there is no round yet to wait after."))

    def _label_pause(self, text: str) -> None:
        """Set Pause's text, or its icon alone if there is little room."""
        self.pause.set_label(text if self._words else "", self._key("Ctrl+F5"), "pause")
        self.pause.setAccessibleName(text)

    @Slot()
    def _pause_pressed(self) -> None:
        if self.session.running:
            self.session.pause()
        else:
            self.session.run_more()

    def _key(self, key: str) -> str:
        return key if self._keys else ""

    def _run_words(self) -> str:
        """Return Run's text with the number of variants; "again" if all of them have been measured as they are."""
        session = self.session
        experiment = session.to_run
        if experiment is None:
            return self.tr("Run")
        if all(session.is_measured(v.name) for v in experiment.variants):
            return self.tr("Run again")
        count = len(experiment.variants)
        return self.tr("Run 1 variant") if count == 1 else self.tr("Run {n} variants").format(n=count)

    @Slot()
    def _pressed(self) -> None:
        """Run or stop; the second press of a double click on Run is ignored."""
        if not self.session.running:
            self.session.run()
        elif self._running.elapsed() > QApplication.doubleClickInterval():
            self.session.stop_after_round()
