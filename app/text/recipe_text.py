"""Recipes in words: slots, strategies, what a variant changes, and why a choice cannot work."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said, spoken
from core.model.receipt import Receipt
from core.results.results import Results
from core.spec.variant import SLOTS, Strategy, Variant
from core.wording import recipe_text


def slot_title(slot: str) -> str:
    """Return a slot's title."""
    return recipe_text.slot_title(slot, spoken())


def slot_help(slot: str) -> str:
    """Return what a slot offers, and for which purpose."""
    return said(recipe_text.SLOT_MEANS.get(slot, slot))


def slot_word(slot: str) -> str:
    """Return a slot's title inside a sentence: "quantization", but "KV cache"."""
    return recipe_text.small(slot_title(slot))


def strategy_words(strategy: Strategy | None) -> str:
    """Return a strategy's title and its non-default parameters: `int4 weights, group size 64`."""
    if strategy is None:
        return QCoreApplication.translate("Slot", "default")
    return recipe_text.strategy(strategy, spoken())


def recipe(variant: Variant) -> str:
    """Return all strategies of a variant in words."""
    return recipe_text.recipe(variant, spoken())


def recipe_in(results: Results | None, name: str) -> str:
    """Return the recipe of a variant as it was run; empty if it was not."""
    return next((recipe(v) for v in _variants(results) if v.name == name), "")


def beneath(name: str, recipe: str) -> str:
    """Return the recipe to show below a name; empty if the name says it already."""
    return "" if recipe.casefold() == name.casefold() else recipe


def requested(results: Results | None, name: str, receipt: Receipt) -> str:
    """Return what a variant requested in the slot of a receipt, in the form's words."""
    variant = next((v for v in _variants(results) if v.name == name), None)
    return recipe_text.requested(variant, receipt, spoken())


def _variants(results: Results | None) -> tuple[Variant, ...]:
    return tuple(results.experiment.variants) if results is not None and results.experiment is not None else ()


def difference(variant: Variant, baseline: Variant) -> str:
    """Return what a variant changes against the baseline; for the baseline its whole recipe."""
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
