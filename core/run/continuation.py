"""Continues a finished run in a new session of the same journal: more rounds, the rest of an interrupted run, or one
variant again. Ratios are paired within a round, so a new session measures whole rounds, each with the baseline, with
unused numbers and prompts. Incomplete rounds stay as they are."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from core import __version__
from core.machine.environment import Environment
from core.model.receipt import JsonValue
from core.model.source import ModelSource
from core.protocol import events
from core.results.ratio_statistics import MIN_ROUNDS
from core.results.results import Results, VariantState
from core.run import engine_sharing as turns
from core.run.round_plan import Plan
from core.run.run_control import RunError
from core.spec import experiment as spec
from core.spec.variant import UnknownStrategy

MOST_ROUNDS = 10_000
_AS_NEW = "Run it as a new experiment instead."
#: The way out if the model is no longer in its place.
MOVED = "If the model was moved, put a link to it in its old place: what counts is what is in it."


@dataclass(frozen=True)
class Continuation:
    """What a new session needs to know of the earlier ones. `experiment` is the whole run's from now on, `began` the
    original. `judged` names the variants whose quality is still to be judged."""

    folder: Path
    experiment: spec.Experiment
    began: spec.Experiment
    plan: Plan
    environment: Environment | None
    dyno_version: str
    fingerprints: dict[str, str]
    turns: events.TurnsMode
    judged: tuple[str, ...]
    judges_anew: bool = False  # quality as it is asked for now takes the place of what was judged before

    def event(self, settings: dict[str, JsonValue]) -> events.Resumed:
        """Return the first event of the new session."""
        return events.Resumed(
            dyno_version=__version__,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            experiment=self.experiment.dump(),
            schedule=self.plan.schedule,
            variants=list(self.plan.names),
            first_round=self.plan.first_round,
            rounds=self.plan.rounds,
            first_prompt=self.plan.first_prompt,
            judged=list(self.judged) if self.judges_anew else [],
            settings=settings,
        )


def is_gone(model: ModelSource) -> bool:
    """Return whether the model's path no longer exists, for a model named by its path."""
    path = os.path.expanduser(model.source)
    return os.path.isabs(path) and not os.path.exists(path)


def unfinished_rounds(results: Results) -> int:
    """Return how many requested rounds are missing from a stopped, cancelled or interrupted run."""
    ended = results.partial or (results.finished is not None and results.finished.status == "ok")
    if results.experiment is None or ended or results.turns == "sequence" or not _alive(results):
        return 0
    if results.resumed is not None and len(_alive(results)) != len(results.resumed.variants):
        return 0  # one of them was measured again, and that was cut off: how much is a question of taste
    return max(0, results.experiment.workload.most_rounds - results.rounds_done)


def is_unfinished(results: Results) -> bool:
    """Return whether requested rounds or the quality judgement are missing."""
    if results.partial:
        return False
    return bool(unfinished_rounds(results) or _unjudged(results, [s.name for s in _alive(results)]))


def plan(results: Results, folder: Path, rounds: int | None = None, only: Collection[str] = ()) -> Continuation:
    """Return a continuation with `rounds` more rounds of all variants that have not failed, or of the baseline and
    `only` these. Without `rounds` it measures the missing ones; with `only`, as many as the other variants have. Raises
    RunError."""
    experiment, started = results.experiment, results.started
    if experiment is None or started is None:
        raise RunError(f"{folder}: no run has begun there.")
    if results.partial:
        raise RunError(f"{folder}: only its first rounds were read: open it again before it goes on.")
    work = experiment.workload
    if results.turns == "sequence":
        raise RunError(
            "The engines of this run took turns, with the baseline before and after all others: rounds that come later "
            f"cannot be compared with it. {_AS_NEW}"
        )
    names = _names(results, only)
    unknown = [v.name for v in experiment.variants if any(isinstance(s, UnknownStrategy) for s in v.strategies())]
    if set(unknown) & set(names):
        raise RunError(f"{', '.join(unknown)}: this version of Dyno cannot run its strategies.")
    exact, judged, first = rounds is not None or bool(only), _unjudged(results, names), rounds_begun(results)
    if rounds is None:
        rounds = max(MIN_ROUNDS, results.rounds_done) if only else unfinished_rounds(results)
        if not rounds and not judged:
            raise RunError("All rounds that were asked for are measured: say how many more.")
    elif rounds < 1 or first + rounds > MOST_ROUNDS:
        raise RunError(f"{rounds} more rounds cannot be measured: there are {first}, and at most {MOST_ROUNDS}.")
    if exact:  # so many, and not until they are precise
        whole = work.trials if only and not work.until_pct else results.rounds_done + (0 if only else rounds)
        work = work.model_copy(update={"trials": max(1, whole), "until_pct": 0.0, "budget_s": 0.0})
    orders = turns.orders([v.name for v in experiment.variants], first + rounds, work.seed)[first:]
    before = [list(order) for order in results.schedule[:first]]
    schedule = [*before, *([] for _ in range(first - len(before))), *([n for n in o if n in names] for o in orders)]
    longer = experiment.model_copy(update={"workload": work})
    return _continuation(results, folder, longer, Plan(names, schedule, rounds, first), judged)


def _continuation(
    results: Results,
    folder: Path,
    experiment: spec.Experiment,
    plan: Plan,
    judged: tuple[str, ...],
    anew: bool = False,
) -> Continuation:
    """Return the continuation with what earlier sessions recorded of environment, models and prompts."""
    assert results.started is not None
    began = spec.parse(results.started.experiment, lenient=True)
    return Continuation(
        folder=folder,
        experiment=experiment,
        began=began,
        plan=replace(plan, first_prompt=_first_prompt(results, began)),
        environment=results.environment,
        dyno_version=results.started.dyno_version,
        fingerprints={n: s.loaded.fingerprint for n, s in results.variants.items() if s.loaded is not None},
        turns=results.turns,
        judged=judged,
        judges_anew=anew,
    )


def judgement(results: Results, folder: Path, quality: spec.QualitySettings) -> Continuation:
    """Return a continuation without rounds that judges the quality of every measured variant on that text and those
    prompts, by engines still warm or loaded for it. Raises RunError."""
    experiment, started = results.experiment, results.started
    if experiment is None or started is None or results.partial:
        raise RunError(f"{folder}: nothing was measured there, or only its first rounds were read: open it again.")
    names = _names(results, ())
    if experiment.baseline.name not in names:
        raise RunError("The baseline of this run failed, so there is nothing to compare with.")
    asked, first = experiment.model_copy(update={"quality": quality}), rounds_begun(results)
    plan = Plan(names, [list(order) for order in results.schedule[:first]], 0, first)
    return _continuation(results, folder, asked, plan, names, anew=True)


def rounds_begun(results: Results) -> int:
    """Return the number of the first round without any measurement."""
    states = results.variants.values()
    begun = [s.round for s in states if s.phase == "trial" and s.round is not None]
    return 1 + max([*begun, *(t.round for s in states for t in s.trials)], default=-1)


def whole_rounds_begun(results: Results) -> int:
    """Return the number of rounds begun, without the interrupted ones."""
    return rounds_begun(results) - len(results.cut_off)


def _alive(results: Results) -> list[VariantState]:
    return [s for s in results.variants.values() if s.failed is None]


def _unjudged(results: Results, names: Collection[str]) -> tuple[str, ...]:
    """Return the variants whose requested quality is unknown; none without a baseline to compare with."""
    experiment = results.experiment
    if experiment is None or experiment.quality is None or experiment.baseline.name not in names:
        return ()
    return tuple(n for n in names if results.variants[n].quality is None and results.variants[n].quality_failed is None)


def _names(results: Results, only: Collection[str]) -> tuple[str, ...]:
    """Return the participating variants in the experiment's order."""
    assert results.experiment is not None
    unknown = set(only) - set(results.variants)
    if unknown:
        raise RunError(f"There is no variant {', '.join(sorted(unknown))} in this run.")
    baseline = results.experiment.baseline.name
    wanted = {baseline, *only} if only else {s.name for s in _alive(results)}
    if not wanted:
        raise RunError(f"Every variant of this run failed. {_AS_NEW}")
    return tuple(v.name for v in results.experiment.variants if v.name in wanted)


def _first_prompt(results: Results, began: spec.Experiment) -> int:
    """Return the number of the first unused prompt: after a session's rounds come two passes of warm-up, or the prompts
    whose answers are compared, whichever are more."""
    before = results.resumed
    first, rounds = (before.first_prompt, before.rounds) if before is not None else (0, began.workload.most_rounds)
    judged = results.experiment.quality if results.experiment is not None else None
    answers = judged.prompts if judged is not None else 0
    return first + (rounds + 2) * began.workload.request_count + answers


class Admission:
    """Decides, event by event, whether a new session measures what the earlier ones did. A warm engine reports its
    model before the environment is known, a new one afterwards."""

    def __init__(self, continuation: Continuation) -> None:
        self._before = continuation
        self._environment = self._model = False

    @property
    def granted(self) -> bool:
        """Whether environment and model are those of the earlier rounds."""
        return self._environment and self._model

    def refusal(self, event: events.Event) -> str:
        """Return why the session cannot continue; empty while nothing forbids it."""
        if isinstance(event, events.Env):
            self._environment = True
            differs = self._before.environment.differences(event.environment) if self._before.environment else []
            if self._before.dyno_version != __version__:
                differs.append(f"dyno: {self._before.dyno_version} → {__version__}")
            if differs:
                return f"the environment is not that of the rounds before: {'; '.join(differs)}"
        elif isinstance(event, events.Loaded) and event.variant is not None:
            was = self._before.fingerprints.get(event.variant, event.fingerprint)
            if was != event.fingerprint:
                return (
                    f"the model is not that of the rounds before: its files had the fingerprint {was[:12]}…, and have "
                    f"{event.fingerprint[:12]}… now"
                )
            self._model = True
        elif isinstance(event, events.Phase) and event.phase == "trial" and not self.granted:
            return "the engine does not say what its environment is"
        return ""
