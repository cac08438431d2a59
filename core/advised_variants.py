"""A piece of advice as a variant to try: the baseline with what the rule names first. Knows which strategies a rule
means; judges none. Rules that say what to leave or to measure again have no variant."""

from __future__ import annotations

from typing import Any

from core.comparison import Advice
from core.spec import Experiment, Variant

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
    """The variant, under a name made of its methods; None where there is none to make, or one is there already."""
    recipe = TRIES.get(advice.rule)
    if recipe is None:
        return None
    chosen = Variant.model_validate({"name": " + ".join(recipe.values()).replace("_", " "), **recipe})
    found = experiment.baseline.model_copy(update={"name": chosen.name, **{s: getattr(chosen, s) for s in recipe}})
    if any(all(getattr(v, slot) == getattr(found, slot) for slot in recipe) for v in experiment.variants):
        return None
    return found
