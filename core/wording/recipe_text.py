"""Words for a recipe: titles of slots and strategies, names and values of parameters. Files, machine-readable tables
and the terminal keep the keys."""

from __future__ import annotations

from typing import Any

from pydantic.fields import FieldInfo

from core.model.receipt import Receipt
from core.protocol.events import EXACTNESS
from core.spec.variant import Strategy, UnknownStrategy, Variant
from core.wording.translation import ENGLISH, Language

SLOT_TITLES = {
    "precision": "Precision",
    "pruning": "Pruning",
    "quantization": "Quantization",
    "attention": "Attention",
    "fusion": "Fusion",
    "compilation": "Compilation",
    "kv_cache": "KV cache",
    "prefix_cache": "Prefix reuse",
    "speculation": "Speculation",
    "batching": "Batching",
    "parallelism": "Parallelism",
}
#: Of receipts that belong to no slot.
RECEIPT_TITLES = {EXACTNESS: "Exactness"}
#: The purpose of each slot.
SLOT_MEANS = {
    "precision": "The type in which the model computes: bf16 where the processor has it, else fp32, if none is chosen.",
    "pruning": "Takes weights, heads or layers out of the model.",
    "quantization": "Keeps the weights in fewer bits, so that a step reads fewer bytes.",
    "attention": "The kernel that computes attention.",
    "fusion": "Joins small operations into larger ones, so that fewer are started.",
    "compilation": "Compiles or records a step, so that starting its operations costs less.",
    "kv_cache": "How the keys and values of earlier tokens are kept.",
    "prefix_cache": "Keeps what prompts have in common at their beginning, instead of computing it again.",
    "speculation": "Guesses several tokens cheaply and verifies them in one pass.",
    "batching": "How requests that come at the same time are served.",
    "parallelism": "Spreads the model over several GPUs.",
}
#: A parameter that is a switch.
SWITCHED = {True: "on", False: "off"}


def slot_title(slot: str, language: Language = ENGLISH) -> str:
    return language.said({**SLOT_TITLES, **RECEIPT_TITLES}.get(slot, slot))


def small(title: str) -> str:
    """Return a title for use inside a sentence: "quantization", but "KV cache"."""
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def parameter(name: str, field: FieldInfo, language: Language = ENGLISH) -> str:
    """Return a parameter's name as its form shows it."""
    return language.said(field.title or name.replace("_", " ").capitalize())


def value(field: FieldInfo, found: Any, language: Language = ENGLISH) -> str:
    """Return a parameter's value in words if the parameter declares any, else as written in files."""
    extra = field.json_schema_extra
    words = extra.get("words") if isinstance(extra, dict) else None
    if isinstance(words, dict) and str(found) in words:
        return language.said(str(words[str(found)]))
    return language.said(SWITCHED[found]) if isinstance(found, bool) else str(found)


def strategy(found: Strategy, language: Language = ENGLISH) -> str:
    """Return a strategy's title and its non-default parameters, `int4 weights, group size 64, head kept`."""
    if isinstance(found, UnknownStrategy):
        return language.said(found.label())
    return language.comma.join([language.said(found.title), *_changed(found, language)])


def _changed(found: Strategy, language: Language, but: tuple[str, ...] = ()) -> list[str]:
    """Return a strategy's non-default parameters in words, except those in `but`."""
    parts = []
    for name, field in type(found).model_fields.items():
        if name not in but and (mine := getattr(found, name)) != field.default:
            title = small(parameter(name, field, language))
            parts.append(language.tidy(f"{title} {value(field, mine, language)}"))
    return parts


#: Of a slot whose titles say little without it: the title of each choice with the slot in it.
ALONE = {
    "none": "No KV cache",
    "dynamic": "Dynamic KV cache",
    "static": "Static KV cache",
    "quantized": "Quantized KV cache",
    "sliding_window": "Sliding-window KV cache",
    "offloaded": "Offloaded KV cache",
}


def alone(found: Strategy, language: Language = ENGLISH) -> str:
    """Return a strategy in words that do not need its slot beside them: "Static KV cache", "KV cache int8,
    block 64"."""
    if found.slot != "kv_cache" or isinstance(found, UnknownStrategy):
        return strategy(found, language)
    format_ = str(getattr(found, "format", ""))
    head = language.said(f"KV cache {format_}") if format_ else language.said(ALONE.get(found.key, found.title))
    return language.comma.join([head, *_changed(found, language, but=("format",))])


def recipe(variant: Variant, language: Language = ENGLISH) -> str:
    """Return all strategies of a variant in words."""
    return " · ".join(alone(s, language) for s in variant.strategies()) or language.said("as loaded")


def requested(variant: Variant | None, receipt: Receipt, language: Language = ENGLISH) -> str:
    """Return what a variant requested in the slot of a receipt, in the form's words."""
    found: Strategy | None = getattr(variant, receipt.slot, None)
    if found is not None:
        for beginning, words in ((found.label(), strategy(found, language)), (found.key, language.said(found.title))):
            if receipt.requested.startswith(beginning):
                return words + language.said(receipt.requested.removeprefix(beginning))
    return language.said(receipt.requested)
