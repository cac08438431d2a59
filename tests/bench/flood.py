"""Opens the real window over an engine that emits 5,000 tokens/s; prints the longest stall of its event loop in
ms and the CPU that it took in per cent of a core."""

from __future__ import annotations

import sys
import time

import psutil
from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication

from app.main_window import MainWindow
from app.session import Session
from app.settings import Settings
from app.theme import theme
from core import spec
from core.engines import EnginePool
from tests.bench.window import FAKE_ENGINE


class Heartbeat(QObject):
    """Ticks as fast as the event loop lets it; the longest gap between two ticks is the stall."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0.0
        self.counting = False
        self._last = time.perf_counter()
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=1)
        self._timer.timeout.connect(self.beat)
        self._timer.start()

    @Slot()
    def beat(self) -> None:
        now = time.perf_counter()
        if self.counting:
            self.longest = max(self.longest, now - self._last)
        self._last = now


def main(tokens: int) -> None:
    application = QApplication([])
    theme.apply(application, "light")
    session = Session(EnginePool([sys.executable, str(FAKE_ENGINE), "floods"]))
    window = MainWindow(session, Settings())
    session.edit(
        spec.parse(
            {
                "workload": {"trials": 2, "new_tokens": tokens},
                "variant": [{"name": "a"}, {"name": "b"}],
            }
        )
    )
    window.show()
    heartbeat = Heartbeat()
    process = psutil.Process()
    session.run_finished.connect(application.quit)
    session.run()
    heartbeat.counting = True
    cpu, began = sum(process.cpu_times()[:2]), time.perf_counter()
    application.exec()
    share = 100 * (sum(process.cpu_times()[:2]) - cpu) / (time.perf_counter() - began)
    window.close()
    session.close()
    print(1000 * heartbeat.longest, share)


if __name__ == "__main__":
    main(int(sys.argv[1]))
