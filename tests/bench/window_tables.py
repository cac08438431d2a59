"""The comparison under load: `python -m tests.bench.window_tables` prints its figures as JSON, `make bench` beside the
others.

200 variants with 25 rounds each are put into the table and its 5,000 trials into theirs, then both are sorted by every
shown column and painted. A journal of 100 MB is written, then opened in the real window: how soon there is progress and
how soon a comparison, how long the whole takes, and how long the window ever stood still meanwhile.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import Figure, spread

VARIANTS, ROUNDS, TOKENS = 200, 25, 32
JOURNAL_BYTES = 100 * 10**6
SORT_MS, FIRST_S = 200, 1.0  # what they may take


def figures() -> list[Figure]:
    """Each part in a process of its own: what others left in memory would be collected meanwhile."""
    found: list[Figure] = []
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "DYNO_DATA": data, "QT_QPA_PLATFORM": "offscreen"}
        for part in PARTS:
            done = subprocess.run(
                [sys.executable, "-m", "tests.bench.window_tables", part, data],
                env=environment, check=True, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
            found += [Figure.model_validate(one) for one in json.loads(done.stdout)]
    return found


def _sorting(_data: Path) -> list[Figure]:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication, QTableView

    from app.compare.compare_view import CompareView
    from tests.app.streams import Made, Puppet, Stream

    made = tuple(
        Made(f"variant {i:03}", 20 + (37 * i) % 101, 10**8 + 10**5 * ((53 * i) % 199)) for i in range(VARIANTS)
    )
    session = Puppet()
    session.feed(Stream(variants=made, rounds=ROUNDS, tokens=TOKENS), live=False)
    view = CompareView(session)
    view.resize(1100, 900)
    view.show()
    QApplication.processEvents()
    view.bar.trials.setChecked(True)
    while view.trials.working:
        QApplication.processEvents()

    def sort(table: QTableView) -> tuple[list[float], list[float]]:
        """ms of each shown column, both ways, from the click to the painted table; and of CPU, which is what a busy
        neighbour cannot lengthen much."""
        taken, cpu = [], []
        for column in range(table.model().columnCount()):
            for way in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder):
                if table.isColumnHidden(column):
                    continue
                began, cpu_began = time.perf_counter(), time.process_time()
                table.sortByColumn(column, way)
                QApplication.processEvents()
                taken.append(1000 * (time.perf_counter() - began))
                cpu.append(1000 * (time.process_time() - cpu_began))
        return taken, cpu

    trials, of_trials = sort(view.trials)
    assert view.trials_model.rowCount() == VARIANTS * ROUNDS
    view.bar.trials.setChecked(False)
    QApplication.processEvents()
    variants, of_variants = sort(view.table)
    began = time.perf_counter()
    view.bar.filter.setText("variant 1")
    QApplication.processEvents()
    filtered = 1000 * (time.perf_counter() - began)
    assert view.model.rowCount() == sum("1" in one.name for one in made)
    view.close()
    limit = f"a limit of {SORT_MS} ms; the range is over the columns, both ways"
    return [
        spread(f"sorting {VARIANTS} variants", variants, limit, "ms"),
        spread(f"sorting {VARIANTS} variants, CPU", of_variants, limit, "ms"),
        spread(f"sorting {VARIANTS * ROUNDS:,} trials", trials, limit, "ms"),
        spread(f"sorting {VARIANTS * ROUNDS:,} trials, CPU", of_trials, limit, "ms"),
        Figure(
            name=f"filtering {VARIANTS} variants", ratio=filtered, low=None, high=None,
            against=f"a limit of {SORT_MS} ms", unit="ms",
        ),
    ]  # fmt: skip


def write_journal(folder: Path, size: int) -> int:
    """A run of three variants whose journal has at least so many bytes; returns how many it has."""
    from core.protocol import events
    from core.results.journal import JOURNAL
    from tests.app.streams import Stream

    folder.mkdir(parents=True)
    stream = Stream(rounds=8, tokens=512)
    written = number = 0
    with (folder / JOURNAL).open("w", encoding="utf-8") as file:

        def write(found) -> int:
            lines = [event.line() + "\n" for event in found]
            return sum(file.write(line) for line in lines)

        written += write(itertools.takewhile(lambda e: getattr(e, "phase", "") != "trial", stream))
        while written < size:
            for made in stream.variants.values():
                written += write(stream.trial(made, number))
            number += 1
        written += write([events.Finished(t_ns=stream.after(0.1), status="ok", rounds=number)])
    return written


def _opening(data: Path) -> list[Figure]:
    from PySide6.QtWidgets import QApplication

    from app.session.session import Session
    from app.settings.settings import Settings
    from app.shell.main_window import MainWindow
    from core.protocol.engine_pool import EnginePool
    from core.results.journal import JOURNAL
    from tests.bench.flood import Heartbeat
    from tests.bench.window import FAKE_ENGINE

    folder = data / "large"
    size = journal.stat().st_size if (journal := folder / JOURNAL).is_file() else write_journal(folder, JOURNAL_BYTES)
    window = MainWindow(Session(EnginePool([sys.executable, str(FAKE_ENGINE)])), Settings())
    window.show()
    files, view = window.files, window.centre.views["compare"]
    at: dict[str, float] = {}
    heart = Heartbeat()
    files.opening.progressed.connect(lambda *_: at.setdefault("progress", time.perf_counter() - began))
    files.opening.ended.connect(lambda: at.setdefault("end", time.perf_counter() - began))
    quiet = time.perf_counter() + 3  # the window has started, and its engine has been asked
    while time.perf_counter() < quiet:
        QApplication.processEvents()
    heart.part, began = "opening", time.perf_counter()
    files.open_folder_of_results(str(folder))
    while "end" not in at or not view.isVisible():
        QApplication.processEvents()
        time.sleep(0.001)  # as an event loop waits: spinning would take Python's lock from the reader
        if "first" not in at and view.isVisible() and view.model.rowCount():
            at["first"] = time.perf_counter() - began
    shown = time.perf_counter() + 1
    while time.perf_counter() < shown:
        QApplication.processEvents()
    stall, cpu = heart.longest["opening"]
    window.close()
    name = f"opening a journal of {size / 10**6:.0f} MB"
    limit = f"a limit of {FIRST_S:g} s"
    return [
        Figure(name=f"{name}: first progress", ratio=at["progress"], low=None, high=None, against=limit, unit="s"),
        Figure(name=f"{name}: first comparison", ratio=at["first"], low=None, high=None, against=limit, unit="s"),
        Figure(name=f"{name}: all of it", ratio=at["end"], low=None, high=None, against="", unit="s"),
        Figure(
            name=f"{name}: longest stall of the window", ratio=stall, low=cpu, high=None,
            against="low: its own CPU in a turn", unit="ms",
        ),
    ]  # fmt: skip


PARTS = {"sorting": _sorting, "opening": _opening}


def main(part: str, data: Path) -> None:
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from app.base.theme import theme

    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(data / "qt"))
    application = QApplication([])
    theme.apply(application, "light")
    print(json.dumps([f.model_dump() for f in PARTS[part](data)], indent=1, ensure_ascii=False))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main(sys.argv[1], Path(sys.argv[2]))
    else:
        for figure in figures():
            print(f"{figure.name}: {figure.ratio:.3g} {figure.unit} ({figure.against})")
