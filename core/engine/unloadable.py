"""From what transformers raises while it loads a model to what a person is told: the file, the key, the way out.

What the library said stays in the detail of the failure. Knows exceptions by what they say; imports no torch.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

from core.files import parse_json
from core.models import ModelError, ModelFacts

_FIELD = re.compile(r"Validation error for field '(\w+)'.*?(?:value: |with value )(.{1,80}?)(?:\)|,| doesn't|$)", re.S)
_CLASS = re.compile(r"Class validation error.*?\n\s*\w+: (.+)", re.S)
_SIZES = re.compile(r"ignore_mismatched_sizes|size mismatch")
_PACKAGE = re.compile(r"pip install (?:-\S+ )*['\"]?([\w-]+)")


def is_of_the_machine(error: Exception) -> bool:
    """A driver or a device that failed, and no model: what it says is said as it is."""
    return isinstance(error, RuntimeError) and not _SIZES.search(str(error))


def config_fault(facts: ModelFacts, error: Exception) -> ModelError | None:
    """What is wrong with config.json, if that is what the error is about: the tokenizer is read by it too."""
    config, text = Path(facts.path) / "config.json", str(error)
    if found := _FIELD.search(text):
        return ModelError(f"{config}: {found[1]} cannot be {found[2].strip()}", "Get the file again.")
    if found := _CLASS.search(text):
        return ModelError(f"{config}: {found[1].strip().splitlines()[0]}", "Get the file again.")
    return None


def unloadable(facts: ModelFacts, error: Exception) -> ModelError:
    config, text = Path(facts.path) / "config.json", str(error)
    if fault := config_fault(facts, error):
        return fault
    if _SIZES.search(text):
        return ModelError(
            f"{facts.path}: the tensors of the weights do not have the sizes that config.json states",
            "Get config.json and the weights from the same place again.",
        )
    if isinstance(error, ImportError) and (found := _PACKAGE.search(text)):
        return ModelError(f"{facts.path}: this model needs the package {found[1]}", f"pip install {found[1]}")
    if facts.scheme is not None and facts.scheme.layout is None:
        return ModelError(
            f"{facts.path}: transformers {version('transformers')} cannot load weights quantized with "
            f"{facts.scheme.method} here",
            "Choose the model as it was before it was quantized, or another quantization of it. "
            "The log has what the library said.",
        )
    kind = _model_type(config)
    return ModelError(
        f"{facts.path}: transformers {version('transformers')} cannot load this model "
        + (f"(its model_type is {kind})" if kind else "(config.json names no model_type)"),
        "It may be of a kind that is newer than the installed transformers, or its files do not belong together. "
        "The log has what the library said.",
    )


def _model_type(config: Path) -> str:
    try:
        return str(parse_json(config.read_bytes()).get("model_type") or "")
    except (OSError, ValueError, AttributeError):
        return ""
