"""A recipe in words: slots, strategies, what a variant changes, and why a choice cannot work. Knows no widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.said import said
from app.session import Session
from core.spec import Variant
from core.strategies import SLOTS, Strategy, UnknownStrategy


def slot_title(slot: str) -> str:
    """A slot as a person reads it."""
    names = {
        "precision": QCoreApplication.translate("Slot", "Precision"),
        "pruning": QCoreApplication.translate("Slot", "Pruning"),
        "quantization": QCoreApplication.translate("Slot", "Quantization"),
        "attention": QCoreApplication.translate("Slot", "Attention"),
        "fusion": QCoreApplication.translate("Slot", "Fusion"),
        "compilation": QCoreApplication.translate("Slot", "Compilation"),
        "kv_cache": QCoreApplication.translate("Slot", "KV cache"),
        "prefix_cache": QCoreApplication.translate("Slot", "Prefix reuse"),
        "speculation": QCoreApplication.translate("Slot", "Speculation"),
        "batching": QCoreApplication.translate("Slot", "Batching"),
        "parallelism": QCoreApplication.translate("Slot", "Parallelism"),
    }
    return names.get(slot, slot)


def slot_word(slot: str) -> str:
    """As `slot_title`, inside a sentence: "quantization", but "KV cache"."""
    title = slot_title(slot)
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def strategy_words(strategy: Strategy | None) -> str:
    """The title and what differs from its defaults: `int4 weights · group size 64`."""
    if strategy is None:
        return QCoreApplication.translate("Slot", "default")
    if isinstance(strategy, UnknownStrategy):
        return said(strategy.label())
    parts = [said(strategy.title)]
    for name, field in type(strategy).model_fields.items():
        if getattr(strategy, name) != field.default:
            parts.append(f"{said(field.title or name.capitalize()).lower()} {getattr(strategy, name)}")
    return " · ".join(parts)


def difference(variant: Variant, baseline: Variant) -> str:
    """What a variant changes against the baseline, or its whole recipe for the baseline itself."""
    mine = [
        strategy_words(getattr(variant, slot))
        if getattr(variant, slot)
        else QCoreApplication.translate("Slot", "{slot} default").format(slot=slot_title(slot))
        for slot in SLOTS
        if getattr(variant, slot) != getattr(baseline, slot)
    ]
    if variant is baseline or variant.name == baseline.name:
        recipe = [strategy_words(s) for s in variant.strategies()]
        return " · ".join(recipe) or QCoreApplication.translate("Slot", "as loaded")
    return " · ".join(mine) or QCoreApplication.translate("Slot", "as A")


def reason_against(session: Session, variant: Variant, candidate: Strategy) -> str:
    """Why this choice cannot work in that variant here, or an empty string."""
    assert session.experiment is not None
    if session.environment is not None:
        words = candidate.unavailable_as_set(session.environment)
        if words:
            return words
    changed = variant.model_copy(update={candidate.slot: candidate})
    work = session.experiment.workload
    own = candidate.conflicts(changed, session.facts, work)
    if own:
        return own[0]
    before = {r for s in variant.strategies() for r in s.conflicts(variant, session.facts, work)}
    others = [s for s in changed.strategies() if s is not candidate]
    after = [r for s in others for r in s.conflicts(changed, session.facts, work)]
    return next((r for r in after if r not in before), "")
