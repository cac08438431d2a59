"""A variant's place in a run: its engine and its state."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from core.protocol import events
from core.protocol.engine_process import Engine, Gone
from core.spec import experiment as spec
from core.spec.variant import Variant
from core.spec.workload import HOW_LONG

#: An engine says hello before it imports anything heavy: what is silent for longer, on whatever host, is none.
HELLO_S = 60.0
_KILLED = (-9, -15)  # SIGKILL and SIGTERM, by others


@dataclass
class EngineSlot:
    """One variant and the engine that serves it."""

    variant: Variant
    engine: Engine | None = None
    warm: bool = False
    failed: bool = False
    round: int | None = None  # that it was told to measure and has not finished
    unloaded: bool = False  # what its end gave back has been measured
    measured: set[int] = field(default_factory=set)  # rounds

    @property
    def loaded(self) -> bool:
        """Whether the engine holds the variant's model now."""
        return self.engine is not None and not self.failed and "loaded" in self.engine.memory


def engine_key(experiment: spec.Experiment, variant: Variant) -> str:
    """Return what must agree for a loaded engine to be reused: everything but the variant's name and the settings of
    each trial."""
    recipe = {k: v for k, v in variant.dump().items() if k != "name"}
    work = experiment.workload.model_dump(mode="json", exclude={"prompts", "seed", *HOW_LONG})
    return json.dumps([experiment.model.model_dump(mode="json"), recipe, work], sort_keys=True)


def died(gone: Gone, trials: int, last: bool = False) -> events.Failed:
    """Return the failure of an engine that ended. It quotes the engine's last words, unless the engine had already
    worked or was killed. `last` means that no other variant goes on."""
    if trials:
        said = ""
        hint = "Its finished trials are kept." if last else "Its finished trials are kept; the other variants go on."
    else:
        told = "" if gone.code in _KILLED else gone.last_line
        said, hint = f": {told}" if told else "", "Nothing was measured with it; see the log."
    return events.Failed(kind="died", message=f"the engine stopped ({gone.words}){said}", hint=hint, detail=gone.tail)


def silent(after_s: float) -> events.Failed:
    """Return the failure of an engine that never said hello."""
    return events.Failed(
        message=f"the engine did not answer within {after_s:g} s",
        hint="Check the engine command: it must run `python -m core.engine`, here or on another host.",
    )


def clock_offset(sent_ns: int, engine_ns: int, received_ns: int) -> int:
    """Return the offset from an engine's clock to this process's; 0 if both read the same clock (the same machine)."""
    if sent_ns <= engine_ns <= received_ns:
        return 0
    return (sent_ns + received_ns) // 2 - engine_ns
