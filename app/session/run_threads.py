"""Threads over engines: one makes a run, one iterates it, one asks an engine. They emit events; the session interprets
them."""

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
    """Import what a run's end needs and the window's start does not: 300 ms, in which the window may stall briefly."""
    t_quantile(0.95, 4)  # of scipy
    import_module("filelock")


class MakingThread(QThread):
    """Makes a run, which reads its prompts and texts: seconds for large files or slow disks."""

    made = Signal(object)
    refused = Signal(str)

    def __init__(self, make: Callable[[], Run], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self.given_up = False  # its result is no longer wanted

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
    """Iterates a run and ends with it. An error is emitted as `broken`. It folds the events into results of its own and
    compares them when a trial has ended, since that takes tenths of a second with many tokens. The run waits meanwhile,
    so nothing is compared while an engine measures."""

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
    """Yield an engine's answer, which takes as long as its imports; then import what no run has to wait for."""
    yield ask()
    import_late()
