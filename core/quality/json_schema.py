"""Validates a model's JSON by JSON Schema (draft 2020-12). Nothing is fetched, and a schema's pattern has a
time limit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

PATTERN_S = 1.0


class Unjudged(ValueError):
    """Whether an answer passes cannot be decided; the message says why."""


def search(pattern: str, text: str) -> bool:
    """Return whether a pattern occurs in a text. Raises Unjudged after a second."""
    import regex

    try:
        return regex.search(pattern, text, timeout=PATTERN_S, concurrent=True) is not None
    except (TimeoutError, MemoryError):
        raise Unjudged(f"the pattern {pattern!r} takes longer than {PATTERN_S:g} s, or too much memory") from None


def pattern_fault(pattern: str) -> str:
    """Return why this is no regular expression, or ""."""
    import regex

    try:
        regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        return f"not a regular expression: {error or 'it is too large'}"
    return ""


def schema_fault(schema: dict[str, Any]) -> str:
    """Return why this is no usable schema, or ""."""
    from jsonschema import SchemaError

    try:
        _validator().check_schema(schema)
    except SchemaError as error:
        place = ".".join(map(str, error.absolute_path))
        return f"not a JSON Schema: {place + ': ' if place else ''}{error.message}"
    except RecursionError:
        return "not a JSON Schema: it is nested too deeply"
    for key, value in _keywords(schema):
        if key == "patternProperties":
            return "patternProperties is not supported: name the properties, or use propertyNames"
        if key == "$ref" and not str(value).startswith("#"):
            return f"$ref: {value!r} is not within the schema: nothing is fetched"
        if key == "pattern" and isinstance(value, str) and (fault := pattern_fault(value)):
            return f"pattern: {fault}"
    return ""


def faults(schema: dict[str, Any], value: Any) -> str:
    """Return the first fault of a value under a schema with its place; "" for none. Raises Unjudged."""
    import referencing
    from referencing.exceptions import Unresolvable

    try:
        validator = _validator()(schema, registry=referencing.Registry())
        found = min(validator.iter_errors(value), key=lambda e: list(map(str, e.absolute_path)), default=None)
    except Unresolvable as error:
        raise Unjudged(f"the schema refers to what is not in it: {error.ref}") from None
    except RecursionError:
        raise Unjudged("the schema refers to itself without end, or the answer is nested too deeply") from None
    if found is None:
        return ""
    place = ".".join(map(str, found.absolute_path))
    return f"its JSON does not fit the schema: {place + ': ' if place else ''}{found.message[:200]}"


@cache
def _validator() -> Any:
    """Return the standard's validator with time-limited patterns."""
    from jsonschema import Draft202012Validator, ValidationError, validators

    def pattern(validator: Any, wanted: str, value: Any, schema: Any) -> Iterator[ValidationError]:
        if validator.is_type(value, "string") and not search(wanted, value):
            yield ValidationError(f"{value!r} does not match {wanted!r}")

    return validators.extend(Draft202012Validator, {"pattern": pattern})


def _keywords(schema: Any) -> Iterator[tuple[str, Any]]:
    """Yield every keyword with its value, at any depth; names of properties are no keywords."""
    if isinstance(schema, list):
        for item in schema:
            yield from _keywords(item)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key in ("properties", "$defs", "dependentSchemas") and isinstance(value, dict):
                yield from (found for inner in value.values() for found in _keywords(inner))
            elif key not in ("const", "enum", "default", "examples"):
                yield key, value
                yield from _keywords(value)
