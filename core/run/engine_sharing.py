"""How variants share memory if their engines do not fit together. `together`: all are loaded, and each round runs all
of them. `reload`: one engine at a time; every trial loads its variant anew, so rounds stay paired. `sequence`: one
engine at a time, each variant loaded once; the baseline runs before and after all others, and if its two passes differ
there is no verdict."""

from __future__ import annotations

import random
from dataclasses import dataclass

from core.base.formatting import seconds, size
from core.feasibility.memory_estimate import TIGHT
from core.protocol import events
from core.protocol.events import TurnsMode
from core.spec.workload import Workload

MODES = {
    "reload": "one engine at a time, loaded anew for each trial",
    "sequence": "one engine at a time: the baseline, then every other variant, then the baseline again; ratios are "
    "not paired by round, and there is a verdict only if both passes of the baseline agree",
}


class Crowded(Exception):
    """A variant does not fit beside the loaded ones; `why` says so with figures."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name, self.why = name, why


@dataclass(frozen=True)
class SharingStep:
    """One trial to be measured. `again` marks the baseline's second pass."""

    name: str
    round: int
    again: bool = False


def first_mode(work: Workload) -> TurnsMode:
    """Return the mode that a run begins with."""
    return "together" if work.engines == "auto" else work.engines


def crowding(estimate: events.Estimate) -> str:
    """Return why a variant does not fit beside the others by its estimate; empty if it does."""
    if estimate.loading_bytes <= TIGHT * estimate.free_bytes:
        return ""
    needed, free = size(estimate.loading_bytes), size(estimate.free_bytes)
    return f"it needs about {needed} to load, and {free} are free on {estimate.where}"


def choose(load_s: float, trial_s: float, paired: bool = False) -> tuple[TurnsMode, str]:
    """Return the mode and the reason: reload if a load takes less than a trial, else sequence. `paired` forces paired
    rounds because earlier ones are."""
    if paired:
        return "reload", f"the rounds before are paired, so these are; {MODES['reload']}"
    load, trial = seconds(load_s), seconds(trial_s)
    if load_s < trial_s:
        return "reload", f"a load takes {load}, less than a trial with {trial}; {MODES['reload']}"
    return "sequence", f"a load takes {load}, more than a trial with {trial}; {MODES['sequence']}"


def orders(names: list[str], rounds: int, seed: int) -> list[list[str]]:
    """Return a seeded random order of the variants for each round."""
    rng = random.Random(seed)
    return [rng.sample(names, len(names)) for _ in range(rounds)]


def plan(
    mode: TurnsMode, names: list[str], schedule: list[list[str]], rounds: int, first: int = 0
) -> list[list[SharingStep]]:
    """Return the trials in groups, after each of which a run may end: the rounds from number `first` on, or each trial
    of a sequence. The baseline's second pass uses the same prompts and the numbers after the schedule's last round."""
    if mode != "sequence":
        return [
            [SharingStep(name, number) for name in order] for number, order in enumerate(schedule) if number >= first
        ]
    steps = [SharingStep(name, number) for name in names for number in range(rounds)]
    steps += [SharingStep(names[0], len(schedule) + number, again=True) for number in range(rounds)]
    return [[step] for step in steps]
