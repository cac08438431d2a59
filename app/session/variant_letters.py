"""Assigns letters and hues to variants: A is the baseline, and no letter changes while it is on screen."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping


class VariantLetters:
    """Keeps an index for every name, also for deleted ones, so that undo restores a variant's letter."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}
        self._was: dict[str, str] = {}  # by the name that a variant has, the one under which it was measured

    def of(self, name: str) -> int:
        """Return a variant's index, 0 for the baseline; a new name gets the next free one."""
        if name not in self._index:
            self._index[name] = self._free(set(self._index.values()))
        return self._index[name]

    def rename(self, old: str, new: str, shown: Container[str] = ()) -> None:
        """Move a letter to a new name; results on screen under the old name keep it too."""
        if old not in self._index:
            return
        origin = self._was.pop(old, old)
        self._index[new] = self._index[old]
        if new != origin and origin in shown:
            self._was[new] = origin
        if old not in shown:
            del self._index[old]

    def origin(self, name: str) -> str:
        """Return the name under which a renamed variant was measured."""
        return self._was.get(name, name)

    def kept(self) -> dict[str, int]:
        """Return the index of every name, to be saved."""
        return dict(self._index)

    def recall(self, before: Mapping[str, int]) -> None:
        """Restore saved letters for names that have none yet."""
        taken = set(self._index.values())
        for name, index in before.items():
            if name not in self._index and index not in taken:
                self._index[name] = index
                taken.add(index)

    def adopt(self, worn: Mapping[str, int]) -> None:
        """Take the letters of opened results; another variant with such a letter gets a new one when needed."""
        for name in [n for n, index in self._index.items() if index in worn.values() and n not in worn]:
            del self._index[name]
        self._index.update(worn)
        self._was.clear()

    def assign(self, present: Iterable[str], shown: Iterable[str] = ()) -> None:
        """Assign letters; `present` is the experiment, baseline first, `shown` the variants on screen."""
        there = list(dict.fromkeys(present))
        twins = {self._was[n]: n for n in there if n in self._was and self._was[n] not in there}
        names = list(dict.fromkeys([*there, *(n for n in shown if n not in twins)]))
        if not names:
            return
        first, rest = names[0], names[1:]
        before = self._index.get(first)
        for name in rest:  # the previous A swaps letters with the new baseline
            if self._index.get(name) == 0:
                self._index[name] = before if before else self._free(self._taken(names))
        self._index[first] = 0
        taken = {0}
        for name in rest:
            index = self._index.get(name)
            if index is None or index in taken:
                self._index[name] = self._free(taken | self._taken(names))
            taken.add(self._index[name])
        for old, name in twins.items():
            self._index[old] = self._index[name]

    def _taken(self, names: list[str]) -> set[int]:
        return {0} | {self._index[n] for n in names if n in self._index}

    @staticmethod
    def _free(taken: set[int]) -> int:
        return next(i for i in range(len(taken) + 1) if i not in taken)
