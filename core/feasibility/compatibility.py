"""Decides whether a strategy can work in a variant, on a model, under a workload and on a machine. The answer is a
reason in words; an empty answer means yes."""

from __future__ import annotations

from core.machine.environment import Environment
from core.model.facts import ModelFacts
from core.model.materialized_note import SLOTS, Materialized
from core.spec.variant import Strategy, Variant
from core.spec.workload import Workload


def conflicts(variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
    """Return the reasons why a variant's strategies cannot work together on the model under the workload."""
    return [reason for s in variant.strategies() for reason in s.conflicts(variant, facts, workload)]


def new_conflicts(before: Variant, after: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
    """Return the conflicts that `after` has and `before` has not, each once."""
    known = set(conflicts(before, facts, workload))
    return [r for r in dict.fromkeys(conflicts(after, facts, workload)) if r not in known]


def reason_against(
    variant: Variant,
    candidate: Strategy,
    facts: ModelFacts | None,
    workload: Workload,
    environment: Environment | None,
) -> str:
    """Return why a candidate cannot take its slot in a variant, or "". A required field that is empty comes last, since
    the user can fill it in where the candidate is chosen."""
    if environment is not None and (reason := candidate.unavailable_as_set(environment)):
        return reason
    changed = variant.model_copy(update={candidate.slot: candidate})
    lacks = candidate.lacks()
    own = [r for r in candidate.conflicts(changed, facts, workload) if r != lacks]
    others = [r for r in new_conflicts(variant, changed, facts, workload) if r != lacks]
    return next(iter(own + others), lacks)


def recipe_of(note: Materialized) -> Variant:
    """Return the strategies already applied to a materialized folder's weights. A strategy of another version equals
    none of this version."""
    return Variant.model_validate(note.variant, context={"lenient": True})


def repeated(note: Materialized, variant: Variant) -> list[str]:
    """Return the slots that a variant asks for and that the materialized weights already contain."""
    return [slot for slot in SLOTS if note.has(slot) and getattr(variant, slot) is not None]


def conflicts_with_weights(note: Materialized, variant: Variant) -> list[str]:
    """Return the reasons why a variant cannot be made from a materialized folder's weights."""
    made = recipe_of(note)
    reasons = []
    for slot in repeated(note, variant):
        mine, asked = getattr(made, slot), getattr(variant, slot)
        if mine != asked:
            reasons.append(
                f"{slot}: the weights in this folder have been through {mine.label()} already, and "
                f"{asked.label()} cannot be applied on top; choose the same, leave it out, or use {note.source}"
            )
    if variant.quantization is not None and (note.codes or note.layers) and not note.has("quantization"):
        reasons.append(
            f"quantization: the layers in this folder are codes of {note.name}'s maker; leave it out, or choose "
            "the model as it was before it was quantized"
        )
    if variant.pruning is not None and note.has("quantization") and not note.has("pruning"):
        reasons.append(
            f"pruning: comes before quantization, and the weights in this folder are quantized already "
            f"({made.quantization.label()}); use {note.source}"
        )
    return reasons
