"""Expands `sweep` in a variant of an experiment file: one parameter with several values makes one variant per value.

[[variant]]
name = "lookup"
speculation = { method = "prompt_lookup" }
sweep = { "speculation.draft_tokens" = "2..8 step 2" }     # or [2, 4, 6, 8]
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from core.spec.value_ranges import RangeError, values

_HOW = 'expected one parameter with its values, as { "speculation.draft_tokens" = "2..8 step 2" }'


class SweepError(ValueError):
    """The table is no valid sweep; the message names its place and what is allowed there."""


def expanded(data: dict[str, Any]) -> dict[str, Any]:
    """Return the tables with every sweep expanded. Raises SweepError."""
    variants = data.get("variant")
    if not isinstance(variants, list) or not any(isinstance(v, dict) and "sweep" in v for v in variants):
        return data
    found: list[Any] = []
    for number, variant in enumerate(variants):
        if not isinstance(variant, dict) or "sweep" not in variant:
            found.append(variant)
            continue
        place = f"variant[{number}].sweep"
        if not found:
            raise SweepError(f"{place}: the first variant is the baseline, and there is only one")
        found += _variants(variant, place)
    return {**data, "variant": found}


def named(stem: str, parameter: str, value: object) -> str:
    """Return the name of a swept variant, `lookup, draft_tokens 4`, at most 80 characters as every name."""
    said = str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
    tail = f", {parameter} {said}"
    return stem[: max(1, 80 - len(tail))].rstrip() + tail


def _variants(variant: dict[str, Any], place: str) -> Iterator[dict[str, Any]]:
    table = variant["sweep"]
    if not isinstance(table, dict) or len(table) != 1:
        raise SweepError(f"{place}: {_HOW}")
    (key, told), rest = next(iter(table.items())), {k: v for k, v in variant.items() if k != "sweep"}
    if isinstance(told, dict):  # speculation.draft_tokens without quotation marks is a table in a table
        if len(told) != 1:
            raise SweepError(f"{place}: {_HOW}")
        inner, told = next(iter(told.items()))
        key = f"{key}.{inner}"
    slot, _, parameter = key.partition(".")
    chosen = rest.get(slot)
    chosen = {"method": chosen} if isinstance(chosen, str) else chosen
    if not isinstance(chosen, dict) or not parameter:
        raise SweepError(f"{place}: {key}: {_HOW}; the variant has to choose a method for {slot or 'that slot'}")
    try:
        wanted = values(told) if isinstance(told, str) else told if isinstance(told, list) else [told]
    except RangeError as error:
        raise SweepError(f"{place}: {key}: {error}") from None
    if not wanted:
        raise SweepError(f"{place}: {key}: there is no value in the list")
    for value in wanted:
        made = copy.deepcopy(rest)
        made[slot] = {**chosen, parameter: value}
        made["name"] = named(str(rest.get("name", slot)), parameter, value)
        yield made
