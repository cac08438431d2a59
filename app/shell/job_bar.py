"""The progress of the present long work for the status bar, with a button that cancels it."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.session.run_progress import doing
from app.session.session import Session
from app.widgets.basics import Elided, Meter
from app.widgets.buttons import button
from core.protocol import events


class JobBar(QWidget):
    """A meter, words, and Cancel; hidden without long work."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.meter = Meter(self.tr("Progress"))
        self.meter.setFixedWidth(96)
        self.words = Elided("", 12, 400, "secondary")
        self.words.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.stop = button(self.tr("Cancel"), "cross", "flat")
        self.stop.setToolTip(self.tr("Ends it at once."))
        self.stop.setAccessibleName(self.stop.text())
        self.stop.setWhatsThis(self.tr("Ends the work that is shown beside it."))
        self.stop.clicked.connect(session.jobs.cancel)
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
        self._dirty = True

    @Slot()
    def _on_tick(self) -> None:
        if (self._dirty or self.session.running) and self.window().isVisible():  # time left falls between events too
            self._dirty = False
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        session, job = self.session, self.session.jobs.current
        running = session.running and not session.preparing
        self.setVisible(running or job is not None)
        if running:
            now = doing(session.results, session.clock)
            # rounds that will not come are in its time left
            share, text = now.share, now.detail if session.stopping else now.line
        elif job is not None:
            share, text = job.share, job.detail
        else:
            return
        self.stop.setVisible(not running and job is not None and job.can_cancel)
        self.stop.setEnabled(job is not None and not job.cancelling)
        self.meter.setVisible(share is not None)
        self.meter.setValue(round(1000 * (share or 0.0)))
        self.words.setText(text)
        layout = self.layout()
        if layout is not None:
            layout.activate()  # at once: the words would be cut at the length of those before, for one frame
