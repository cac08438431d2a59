"""Regression suites: prompts, and what an answer must have to pass. A suite is a .jsonl file, one prompt per line:

    {"name": "…", "prompt": "…", and at least one of
     "contains": "text" or ["all", "of these"]     upper and lower case are the same
     "regex": "pattern"                            found anywhere; (?i), (?s) and so on may begin it
     "exact": "text"                               the whole answer, surrounding blanks stripped
     "numeric": 42, "tolerance": 0.5               the last number of the answer
     "json_schema": {…}}                           the first JSON object or list of the answer

All conditions of a line must hold. A user's pattern has a time limit of one second and is then not judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError, field_validator, model_validator

from core.base.files import parse_json, read_text
from core.base.value import Value
from core.base.visible_text import visible
from core.protocol.events import Checked
from core.quality.json_schema import Unjudged, faults, pattern_fault, schema_fault, search
from core.spec.built_in import suites as names
from core.spec.experiment import describe

#: A hyphen after a letter or a digit is no sign: COVID-19, 10-15, 2026-11-30.
_NUMBER = re.compile(r"(?:(?<!\w)[-−+])?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?|\.\d+)")


class SuiteError(ValueError):
    """The suite cannot be used; the message names file, line and field, and what is allowed there."""


class Check(Value):
    """One prompt of a suite; the module's docstring defines its fields."""

    model_config = ConfigDict(strict=True)

    name: str = Field("", max_length=80)
    prompt: str = Field(min_length=1, max_length=20_000)
    contains: str | list[str] | None = None
    regex: str | None = Field(None, min_length=1, max_length=1000)
    exact: str | None = None
    numeric: float | None = None
    tolerance: float = Field(0.0, ge=0)
    json_schema: dict[str, Any] | None = None

    @field_validator("contains")
    @classmethod
    def _something(cls, value: str | list[str] | None) -> str | list[str] | None:
        if value is not None and (not value or not all(value)):
            raise ValueError("an empty text is in every answer")
        return value

    @field_validator("regex")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        if value is not None and (fault := pattern_fault(value)):
            raise ValueError(fault)
        return value

    @field_validator("json_schema")
    @classmethod
    def _is_schema(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if value is not None and (fault := schema_fault(value)):
            raise ValueError(fault)
        return value

    @model_validator(mode="after")
    def _asks_something(self) -> Check:
        if all(getattr(self, kind) is None for kind in _KINDS):
            raise ValueError(f"a line needs one of {', '.join(_KINDS)}")
        if self.tolerance and self.numeric is None:
            raise ValueError("tolerance goes with numeric")
        return self

    def held_against(self, answer: str) -> Checked:
        """Return whether an answer passes; undecided (None) if a part could not be judged and no other part fails."""
        unjudged = ""
        for kind, judge in _KINDS.items():
            if (wanted := getattr(self, kind)) is None:
                continue
            try:
                why = judge(self, wanted, answer)
            except Unjudged as error:
                unjudged = unjudged or str(error)
                continue
            if why:
                return Checked(name=self.name, passed=False, why=why)
        return Checked(name=self.name, passed=None if unjudged else True, why=unjudged)


def read(name: str) -> list[Check]:
    """Return a built-in suite or a .jsonl file's. Raises SuiteError."""
    if name in names():
        return _lines((files("resources") / "suites" / f"{name}.jsonl").read_text("utf-8"), name)
    path = Path(name)
    if path.suffix != ".jsonl":
        raise SuiteError(
            f"quality.suite: there is no built-in suite {name!r} (there are: {', '.join(names())}), "
            "and it is not a .jsonl file"
        )
    try:
        content = read_text(path)
    except ValueError as error:
        raise SuiteError(f"quality.suite: {path} {error}") from None
    return _lines(content, str(path))


def check(suite: Sequence[Check], answers: Sequence[str]) -> list[Checked]:
    """Return each answer checked against its line."""
    return [line.held_against(answer) for line, answer in zip(suite, answers, strict=True)]


def _lines(content: str, where: str) -> list[Check]:
    found: list[Check] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(content.split("\n"), 1):  # U+2028 and its like may stand in a string
        if not line.strip():
            continue
        place = f"quality.suite: {where}, line {number}"
        try:
            value = parse_json(line)
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise SuiteError(f"{place}: it holds half of a surrogate pair, which is no character") from None
        except ValueError as error:
            raise SuiteError(f"{place}: {error}") from None
        if not isinstance(value, dict):
            raise SuiteError(f'{place}: expected an object such as {{"prompt": "…", "contains": "…"}}')
        try:
            one = Check.model_validate(value)
        except ValidationError as error:
            reasons = describe(error).replace("file: ", "")
            raise SuiteError("\n".join(f"{place}, {reason}" for reason in reasons.splitlines())) from None
        one = one.model_copy(update={"name": one.name.strip() or f"line {number}"})
        if one.name in seen:
            raise SuiteError(f"{place}, name: {visible(one.name)!r} is the name of line {seen[one.name]} already")
        seen[one.name] = number
        found.append(one)
    if not found:
        raise SuiteError(f"quality.suite: {where} holds no prompt")
    return found


# -- the checks: "" for an answer that passes, else why it does not -----------------------------------------
def _contains(line: Check, wanted: str | list[str], answer: str) -> str:
    needed = [wanted] if isinstance(wanted, str) else wanted
    missing = [text for text in needed if text.casefold() not in answer.casefold()]
    return f"does not contain {missing[0]!r}" if missing else ""


def _regex(line: Check, pattern: str, answer: str) -> str:
    return "" if search(pattern, answer) else f"nothing in it matches {pattern!r}"


def _exact(line: Check, wanted: str, answer: str) -> str:
    return "" if answer.strip() == wanted.strip() else f"is not exactly {wanted!r}"


def _numeric(line: Check, wanted: float, answer: str) -> str:
    found = _NUMBER.findall(answer)
    if not found:
        return "there is no number in it"
    value = float(found[-1].replace(",", "").replace("−", "-"))
    return "" if abs(value - wanted) <= line.tolerance else f"its last number is {value:g}, not {wanted:g}"


def _json_schema(line: Check, schema: dict[str, Any], answer: str) -> str:
    for start in (i for i, character in enumerate(answer) if character in "{["):
        try:
            value, _ = json.JSONDecoder().raw_decode(answer, start)
        except (ValueError, RecursionError):
            continue
        return faults(schema, value)
    return "there is no valid JSON in it"


_KINDS: dict[str, Callable[[Check, Any, str], str]] = {
    "contains": _contains,
    "regex": _regex,
    "exact": _exact,
    "numeric": _numeric,
    "json_schema": _json_schema,
}
