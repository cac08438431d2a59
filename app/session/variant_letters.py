"""Which letter and hue a variant wears: A is the baseline, and nobody's letter changes while it is on screen."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping


class VariantLetters:
    """Keeps an index for every name, also for deleted ones, so that undo gives a variant its old letter back."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}
        self._was: dict[str, str] = {}  # by the name that a variant has, the one under which it was measured

    def of(self, name: str) -> int:
        """Return the index of a variant, 0 for the baseline; a name that was never seen gets the next free one."""
        if name not in self._index:
            self._index[name] = self._free(set(self._index.values()))
        return self._index[name]

    def rename(self, old: str, new: str, shown: Container[str] = ()) -> None:
        """A variant takes its letter along; results on screen that are `shown` under its old name wear it too."""
        if old not in self._index:
            return
        origin = self._was.pop(old, old)
        self._index[new] = self._index[old]
        if new != origin and origin in shown:
            self._was[new] = origin
        if old not in shown:
            del self._index[old]

    def origin(self, name: str) -> str:
        """Return the name under which a variant was measured, where it was renamed since."""
        return self._was.get(name, name)

    def kept(self) -> dict[str, int]:
        """Return the index of every name that has one, for the next time."""
        return dict(self._index)

    def recall(self, before: Mapping[str, int]) -> None:
        """Letters of the last time, of names that have none yet."""
        taken = set(self._index.values())
        for name, index in before.items():
            if name not in self._index and index not in taken:
                self._index[name] = index
                taken.add(index)

    def adopt(self, worn: Mapping[str, int]) -> None:
        """The letters of results that are opened: whoever has one of them besides gets another when it is needed."""
        for name in [n for n, index in self._index.items() if index in worn.values() and n not in worn]:
            del self._index[name]
        self._index.update(worn)
        self._was.clear()

    def assign(self, present: Iterable[str], shown: Iterable[str] = ()) -> None:
        """`present` is the experiment, baseline first; `shown` are the variants of the results on screen."""
        there = list(dict.fromkeys(present))
        twins = {self._was[n]: n for n in there if n in self._was and self._was[n] not in there}
        names = list(dict.fromkeys([*there, *(n for n in shown if n not in twins)]))
        if not names:
            return
        first, rest = names[0], names[1:]
        before = self._index.get(first)
        for name in rest:  # whoever was A swaps with the new baseline
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
