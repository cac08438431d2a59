"""The titles and ranges of form fields."""

from __future__ import annotations

import types
from typing import Any, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from app.base.core_text import spoken
from core.wording import recipe_text


def words(name: str, field: FieldInfo) -> str:
    """Return a field's title, or its name in sentence case."""
    return recipe_text.parameter(name, field, spoken())


def bounds(field: FieldInfo) -> tuple[float | None, float | None, bool, bool]:
    """Return (low, high, low is excluded, high is excluded) of the field's constraints."""
    low = high = None
    above = below = False
    for rule in field.metadata:
        for name in ("ge", "gt"):
            if getattr(rule, name, None) is not None:
                low, above = float(getattr(rule, name)), name == "gt"
        for name in ("le", "lt"):
            if getattr(rule, name, None) is not None:
                high, below = float(getattr(rule, name)), name == "lt"
    return low, high, above, below


def plain_type(annotation: Any) -> Any:
    """Return the type without `| None`."""
    if get_origin(annotation) in (Union, types.UnionType):
        inner = [a for a in get_args(annotation) if a is not type(None)]
        return inner[0] if len(inner) == 1 else str
    return annotation
