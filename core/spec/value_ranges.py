"""Parses the values of a sweep: `2, 4, 8`, `2..16 step 2`, `0.1..0.5 step 0.1`, `true, false`, words. Parts are
separated by commas; each is a value or a range."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

MOST = 100  # values of one sweep

Value = int | float | bool | str


class RangeError(ValueError):
    """The text has no valid values; the message names the part and what is allowed there."""


def values(text: str) -> list[Value]:
    """Return each value once, in order. Raises RangeError."""
    parts = [part.strip() for part in text.split(",")]
    if not any(parts):
        raise RangeError("no value is given: write a list, as 2, 4, 8, or a range, as 2..16 step 2")
    found: dict[tuple[type, Value], Value] = {}
    for number, part in enumerate(parts, 1):
        if not part:
            raise RangeError(f"part {number} is empty: there is a comma too many")
        for value in _part(part):
            found[type(value), value] = value
            if len(found) > MOST:
                raise RangeError(f"{part}: more than {MOST} values; choose a larger step")
    return list(found.values())


def _part(part: str) -> Iterator[Value]:
    if ".." not in part:
        if " step " in f" {part} ":
            raise RangeError(f"{part}: a step needs a range before it, as 2..16 step 2")
        yield _value(part)
        return
    span, _, step_text = part.partition("step")
    first_text, _, last_text = span.partition("..")
    first, last = _number(first_text, part), _number(last_text, part)
    whole = first == int(first) and "." not in first_text
    if not step_text.strip():
        if "step" in part or not whole:
            raise RangeError(f"{part}: a range needs a step, as {first_text.strip()}..{last_text.strip()} step 0.1")
        step = Decimal(1)
    else:
        step = _number(step_text, part)
    if step <= 0:
        raise RangeError(f"{part}: the step must be above 0")
    if last < first:
        raise RangeError(f"{part}: the range ends below where it begins")
    whole = whole and step == int(step) and "." not in step_text
    if (last - first) / step >= MOST:
        raise RangeError(f"{part}: more than {MOST} values; choose a larger step")
    value = first
    while value <= last:  # in decimal places as written: 0.1 three times is 0.3
        yield int(value) if whole else float(value)
        value += step


def _number(text: str, part: str) -> Decimal:
    try:
        found = Decimal(text.strip())
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite() or abs(found) > Decimal(10) ** 15:
        what = f"{text.strip()!r} is no number" if text.strip() else "a number is missing"
        raise RangeError(f"{part}: {what}; a range is written as 2..16 step 2")
    return found


def _value(text: str) -> Value:
    """Return the value of a word: a bool, an int, a float, or the word itself."""
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text.strip("\"'")
    return float(number) if number.is_finite() else text
