"""Assigns a letter to each variant of a run by its place, A for the baseline. A run keeps the letters of its beginning,
so that they are the same when it is opened again, in its report, and beside another run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from core.spec.experiment import Experiment

if TYPE_CHECKING:
    from core.results.results import Results

SETTING = "letters"  # from the event that begins a session: a place per variant of its experiment, in order


def letter(place: int) -> str:
    """Return a place's letter, A … Z, then A1, B1 …; A is the baseline."""
    return chr(ord("A") + place % 26) + (str(place // 26) if place >= 26 else "")


def recorded(results: Results) -> dict[str, int]:
    """Return the place of each variant's letter as the newest session noted it; others go by the experiment's order.
    Places are unique, and the baseline has the first."""
    if results.experiment is None:
        return {}
    names = [v.name for v in results.experiment.variants]
    found: dict[str, int] = {}
    for session in (results.resumed, results.started):
        noted = session.settings.get(SETTING) if session is not None else None
        if isinstance(noted, list) and len(noted) == len(names):
            for name, place in zip(names[1:], noted[1:], strict=True):
                if isinstance(place, int) and place > 0 and place not in found.values():
                    found.setdefault(name, place)
    return filled(names, found)


def filled(names: Iterable[str], known: Mapping[str, int]) -> dict[str, int]:
    """Return a place for every name, the first name's being 0: known places, and the next free ones for the others."""
    found, taken = {}, set(known.values())
    for order, name in enumerate(names):
        place = known.get(name, 0)
        if order and not place:
            place = next(p for p in range(order, order + len(taken) + 1) if p not in taken)
            taken.add(place)
        found[name] = place if order else 0
    return found


def beside(present: Results, letters: Mapping[str, int], other: Results) -> dict[str, int]:
    """Return the letters of another run shown beside the `present` one with `letters`: the same variant has the same
    letter, and no letter means two variants."""
    if other.experiment is None:
        return {}
    names = [v.name for v in other.experiment.variants]
    mine = {v.name: v for v in present.experiment.variants} if present.experiment is not None else {}
    same = {v.name: letters[v.name] for v in other.experiment.variants if mine.get(v.name) == v and letters.get(v.name)}
    taken = set(letters.values())
    own = {n: p for n, p in recorded(other).items() if n not in same and p not in taken}
    known = {**same, **own}
    for name in names[1:]:
        if name not in known:
            known[name] = next(p for p in range(1, 2 + len(taken) + len(known)) if p not in {*taken, *known.values()})
    return filled(names, known)


def of_run(experiment: Experiment, letters: Mapping[str, int]) -> list[int]:
    """Return the places that a run of this experiment notes for its variants."""
    worn = {v.name: letters[v.name] for v in experiment.variants[1:] if letters.get(v.name)}
    return list(filled([v.name for v in experiment.variants], worn).values())
