"""What all commands share: the console, errors that end with exit 2, following a run."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from rich.console import Console
from rich.text import Text

from core.base import formatting
from core.cli import run_display
from core.cli.literal_text import literal
from core.machine.environment import Environment
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.source import ModelSource
from core.protocol.engine_pool import EnginePool
from core.results.results import Results
from core.run.run import Run

console = Console(highlight=False, markup=False, emoji=False)
errors = Console(stderr=True, highlight=False, markup=False, emoji=False)

Do = Callable[[argparse.Namespace], int]  # carries out a command, and returns its exit status


class AddCommand(Protocol):
    """Adds a command to the parser."""

    def __call__(self, name: str, do: Do | None, words: str) -> argparse.ArgumentParser:
        """Return the parser of a command; `do` is None if its sub-commands act."""


class Invalid(ValueError):
    """An error that the user can correct; exit 2."""


def check_model(model: ModelSource) -> None:
    """Check the model before an engine starts, unless $DYNO_ENGINE names another one, which may see other folders.
    Raises Invalid."""
    if engine_is_elsewhere():
        return
    try:
        resolve(model)
    except ModelError as error:
        raise Invalid(f"model.source: {formatting.sentence(str(error), error.hint)}") from None


def engine_is_elsewhere() -> bool:
    """Return whether the engine may see another file system."""
    return bool(os.environ.get("DYNO_ENGINE"))


def follow(run: Run, pool: EnginePool, results: Results | None = None, where: Console = console) -> Results:
    """Drive a run on top of the results of its earlier sessions and return its results. The first Ctrl+C or SIGTERM
    stops it after the round, the second at once."""
    asked = 0

    def on_signal(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked += 1
        if asked == 1 and number == signal.SIGINT:
            words_ = "Stopping after this round; press Ctrl+C again to cancel." if run.measuring else "Stopping."
            errors.print(Text(words_, "yellow"))
            run.stop_after_round()
        else:
            run.cancel()

    with handled(on_signal):
        try:
            return run_display.follow(run, where, results)
        finally:
            pool.close()


@contextmanager
def handled(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Let `handler` receive SIGINT and SIGTERM within the context."""
    before = {s: signal.signal(s, handler) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def environment() -> Environment:
    """Return the environment as an engine reports it. Takes seconds, since the engine imports torch. Raises
    EngineError."""
    pool = EnginePool()
    try:
        return pool.environment()
    finally:
        pool.close()


def written(path: Path, write: Callable[[Path], None]) -> bool:
    """Return whether a file could be written; a failure is printed, and the caller writes the other files."""
    try:
        write(path)
    except OSError as error:
        errors.print(literal(f"{path}: cannot be written: {error.strerror or error}", "red"), soft_wrap=True)
        return False
    return True
