"""Makes one variant per value of a swept parameter, or the reason why a value cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from core.feasibility.compatibility import new_conflicts
from core.machine.environment import Environment
from core.model.facts import ModelFacts
from core.spec.experiment import Experiment
from core.spec.sweep_table import named
from core.spec.value_ranges import Value
from core.spec.variant import REGISTRY, Strategy, Variant


@dataclass(frozen=True)
class Swept:
    """The outcome of one value: a variant, or the reason for its refusal."""

    value: Value
    variant: Variant | None
    refusal: str = ""


def sweep(
    experiment: Experiment,
    variant: Variant,
    slot: str,
    method: str,
    parameter: str,
    values: Sequence[Value],
    facts: ModelFacts | None = None,
    environment: Environment | None = None,
) -> list[Swept]:
    """Return one outcome per value, based on `variant`. Names differ from all variants of the experiment."""
    kind, own = REGISTRY[slot][method], getattr(variant, slot)
    same = type(own) is kind
    base = {k: v for k, v in own.dump().items() if k != "method"} if same else {}
    stem = variant.name if same else kind.title
    if not same and variant.name != experiment.baseline.name:
        stem = f"{variant.name} + {kind.title}"
    taken = {v.name for v in experiment.variants}
    recipes = {_recipe(v): v.name for v in experiment.variants}
    found: list[Swept] = []
    for value in values:
        try:
            strategy: Strategy = kind.model_validate({**base, parameter: value}, strict=True)
        except ValidationError as error:
            found.append(Swept(value, None, fault(error)))
            continue
        made = variant.model_copy(update={slot: strategy, "name": _free(named(stem, parameter, value), taken)})
        there = recipes.get(_recipe(made))
        if there is not None:
            reason = f"it is there already: {there}"
        else:
            reason = strategy.unavailable_as_set(environment) if environment is not None else ""
            reason = reason or "; ".join(new_conflicts(variant, made, facts, experiment.workload))
        if not reason:
            taken.add(made.name)
            recipes[_recipe(made)] = made.name
        found.append(Swept(value, None if reason else made, reason))
    return found


def _recipe(variant: Variant) -> Variant:
    return variant.model_copy(update={"name": "x"})


def _free(name: str, taken: set[str]) -> str:
    number, wanted = 1, name
    while wanted in taken:
        number += 1
        wanted = f"{name[:74]} ({number})"
    return wanted


def fault(error: ValidationError) -> str:
    """Return the first validation error in words, with the allowed values."""
    words = error.errors()[0]["msg"].removeprefix("Value error, ")
    return words[:1].lower() + words[1:]
