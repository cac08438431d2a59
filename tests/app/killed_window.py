"""A window that measures and waits to be killed: `python -m tests.app.killed_window EXPERIMENT.toml [--twice]`.

It says `round N` when a round is whole. Its data folder is that of the environment.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from app.base.theme import theme
from app.session.session import Session
from app.settings.settings import Settings
from app.shell.main_window import MainWindow
from core.base.folders import data_folder
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.spec.experiment import read_toml

FAKE = Path(__file__).parents[1] / "fake_engine.py"


def main() -> None:
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(data_folder()))
    application = QApplication(sys.argv[:1])
    theme.apply(application, "light")
    session = Session(EnginePool([sys.executable, str(FAKE), "--pace", "20"]))
    window = MainWindow(session, Settings())
    window.show()
    session.open_experiment(read_toml(Path(sys.argv[1])))

    def told(event: events.Event) -> None:
        if isinstance(event, events.TrialDone) and session.results is not None:
            print(f"round {session.results.rounds_done}", flush=True)

    session.event_received.connect(told)
    session.run()
    application.exec()


if __name__ == "__main__":
    main()
