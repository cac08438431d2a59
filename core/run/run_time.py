"""Predicts how long a run will take: from earlier measurements of the same variants, else from the model's bytes and
the machine's bandwidth. The prediction is a range, since the share of the roofline that a variant reaches is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.base.formatting import about
from core.feasibility.memory_estimate import footprint
from core.machine.machine_roof import MachineRoof
from core.model.facts import ModelFacts
from core.results import metrics
from core.results.results import Results, VariantState
from core.spec.experiment import Experiment
from core.spec.variant import Variant
from core.spec.workload import Workload

#: Least and most of what cannot be known beforehand; measured on 2 cores, demo model and random Llamas.
START_S = (4.0, 15.0)  # an engine imports torch and transformers
READ = (2e9, 2e8)  # bytes/s at which weights are read, from a cache and from a slow disk
CHANGED = (2e8, 1e7)  # weights/s that a strategy quantizes, prunes or fuses
ROOF_SHARE = (0.6, 0.06)  # of the machine's bandwidth and peak that decoding and prompts reach
PASSES = (2, 5)  # of a warm-up
BANDWIDTH, PEAK = 10e9, 50e9  # bytes/s and FLOP/s of a machine that was not measured: two cores


@dataclass(frozen=True)
class TimeRange:
    """Seconds, least and most."""

    least: float
    most: float

    def __add__(self, other: TimeRange) -> TimeRange:
        return TimeRange(self.least + other.least, self.most + other.most)

    def times(self, least: float, most: float | None = None) -> TimeRange:
        return TimeRange(self.least * least, self.most * (least if most is None else most))

    def words(self) -> str:
        """Return the range in words: `about 3 min 20 s`, or `1 min 10 s – 4 min 0 s` if it is wide."""
        if self.most <= 1.3 * self.least:
            return f"about {about((self.least + self.most) / 2)}"
        return f"{about(self.least)} – {about(self.most)}"


def predicted(
    experiment: Experiment,
    facts: ModelFacts,
    precision: str,
    machine: MachineRoof | None = None,
    before: Results | None = None,
) -> TimeRange:
    """Return the time from the press of Run to the last round, loads and warm-ups included and quality excluded;
    `before` are results that may contain some of the variants."""
    apart, rounds, work = TimeRange(0, 0), TimeRange(0, 0), experiment.workload
    for variant in experiment.variants:
        known = _measured(variant, experiment, before)
        load = TimeRange(known[0], known[0]) + TimeRange(*START_S) if known else _load(variant, work, facts, precision)
        trial = TimeRange(known[1], known[1]) if known else _trial(variant, work, facts, precision, machine)
        apart = apart + load + trial.times(*PASSES)
        rounds = rounds + trial.times(work.trials, work.most_rounds)
    if work.budget_s:
        rounds = TimeRange(min(rounds.least, work.budget_s), min(rounds.most, work.budget_s))
    return apart + rounds


def _measured(variant: Variant, experiment: Experiment, before: Results | None) -> tuple[float, float] | None:
    """Return the seconds of a variant's load and trial, if they were measured with the same model and workload."""
    was = before.experiment if before is not None else None
    if before is None or was is None or was.model != experiment.model:
        return None
    if was.workload.trial() != experiment.workload.trial():
        return None
    same = next((v for v in was.variants if v.renamed(variant.name) == variant), None)
    state = before.variants.get(same.name) if same is not None else None
    if state is None or state.loaded is None or not any(t.ok for t in state.trials):
        return None
    return state.loaded.load_s, _mean_trial_s(state)


def _mean_trial_s(state: VariantState) -> float:
    spans = [metrics.span_s(t) for t in state.trials if t.ok]
    return sum(spans) / len(spans)


def _load(variant: Variant, work: Workload, facts: ModelFacts, precision: str) -> TimeRange:
    parameters = facts.parameters or facts.file_bytes // 2
    changes = sum(s.changes_model for s in variant.strategies())
    read, changed = (TimeRange(size / fast, size / slow) for size, (fast, slow) in (
        (facts.file_bytes, READ), (changes * parameters, CHANGED)))  # fmt: skip
    return TimeRange(*START_S) + read + changed


def _trial(
    variant: Variant, work: Workload, facts: ModelFacts, precision: str, machine: MachineRoof | None
) -> TimeRange:
    """Return the time of a trial: prompts at the peak, and steps at the bandwidth, each at the share that is usually
    reached."""
    size = footprint(facts, variant, work, precision)
    bandwidth = machine.bandwidth if machine is not None else BANDWIDTH
    peak = (machine.peak("fp32") if machine is not None else None) or PEAK
    together = work.concurrency if variant.batching is not None and variant.batching.key != "single" else 1
    steps = work.new_tokens * work.request_count / together
    ideal = steps * size.weights_bytes / bandwidth
    ideal += work.request_count * 2 * (facts.parameters or 0) * work.prompt_tokens / peak
    return TimeRange(ideal / ROOF_SHARE[0], ideal / ROOF_SHARE[1])


def until_first_round_s(results: Results) -> float | None:
    """Return the seconds that a begun run's loads and warm-ups will likely still take; None before a variant is
    loaded."""
    states = [state for state in results.variants.values() if results.takes_part(state)]
    loads = [state.loaded.load_s + START_S[0] for state in states if state.loaded is not None]
    if not loads or results.experiment is None:
        return None
    warm_ups = [state.warm.warmup_s for state in states if state.warm is not None]
    if not warm_ups:
        guess = _warm_up_s(results, states)
        if guess is None:
            return None
        warm_ups = [guess]
    missing = sum(state.loaded is None for state in states) * sum(loads) / len(loads)
    return missing + sum(state.warm is None for state in states) * sum(warm_ups) / len(warm_ups)


def _warm_up_s(results: Results, states: list[VariantState]) -> float | None:
    """Return the seconds of two passes that read the weights at a third of the bandwidth."""
    sizes = [state.loaded.weights_bytes for state in states if state.loaded is not None]
    assert results.experiment is not None
    if results.machine is None:
        return None
    work = results.experiment.workload
    return 2 * work.new_tokens * work.request_count * 3 * max(sizes) / results.machine.bandwidth
