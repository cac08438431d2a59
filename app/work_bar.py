"""How far the long work is, and the button that ends it: for the status bar. Knows the session and its jobs.

Stop ends a run after the round that is being measured, and everything else at once.
"""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.buttons import Button
from app.doing import PhaseClock, doing
from app.session import Session
from app.widgets import Elided, Meter, dress
from core import events


class StopButton(Button):
    """Visible while a run or another job goes on."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.session = session
        self.setProperty("look", "flat")
        dress(self, "stop")
        self.clicked.connect(self._pressed)
        for signal in (session.results_changed, session.run_started, session.run_finished, session.jobs.changed):
            signal.connect(self.refresh)
        self.refresh()

    @property
    def _after_round(self) -> bool:
        return self.session.measuring and not self.session.stopping and not self.session.judging

    @Slot()
    def refresh(self) -> None:
        session, job = self.session, self.session.jobs.current
        self.setVisible(session.running or (job is not None and job.can_cancel))
        self.setEnabled(not session.cancelling and (session.running or job is None or not job.cancelling))
        if session.running and self._after_round:
            text, tip = self.tr("Stop"), self.tr("Ends the run when this round is over.")
        elif session.running:
            text, tip = self.tr("Cancel"), self.tr("Ends it at once. Finished trials are kept.")
        else:
            text, tip = self.tr("Cancel"), self.tr("Ends it at once.")
        self.setText(text)
        self.setToolTip(tip)
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)

    @Slot()
    def _pressed(self) -> None:
        if not self.session.running:
            self.session.jobs.cancel()
        elif self._after_round:
            self.session.stop_after_round()
        else:
            self.session.cancel()


class WorkBar(QWidget):
    """A meter, words, and Stop. Nothing where nothing takes long."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._clock = PhaseClock()
        self.meter = Meter(self.tr("Progress"))
        self.meter.setFixedWidth(96)
        self.words = Elided("", 12, 400, "secondary")
        self.words.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.stop = StopButton(session)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 0, 0)
        row.setSpacing(8)
        for part in (self.meter, self.words, self.stop):
            row.addWidget(part)
        row.addStretch(1)
        session.event_received.connect(self._on_event)
        session.tick.connect(self._on_tick)
        session.run_started.connect(self.refresh)
        session.run_finished.connect(self.refresh)
        session.jobs.changed.connect(self.refresh)
        self._dirty = False
        self.refresh()

    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        self._clock.add(event)
        self._dirty = True

    @Slot()
    def _on_tick(self) -> None:
        if self._dirty and self.window().isVisible():
            self._dirty = False
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        session, job = self.session, self.session.jobs.current
        self.setVisible(session.running or job is not None)
        if session.running:
            now = doing(session.results, self._clock)
            share, text = now.share, now.line
        elif job is not None:
            share, text = job.share, job.detail
        else:
            return
        self.stop.refresh()
        self.meter.setVisible(share is not None)
        self.meter.setValue(round(1000 * (share or 0.0)))
        self.words.setText(text)
