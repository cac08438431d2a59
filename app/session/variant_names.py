"""Names variants by their recipe, until the user names them."""

from __future__ import annotations

import re

from pydantic import ValidationError
from PySide6.QtCore import QCoreApplication

from app.base.core_text import spoken
from core.base.visible_text import look
from core.spec.experiment import Experiment
from core.spec.variant import SLOTS, Variant
from core.wording import recipe_text
from core.wording.translation import ENGLISH, Language

LONGEST = 80  # characters of a name
_NEW = "variant"


def free_name(experiment: Experiment, wanted: str, but: str = "") -> str:
    """Return `wanted`, or `wanted 2` and so on, so that every name is unique and short enough; `but` counts as free."""
    taken = {look(v.name) for v in experiment.variants if v.name != but}
    name, number = wanted[:LONGEST].strip(), 1
    while look(name) in taken:
        number += 1
        suffix = f" {number}"
        name = wanted[: LONGEST - len(suffix)].strip() + suffix
    return name


def new_name() -> str:
    """Return the name of a variant that changes nothing yet."""
    return QCoreApplication.translate("VariantActions", "variant")


def by_recipe(variant: Variant, baseline: Variant, language: Language | None = None) -> str:
    """Return what a variant adds to the baseline: "KV cache int8 + Prompt lookup"."""
    found = [getattr(variant, slot) for slot in SLOTS if getattr(variant, slot) != getattr(baseline, slot)]
    words = spoken() if language is None else language
    return " + ".join(recipe_text.alone(s, words) for s in found if s is not None)


def follows(variant: Variant, baseline: Variant) -> bool:
    """Return whether a variant is named by its recipe, in the window's language or English, or still has its initial
    name."""
    given = re.sub(r" \d+$", "", variant.name)
    known = {by_recipe(variant, baseline, words)[:LONGEST].strip() for words in (spoken(), ENGLISH)}
    return bool({given, variant.name} & {*known, new_name(), _NEW})


def renamed(experiment: Experiment, before: Variant, after: Variant) -> Variant:
    """Return the edited variant, renamed by its new recipe if it was named by the old one."""
    base = experiment.baseline
    if before.name == base.name or after.name != before.name or not follows(before, base):
        return after
    wanted = by_recipe(after, base) or new_name()
    try:
        return after.renamed(free_name(experiment, wanted, but=before.name))
    except ValidationError:  # a parameter that no name can hold
        return after
