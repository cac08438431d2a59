"""What every round of a run asks: prompts that no other round has, and a seed. Knows the prompt set and the numbers of
rounds; knows no engine.
"""

from __future__ import annotations

from collections.abc import Iterator

from core import commands, events, prompts
from core.spec import Workload


class Rounds:
    """The prompts of a run, in order: those of the rounds, then those of the warm-up. Raises PromptError."""

    def __init__(self, work: Workload) -> None:
        self.work = work
        self.deck = prompts.Deck(work.prompts, work.seed)

    def trial(self, number: int) -> commands.TrialCommand:
        """The same for every variant of a round."""
        work = self.work
        place = number % work.most_rounds  # the baseline's second pass repeats those of its first
        first, *others = (self.deck[place * work.request_count + i] for i in range(work.request_count))
        return commands.TrialCommand(round=number, prompt=first, others=others, seed=work.seed + place)

    def warm_up(self) -> commands.WarmCommand:
        """Enough prompts for two passes of all that are served at once; they come after those of the last round, so
        that nothing is measured that was warmed up on."""
        work = self.work
        first = work.most_rounds * work.request_count
        count = 2 * min(work.concurrency, work.request_count)
        return commands.WarmCommand(prompts=[self.deck[first + i] for i in range(count)])

    def too_few(self) -> Iterator[events.Event]:
        """Say it if the set is smaller than what is asked of it."""
        work, have = self.work, len(self.deck)
        needed = work.most_rounds * work.request_count
        most = " at most" if work.until_pct else ""
        if needed > have:
            yield events.Log(
                level="warning" if work.request_count > have else "info",
                text=f"the prompt set {work.prompts} has {have} prompts, and {needed} are needed{most}: from number "
                f"{have + 1} on its texts are used again, numbered and with other text after them, so that no two "
                "prompts are alike",
            )
