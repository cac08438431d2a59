"""The rounds of a run: number and order, unique prompts, and seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.prompts import run_prompts
from core.protocol import commands, events
from core.run import engine_sharing
from core.spec.experiment import Experiment
from core.spec.workload import Workload


@dataclass(frozen=True)
class Plan:
    """The rounds of one session: `rounds` from number `first_round` on, with the set's prompts from number
    `first_prompt` on, of the variants `names`. `schedule[r]` is the order in round r, of all sessions."""

    names: tuple[str, ...]
    schedule: list[list[str]]
    rounds: int
    first_round: int = 0
    first_prompt: int = 0


def first_plan(experiment: Experiment) -> Plan:
    """Return the plan of a new run."""
    names, work = [v.name for v in experiment.variants], experiment.workload
    return Plan(tuple(names), engine_sharing.orders(names, work.most_rounds, work.seed), work.most_rounds)


class Rounds:
    """The prompts of a session in order: those of its rounds, then those of the warm-up. Raises PromptError."""

    def __init__(self, work: Workload, plan: Plan) -> None:
        self.work, self.plan = work, plan
        self.deck = run_prompts.Deck(work.prompts, work.seed, work.prompt_tokens)
        self._asked: dict[tuple[int, ...], int] = {}  # ids of a prompt: the round that had them first
        self._told = self._cut = False

    def trial(self, number: int) -> commands.TrialCommand:
        """Return the command of a round, which is the same for every variant."""
        count, plan = self.work.request_count, self.plan
        place = (number - plan.first_round) % plan.rounds  # the baseline's second pass repeats those of its first
        first, *others = (self.deck[plan.first_prompt + place * count + i] for i in range(count))
        seed = self.work.seed + plan.first_round + place
        return commands.TrialCommand(round=number, prompt=first, others=others, seed=seed)

    def told(self, done: events.TrialDone) -> Iterator[events.Event]:
        """Yield notes on the prompts as they were really used, each once."""
        yield from self._repeated(done)
        if done.cut and not self._cut and self.work.prompts not in run_prompts.names():
            self._cut = True
            yield events.Log(
                level="warning",
                text=f"prompts of {self.work.prompts} are cut: they are longer than what prompt_tokens = "
                f"{self.work.prompt_tokens} leaves beside the chat template; ask for more to have them whole",
            )

    def _repeated(self, done: events.TrialDone) -> Iterator[events.Event]:
        """Yield a warning if two rounds had the same token ids, since a tokenizer may ignore what differs."""
        place = (done.round - self.plan.first_round) % self.plan.rounds
        first = self._asked.setdefault(tuple(done.prompt_ids), place)
        if first != place and not self._told:
            self._told = True
            one, other = (1 + self.plan.first_round + n for n in (first, place))
            yield events.Log(
                level="warning",
                text=f"rounds {one} and {other} have one and the same prompt of {len(done.prompt_ids)} tokens, so a "
                "cache may answer for the model: ask for more prompt_tokens, or give prompts that differ",
            )

    def warm_up(self) -> commands.WarmCommand:
        """Return the warm-up command, with prompts for two passes of all requests served at once. They come after the
        last round's prompts, so that nothing measured was warmed up on."""
        count = 2 * min(self.work.concurrency, self.work.request_count)
        return commands.WarmCommand(prompts=[self.deck[self._end + i] for i in range(count)])

    @property
    def _end(self) -> int:
        """The number of the prompt after the last round's."""
        return self.plan.first_prompt + self.plan.rounds * self.work.request_count

    def too_few(self) -> Iterator[events.Event]:
        """Yield a warning if the set has fewer prompts than needed."""
        work, have, needed = self.work, len(self.deck), self._end
        most = " at most" if work.until_pct else ""
        if needed > have:
            yield events.Log(
                level="warning" if work.request_count > have else "info",
                text=f"the prompt set {work.prompts} has {have} prompts, and {needed} are needed{most}: from number "
                f"{have + 1} on its texts are used again, numbered and with other text after them, so that no two "
                "prompts are alike",
            )
