"""Parts that are made on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

Part = TypeVar("Part")


class LazyParts(Mapping[str, Part]):
    """A mapping whose parts are made on lookup; `made` holds those made so far."""

    def __init__(self, makers: Mapping[str, Callable[[], Part]]) -> None:
        self._makers = makers
        self._made: dict[str, Part] = {}
        self._then: list[Callable[[str, Part], object]] = []

    def __getitem__(self, name: str) -> Part:
        if name not in self._made:
            self._made[name] = self._makers[name]()
            for do in self._then:
                do(name, self._made[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    @property
    def made(self) -> Mapping[str, Part]:
        return self._made

    def then(self, do: Callable[[str, Part], object]) -> None:
        """Call `do` with every part when it is made, and now with those already made."""
        self._then.append(do)
        for name, part in self._made.items():
            do(name, part)
