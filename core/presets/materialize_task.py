"""Materializes a preset: one engine loads the model, transforms it and writes it as a folder. Iteration yields events,
the last one `Done` or `Failed`. `cancel` may be called from any thread and leaves nothing behind."""

from __future__ import annotations

import queue
from collections.abc import Generator, Iterator
from pathlib import Path

from core.model import materialized_note
from core.presets.preset import Preset, PresetError
from core.protocol import commands, events
from core.protocol.engine_pool import EnginePool
from core.protocol.engine_process import Gone, Inbox, exit_words
from core.spec.variant import Variant


def loads_in(variant: Variant) -> str:
    """Return which programs will load the written weights, as far as the recipe tells."""
    package = getattr(variant.quantization, "loaded_with", None)
    if package is None:
        return "It will load in transformers alone, and in what reads its checkpoints."
    if package == "compressed-tensors":
        return (
            "It will load in Dyno, in vLLM and in transformers with compressed-tensors; in Dyno alone where the model "
            "has layers for which that format has no place, as experts and GPT-2's."
        )
    return f"It will load in Dyno and in transformers with {package}."


class Materialize:
    """One materialization. Raises PresetError if it cannot begin; an error that only the engine can detect comes as
    `Failed`."""

    def __init__(self, preset: Preset, out: Path, pool: EnginePool) -> None:
        self.out = out.expanduser().absolute()
        if self.out.exists():
            raise PresetError(f"{self.out}: is there already, and nothing is overwritten; choose another folder")
        if not any(getattr(preset.variant, slot) for slot in materialized_note.SLOTS):
            raise PresetError(
                f"{preset.name}: changes no weights, so there is nothing to write; only pruning and quantization do"
            )
        self.preset = preset
        self.pool = pool
        self._inbox: Inbox = queue.SimpleQueue()
        self._cancel = False

    def cancel(self) -> None:
        """Stop the engine within a second and remove what it wrote."""
        self._cancel = True
        self._inbox.put((None, None))

    def __iter__(self) -> Iterator[events.Event]:
        engine, _ = self.pool.obtain("materialize", self._inbox)
        engine.send(
            commands.MaterializeCommand(
                model=self.preset.model,
                variant=self.preset.variant.dump(),
                workload=self.preset.workload,
                out=str(self.out),
            )
        )
        try:
            ending = yield from self._until_over()
        finally:
            self.pool.discard(engine)  # unload is exit
            materialized_note.sweep(self.out)  # an engine that was killed cannot do it
        if self._cancel and not self.out.exists():  # else it was ready before the word came
            ending = events.Failed(kind="cancelled", message="cancelled: nothing was written")
        yield ending

    def _until_over(self) -> Generator[events.Event, None, events.Event]:
        while True:
            _, event = self._inbox.get()
            if self._cancel:
                return events.Done(command="materialize")
            if isinstance(event, Gone):
                words = f"the engine stopped ({exit_words(event.code)})"
                return events.Failed(kind="died", message=words, detail=event.tail)
            if isinstance(event, events.Done | events.Failed):
                return event
            yield event
            if isinstance(event, events.Loaded) and event.fingerprint != self.preset.fingerprint:
                words = "the model is not the one that the preset was measured on: its evidence does not apply"
                yield events.Log(level="warning", text=words)
