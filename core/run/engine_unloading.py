"""Ends warm engines that no run uses any more, and reports what a finished run's engines gave back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from core.machine.environment import Environment
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.results.journal import Journal
from core.run import unload_residue
from core.run.engine_slot import engine_key
from core.run.run_engines import card_of
from core.spec.experiment import Experiment


def end_engines(
    pool: EnginePool,
    experiment: Experiment | None,
    environment: Environment | None,
    folder: Path | None,
    hurry: Callable[[], bool] = lambda: False,
) -> Iterator[events.Unloaded]:
    """End every idle engine one by one. Measuring takes one to two seconds each, and is skipped if `hurry` says so.
    Engines of the run in `folder` with this `experiment` are measured if they ran on this machine."""
    names = {engine_key(experiment, v): v.name for v in experiment.variants} if experiment is not None else {}
    here = unload_residue.on_this_machine(environment)
    for engine in pool.take_idle():
        name, found = names.get(engine.key), None
        if name is not None and here and environment is not None:
            found = unload_residue.measure(
                engine.pid, card_of(engine, environment), partial(pool.discard, engine), hurry
            )
        pool.discard(engine)
        if found is not None:
            found = found.model_copy(update={"variant": name})
            _keep(found, folder)
            yield found


def _keep(event: events.Unloaded, folder: Path | None) -> None:
    """Append the figure to the run's journal; if that fails it is only shown."""
    with contextlib.suppress(OSError):
        if folder is not None:
            journal = Journal(folder, goes_on=True)
            try:
                journal.write(event)
            finally:
                journal.close()
