"""Reads prompts from a user's file: .txt (one per line), .jsonl (one per line), or .json (a list, as ShareGPT's). A
file is read in pieces and only as far as needed: ShareGPT's dump has 640 MB."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from core.base.files import check_ends, parse_json
from core.base.visible_text import visible

SUFFIXES = (".jsonl", ".txt", ".json")
MOST = 5_000  # prompts of a file that are used: its first ones
LONGEST = 1_000_000  # characters of a prompt
ALTOGETHER = 50_000_000  # characters of all of them
ITEM = 16_000_000  # characters of a line, or of a conversation, with whatever else it holds
CHUNK = 1 << 20  # characters that are read at once

#: Where a conversation has its turns, and a turn its speaker and its words.
_TURNS = (
    ("conversations", "from", "value"),
    ("conversation", "from", "value"),
    ("messages", "role", "content"),
    ("prompt", "role", "content"),
)
_ASKS = ("human", "user")
_KEYS = ("text", "prompt")  # of a line that is a prompt and what belongs to it
EXPECTED = (
    'expected a string, {"text": "…"}, {"prompt": "…"}, or a conversation: '
    '{"conversations": [{"from": "human", "value": "…"}]}'
)

Item = tuple[str, str]  # its place in the file, and the prompt


def read(path: Path, most: int = MOST) -> tuple[list[str], bool]:
    """Return the first prompts of a file, stripped, and whether it has more. Raises ValueError with a reason that can
    follow the file's name."""
    found: list[str] = []
    characters = 0
    try:
        check_ends(path)
        with path.open(encoding="utf-8-sig") as file:
            for place, text in _items(path.suffix.lower(), file):
                text = text.strip()
                if not text:
                    continue
                if len(found) == most:
                    return found, True
                characters += len(text)
                _check(place, text, characters)
                found.append(text)
    except UnicodeDecodeError:
        raise ValueError(" is not UTF-8 text") from None
    except OSError as error:
        raise ValueError(f" cannot be read: {error.strerror or error}") from None
    if not found:
        raise ValueError(" holds no prompt")
    return found, False


def _items(suffix: str, file: TextIO) -> Iterator[Item]:
    if suffix == ".json":
        for number, (line, value) in enumerate(_list(file), 1):
            place = f", entry {number} (line {line})"
            yield place, first_turn(value, place)
        return
    for number, line_ in enumerate(_lines(file), 1):
        place = f", line {number}"
        if suffix == ".txt":
            yield place, line_
        elif line_.strip():
            yield place, first_turn(_parsed(line_, place), place)


def _lines(file: TextIO) -> Iterator[str]:
    """Yield lines that end with a line feed only: U+2028 and similar characters may stand in a prompt."""
    number = 0
    while line := file.readline(ITEM + 1):
        number += 1
        if len(line) > ITEM:
            raise ValueError(f", line {number}: it is longer than {ITEM:,} characters")
        yield line


def _parsed(line: str, place: str) -> Any:
    try:
        return parse_json(line)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def first_turn(value: Any, place: str) -> str:
    """Return the first human turn of a conversation, or the prompt itself; "" if no human speaks. Raises ValueError."""
    key = next((k for k in _KEYS if k in value), "") if isinstance(value, dict) else ""
    text = value[key] if key else value
    if isinstance(text, str):
        return text
    for key, who, what in _TURNS:
        turns = value.get(key) if isinstance(value, dict) else None
        if not isinstance(turns, list):
            continue
        for number, turn in enumerate(turns, 1):
            if not isinstance(turn, dict):
                raise ValueError(f'{place}, turn {number}: expected {{"{who}": "…", "{what}": "…"}}')
            if turn.get(who) in _ASKS:
                if not isinstance(turn.get(what), str):
                    raise ValueError(f'{place}, turn {number}: "{what}" must be a string')
                return turn[what]
        return ""
    raise ValueError(f"{place}: {EXPECTED}")


def _list(file: TextIO) -> Iterator[tuple[int, Any]]:
    """Yield the items of a JSON list with their line numbers, parsed while reading."""
    decoder = json.JSONDecoder()
    text, at, line, number = file.read(CHUNK), 0, 1, 0

    def skip(blanks: str = " \t\r\n") -> str:
        """Return the next character that is not in `blanks`, reading on as needed; "" at the end of the file."""
        nonlocal text, at, line
        while True:
            while at < len(text) and text[at] in blanks:
                line += text[at] == "\n"
                at += 1
            if at < len(text):
                return text[at]
            text, at = file.read(CHUNK), 0
            if not text:
                return ""

    if skip() != "[":
        raise ValueError(": expected a list of conversations, [ … ]")
    at += 1
    while (next_ := skip()) != "]":
        number += 1
        place = f", entry {number} (line {line})"
        if number > 1:
            if next_ != ",":
                raise ValueError(f"{place}: not JSON: expected a comma or the end of the list before it")
            at += 1
            skip()
        while True:
            try:
                value, end = decoder.raw_decode(text, at)
                break
            except json.JSONDecodeError as error:  # or there is only a part of it yet
                more = file.read(max(CHUNK, len(text) - at)) if len(text) - at < ITEM else ""
                if not more:
                    why = (
                        f"it is longer than {ITEM:,} characters" if len(text) - at >= ITEM else f"not JSON: {error.msg}"
                    )
                    raise ValueError(f"{place}: {why}") from None
                text, at = text[at:] + more, 0
            except RecursionError:
                raise ValueError(f"{place}: it is nested too deeply") from None
            except ValueError:
                raise ValueError(f"{place}: it holds a number that is too long") from None
        yield line, value
        line += text.count("\n", at, end)
        at = end
    at += 1
    if skip():
        raise ValueError(f", line {line}: there is more after the end of the list")


def _check(place: str, text: str, characters: int) -> None:
    """Raise ValueError for a prompt that is too long or cannot be encoded."""
    if len(text) > LONGEST:
        raise ValueError(f"{place}: the prompt has {len(text):,} characters; {LONGEST:,} are the most")
    if characters > ALTOGETHER:
        raise ValueError(
            f"{place}: the prompts up to here have more than {ALTOGETHER:,} characters: make the file smaller"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = visible(text[error.start])
        raise ValueError(f"{place}: {half} is half of a surrogate pair, which is no character; write both") from None
