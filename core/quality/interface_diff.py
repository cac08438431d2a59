"""Compares the interfaces of variant and baseline, one line per difference."""

from __future__ import annotations

from typing import Any

from core.base.value import Value
from core.protocol.events import Interface


class InterfaceDifference(Value):
    """One difference. `expected` means that the variant's recipe asks for it, so that its user knows."""

    text: str
    expected: bool = False


def differences(
    baseline: Interface, variant: Interface, dtypes: tuple[str, str] = ("", "")
) -> list[InterfaceDifference]:
    """Return the differences in the order in which a caller would meet them; empty if there are none. `dtypes` are the
    types of the loaded models: logits of another precision are expected."""
    found = _inputs(baseline.inputs, variant.inputs)
    if baseline.logits_shape != variant.logits_shape:
        found.append(_changed("logits shape", _shape(baseline.logits_shape), _shape(variant.logits_shape)))
    if baseline.logits_dtype != variant.logits_dtype:
        line = _changed("logits type", baseline.logits_dtype, variant.logits_dtype)
        if dtypes[0] != dtypes[1]:
            line = InterfaceDifference(text=f"{line.text}, as the other precision has it", expected=True)
        found.append(line)
    for name, title in (
        ("vocabulary", "vocabulary size"),
        ("tokens", "tokens that the tokenizer knows"),
        ("chat_template", "chat template"),
        ("max_length", "longest context"),
    ):
        before, after = getattr(baseline, name), getattr(variant, name)
        if before != after:
            found.append(_changed(title, _short(before), _short(after)))
    found += _entries("special token", baseline.special_tokens, variant.special_tokens)
    return found + _entries("generation setting", baseline.generation, variant.generation)


def _inputs(before: list[str], after: list[str]) -> list[InterfaceDifference]:
    gone = [name for name in before if name not in after]
    new = [name for name in after if name not in before]
    words = ([f"no longer takes {', '.join(gone)}"] if gone else []) + ([f"also takes {', '.join(new)}"] if new else [])
    if not words and before != after:
        words = ["takes its inputs in another order"]
    return [InterfaceDifference(text=f"forward {w}") for w in words]


def _entries(what: str, before: dict[str, Any], after: dict[str, Any]) -> list[InterfaceDifference]:
    names = list(dict.fromkeys([*before, *after]))
    return [
        _changed(f"{what} {name}", _short(before.get(name)), _short(after.get(name)))
        for name in names
        if before.get(name) != after.get(name)
    ]


def _changed(what: str, before: str, after: str) -> InterfaceDifference:
    return InterfaceDifference(text=f"{what}: {before} → {after}")


def _shape(sizes: list[int]) -> str:
    return " × ".join(map(str, sizes))


def _short(value: Any) -> str:
    """Return a digest by its first digits, or a long text cut."""
    if value is None or value == "":
        return "none"
    text = str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"
