"""Reads the sizes of a text model from config.json, under the names of any family: layers, heads, cached elements per
layer, experts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.model.safetensors_header import SafetensorsTensor

NAMES = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "hidden": ("hidden_size", "n_embd", "d_model"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"),
    "vocab": ("vocab_size",),
    "context": ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"),
}
#: The number of experts in a layer, and how many of them a token meets.
EXPERTS = ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
EXPERTS_PER_TOKEN = ("num_experts_per_tok", "experts_per_token", "top_k_experts", "moe_topk", "moe_k", "moe_top_k")
MOST_LAYERS = 100_000
#: Kinds of layers that keep a state, or nothing.
_WITHOUT_ROWS = ("linear_attention", "conv", "mamba", "recurrent", "moe", "mlp")
#: Families whose every n-th layer attends to everything, and the others to a window, where a config does not say.
_EVERY = {"gemma2": 2, "gemma3": 6, "gemma3_text": 6, "gpt_oss": 2, "gpt-oss": 2, "cohere2": 4}


def text_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the text part of a multimodal config, or the config itself."""
    text = config.get("text_config")
    return {**config, **text} if isinstance(text, dict) else config


def sizes(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sizes of the text model."""
    text = text_config(config)

    def first(*names: str) -> int | None:
        return next((text[n] for n in names if isinstance(text.get(n), int)), None)

    hidden, heads = first(*NAMES["hidden"]), first(*NAMES["heads"])
    return {
        "architecture": str((config.get("architectures") or [config.get("model_type", "")])[0]),
        "layers": first(*NAMES["layers"]),
        "hidden": hidden,
        "intermediate": first("intermediate_size", "n_inner", "ffn_dim") or (4 * hidden if hidden else None),
        "expert_intermediate": first("moe_intermediate_size", "expert_ffn_hidden_size"),
        "heads": heads,
        "kv_heads": _kv_heads(text, heads),
        "head_dim": first("head_dim") or (hidden // heads if hidden and heads else None),
        "vocab": first(*NAMES["vocab"]),
        "context": _context(text, first(*NAMES["context"])),
        "kv_row": _latent_row(text),
        **cached_layers(text, first(*NAMES["layers"]) or 0),
    }


def _kv_heads(text: Mapping[str, Any], heads: int | None) -> int | None:
    """Return the number of key-value heads: 1 for multi-query attention, unless a newer layout of the family has
    groups."""
    if text.get("multi_query") is True and not text.get("new_decoder_architecture"):
        return 1
    names = (
        ("num_key_value_heads", "num_kv_heads") if text.get("new_decoder_architecture") else ("num_key_value_heads",)
    )
    return next((text[name] for name in names if isinstance(text.get(name), int)), None) or heads


def _latent_row(text: Mapping[str, Any]) -> int | None:
    """Return the elements that latent attention caches per position (the compressed row and the rotary part, shared by
    all heads); None for other attention."""
    rank, rotary = text.get("kv_lora_rank"), text.get("qk_rope_head_dim")
    return rank + rotary if isinstance(rank, int) and isinstance(rotary, int) else None


def _context(text: Mapping[str, Any], stated: int | None) -> int | None:
    """Return the positions that a model supports. Scaled rotary embeddings reach `factor` times the length that they
    scale, whether or not max_position_embeddings was raised (Qwen's instructions for YaRN leave it)."""
    found = [text.get("rope_parameters"), text.get("rope_scaling")]
    found += [part for ropes in found if isinstance(ropes, dict) for part in ropes.values()]  # one for a kind of layer
    scaled = [
        round(rope["factor"] * rope["original_max_position_embeddings"])
        for rope in found
        if isinstance(rope, dict)
        and isinstance(rope.get("factor"), int | float)
        and isinstance(rope.get("original_max_position_embeddings"), int)
        and 1 <= rope["factor"] < 1e6
    ]
    return stated and max([stated, *scaled])


def cached_layers(text: Mapping[str, Any], layers: int) -> dict[str, int]:
    """Return how many layers keep a sliding window, and how many keep no rows, by the rules of transformers' caches."""
    if layers > MOST_LAYERS:  # a list of them would take for ever, and the model is refused for it
        return {}

    def whole(name: str) -> int:
        value = text.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

    window = whole("sliding_window") or whole("attention_chunk_size")
    kinds = text.get("layer_types")
    if "state_size" in text and "conv_kernel" in text and not isinstance(kinds, list):
        kinds = ["mamba"] * layers  # the whole family has no other kind, and names none
    elif not isinstance(kinds, list) or len(kinds) != layers:
        every = whole("sliding_window_pattern") or _EVERY.get(str(text.get("model_type")), 0)
        slides = bool(window) and text.get("use_sliding_window") is not False
        first = whole("max_window_layers") if text.get("use_sliding_window") else 0  # Qwen2: full up to there
        kinds = [
            "sliding_attention" if slides and i >= first and not (every and (i + 1) % every == 0) else "full_attention"
            for i in range(layers)
        ]
    own = kinds[: layers - min(layers, whole("num_kv_shared_layers"))]  # the last ones read the keys of others
    sliding = sum(kind in ("sliding_attention", "chunked_attention") for kind in own) if window else 0
    full = sum(kind not in _WITHOUT_ROWS for kind in own) - sliding
    found = {"uncached_layers": layers - sliding - full, "sliding_layers": sliding}
    return {**found, "window": window} if sliding else found


def expert_parameters(config: Mapping[str, Any], tensors: Sequence[SafetensorsTensor]) -> int:
    """Return the parameters of expert modules, and of tensors that hold one matrix per expert."""
    text = text_config(config)
    counts = [text.get(name) for name in EXPERTS]
    count = next((c for c in counts if isinstance(c, int) and c > 1), None)
    stacked = [t for t in tensors if len(t.shape) == 3 and t.shape[0] == count and min(t.shape) > 1]
    return sum(t.elements for t in tensors if ".experts." in t.name or t in stacked)
