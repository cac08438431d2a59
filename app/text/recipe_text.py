"""A recipe in words: slots, strategies, what a variant changes, and why a choice cannot work."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said, spoken
from core.model.receipt import Receipt
from core.results.results import Results
from core.spec.variant import SLOTS, Strategy, Variant
from core.wording import recipe_text


def slot_title(slot: str) -> str:
    """Return a slot as a person reads it."""
    return recipe_text.slot_title(slot, spoken())


def slot_help(slot: str) -> str:
    """Return what can be chosen in a slot, and what for."""
    return said(recipe_text.SLOT_MEANS.get(slot, slot))


def slot_word(slot: str) -> str:
    """Return as `slot_title`, inside a sentence: "quantization", but "KV cache"."""
    return recipe_text.small(slot_title(slot))


def strategy_words(strategy: Strategy | None) -> str:
    """Return the title and what differs from its defaults: `int4 weights, group size 64`."""
    if strategy is None:
        return QCoreApplication.translate("Slot", "default")
    return recipe_text.strategy(strategy, spoken())


def recipe(variant: Variant) -> str:
    """Return all strategies of a variant in a row."""
    return recipe_text.recipe(variant, spoken())


def recipe_in(results: Results | None, name: str) -> str:
    """Return the recipe of a variant as it was run; empty where it was not."""
    return next((recipe(v) for v in _variants(results) if v.name == name), "")


def beneath(name: str, recipe: str) -> str:
    """Return the recipe as it stands below a name; nothing where the name says it already."""
    return "" if recipe.casefold() == name.casefold() else recipe


def requested(results: Results | None, name: str, receipt: Receipt) -> str:
    """Return what a variant asked for in the slot of a receipt: its strategy under the name that the form has
    for it."""
    variant = next((v for v in _variants(results) if v.name == name), None)
    return recipe_text.requested(variant, receipt, spoken())


def _variants(results: Results | None) -> tuple[Variant, ...]:
    return tuple(results.experiment.variants) if results is not None and results.experiment is not None else ()


def difference(variant: Variant, baseline: Variant) -> str:
    """Return what a variant changes against the baseline, or its whole recipe for the baseline itself."""
    mine = [
        recipe_text.alone(getattr(variant, slot), spoken())
        if getattr(variant, slot)
        else QCoreApplication.translate("Slot", "{slot} default").format(slot=slot_title(slot))
        for slot in SLOTS
        if getattr(variant, slot) != getattr(baseline, slot)
    ]
    if variant is baseline or variant.name == baseline.name:
        return recipe(variant)
    return " · ".join(mine) or QCoreApplication.translate("Slot", "as A")
