"""Turns what transformers raises while it loads a model into a sentence with the file, the key and the way out. The
library's own text is kept in the failure's detail."""

from __future__ import annotations

import re
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.base.files import parse_json, read_whole
from core.model import model_kinds
from core.model.facts import ModelFacts
from core.model.model_error import ModelError

_FIELD = re.compile(r"Validation error for field '(\w+)'.*?(?:value: |with value )(.{1,80}?)(?:\)|,| doesn't|$)", re.S)
_CLASS = re.compile(r"Class validation error.*?\n\s*\w+: (.+)", re.S)
_SIZES = re.compile(r"ignore_mismatched_sizes|size mismatch")
_ATTENTION = re.compile(
    r"(\w+) does not support (.{0,80}?(?:[Ff]lash[ _][Aa]ttention|scaled_dot_product|flex_attention))"
)
_ATTENTIONS = {"scaled_dot_product": "sdpa", "flex_attention": "flex_attention", "lash": "flash_attention_2"}
#: Tokenizers without a tokenizer.json: the package that reads them, and the files it reads.
_TOKENIZER_PACKAGES = {"sentencepiece": ("*.model", "*.spm"), "tiktoken": ("*.tiktoken",)}
_PACKAGE = re.compile(r"pip install (?:-\S+ )*['\"]?([\w-]+)")


def is_of_the_machine(error: Exception) -> bool:
    """Return whether a driver or device failed and not the model; its text is then passed on."""
    return isinstance(error, RuntimeError) and not _SIZES.search(str(error))


def config_fault(facts: ModelFacts, error: Exception) -> ModelError | None:
    """Return the fault in config.json if the error is about it, else None. The tokenizer is read by config.json too."""
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
    if found := _ATTENTION.search(text):
        name = next(name for word, name in _ATTENTIONS.items() if word in found[2])
        return ModelError(
            f"{found[1]} has no {name} attention in transformers {version('transformers')}: the model is fine, the "
            "choice is not",
            "Choose another attention, such as eager.",
        )
    kind, own = _model_type(config), version("transformers")
    if not kind:
        message = f"{facts.path}: transformers {own} cannot load this model (config.json names no model_type)"
        return ModelError(message, "Get the file again. The log has what the library said.")
    if model_kinds.is_known(kind) is False:
        return ModelError(
            f"{facts.path}: transformers {own} has no model of the kind {kind}",
            "It may be newer than the installed transformers. The log has what the library said.",
        )
    if model_kinds.is_causal(kind) is False:
        return ModelError(
            f"{facts.path}: transformers {own} has no causal language model of the kind {kind}",
            "Dyno measures models that continue text (…ForCausalLM). Choose one of those.",
        )
    return ModelError(
        f"{facts.path}: transformers {own} cannot load this model (its model_type is {kind})",
        "Its files may not belong together: get them from the same place again. The log has what the library said.",
    )


def unreadable_tokenizer(facts: ModelFacts, error: Exception, trusted: bool) -> ModelError:
    """Return why a folder's tokenizer cannot be loaded: code that was not allowed, a package, or its files."""
    if fault := config_fault(facts, error):
        return fault
    folder = Path(facts.path)
    settings = _read(folder / "tokenizer_config.json")
    own = settings.get("auto_map")
    if isinstance(own, dict) and own.get("AutoTokenizer") and not trusted:
        names = own["AutoTokenizer"]
        shown = next((n for n in names if n), "") if isinstance(names, list) else names
        return ModelError(
            f"{folder}: the tokenizer brings its own Python code ({shown}), which does not run unless you allow it",
            "If you trust its author, allow remote code for this model (trust_remote_code = true).",
        )
    for package, files in _TOKENIZER_PACKAGES.items():
        found = [p.name for pattern in files for p in sorted(folder.glob(pattern))]
        if found and not (folder / "tokenizer.json").is_file() and find_spec(package) is None:
            return ModelError(
                f"{folder}: its tokenizer ({found[0]}) is read by the package {package}", f"pip install {package}"
            )
    return ModelError(
        f"{folder}: the tokenizer cannot be loaded",
        "Get the tokenizer's files (tokenizer.json, tokenizer_config.json) into the same folder. "
        "The log has what the library said.",
    )


def _read(file: Path) -> dict[str, Any]:
    try:
        found = parse_json(read_whole(file))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _model_type(config: Path) -> str:
    return str(_read(config).get("model_type") or "")
