"""Recognizes folders that are no model for transformers: adapters, weights under other names, several GGUF files, image
models without a known text part. Each error names what it found and the way out. Only names and small JSON files are
read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from core.base.files import parse_json, read_whole
from core.model import gguf_parts, model_kinds
from core.model.model_error import ModelError, shortened

_SHARD = re.compile(r"-\d{5}-of-\d{5}\.safetensors$")


def check_text_part(folder: Path, config: dict[str, Any]) -> None:
    """Check that a multimodal model has a causal language model of its kind or of its text part's. Raises
    ModelError."""
    kind = model_kinds.text_kind(config)
    if kind is None or model_kinds.is_causal(kind) is not False or model_kinds.is_causal(str(config.get("model_type"))):
        return
    names = config.get("architectures") or [config.get("model_type", "")]
    what, hint = names[0], "Choose a model of text alone, or the one that this was made from."
    if "vision_config" in config:
        raise ModelError(
            f"{folder}: is a model of images and text ({what}), and transformers has no causal language model of the "
            f"kind {kind}",
            hint,
        )
    raise ModelError(
        f"{folder}: is a model of more than text ({what}), and transformers has no causal language model of the kind "
        f"{kind}",
        hint,
    )


def check_adapter(folder: Path) -> None:
    """Refuse an adapter: the model that it changes is another one. Raises ModelError."""
    file = folder / "adapter_config.json"
    if not file.is_file():
        return
    try:
        config = parse_json(read_whole(file))
    except ValueError:
        config = None
    found = config if isinstance(config, dict) else {}
    kind = shortened(str(found.get("peft_type") or "PEFT"))
    base = shortened(str(found.get("base_model_name_or_path") or "?"))
    if (folder / "config.json").is_file():
        raise ModelError(
            f"{folder}: holds an adapter beside the weights (adapter_config.json, {kind} of {base}), which is not "
            "applied",
            "Merge it into the weights first (peft: merge_and_unload), or take adapter_config.json out of the folder.",
        )
    raise ModelError(
        f"{folder}: is an adapter ({kind}) of {base}, not a model",
        "Merge it into its base first (peft: merge_and_unload), and give the folder of the result.",
    )


def check_names(folder: Path) -> None:
    """Refuse weights under names that transformers does not look for. Raises ModelError."""
    others = sorted(p.name for p in folder.glob("*.safetensors"))
    if any(_SHARD.search(name) for name in others):
        raise ModelError(
            f"{folder}: {next(n for n in others if _SHARD.search(n))} is there, and its index "
            "(model.safetensors.index.json) is missing",
            "Get the index from where the weights come from: it says which tensor is in which file.",
        )
    if others:
        raise ModelError(
            f"{folder}: its weights ({others[0]}) do not have a name that transformers reads (model.safetensors)",
            "Get the model in the layout of transformers, or rename the file if it is that.",
        )


def only_gguf(folder: Path) -> Path | None:
    """Return the GGUF file of a revision that holds nothing else, a split one by its first part. Raises ModelError if
    there are several."""
    files = sorted(p for p in folder.rglob("*") if p.suffix.lower() == ".gguf")
    if not files or (folder / "config.json").is_file():
        return None
    models = [f for f in files if gguf_parts.number(f) == 1]
    models = [f for f in models if not f.name.startswith("mmproj")] or files  # the eyes of a model, not a model
    if len(models) > 1:
        shown = ", ".join(f.relative_to(folder).as_posix() for f in models[:8]) + (", …" if len(models) > 8 else "")
        raise ModelError(
            f"{folder}: holds {len(models)} GGUF files: {shown}", f"Give the path of one of them: {models[0]}"
        )
    return models[0]
