"""The second part of the quality phase: every variant answers the same prompts, and those of a regression suite. A
failure costs a variant its answers only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.prompts.run_prompts import Deck
from core.protocol import commands, events
from core.quality import regression_suite
from core.run.quality_phase import CarryOut, S
from core.spec import experiment
from core.spec.workload import Workload

SHOWN = 2_000  # characters of a prompt that a journal keeps with its answers


class AnswersPhase:
    """The answers of all variants. Iterate `run`. Raises SuiteError if the suite cannot be used."""

    def __init__(self, quality: experiment.QualitySettings, deck: Deck, workload: Workload) -> None:
        self.quality = quality
        self._suite = regression_suite.read(quality.suite) if quality.suite != "none" else []
        # After those of the rounds and of the warm-up, so that no cache of prefixes has seen them.
        first = workload.request_count * (workload.most_rounds + 2)
        asked = [deck[first + i] for i in range(quality.prompts)]
        self._prompts, self._shared = [prompt.text for prompt in asked], [prompt.shared for prompt in asked]
        self._longest = workload.prompt_tokens  # as in the trials: a prompt file may hold whole books

    def run(self, seats: Sequence[S], carry_out: CarryOut[S]) -> Iterator[events.Event]:
        for seat in seats:
            for command in self._commands():
                if seat.failed:
                    break
                for event in carry_out(seat, command):
                    if isinstance(event, events.Answers):
                        shown = [text[:SHOWN] for text in command.prompts]
                        event = event.model_copy(update={"prompts": shown})
                    yield event
                    if isinstance(event, events.Answers) and event.purpose == "suite":
                        yield from self._checked(seat.variant.name, event)

    def _commands(self) -> Iterator[commands.AnswersCommand]:
        cap = self.quality.answer_tokens
        if self._prompts:
            yield commands.AnswersCommand(
                purpose="divergence",
                prompts=self._prompts,
                shared=self._shared,
                max_tokens=cap,
                longest=self._longest,
            )
        if self._suite:
            prompts = [line.prompt for line in self._suite]
            yield commands.AnswersCommand(purpose="suite", prompts=prompts, max_tokens=cap)

    def _checked(self, variant: str, event: events.Answers) -> Iterator[events.Event]:
        if len(event.answers) != len(self._suite):
            text = f"suite: {len(event.answers)} answers came to {len(self._suite)} prompts: none is judged"
            yield events.Log(variant=variant, level="warning", text=text)
            return
        checks = regression_suite.check(self._suite, [a.text for a in event.answers])
        for one in checks:
            if one.passed is None:
                yield events.Log(variant=variant, level="warning", text=f"suite, {one.name}: not judged: {one.why}")
        yield events.SuiteDone(variant=variant, suite=self.quality.suite, checks=checks)
