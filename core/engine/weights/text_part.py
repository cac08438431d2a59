"""Loads the text part of a multimodal model as a causal language model, without the other parts' weights: nothing of
them is quantized or pruned."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING

from core.base.files import parse_json, read_whole
from core.model.model_kinds import SAME_FOR_TEXT, is_of_text, text_kind, text_prefix
from core.model.safetensors_header import read_tensors

#: Of positions along several axes; text has one.
_AXES = ("mrope_section", "mrope_interleaved")
#: What a text part always does, and its kind of language model does where its config says so.
_ALWAYS = {"qwen3_vl_moe_text": {"norm_topk_prob": True}}


@dataclass(frozen=True)
class TextPart:
    """How to load a text part. `config` is the language model's; `renames` maps patterns of names in the checkpoint to
    new names."""

    config: Any
    prefix: str
    renames: dict[str, str] = field(default_factory=dict)

    def options(self) -> dict[str, Any]:
        """Return options for `AutoModelForCausalLM.from_pretrained`."""
        return {"config": self.config, "key_mapping": self.renames}

    def renamed(self, name: str) -> str:
        """Return the new name of a name in the checkpoint."""
        for pattern, becomes in self.renames.items():
            name = re.sub(pattern, becomes, name)
        return name

    def holds(self, name: str) -> bool:
        """Return whether a name in the checkpoint, or its new name, belongs to the text part."""
        return is_of_text(name, self.prefix)


def text_part(folder: Path, **trusted: Any) -> TextPart | None:
    """Return how to load a folder's text part; None for a text model, or if transformers has no causal language model
    of its kind. Raises what transformers raises."""
    if text_kind(parse_json(read_whole(folder / "config.json"))) is None:
        return None
    names = [t.name for file in sorted(folder.glob("*.safetensors")) for t in read_tensors(file)]
    whole = AutoConfig.from_pretrained(folder, **trusted)
    text = whole.get_text_config(decoder=True)
    if text is whole:
        return None
    text = _of_text_alone(text)
    with torch.device("meta"):
        if type(text) not in MODEL_FOR_CAUSAL_LM_MAPPING:
            return None
        model = AutoModelForCausalLM.from_config(text)
    inputs = model.get_input_embeddings().weight
    own = next(name for name, value in model.named_parameters() if value is inputs)
    begin = f"{model.base_model_prefix}."
    tail = own.removeprefix(begin)
    prefix = text_prefix(names, tail)
    if prefix is None:
        return None
    heads = [name for name in names if name == "lm_head.weight" or name.endswith(".lm_head.weight")]
    text.tie_word_embeddings = not heads or bool(getattr(whole, "tie_word_embeddings", False))
    renames = {}
    if prefix != begin:
        renames[f"^{re.escape(prefix)}"] = own.removesuffix(tail)
    if heads and heads[0] != "lm_head.weight":
        renames[f"^{re.escape(heads[0])}"] = "lm_head.weight"
    return TextPart(text, prefix, renames)


def _of_text_alone(text: Any) -> Any:
    """Return the config of a kind with a causal language model that computes the same, if the part's own kind
    has none."""
    kind = SAME_FOR_TEXT.get(text.model_type)
    if kind is None:
        return text
    values = text.to_dict()
    rope = {name: value for name, value in (values.get("rope_parameters") or {}).items() if name not in _AXES}
    if rope.get("rope_type") == "mrope":
        rope["rope_type"] = "default"
    values |= {"rope_parameters": rope, "rope_scaling": None, **_ALWAYS.get(text.model_type, {})}
    return AutoConfig.for_model(kind, **{name: value for name, value in values.items() if name != "model_type"})
