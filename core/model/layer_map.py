"""Which class each Linear of a model has, layer by layer, as a receipt tells it: a line a part, `self_attn.q_proj: 0-29
Int4Linear`, or `lm_head: Int8Linear` of a part that is there once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

MOST = 40  # parts; a mixture with a part for each expert has no map
_LAYER = re.compile(r"(?:.*?\.)??(\d+)\.(.+)")
_RUN = re.compile(r"(\d+)(?:-(\d+))? (.+)")


@dataclass(frozen=True)
class Part:
    """The same Linear of every layer: its class by the layer's number; under None where it is there once."""

    name: str
    kinds: dict[int | None, str]


def lines(kinds: Mapping[str, str]) -> list[str]:
    """From the class of each Linear by its full name; empty where there are too many parts."""
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


def parsed(told: Iterable[object]) -> list[Part]:
    """Return the parts of such lines; nothing where they say something else."""
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
            found.append(Part(name, kinds))
    return found


def layers(parts: Sequence[Part]) -> int:
    """Return how many the model has, as far as they were told."""
    return max((layer + 1 for part in parts for layer in part.kinds if layer is not None), default=0)
