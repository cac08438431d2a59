"""Reports the decode loop's own decisions: drafting less, falling back, compiling again."""

from __future__ import annotations

import sys

from core.engine.base.runtime import Runtime
from core.protocol.engine_channel import Channel
from core.protocol.events import Decision


class Watch:
    """Remembers the loop's state; `tell` reports what changed since."""

    def __init__(self, runtime: Runtime) -> None:
        self._pace = getattr(runtime.decoder, "pace", None)
        self._step = runtime.plain.forward_one if runtime.plain is not None else None
        self._told = len(self._pace.changes) if self._pace is not None else 0
        self._compiled = self._compilations()
        self._graphs_before = self._graphs()

    def tell(self, channel: Channel, round: int | None) -> list[str]:
        """Send each new decision with its time, and return the trial's flags."""
        if self._pace is not None:
            for change in self._pace.changes[self._told :]:
                channel.send(Decision(t_ns=change.at_ns, round=round, what=change.what, detail=change.detail))
        again = self._compilations() - self._compiled or self._graphs() - self._graphs_before
        if not again:
            return []
        channel.send(Decision(round=round, what="compiled", detail=f"{again} times, for shapes that were new"))
        return [f"{again} compilations"]

    @staticmethod
    def _graphs() -> int:
        """Return the number of graphs that dynamo has compiled in this process, those of attention and kernels
        included."""
        dynamo = sys.modules.get("torch._dynamo.utils")
        return dynamo.counters["stats"].get("unique_graphs", 0) if dynamo is not None else 0

    def _compilations(self) -> int:
        return getattr(self._step, "compiling_calls", 0) + getattr(self._step, "captures", 0)
