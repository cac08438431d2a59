"""Reads prompt sets in a thread, and lets an engine count their tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from app.session.owner import Owner
from core.model.source import ModelSource
from core.prompts import run_prompts
from core.prompts.prompt_lengths import COUNTED, Lengths, lengths
from core.protocol.engine_pool import COUNTS, EnginePool
from core.protocol.engine_process import EngineError


@dataclass(frozen=True)
class CachedPrompts:
    """A prompt set as read. `tokens` are those of the first prompts by the tokenizer of `model`; None means not
    counted, and `why` gives the reason, or is empty while counting."""

    name: str
    texts: tuple[str, ...] = ()
    more: bool = False
    error: str = ""
    model: ModelSource | None = None
    tokens: tuple[int, ...] | None = None
    template: int = 0
    why: str = ""

    @property
    def shown(self) -> tuple[str, ...]:
        return self.texts[:COUNTED]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The tokens if known, else the characters."""
        return self.tokens if self.tokens is not None else tuple(len(text) for text in self.shown)

    def lengths(self) -> Lengths | None:
        return lengths(self.sizes)


class PromptThread(QThread):
    """Reads one set, then counts its tokens if it has a pool. With a built-in set all of them are counted, since the
    engine spends most of its time on loading the tokenizer."""

    read = Signal(object)

    def __init__(self, name: str, model: ModelSource | None, pool: EnginePool | None, parent: QObject) -> None:
        super().__init__(parent)
        self._name, self._model, self._pool = name, model, pool
        self.stopping = False

    @property
    def counts(self) -> bool:
        return self._pool is not None

    def run(self) -> None:
        try:
            texts, more = run_prompts.read(self._name)
        except run_prompts.PromptError as error:
            why = str(error).removeprefix("workload.prompts: ").removeprefix(self._name).lstrip(" ,:")
            self.read.emit(CachedPrompts(self._name, error=why))
            return
        found = CachedPrompts(self._name, tuple(texts), more, model=self._model)
        self.read.emit(found)
        if self._pool is None or self._model is None or self.stopping:
            return
        sets = {self._name: found}
        if self._name in run_prompts.names():
            sets = {
                name: CachedPrompts(name, tuple(run_prompts.texts(name)), model=self._model)
                for name in run_prompts.names()
            }
        try:
            counted = self._pool.count(self._model, [text for one in sets.values() for text in one.shown])
        except EngineError as error:
            self.read.emit(replace(found, why="" if self.stopping else str(error)))
            return
        sizes = iter(counted.tokens)
        for one in sets.values():
            tokens = tuple(islice(sizes, len(one.shown)))
            self.read.emit(replace(one, tokens=tokens, template=counted.template))


class PromptCache(QObject):
    """The sets read so far, by name; `changed` says that a set or its tokens have arrived."""

    changed = Signal()

    def __init__(self, session: Owner, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._thread: PromptThread | None = None
        self._next: str | None = None
        self._found: dict[str, CachedPrompts] = {}
        session.run_started.connect(self.stop)
        session.jobs.changed.connect(self._jobs_changed)

    @property
    def counting(self) -> bool:
        return self._thread is not None

    def get(self, name: str) -> CachedPrompts | None:
        return self._found.get(name)

    def why_not(self) -> str:
        """Return why tokens cannot be counted now, or ""."""
        session = self._session
        if session.running or session.answering or session.jobs.disturbing is not None:
            return self.tr("Tokens are not counted while engines are at work.")
        if session.experiment is None:
            return self.tr("Tokens are counted when a model is open.")
        return ""

    def ask(self, name: str) -> None:
        """Read a set, and count its tokens if they are unknown."""
        if self._thread is not None:
            self._next = name
            return
        experiment = self._session.experiment
        model = experiment.model if experiment is not None and not self.why_not() else None
        known = self._found.get(name)
        if known is not None and known.tokens is not None and known.model == model and name in run_prompts.names():
            self.changed.emit()
            return
        pool = self._session.pool if model is not None else None
        self._thread = PromptThread(name, model, pool, self)
        self._thread.read.connect(self._read)
        self._thread.finished.connect(self._done)
        self._thread.start()

    @Slot()
    def stop(self) -> None:
        """Stop counting, also if its engine is only starting: it would disturb engines at work."""
        if self._thread is not None and self._thread.counts:
            self._thread.stopping = True
            self._session.pool.stop_asking(COUNTS)
            QTimer.singleShot(100, self._stop_still)

    @Slot()
    def _stop_still(self) -> None:
        if self._thread is not None and self._thread.stopping:
            self.stop()

    @Slot()
    def _jobs_changed(self) -> None:
        if self._session.jobs.disturbing is not None:
            self.stop()

    @Slot(object)
    def _read(self, found: CachedPrompts) -> None:
        self._found[found.name] = found
        self.changed.emit()

    @Slot()
    def _done(self) -> None:
        if self._thread is not None:
            self._thread.deleteLater()
        self._thread = None
        wanted, self._next = self._next, None
        self.changed.emit()
        if wanted is not None:
            self.ask(wanted)

    def close(self) -> None:
        """End the thread, and the engine that counts for it."""
        self._next = None
        while self._thread is not None and not self._thread.isFinished():
            self._session.pool.close()
            self._thread.wait(100)
