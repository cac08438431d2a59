"""Threads over engines: one iterates a run, one has the machine measured, one asks an engine what it sees of it.

They know the core and emit what comes; what it means for the window is the session's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

from PySide6.QtCore import QObject, QThread, Signal

from app.session.comparison_cache import comparison_of
from core.analysis.comparison_row import Comparison
from core.results.journal import JournalError, open_results
from core.results.ratio_statistics import MARGIN, t_quantile
from core.results.results import Results
from core.run.run import Run, RunError


def import_late() -> None:
    """What the end of a run needs and the start of the window does not: it takes 300 ms, in which the window may stand
    still for a moment each."""
    t_quantile(0.95, 4)  # of scipy
    import_module("filelock")


class MakingThread(QThread):
    """Makes a run, which reads its prompts and texts: seconds where files are large or disks slow."""

    made = Signal(object)
    refused = Signal(str)

    def __init__(self, make: Callable[[], Run], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self.given_up = False  # nobody waits for it any more

    def run(self) -> None:
        try:
            run = self._make()
        except RunError as error:
            self.refused.emit(str(error))
            return
        except Exception as error:  # the thread's edge: the window says so and lives on
            self.refused.emit(f"{type(error).__name__}: {error}")
            return
        if self.given_up:
            run.abandon()
        else:
            self.made.emit(run)


class RunThread(QThread):
    """Iterates a run and ends with it. Whatever goes wrong arrives as `broken`, never as a lost thread.

    It folds the events a second time, into results of its own, and compares them when a trial has ended: with many
    tokens that takes tenths of a second, in which the window would stand still. The run waits meanwhile, so nothing is
    compared while an engine measures."""

    happened = Signal(object, object)  # an event, and the comparison where the event has changed it, else None
    broken = Signal(str)

    def __init__(self, run: Run, parent: QObject | None = None, margin: float = MARGIN) -> None:
        super().__init__(parent)
        self._run, self._margin = run, margin

    def run(self) -> None:
        try:
            import_late()
            results = Results(self._run.folder.name, self._margin)
            if self._run.goes_on:
                open_results(self._run.folder, into=results)
                self._run.check(results)
            before: Comparison | None = None
            for event in self._run:
                results.fold(event)
                comparison = comparison_of(results)
                self.happened.emit(event, comparison if comparison is not before else None)
                before = comparison
        except (RunError, JournalError) as error:
            self.broken.emit(str(error))
        except Exception as error:  # the thread's edge: the window says so and lives on
            self.broken.emit(f"{type(error).__name__}: {error}")


def asked(ask: Callable[[], object]) -> Iterator[object]:
    """Yield what an engine says, which takes as long as its imports; then import what no run has to wait for."""
    yield ask()
    import_late()
