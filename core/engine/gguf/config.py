"""Turns a GGUF file's metadata into a transformers config. Every key of the file is used, known to be without effect,
or refused by name. transformers' own reader makes the config and drops keys that it has no name for: scaled rotary
embeddings, head width, scales.

The meaning of the keys is that of llama.cpp (src/llama-model.cpp, load_hparams, https://github.com/ggml-org/llama.cpp);
their names are those of gguf's `constants.Keys`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from huggingface_hub.errors import StrictDataclassError
from transformers import AutoConfig
from transformers.integrations.gguf import GGUF_CONFIG_ARCHS, read_gguf_metadata

from core.engine.gguf.rope import is_of_rope, rope_parameters
from core.model.gguf_header import Header
from core.model.model_error import ModelError

#: What a key is called in transformers: the first of the names that the config has. A list of one value for each layer
#: is taken where all are the same.
_NAMES: dict[str, tuple[str, ...]] = {
    "vocab_size": ("vocab_size",),
    "context_length": ("max_position_embeddings", "n_positions"),
    "embedding_length": ("hidden_size", "n_embd"),
    "block_count": ("num_hidden_layers", "n_layer"),
    "feed_forward_length": ("intermediate_size", "ffn_hidden_size", "n_inner"),
    "attention.head_count": ("num_attention_heads", "n_head"),
    "attention.head_count_kv": ("num_kv_heads", "num_key_value_heads"),
    "attention.key_length": ("global_head_dim", "head_dim"),
    "attention.key_length_swa": ("head_dim",),
    "attention.shared_kv_layers": ("num_kv_shared_layers",),
    "embedding_length_per_layer_input": ("hidden_size_per_layer_input",),
    "attention.layer_norm_rms_epsilon": ("rms_norm_eps", "norm_eps", "layer_norm_epsilon"),
    "attention.layer_norm_epsilon": ("layer_norm_eps", "layer_norm_epsilon", "norm_epsilon", "norm_eps"),
    "attention.sliding_window": ("sliding_window",),
    "attention.clamp_kqv": ("clip_qkv",),
    "attn_logit_softcapping": ("attn_logit_softcapping",),
    "final_logit_softcapping": ("final_logit_softcapping",),
    "logit_scale": ("logit_scale", "logits_scaling"),
    "residual_scale": ("residual_multiplier",),
    "embedding_scale": ("embedding_multiplier",),
    "expert_count": ("num_experts", "num_local_experts"),
    "expert_used_count": ("num_experts_per_tok",),
    "expert_feed_forward_length": ("moe_intermediate_size",),
    "expert_shared_feed_forward_length": ("shared_expert_intermediate_size",),
    "expert_weights_norm": ("norm_topk_prob",),
    "expert_weights_scale": ("routed_scaling_factor",),
    "ssm.conv_kernel": ("conv_kernel",),
    "ssm.state_size": ("state_size",),
    "ssm.time_step_rank": ("time_step_rank",),
    "ssm.inner_size": ("intermediate_size",),
    "shortconv.l_cache": ("conv_L_cache",),
}
#: Values of a key that leave the function as it is without it.
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "attention.causal": (True,),
    "attention.head_count": (0,),  # of a model without attention
    "attention.head_count_kv": (0,),
    "feed_forward_length": (0,),
    "attention.clamp_kqv": (0,),
    "attention.max_alibi_bias": (0,),
    "attention.sliding_window": (0,),
    "attention.scale": (0,),
    "attention.temperature_length": (0,),
    "attention.temperature_scale": (0,),
    "attn_logit_softcapping": (0,),
    "final_logit_softcapping": (0,),
    "router_logit_softcapping": (0,),
    "logit_scale": (0, 1),
    "residual_scale": (0, 1),
    "embedding_scale": (0, 1),
    "expert_count": (0,),
    "expert_used_count": (0,),
    "expert_shared_count": (0,),
    "expert_feed_forward_length": (0,),
    "expert_shared_feed_forward_length": (0,),
    "expert_group_count": (0, 1),
    "expert_group_used_count": (0, 1),
    "expert_weights_norm": (False,),
    "expert_weights_scale": (0, 1),
    "expert_gating_func": (0, 1),  # none stated, softmax
    "interleave_moe_layer_step": (0, 1),
    "leading_dense_block_count": (0,),
    "nextn_predict_layers": (0,),
    "attention.group_norm_groups": (0,),
    "swiglu_clamp_exp": (0,),
    "swiglu_clamp_shexp": (0,),
    "ssm.group_count": (0,),
    "ssm.dt_b_c_rms": (False,),
}
#: Keys whose 0 is a None in a config.
_NONE = {"attention.sliding_window", "attention.clamp_kqv", "attn_logit_softcapping", "final_logit_softcapping"}
#: Keys that describe the file, its origin or its use.
_WITHOUT_EFFECT = {"tensor_data_layout", "pooling_type", "rope.scaling.finetuned", "use_parallel_residual"}


class _Recorded(dict[str, Any]):
    """Metadata that remembers which keys were read."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.asked: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().get(key, default)


def read_config(source: Path, header: Header, named: Path) -> Any:
    """Return the config of a whole file's model; `named` is the path that the user knows. Raises ModelError for a key
    that transformers cannot represent or read, and passes on what its reader raises."""
    family = str(header.metadata.get("general.architecture", ""))
    values, asked = _values(source, family)
    try:
        config = AutoConfig.from_pretrained(str(source.parent), gguf_file=source.name)
    except (StrictDataclassError, ArithmeticError, TypeError) as error:
        lists = [name for name, value in values.items() if isinstance(value, list) and name in _NAMES]
        if lists:
            raise _by_layer(named, family, lists[0]) from error
        raise ModelError(
            f"{named}: the sizes in its metadata make no model of the kind {family}",
            "Get the file again, or convert the model anew. The log has what the library said.",
        ) from error
    if family == "llama" and config.model_type != "llama":  # by the file's name alone: with the window of another model
        config = AutoConfig.for_model("llama", **{**config.to_dict(), "model_type": "llama"})
    changes: dict[str, Any] = {}
    tensors = [t.name for t in header.tensors]

    def refusal(name: str) -> ModelError:
        return _refusal(named, family, name, values.get(name))

    for name, value in values.items():
        if name not in asked and name not in _WITHOUT_EFFECT and not name.startswith("rope."):
            _take(config, changes, name, value, refusal)
    _add_unstated(config, changes, header, values)
    if any(name.startswith("rope.") and name not in asked for name in values) or any(map(is_of_rope, tensors)):
        width, context = head_dim(config, changes), values.get("context_length", 0)
        changes |= rope_parameters(config, width, context, values, source, named, header, refusal)
    return type(config).from_dict({**config.to_dict(), **changes})


def _add_unstated(config: Any, changes: dict[str, Any], header: Header, values: dict[str, Any]) -> None:
    """Add what a file states by its tensors or its architecture, as llama.cpp reads it."""
    shapes = {t.name: t.shape for t in header.tensors}
    changes["tie_word_embeddings"] = "output.weight" not in shapes
    if "token_embd.weight" in shapes:
        rows = changes["vocab_size"] = shapes["token_embd.weight"][-1]
        for name in ("pad_token_id", "bos_token_id", "eos_token_id"):
            value = getattr(config, name, None)
            if isinstance(value, int) and value >= rows:  # the default of the kind, and no token of this file
                changes[name] = None
    if "per_layer_token_embd.weight" in shapes and _has(config, "vocab_size_per_layer_input"):
        changes["vocab_size_per_layer_input"] = shapes["per_layer_token_embd.weight"][-1]
    if _has(config, "query_pre_attn_scalar") and "attention.scale" not in values:
        width, heads = head_dim(config, changes), changes.get("num_attention_heads") or config.num_attention_heads
        hidden = changes.get("hidden_size") or config.hidden_size
        # Gemma's 27B, which llama.cpp tells by its layers, are the ones that divide by the width of the stream.
        large = (config.model_type, values.get("block_count")) in (("gemma2", 46), ("gemma3_text", 62))
        changes["query_pre_attn_scalar"] = hidden // heads if large else width


def _values(source: Path, family: str) -> tuple[dict[str, Any], set[str]]:
    """Return the architecture's keys without its name, and the keys that transformers' new reader handles."""
    metadata, tensors = read_gguf_metadata(str(source))
    seen = _Recorded(metadata)
    if family in GGUF_CONFIG_ARCHS:
        GGUF_CONFIG_ARCHS[family](seen, tensors)
    prefix = f"{family}."
    values = {key.removeprefix(prefix): value for key, value in metadata.items() if key.startswith(prefix)}
    return values, {key.removeprefix(prefix) for key in seen.asked}


def _refusal(named: Path, family: str, name: str, value: Any) -> ModelError:
    shown = f"{value:.6g}" if isinstance(value, float) else str(value)[:100]
    what = name if value is None else f"{family}.{name} = {shown}"
    return ModelError(
        f"{named}: {what} changes what the model computes, and transformers does not take it over for models of the "
        f"kind {family}",
        "Use the model's safetensors folder instead.",
    )


def _by_layer(named: Path, family: str, name: str) -> ModelError:
    return ModelError(
        f"{named}: {family}.{name} has a value for each layer, and transformers reads one for all in models of the "
        f"kind {family}",
        "Use the model's safetensors folder instead.",
    )


def _take(config: Any, changes: dict[str, Any], name: str, value: Any, refusal: Callable[[str], ModelError]) -> None:
    """Put one value where the config has a place for it. Raises ModelError."""
    if isinstance(value, list) and name != "attention.sliding_window_pattern" and len(set(value)) == 1:
        value = value[0]
    place = next((n for n in _NAMES.get(name, ()) if _has(config, n)), None)
    if place is not None and not isinstance(value, list):
        if value != 0 or isinstance(value, bool):
            changes[place] = value
        elif name in _NONE:
            changes[place] = None
        return
    if value in _NEUTRAL.get(name, ()):
        return
    width = head_dim(config, changes)
    if any(value == getattr(config, n, None) for n in _NAMES.get(name, ())):  # it follows from others
        return
    if name == "attention.value_length" and value == (changes.get("global_head_dim") or width):
        return
    if (name == "attention.value_length_swa" and value == width) or (name == "attention.key_length" and value == width):
        return
    if name == "attention.head_count_kv" and value == (
        changes.get("num_attention_heads") or config.num_attention_heads
    ):
        return
    if name == "attention.sliding_window_pattern" and _has(config, "layer_types") and isinstance(value, list):
        changes["layer_types"] = ["sliding_attention" if slides else "full_attention" for slides in value]
        return
    if name == "attention.scale":
        scalar = value**-2
        if _has(config, "query_pre_attn_scalar") and math.isclose(scalar, round(scalar), rel_tol=1e-5):
            changes["query_pre_attn_scalar"] = round(scalar)
        elif _has(config, "attention_multiplier"):
            changes["attention_multiplier"] = value
        elif not width or not math.isclose(value, width**-0.5, rel_tol=1e-5):
            raise refusal(name)
        return
    if name == "expert_gating_func" and _has(config, "scoring_func"):
        return  # transformers' reader translates it
    if name == "context_length":
        return  # of a model that has no limit of its own (ALiBi)
    if name == "feed_forward_length" and value == 4 * (changes.get("hidden_size") or config.hidden_size):
        return
    raise refusal(name)


def _has(config: Any, name: str) -> bool:
    """Return whether a config class knows a setting; an unknown one would become an attribute without effect."""
    return hasattr(type(config), name) or name in (getattr(config, "attribute_map", None) or {})


def head_dim(config: Any, changes: dict[str, Any]) -> int | None:
    """Return the width of a head from a config and its pending changes; None without heads."""

    def of(*names: str) -> int | None:
        return next((v for n in names if (v := changes.get(n) or getattr(config, n, None))), None)

    hidden, heads = of("hidden_size", "n_embd"), of("num_attention_heads", "n_head")
    return of("head_dim") or (hidden // heads if hidden and heads else None)
