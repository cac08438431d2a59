"""Translates core's English texts for the window and the report. Core itself speaks English, so that journals, tables
and the terminal are the same everywhere.

The templates that `tests.tools.core_strings` extracts from core are matched against a text. A text is looked up as a
whole, then by a template (`{0} is {1} than {name}`), then in parts: lines, sentences, clauses. Of several matches the
one that covers most of the text wins. The text in a placeholder is translated in the same way, unless it is a name.
Unknown text stays as it is.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from typing import NamedTuple

from core.spec.variant import REGISTRY

CHINESE = "zh_CN"
CODES = ("en", CHINESE)
_HOLE = re.compile(r"\{(\d+|[a-z]+\d*)\}")
_NAMES = ("variant", "name", "base", "path")
_SHAPES = {"bounds": r"\[[^\]]*\]|"}  # of holes that hold nothing else
_LONGEST = 2000  # characters; a longer text is no sentence
_NUMBER = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)*)(?!\w)")
_STAND_INS = [chr(0xE000 + place) for place in range(_LONGEST)]  # for numbers; of private use
#: Separators between texts, with their Chinese form, the strongest first.
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
#: Of a .ts file; ten times as fast as a parser.
_MESSAGE = re.compile(r"<source>([^<]*)</source>\s*<translation>([^<]*)</translation>")
_LIST = re.compile(r"([\w.=-]+(?:, [\w.=-]+)*) (and|or) ([\w.=-]+)")
_AMOUNT = re.compile(r"([a-z][a-z ]*) ([\d.,]+ \S+)")
_NAMED = re.compile(r"([\w.]*[_.][\w.]*) (\S.*)")  # a part of a model, and what is true of it
_AND = {"and": " 和 ", "or": " 或 "}
_WIDE = "。，；：、（）"


class Language:
    """English: every text stays as it is."""

    code = "en"
    comma, colon = ", ", ": "

    def said(self, text: str) -> str:
        """Return a text of core in this language."""
        return text

    def tidy(self, text: str) -> str:
        """Return a text with this language's spacing between joined parts."""
        return text


ENGLISH = Language()


@cache
def language(code: str) -> Language:
    """Return the language of a code; English for an unknown code."""
    return Chinese() if code == CHINESE else ENGLISH


def of_system(environment: Mapping[str, str] | None = None) -> str:
    """Return the language code for the terminal's locale (`LC_ALL`, `LC_MESSAGES`, `LANG`)."""
    known = environment if environment is not None else os.environ
    first = next((known[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if known.get(name)), "")
    return CHINESE if re.match(r"zh(_(CN|SG|Hans)|[.@]|$)", first) else "en"


class Found(NamedTuple):
    """A translation and the number of characters that it covers: in all, and by the template itself. Of two
    translations that cover as much, splitting the text is preferred to a placeholder with several parts, and then
    smaller placeholders are."""

    text: str
    known: int
    by_itself: int = 9999


class Template:
    """A source text with placeholders, and its translation."""

    def __init__(self, source: str, translation: str) -> None:
        self.source, self.translation = source, translation
        parts = _HOLE.split(source)
        self.literals = [part for part in parts[::2] if part]
        self.size = sum(map(len, self.literals))
        #: The longest word that a text must have as such: none of a hole touches it.
        self.word = max((w for w in _WORD.findall(_HOLE.sub("\0", source)) if "\0" not in w), key=len, default="")
        self.rank = _cuts(_HOLE.sub("x", source))[0]
        self._pattern: re.Pattern[str] | None = None

    def match(self, text: str) -> dict[str, str] | None:
        """Return the text in each placeholder; None if the template does not match."""
        if not all(literal in text for literal in self.literals[:-1]) or self.literals[-1].rstrip() not in text:
            return None
        if self._pattern is None:
            parts = _HOLE.split(self.source)
            parts[::2] = map(re.escape, parts[::2])
            parts[1::2] = [f"(?P<h{name}>{_SHAPES.get(name, '.*?')})" for name in parts[1::2]]
            self._pattern = re.compile("".join(parts), re.DOTALL)
        found = self._pattern.fullmatch(text) or self._pattern.fullmatch(f"{text} ")  # its last hole may be empty
        return {name[1:]: value for name, value in found.groupdict().items()} if found is not None else None


class Chinese(Language):
    """Simplified Chinese. The catalogue is read at the first lookup."""

    code = CHINESE
    comma, colon = "，", "："

    def __init__(self) -> None:
        file = files("resources") / "translations" / f"core_{self.code}.ts"
        known = [(html.unescape(a), html.unescape(b)) for a, b in _MESSAGE.findall(file.read_text("utf-8")) if b]
        self._whole = {source: text for source, text in known if not _HOLE.search(source)}
        self._by_word: dict[str, list[Template]] = {}
        for source, text in known:
            if source not in self._whole:
                template = Template(source, text)
                self._by_word.setdefault(template.word, []).append(template)
        #: In a sentence they are the names of variants, which stay.
        self._titles = frozenset(kind.title for kinds in REGISTRY.values() for kind in kinds.values())
        #: Texts that differ by their numbers alone are looked up once: a log may have thousands.
        self._shapes: dict[str, str | None] = {}
        self.said = lru_cache(maxsize=20_000)(self._said)  # type: ignore[method-assign]

    def _said(self, text: str) -> str:
        if not text or len(text) > _LONGEST:
            return text
        if text in self._whole:
            return self._whole[text]
        parts = _NUMBER.split(text)
        numbers = parts[1::2]
        if not numbers:
            return self.looked_up(text)
        parts[1::2] = _STAND_INS[: len(numbers)]
        key = "".join(parts)
        if key not in self._shapes:  # a number may be part of a text: then its shape says nothing
            made, whole = self.looked_up(key), self.looked_up(text)
            if len(self._shapes) >= 10_000:
                self._shapes.clear()
            self._shapes[key] = made if _with_numbers(made, numbers) == whole else None
            return whole
        shape = self._shapes[key]
        return self.looked_up(text) if shape is None else _with_numbers(shape, numbers)

    def looked_up(self, text: str) -> str:
        """Return the translation, line by line."""
        known: dict[str, Found] = {}
        return _tidy("\n".join(self.find(line, known).text for line in text.split("\n")))

    def tidy(self, text: str) -> str:
        return _tidy(text)

    def find(self, text: str, known: dict[str, Found]) -> Found:
        """Return the translation that covers most of the text, or the text itself. `known` caches the parts."""
        if text not in known:
            known[text] = Found(text, 0)  # for itself, within itself
            bare = text.strip()
            found = self._way(bare, known) if bare else Found(text, 0)
            if found.known:
                wide = found.text[0] in _WIDE or ord(found.text[0]) > 0x2E80
                known[text] = found if wide or bare == text else Found(f" {found.text}", found.known)
        return known[text]

    def _way(self, text: str, known: dict[str, Found]) -> Found:
        if text in self._whole and text not in self._titles:
            return Found(self._whole[text], len(text))
        rank, cuts = _cuts(text)
        ways = self._pieces(text, cuts, _CUTS[rank][1], known) if cuts else self._parts(text, known)
        best = max(chain(ways, self._edges(text, known) if rank else ()), key=_by_known, default=Found(text, 0))
        for template in self._templates(text):
            caught = template.match(text) if template.rank == rank else None
            if caught is not None:
                best = max(best, self._filled(template, caught, known), key=_by_known)
        return best if best.known else Found(text, 0)

    def _templates(self, text: str) -> Iterator[Template]:
        """Yield the templates that may match the text."""
        for word in {"", *_WORD.findall(text)}:
            yield from self._by_word.get(word, ())

    def _edges(self, text: str, known: dict[str, Found]) -> Iterator[Found]:
        """Yield translations without the punctuation at either end, and with a lower-case first letter."""
        if text[-1] in ".,;:" and len(text) > 1:
            found = self.find(text[:-1], known)
            yield found._replace(text=found.text + _MARK[text[-1]])
        if text[0] in ",;:" and len(text) > 1:
            found = self.find(text[1:].lstrip(), known)
            yield found._replace(text=_MARK[text[0]] + found.text)
        if text[0].isupper() and (small := text[0].lower() + text[1:]) not in known:
            yield self.find(small, known)._replace(by_itself=0)

    def _filled(self, template: Template, caught: dict[str, str], known: dict[str, Found]) -> Found:
        size, put = template.size, {}
        for name, value in caught.items():
            kind = name.rstrip("0123456789")
            if kind == "title":
                found = Found(self._whole.get(value, value), len(value))
            else:
                found = Found(value, 0) if kind in _NAMES else self.find(value, known)
            put[name] = found.text if found.known else _wide(value)
            size += found.known
        text = _HOLE.sub(lambda hole: put[hole[1]], template.translation)
        # A hole that holds what a colon parts is likely a text of its own and more.
        return Found(text.rstrip(), size, 0 if any(": " in value for value in caught.values()) else template.size)

    def _pieces(self, text: str, cuts: list[tuple[int, int]], joint: str, known: dict[str, Found]) -> Iterator[Found]:
        """Yield translations of the first piece or pieces together with the rest."""
        for start, end in cuts[:_TOGETHER]:
            one, two = self.find(text[:start], known), self.find(text[end:], known)
            between = joint or ("" if one.text[-1] in _WIDE else " ")
            yield Found(one.text + between + two.text, one.known + two.known)

    def _parts(self, text: str, known: dict[str, Found]) -> Iterator[Found]:
        """Yield translations of a clause in two parts: at a joint, at a parenthesis, between a name or a list and the
        rest."""
        for joint, wide in _JOINTS.items():
            before, _, after = text.partition(joint)
            if before and after and _closed(before):
                one, two = self.find(before, known), self.find(after, known)
                yield Found(one.text + wide + two.text, one.known + two.known, 0 if joint == ", " else 9999)
        if text[-1] == ")" and " (" in text:
            before, _, inner = text[:-1].partition(" (")
            one, two = self.find(before, known), self.find(f"({inner})", known)
            if not two.known:
                two = self.find(inner, known)
                two = Found(f"（{two.text}）", two.known)
            yield Found(one.text + two.text, one.known + two.known)
        if amount := _AMOUNT.fullmatch(text):
            thing = self.find(amount[1], known)
            yield Found(f"{thing.text} {amount[2]}", thing.known)
        if named := _NAMED.fullmatch(text):
            rest = self.find(named[2], known)
            yield Found(f"{named[1]} {rest.text}", rest.known, 0)
        if listed := _LIST.fullmatch(text):
            yield Found(f"{listed[1].replace(', ', '、')}{_AND[listed[2]]}{listed[3]}", 3)


def _with_numbers(shape: str, numbers: list[str]) -> str:
    for stand_in, number in zip(_STAND_INS, numbers, strict=False):
        shape = shape.replace(stand_in, number)
    return shape


def _tidy(text: str) -> str:
    """Return the text without spaces before a percent sign or between two Chinese characters."""
    return _BETWEEN.sub("", _SHARE.sub("%", text))


def _cuts(text: str) -> tuple[int, list[tuple[int, int]]]:
    """Return the rank of the strongest separator outside brackets, and its positions; a rank of its own if there is
    none."""
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


def _wide(text: str) -> str:
    """Return an unknown part with full-width punctuation at its edges."""
    if text[:2] in _MARKS:
        return _MARKS[text[:2]] + text[2:]
    return f"（{text[2:-1]}）" if text[:2] == " (" and text[-1] == ")" else text
