"""Turns advice into a variant to try: the baseline with the strategies that the rule names, or with those of several
variants combined. Advice to leave something out or to measure again has no variant."""

from __future__ import annotations

from typing import Any

from core.analysis.comparison_row import Advice
from core.spec.experiment import Experiment
from core.spec.variant import Strategy, Variant

#: By the name of the rule (`advice_rules.RULES`): slot and method.
TRIES: dict[str, dict[str, Any]] = {
    "compress": {"quantization": "int8_weight_only"},
    "compress, then schedule": {"quantization": "int8_weight_only", "batching": "continuous"},
    "batch": {"batching": "continuous"},
    "fewer bytes": {"quantization": "int8_weight_only"},
    "launches": {"fusion": "fused_projections"},
    "kernels": {"fusion": "fused_projections"},
    "speculate": {"speculation": "prompt_lookup"},
}


def variant_for(advice: Advice, experiment: Experiment) -> Variant | None:
    """Return the advised variant, named after its methods; None if the advice has none or the experiment has it
    already."""
    slots = _joined(advice.joins, experiment) if advice.joins else _named(advice.rule)
    if not slots:
        return None
    if any(all(getattr(v, slot) == strategy for slot, strategy in slots.items()) for v in experiment.variants):
        return None
    name = " + ".join(strategy.key for strategy in slots.values()).replace("_", " ")
    return experiment.baseline.model_copy(update={"name": _free(name, experiment), **slots})


def _named(rule: str) -> dict[str, Strategy]:
    recipe = TRIES.get(rule, {})
    chosen = Variant.model_validate({"name": "chosen", **recipe})
    return {slot: getattr(chosen, slot) for slot in recipe}


def _joined(names: list[str], experiment: Experiment) -> dict[str, Strategy]:
    """Return the strategies that the named variants have and the baseline has not; empty if one of them no longer
    exists."""
    variants = [v for v in experiment.variants if v.name in names]
    if len(variants) < len(names):
        return {}
    return {s.slot: s for v in variants for s in v.strategies() if s != getattr(experiment.baseline, s.slot)}


def _free(name: str, experiment: Experiment) -> str:
    """Return the name, numbered if a variant of the experiment has it."""
    taken, number, found = {v.name for v in experiment.variants}, 1, name
    while found in taken:
        number += 1
        found = f"{name} {number}"
    return found
