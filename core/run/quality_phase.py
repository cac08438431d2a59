"""The quality phase of a run, after the rounds: every variant against the baseline on one text. A failure costs a
variant its quality figures only."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from core.base.folders import cache_folder
from core.feasibility.context_limits import few_chunks
from core.protocol import commands, events
from core.quality import evaluation_text
from core.spec import experiment
from core.spec.variant import Variant

#: No vocabulary spends more than this on a token, on average over prose: a text of megabytes is not sent for a page.
CHARACTERS = 64


class JudgedVariant(Protocol):
    """One variant of the run; `failed` means that its engine is gone."""

    failed: bool

    @property
    def variant(self) -> Variant: ...


S = TypeVar("S", bound=JudgedVariant)
CarryOut = Callable[[S, commands.Command], Iterator[events.Event]]


class QualityPhase:
    """The quality judgement of all variants. Iterate `run`; call `clean` at the end in every case. Raises TextError if
    the text cannot be read."""

    def __init__(self, quality: experiment.QualitySettings) -> None:
        self.quality = quality
        self._text = evaluation_text.text(quality.text, CHARACTERS * (quality.tokens + quality.window))
        self._reference = uuid.uuid4().hex

    def run(self, seats: Sequence[S], carry_out: CarryOut[S]) -> Iterator[events.Event]:
        """Yield the events of the judgement. The baseline comes first, since the others are compared with what it
        writes."""
        yield from self._distributions(seats, carry_out)

    def clean(self) -> None:
        """Remove the reference from this host if it is still there; its writer may have been killed."""
        for path in (cache_folder() / "quality").glob(f"{self._reference}-*"):
            with contextlib.suppress(OSError):
                path.unlink()

    def _distributions(self, seats: Sequence[S], carry_out: CarryOut[S]) -> Iterator[events.Event]:
        baseline, *others = seats
        if few := few_chunks(self.quality):
            yield events.Log(level="warning", text=f"quality: {few}")
        judged = False
        for event in carry_out(baseline, self._command("reference", self._text)):
            judged = judged or isinstance(event, events.Quality)
            yield event
        if not judged:
            yield events.Log(level="warning", text="quality: there is nothing to compare with, so none is judged")
            return
        for seat in others:
            if not seat.failed:
                yield from carry_out(seat, self._command("compare"))
        for seat in seats:
            if not seat.failed:  # the file lies on the engines' host
                yield from carry_out(seat, commands.ForgetCommand(reference=self._reference))
                return

    def _command(self, role: str, text: str = "") -> commands.QualityCommand:
        work = self.quality
        return commands.QualityCommand.model_validate(
            {"role": role, "reference": self._reference, "tokens": work.tokens, "window": work.window, "text": text}
        )
