"""Opens the real window over an engine that emits 5,000 tokens/s, and measures how long its event loop ever stands
still: from the press of Run to the first trial, while trials go on and end, and when the comparison opens by itself.

Prints as JSON the longest stall of each part in ms, the most CPU that the window's thread took between two turns of its
loop (what a busy neighbour cannot lengthen much), and the CPU of the whole process in per cent of a core.
"""

from __future__ import annotations

import json
import sys
import time

import psutil
from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication

from app.base.theme import theme
from app.session.session import Session
from app.settings.settings import Settings
from app.shell.main_window import MainWindow
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.spec import experiment
from tests.bench.window import FAKE_ENGINE

AFTERWARDS_MS = 1500  # for the comparison to open and to be painted


class Heartbeat(QObject):
    """Ticks as fast as the event loop lets it; the longest gap between two ticks is the stall."""

    def __init__(self) -> None:
        super().__init__()
        self.part = ""
        self.longest: dict[str, tuple[float, float]] = {}  # ms of time, ms of CPU
        self._last, self._last_cpu = time.perf_counter(), time.thread_time()
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=1)
        self._timer.timeout.connect(self.beat)
        self._timer.start()

    @Slot()
    def beat(self) -> None:
        now, cpu = time.perf_counter(), time.thread_time()
        if self.part:
            before = self.longest.get(self.part, (0.0, 0.0))
            gap = 1000 * (now - self._last), 1000 * (cpu - self._last_cpu)
            self.longest[self.part] = max(before[0], gap[0]), max(before[1], gap[1])
        self._last, self._last_cpu = now, cpu


class Flood(QObject):
    """One run: begins once the window stands there and knows its machine, ends when the comparison has opened."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session, self.heartbeat, self.process = session, Heartbeat(), psutil.Process()
        self.cpu_pct = 0.0
        self._cpu_s = self._began = 0.0
        self._waiting = True
        session.environment_changed.connect(self._ready)
        session.event_received.connect(self._event)
        session.run_finished.connect(self._finished)

    def _cpu(self) -> float:
        return sum(self.process.cpu_times()[:2])

    @Slot()
    def _ready(self) -> None:
        if self.session.environment is not None and not self.session.asking and self._waiting:
            self._waiting = False
            QTimer.singleShot(2000, self._run)  # what the window had to do on its start is over by then

    @Slot()
    def _run(self) -> None:
        self._cpu_s, self._began = self._cpu(), time.perf_counter()
        self.heartbeat.part = "start"
        self.session.run()

    @Slot(object)
    def _event(self, event: events.Event) -> None:
        if isinstance(event, events.Phase) and event.phase == "trial" and self.heartbeat.part == "start":
            self.heartbeat.part = "trials"

    @Slot()
    def _finished(self) -> None:
        self.cpu_pct = 100 * (self._cpu() - self._cpu_s) / (time.perf_counter() - self._began)
        self.heartbeat.part = "end"
        QTimer.singleShot(AFTERWARDS_MS, self._over)

    @Slot()
    def _over(self) -> None:
        self.heartbeat.part = ""  # closing the window waits for the engines, which is no part of this
        QApplication.quit()


def main(tokens: int) -> None:
    application = QApplication([])
    theme.apply(application, "light")
    session = Session(EnginePool([sys.executable, str(FAKE_ENGINE), "floods"]))
    window = MainWindow(session, Settings())
    recipe = {"workload": {"trials": 2, "new_tokens": tokens}, "variant": [{"name": "a"}, {"name": "b"}]}
    session.edit(experiment.parse(recipe))
    window.show()
    flood = Flood(session)
    application.exec()
    window.close()
    session.close()
    print(json.dumps({**flood.heartbeat.longest, "cpu_pct": flood.cpu_pct}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
