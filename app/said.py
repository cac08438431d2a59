"""What core says, in the user's language. Core speaks English, so that journals, tables and the terminal are the same
everywhere; the window shows its texts through `said`. Knows the templates that `tests.core_strings` found in core and
Qt's translators; knows no view.

A text is looked up as a whole, then as one that a template makes (`{0} is {1} than {name}`), then in parts: lines,
sentences, clauses. Where several ways are open, the one that knows most of the text wins. What a placeholder caught is
translated in the same way, unless it is a name; what is not known stays as it is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from app.theme import RESOURCES
from core.strategies import REGISTRY

CONTEXT = "core"
#: A text that core is sure to say: its translation tells which language is on.
_PROBE = "The measurements do not say why."
_HOLE = re.compile(r"\{(\d+|[a-z]+\d*)\}")
_NAMES = ("variant", "name", "base", "path")
_SHAPES = {"bounds": r"\[[^\]]*\]|"}  # of holes that hold nothing else
_LONGEST = 2000  # characters; what is longer is no sentence
_NUMBER = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)*)(?!\w)")
_STAND_INS = [chr(0xE000 + place) for place in range(_LONGEST)]  # for numbers; of private use
#: Texts that differ by their numbers alone are looked up once: a log may have thousands.
_shapes: dict[tuple[str, str], str | None] = {}
#: Between texts of core that stand in a row, and what stands there in Chinese; the strongest first.
_CUTS = (
    (re.compile(r"(?<=[.!?]) (?=\S)"), ""),
    (re.compile(r"(?<=\S) · (?=\S)"), " · "),
    (re.compile(r"(?<=\S); (?=\S)"), "；"),
)
_TOGETHER = 3  # that one text may have
#: Between the parts of one; the last is where a text of the window names a fault.
_JOINTS = {": ": "：", ", ": "，", "：": "："}
_MARK = {".": "。", ",": "，", ";": "；", ":": "："}
_MARKS = {f"{mark} ": wide for mark, wide in _MARK.items()}
_WORD = re.compile(r"[\w\0]+")
_SHARE = re.compile(r"(?<=[\d\ue000-\uf8ff]) %")
_BETWEEN = re.compile(r"(?<=[\u3001-\u9fff]) (?=[\u3001-\u9fff])")
_SOURCE = re.compile("<source>(.*?)</source>", re.DOTALL)  # of a .ts file; ten times as fast as a parser
_LIST = re.compile(r"([\w.=-]+(?:, [\w.=-]+)*) (and|or) ([\w.=-]+)")
_AMOUNT = re.compile(r"([a-z][a-z ]*) ([\d.,]+ \S+)")
_NAMED = re.compile(r"([\w.]*[_.][\w.]*) (\S.*)")  # a part of a model, and what is true of it
_AND = {"and": " 和 ", "or": " 或 "}
_WIDE = "。，；：、（）"


class Found(NamedTuple):
    """A translation, and how many characters of the text were known: in all, and by the template itself. Of two ways
    that know as much, cutting the text is better than a hole that holds several parts, and then smaller holes are."""

    text: str
    known: int
    by_itself: int = 9999


class Template:
    """A text with holes."""

    def __init__(self, source: str) -> None:
        self.source = source
        parts = _HOLE.split(source)
        self.literals = [part for part in parts[::2] if part]
        self.size = sum(map(len, self.literals))
        #: The longest word that a text must have as such: none of a hole touches it.
        self.word = max((w for w in _WORD.findall(_HOLE.sub("\0", source)) if "\0" not in w), key=len, default="")
        self.rank = _cuts(_HOLE.sub("x", source))[0]
        self._pattern: re.Pattern[str] | None = None

    def match(self, text: str) -> dict[str, str] | None:
        """What the holes hold; None where the text is another."""
        if not all(literal in text for literal in self.literals[:-1]) or self.literals[-1].rstrip() not in text:
            return None
        if self._pattern is None:
            parts = _HOLE.split(self.source)
            parts[::2] = map(re.escape, parts[::2])
            parts[1::2] = [f"(?P<h{name}>{_SHAPES.get(name, '.*?')})" for name in parts[1::2]]
            self._pattern = re.compile("".join(parts), re.DOTALL)
        found = self._pattern.fullmatch(text) or self._pattern.fullmatch(f"{text} ")  # its last hole may be empty
        return {name[1:]: value for name, value in found.groupdict().items()} if found is not None else None


class Texts:
    """All that core may say, as it was found there."""

    def __init__(self) -> None:
        file = next((RESOURCES / "translations").glob("core_*.ts"))
        sources = [html.unescape(text) for text in _SOURCE.findall(file.read_text("utf-8"))]
        self.whole = frozenset(source for source in sources if not _HOLE.search(source))
        self._by_word: dict[str, list[Template]] = {}
        for source in sources:
            if source not in self.whole:
                template = Template(source)
                self._by_word.setdefault(template.word, []).append(template)

    def templates(self, text: str) -> Iterator[Template]:
        """Those that may have made the text."""
        for word in {"", *_WORD.findall(text)}:
            yield from self._by_word.get(word, ())


_texts = cache(Texts)


@cache
def _titles() -> frozenset[str]:
    """Of strategies: in a sentence they are the names of variants, which stay."""
    return frozenset(kind.title for kinds in REGISTRY.values() for kind in kinds.values())


def said(text: str) -> str:
    """A text of core as the window shows it; in English itself."""
    return _cached(text, _translated(_PROBE)) if text else text


@lru_cache(maxsize=20_000)
def _cached(text: str, language: str) -> str:
    """`language` is the probe's translation: another language, another answer."""
    if language == _PROBE or len(text) > _LONGEST:
        return text
    if text in _texts().whole:
        return _translated(text)
    parts = _NUMBER.split(text)
    numbers = parts[1::2]
    if not numbers:
        return _looked_up(text)
    parts[1::2] = _STAND_INS[: len(numbers)]
    key = "".join(parts), language
    if key not in _shapes:  # a number may be part of a text: then its shape says nothing
        made, whole = _looked_up(key[0]), _looked_up(text)
        if len(_shapes) >= 10_000:
            _shapes.clear()
        _shapes[key] = made if _with_numbers(made, numbers) == whole else None
        return whole
    shape = _shapes[key]
    return _looked_up(text) if shape is None else _with_numbers(shape, numbers)


def _with_numbers(shape: str, numbers: list[str]) -> str:
    for stand_in, number in zip(_STAND_INS, numbers, strict=False):
        shape = shape.replace(stand_in, number)
    return shape


def _looked_up(text: str) -> str:
    """Line by line."""
    known: dict[str, Found] = {}
    return _tidy("\n".join(_find(line, known).text for line in text.split("\n")))


def _tidy(text: str) -> str:
    """No space before a per cent sign, nor between two Chinese characters."""
    return _BETWEEN.sub("", _SHARE.sub("%", text))


def _translated(source: str) -> str:
    return QCoreApplication.translate(CONTEXT, source)


def _find(text: str, known: dict[str, Found]) -> Found:
    """The way to say it that knows most of it; the text itself where nothing is known."""
    if text not in known:
        known[text] = Found(text, 0)  # for itself, within itself
        bare = text.strip()
        found = _way(bare, known) if bare else Found(text, 0)
        if found.known:
            wide = found.text[0] in _WIDE or ord(found.text[0]) > 0x2E80
            known[text] = found if wide or bare == text else Found(f" {found.text}", found.known)
    return known[text]


def _way(text: str, known: dict[str, Found]) -> Found:
    if text in _texts().whole and text not in _titles():
        return Found(_translated(text), len(text))
    rank, cuts = _cuts(text)
    ways = _pieces(text, cuts, _CUTS[rank][1], known) if cuts else _parts(text, known)
    best = max(chain(ways, _edges(text, known) if rank else ()), key=_by_known, default=Found(text, 0))
    for template in _texts().templates(text):
        caught = template.match(text) if template.rank == rank else None
        if caught is not None:
            best = max(best, _filled(template, caught, known), key=_by_known)
    return best if best.known else Found(text, 0)


def _edges(text: str, known: dict[str, Found]) -> Iterator[Found]:
    """Without the mark at its end or beginning, and with a small first letter."""
    if text[-1] in ".,;:" and len(text) > 1:
        found = _find(text[:-1], known)
        yield found._replace(text=found.text + _MARK[text[-1]])
    if text[0] in ",;:" and len(text) > 1:
        found = _find(text[1:].lstrip(), known)
        yield found._replace(text=_MARK[text[0]] + found.text)
    if text[0].isupper() and (small := text[0].lower() + text[1:]) not in known:
        yield _find(small, known)._replace(by_itself=0)


def _cuts(text: str) -> tuple[int, list[tuple[int, int]]]:
    """What parts a text, the strongest that is in it but not in brackets, and where; a rank of its own if nothing."""
    for rank, (pattern, _) in enumerate(_CUTS):
        found = [cut.span() for cut in pattern.finditer(text)]
        if found and ("(" in text or "[" in text):
            found = [(start, end) for start, end in found if _closed(text[:start])]
        if found:
            return rank, found
    return len(_CUTS), []


def _closed(text: str) -> bool:
    return text.count("(") <= text.count(")") and text.count("[") <= text.count("]")


def _by_known(found: Found) -> tuple[int, int]:
    return found.known, found.by_itself


def _filled(template: Template, caught: dict[str, str], known: dict[str, Found]) -> Found:
    size, put = template.size, {}
    for name, value in caught.items():
        found = Found(value, 0) if name.rstrip("0123456789") in _NAMES else _find(value, known)
        put[name] = found.text if found.known else _wide(value)
        size += found.known
    text = _HOLE.sub(lambda hole: put[hole[1]], _translated(template.source))
    return Found(text.rstrip(), size, template.size)


def _wide(text: str) -> str:
    """An unknown part with the marks at its edges as Chinese has them."""
    if text[:2] in _MARKS:
        return _MARKS[text[:2]] + text[2:]
    return f"（{text[2:-1]}）" if text[:2] == " (" and text[-1] == ")" else text


def _pieces(text: str, cuts: list[tuple[int, int]], joint: str, known: dict[str, Found]) -> Iterator[Found]:
    """The first piece, or as many as one text may have, and the rest."""
    for start, end in cuts[:_TOGETHER]:
        one, two = _find(text[:start], known), _find(text[end:], known)
        between = joint or ("" if one.text[-1] in _WIDE else " ")
        yield Found(one.text + between + two.text, one.known + two.known)


def _parts(text: str, known: dict[str, Found]) -> Iterator[Found]:
    """A clause in two: at a joint, at a bracket, between a name or a list and the rest."""
    for joint, wide in _JOINTS.items():
        before, _, after = text.partition(joint)
        if before and after and _closed(before):
            one, two = _find(before, known), _find(after, known)
            yield Found(one.text + wide + two.text, one.known + two.known, 0 if joint == ", " else 9999)
    if text[-1] == ")" and " (" in text:
        before, _, inner = text[:-1].partition(" (")
        one, two = _find(before, known), _find(f"({inner})", known)
        if not two.known:
            two = _find(inner, known)
            two = Found(f"（{two.text}）", two.known)
        yield Found(one.text + two.text, one.known + two.known)
    if amount := _AMOUNT.fullmatch(text):
        thing = _find(amount[1], known)
        yield Found(f"{thing.text} {amount[2]}", thing.known)
    if named := _NAMED.fullmatch(text):
        rest = _find(named[2], known)
        yield Found(f"{named[1]} {rest.text}", rest.known, 0)
    if listed := _LIST.fullmatch(text):
        yield Found(f"{listed[1].replace(', ', '、')}{_AND[listed[2]]}{listed[3]}", 3)
