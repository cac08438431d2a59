"""A sweep over the load: each value of one workload field makes an experiment with a run of its own, or a reason why it
cannot. A run's settings note its sweep, so that the other runs can be found."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ValidationError

from core.base.files import read_whole
from core.feasibility.compatibility import conflicts
from core.feasibility.context_limits import limits
from core.feasibility.sweep import fault
from core.model.facts import ModelFacts
from core.model.receipt import JsonValue
from core.protocol import events
from core.results.journal import EXPERIMENT
from core.results.results import Results
from core.spec.experiment import Experiment, SpecError
from core.spec.value_ranges import Value, values
from core.spec.workload import Workload

Field = Literal["concurrency", "rate", "prompt_tokens"]
FIELDS: tuple[Field, ...] = get_args(Field)
_ID, _FIELD, _VALUE, _COUNT = "sweep", "sweep_field", "sweep_value", "sweep_count"


@dataclass(frozen=True)
class SweepMark:
    """The sweep that a run belongs to and its position in it; `count` runs share the same `sweep`."""

    sweep: str
    field: Field
    value: float
    count: int

    def settings(self) -> dict[str, JsonValue]:
        """Return the mark as the settings of a run's first event; `mark` reads it back."""
        return {_ID: self.sweep, _FIELD: self.field, _VALUE: self.value, _COUNT: self.count}


@dataclass(frozen=True)
class LoadVariant:
    """The outcome of one value: an experiment, or the reason for its refusal."""

    value: Value
    experiment: Experiment | None
    refusal: str = ""


def new_id() -> str:
    """Return a unique name for a sweep."""
    return uuid.uuid4().hex


def mark(settings: Mapping[str, Any]) -> SweepMark | None:
    """Return the sweep mark in a run's settings; None if there is none or this version does not know it."""
    sweep, field, value, count = (settings.get(key) for key in (_ID, _FIELD, _VALUE, _COUNT))
    numbers = all(isinstance(n, int | float) and not isinstance(n, bool) for n in (value, count))
    if not (isinstance(sweep, str) and sweep and field in FIELDS and numbers):
        return None
    assert isinstance(value, int | float)
    assert isinstance(count, int | float)
    return SweepMark(sweep, field, value, int(count))


def mark_of(results: Results | None) -> SweepMark | None:
    """Return the sweep mark of a run's results; None without one."""
    return mark(results.started.settings) if results is not None and results.started is not None else None


def asked(text: str) -> tuple[Field, list[Value]]:
    """Return the field and values of a text such as `concurrency=1,2,4,8`. Raises SpecError, RangeError."""
    name, _, told = text.partition("=")
    name = name.strip()
    if name not in FIELDS:
        raise SpecError(f"a load is swept over one of {', '.join(FIELDS)}, written as concurrency=1,2,4,8 (got {text})")
    return name, values(told)


def load_sweep(
    experiment: Experiment, field: Field, wanted: Sequence[Value], facts: ModelFacts | None = None
) -> list[LoadVariant]:
    """Return one outcome per value: the same experiment with another value of the workload field. With the model's
    `facts`, values beyond its context are refused."""
    before = {limit.field for limit in limits(experiment, facts.context if facts else None) if limit.refused}
    known = {v.name: set(_conflicts(experiment, v.name, facts)) for v in experiment.variants}
    found = []
    for value in wanted:
        try:
            work = Workload.model_validate({**experiment.workload.model_dump(), field: value})
        except ValidationError as error:
            found.append(LoadVariant(value, None, fault(error)))
            continue
        made = experiment.model_copy(update={"workload": work})
        reasons = [*_without_effect(work, field)]
        reasons += [x.text for x in limits(made, facts.context if facts else None)
                    if x.refused and x.field not in before]  # fmt: skip
        for variant in made.variants:
            reasons += [f"{variant.name}: {r}" for r in _conflicts(made, variant.name, facts)
                        if r not in known[variant.name]]  # fmt: skip
        reason = "; ".join(dict.fromkeys(reasons))
        found.append(LoadVariant(value, None if reason else made, reason))
    return found


def _without_effect(work: Workload, field: Field) -> Iterator[str]:
    """Yield the reasons why a value would measure the same as another."""
    if field == "rate" and work.arrival != "poisson":
        yield "requests arrive at a rate only where arrivals are poisson"
    if field == "concurrency" and work.arrival == "poisson":
        yield "with poisson arrivals the rate says how many requests there are at once: sweep the rate"
    elif field == "concurrency" and work.requests and work.requests < work.concurrency:
        yield (
            f"a trial has {work.requests} requests, fewer than {work.concurrency} at once: set requests per trial to 0 "
            f"or to {work.concurrency} or more"
        )


def _conflicts(experiment: Experiment, name: str, facts: ModelFacts | None) -> list[str]:
    variant = next(v for v in experiment.variants if v.name == name)
    return conflicts(variant, facts, experiment.workload)


def fellows(folder: Path, sweep: str) -> list[Path]:
    """Return the run folders beside `folder` that belong to the sweep, itself included. Unreadable folders are
    skipped."""
    return [run for run, at in _runs_in(folder.parent) if at is not None and at.sweep == sweep]


def sweep_in(folder: Path) -> list[Path]:
    """Return the runs in a folder if all of them belong to one sweep, else an empty list."""
    found = _runs_in(folder)
    of = {at.sweep if at is not None else "" for _, at in found}
    return [run for run, _ in found] if len(of) == 1 and "" not in of else []


def _runs_in(folder: Path) -> list[tuple[Path, SweepMark | None]]:
    """Return the runs in a folder by name, each with its sweep mark."""
    found = []
    with contextlib.suppress(OSError):
        for path in sorted(Path(entry.path) for entry in os.scandir(folder)):
            with contextlib.suppress(OSError, ValueError):
                line = read_whole(path / EXPERIMENT)
                event = events.decode(line) if f'"{_ID}"'.encode() in line else None  # most are of none
                found.append((path, mark(event.settings) if isinstance(event, events.Started) else None))
    return found
