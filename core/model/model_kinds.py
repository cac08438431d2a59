"""Which kinds of model (`model_type`) the installed transformers has, and the text kind of a multimodal one.
transformers' tables are read as text, since importing them takes seconds and torch. Without transformers (a standalone
build) nothing is known here, and the engine decides."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_OTHER_PARTS = re.compile(r"vision|image|visual|audio|speech|video")
#: Beside the text part's own layers, where all are under one name.
_BESIDE = re.compile(r"vision|image|visual|audio|speech|video|multi_?modal|connector|projector|resampler")
#: Text parts that turn positions along several axes, which are one and the same for text: what they compute then is
#: another kind's, which has a causal language model. Held against the whole models in a test.
SAME_FOR_TEXT = {
    "qwen2_vl_text": "qwen2", "qwen2_5_vl_text": "qwen2", "qwen3_vl_text": "qwen3", "qwen3_vl_moe_text": "qwen3_moe",
}  # fmt: skip


def is_known(kind: str) -> bool | None:
    """Return whether transformers has this kind of model; None if unknown."""
    return _is_in(kind, ("auto_mappings.py", "configuration_auto.py"), "CONFIG_MAPPING_NAMES")


def is_causal(kind: str) -> bool | None:
    """Return whether transformers has a causal language model of this kind; None if unknown."""
    return _is_in(kind, ("modeling_auto.py",), "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES")


def text_kind(config: Mapping[str, Any]) -> str | None:
    """Return the kind of causal language model in a multimodal model's text part, by its config.json; None for a text
    model."""
    parts = [name for name, value in config.items() if name.endswith("_config") and isinstance(value, dict)]
    if not any(_OTHER_PARTS.search(name) for name in parts):
        return None
    text = config.get("text_config")
    kind = text.get("model_type") if isinstance(text, dict) else None
    kind = str(kind or f"{config.get('model_type', '')}_text")
    return SAME_FOR_TEXT.get(kind, kind)


def text_prefix(names: Iterable[str], tail: str = "embed_tokens.weight") -> str | None:
    """Return the prefix of the text part's tensor names: that of the one embedding in the checkpoint. None without
    exactly one embedding."""
    found = [name.removesuffix(tail) for name in names if name == tail or name.endswith(f".{tail}")]
    return found[0] if len(found) == 1 else None


def is_of_text(name: str, prefix: str) -> bool:
    """Return whether a tensor belongs to the text part with that prefix, or is the head."""
    if name.rpartition("lm_head.weight")[1]:
        return True
    return name.startswith(prefix) and not _BESIDE.search(name.removeprefix(prefix).split(".")[0])


def _is_in(kind: str, files: tuple[str, ...], table: str) -> bool | None:
    tables = [found for file in files if (found := _kinds(file, table)) is not None]
    return any(kind in found for found in tables) if tables else None


@lru_cache(maxsize=8)
def _kinds(file: str, table: str) -> frozenset[str] | None:
    spec = find_spec("transformers")  # finds it without importing it
    if spec is None or spec.origin is None:
        return None
    try:
        tree = ast.parse((Path(spec.origin).parent / "models" / "auto" / file).read_bytes())
    except (OSError, SyntaxError):
        return None
    return frozenset(_first_words(tree, table)) or None


def _first_words(tree: ast.Module, table: str) -> Iterator[str]:
    """Yield the keys of a table: `NAME = OrderedDict([("llama", "LlamaForCausalLM"), …])` and `NAME.update({…})`."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            target: ast.expr = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign):
            target = statement.target
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            function = statement.value.func
            target = function.value if isinstance(function, ast.Attribute) else function
        else:
            continue
        if not (isinstance(target, ast.Name) and target.id == table):
            continue
        for node in ast.walk(statement):
            keys = node.elts[:1] if isinstance(node, ast.Tuple) else node.keys if isinstance(node, ast.Dict) else []
            yield from (k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str))
