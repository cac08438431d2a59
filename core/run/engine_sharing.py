"""How variants take turns where their engines do not fit in memory together.

`together`: all are loaded at once, and each round runs all of them. `reload`: one engine at a time; every trial loads
its variant anew, so rounds are paired as ever. `sequence`: one engine at a time, each variant loaded once; the baseline
runs before and after all others, and where its two passes differ there is no verdict.
"""

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
    """A variant does not fit beside those that are loaded; `why` says it with figures."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name, self.why = name, why


@dataclass(frozen=True)
class SharingStep:
    """One trial to be measured. `again`: of the baseline's second pass."""

    name: str
    round: int
    again: bool = False


def first_mode(work: Workload) -> TurnsMode:
    """Return what a run begins with."""
    return "together" if work.engines == "auto" else work.engines


def crowding(estimate: events.Estimate) -> str:
    """Return why a variant does not fit beside the others, by its estimate; empty if it does."""
    if estimate.loading_bytes <= TIGHT * estimate.free_bytes:
        return ""
    needed, free = size(estimate.loading_bytes), size(estimate.free_bytes)
    return f"it needs about {needed} to load, and {free} are free on {estimate.where}"


def choose(load_s: float, trial_s: float, paired: bool = False) -> tuple[TurnsMode, str]:
    """Reload where a load takes less than a trial, else one after the other; and why. `paired`: rounds that were
    measured before are, so these have to be."""
    if paired:
        return "reload", f"the rounds before are paired, so these are; {MODES['reload']}"
    load, trial = seconds(load_s), seconds(trial_s)
    if load_s < trial_s:
        return "reload", f"a load takes {load}, less than a trial with {trial}; {MODES['reload']}"
    return "sequence", f"a load takes {load}, more than a trial with {trial}; {MODES['sequence']}"


def orders(names: list[str], rounds: int, seed: int) -> list[list[str]]:
    """Seeded random order of the variants, anew for every round."""
    rng = random.Random(seed)
    return [rng.sample(names, len(names)) for _ in range(rounds)]


def plan(
    mode: TurnsMode, names: list[str], schedule: list[list[str]], rounds: int, first: int = 0
) -> list[list[SharingStep]]:
    """Return the trials in order, in groups after each of which a run may end: the rounds from number `first` on, or in
    a sequence each trial.

    The baseline's second pass goes over the same prompts and has the numbers after the last round of the schedule.
    """
    if mode != "sequence":
        return [
            [SharingStep(name, number) for name in order] for number, order in enumerate(schedule) if number >= first
        ]
    steps = [SharingStep(name, number) for name in names for number in range(rounds)]
    steps += [SharingStep(names[0], len(schedule) + number, again=True) for number in range(rounds)]
    return [[step] for step in steps]
