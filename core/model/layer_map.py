"""The class of each Linear of a model, layer by layer, as a receipt lists it: one line per part, `self_attn.q_proj:
0-29 Int4Linear`, or `lm_head: Int8Linear` for a part that exists once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

MOST = 40  # parts; a mixture with a part for each expert has no map
_LAYER = re.compile(r"(?:.*?\.)??(\d+)\.(.+)")
_RUN = re.compile(r"(\d+)(?:-(\d+))? (.+)")


@dataclass(frozen=True)
class LayerPart:
    """The same Linear of every layer: its class by layer number, or under None for a part that exists once."""

    name: str
    kinds: dict[int | None, str]


def lines(kinds: Mapping[str, str]) -> list[str]:
    """Return the lines for the classes of all Linears by full name; empty if there are too many parts."""
    parts: dict[str, dict[int | None, str]] = {}
    for name, kind in kinds.items():
        found = _LAYER.fullmatch(name)
        part, layer = (found[2], int(found[1])) if found else (name, None)
        parts.setdefault(part, {})[layer] = kind
    return [f"{name}: {_runs(found)}" for name, found in parts.items()] if len(parts) <= MOST else []


def _runs(found: Mapping[int | None, str]) -> str:
    if None in found:
        return found[None]
    layers = sorted(layer for layer in found if layer is not None)
    runs = []
    # Of neighbours the number and the place differ by the same.
    for (kind, _), group in groupby(enumerate(layers), key=lambda at: (found[at[1]], at[1] - at[0])):
        members = [layer for _, layer in group]
        runs.append(f"{members[0]}-{members[-1]} {kind}" if len(members) > 1 else f"{members[0]} {kind}")
    return ", ".join(runs)


def parsed(told: Iterable[object]) -> list[LayerPart]:
    """Return the parts that such lines describe; empty for other lines."""
    found = []
    for line in told:
        name, _, runs = str(line).partition(": ")
        kinds: dict[int | None, str] = {}
        for run in runs.split(", "):
            match = _RUN.fullmatch(run)
            if match is None:
                kinds[None] = run
            else:
                first, last = int(match[1]), int(match[2] or match[1])
                kinds |= dict.fromkeys(range(first, min(last, first + 10_000) + 1), match[3])
        if name and runs:
            found.append(LayerPart(name, kinds))
    return found


def layers(parts: Sequence[LayerPart]) -> int:
    """Return the number of layers that the parts mention."""
    return max((layer + 1 for part in parts for layer in part.kinds if layer is not None), default=0)
