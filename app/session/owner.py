"""The part of a session that its helpers use: those that ask engines, count tokens and end engines beside a run."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import SignalInstance

from app.session.jobs import Jobs
from core.protocol.engine_pool import EnginePool
from core.protocol.events import Unloaded
from core.results.results import Results
from core.spec.experiment import Experiment
from core.spec.variant import Variant


class Owner(Protocol):
    """The session as its helpers see it."""

    jobs: Jobs
    results: Results | None
    results_folder: Path | None

    @property
    def running(self) -> bool:
        """Whether a run is in progress."""

    @property
    def answering(self) -> bool:
        """Whether engines are answering a prompt outside a run."""

    @property
    def experiment(self) -> Experiment | None: ...

    @property
    def pool(self) -> EnginePool: ...

    @property
    def to_run(self) -> Experiment | None:
        """The experiment with the included variants."""

    def variant(self, name: str | None = None) -> Variant | None: ...

    @property
    def notice(self) -> SignalInstance: ...

    @property
    def tick(self) -> SignalInstance: ...

    @property
    def run_started(self) -> SignalInstance: ...

    @property
    def environment_changed(self) -> SignalInstance: ...

    def engine_ended(self, event: Unloaded) -> None: ...
