"""Tiny random models of a hundred architectures, made from transformers' own config classes: four layers, 64 wide, the
byte vocabulary of `tests.core.tiny`.

Sizes are multiples of what quantized kernels take, but for layers that are narrow in every model (gates, routers). An
architecture is its `model_type` and what its config needs beside `_COMMON`; two that differ by a config alone (with and
without a window) are two kinds.
"""

from __future__ import annotations

import copy
import dataclasses
from functools import cache
from typing import Any

import torch
from transformers import CONFIG_MAPPING, PretrainedConfig
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

from tests.core.tiny import BOS, EOS, VOCAB, WINDOW

_COMMON: dict[str, Any] = {
    "vocab_size": VOCAB,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": 512,
    "bos_token_id": BOS,
    "eos_token_id": EOS,
    "pad_token_id": EOS,
    "initializer_range": 0.2,
    "tie_word_embeddings": False,  # tied and random, a model repeats its input
}
_MOE: dict[str, Any] = {"num_local_experts": 4, "num_experts_per_tok": 2}
_SPARSE: dict[str, Any] = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 64}
_ALTERNATE: dict[str, Any] = {
    "sliding_window": WINDOW,
    "layer_types": ["sliding_attention", "full_attention"] * 2,
}
_EVERY_WINDOW: dict[str, Any] = {"sliding_window": WINDOW, "use_sliding_window": True, "max_window_layers": 0}
_LINEAR: dict[str, Any] = {
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 16,
    "linear_value_head_dim": 16,
    "linear_conv_kernel_dim": 4,
    "layer_types": ["linear_attention", "full_attention"] * 2,
}
_MAMBA: dict[str, Any] = {
    "mamba_d_state": 8,
    "mamba_d_conv": 4,
    "mamba_expand": 2,
    "mamba_n_groups": 1,
    "mamba_chunk_size": 16,
}
_LATENT: dict[str, Any] = {
    "num_key_value_heads": 4,
    "kv_lora_rank": 64,
    "q_lora_rank": 64,
    "qk_nope_head_dim": 32,
    "qk_rope_head_dim": 32,
    "v_head_dim": 32,
}
_DEEPSEEK: dict[str, Any] = {
    **_LATENT,
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "n_shared_experts": 1,
    "moe_intermediate_size": 64,
    "first_k_dense_replace": 1,
    "mlp_layer_types": ["dense", "sparse", "sparse", "sparse"],
    "n_group": 1,
    "topk_group": 1,
}
_OLD: dict[str, Any] = {"n_embd": 64, "n_layer": 4, "n_head": 4, "n_inner": 128, "n_positions": 512}


def _rope(rope_type: str = "default", **more: Any) -> dict[str, Any]:
    return {"rope_parameters": {"rope_type": rope_type, "rope_theta": 10000.0, **more}}


_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    # Llama and those that are like it
    "llama": ("llama", {}),
    "llama_tied": ("llama", {"tie_word_embeddings": True}),
    "llama_bias": ("llama", {"attention_bias": True, "mlp_bias": True}),
    "llama3_rope": (
        "llama",
        _rope(
            "llama3",
            factor=4.0,
            low_freq_factor=1.0,
            high_freq_factor=4.0,
            original_max_position_embeddings=128,
        ),
    ),
    "llama_yarn": ("llama", _rope("yarn", factor=4.0, original_max_position_embeddings=128)),
    "llama_dynrope": ("llama", {**_rope("dynamic", factor=4.0), "max_position_embeddings": 512}),
    "mistral": ("mistral", {"sliding_window": WINDOW}),
    "mistral_nowin": ("mistral", {"sliding_window": None}),
    "ministral": ("ministral", _ALTERNATE),
    "ministral3": (
        "ministral3",
        {
            "sliding_window": None,
            **_rope(
                "yarn",
                factor=4.0,
                original_max_position_embeddings=128,
                llama_4_scaling_beta=0.1,
                beta_fast=32.0,
                beta_slow=1.0,
                mscale=1.0,
                mscale_all_dim=1.0,
            ),
        },
    ),
    "qwen2": ("qwen2", {}),
    "qwen2_win": ("qwen2", {**_EVERY_WINDOW, "max_window_layers": 2}),
    "qwen3": ("qwen3", {}),
    "gemma": ("gemma", {}),
    "gemma2": ("gemma2", {**_ALTERNATE, "query_pre_attn_scalar": 16}),
    "gemma3_text": ("gemma3_text", {**_ALTERNATE, "query_pre_attn_scalar": 16}),
    "vaultgemma": ("vaultgemma", {**_ALTERNATE, "query_pre_attn_scalar": 16}),
    "olmo": ("olmo", {}),
    "olmo2": ("olmo2", {}),
    "olmo3": ("olmo3", _ALTERNATE),
    "cohere": ("cohere", {}),
    "cohere2": ("cohere2", _ALTERNATE),
    "granite": ("granite", {}),
    "smollm3": ("smollm3", {"no_rope_layers": [1, 1, 1, 0]}),
    "stablelm": ("stablelm", {}),
    "glm": ("glm", {}),
    "glm4": ("glm4", {}),
    "ernie4_5": ("ernie4_5", {}),
    "hunyuan_dense": ("hunyuan_v1_dense", {}),
    "seed_oss": ("seed_oss", {}),
    "apertus": ("apertus", _rope()),
    "nemotron": ("nemotron", {}),
    "bitnet": ("bitnet", {}),
    "starcoder2": ("starcoder2", {}),
    "starcoder2_win": ("starcoder2", {"sliding_window": WINDOW}),
    "exaone4": ("exaone4", _ALTERNATE),
    "arcee": ("arcee", {}),
    "helium": ("helium", {}),
    "internlm3": ("internlm3", {}),
    "minicpm3": ("minicpm3", _LATENT),
    "nanochat": ("nanochat", {}),
    "cwm": ("cwm", _ALTERNATE),
    "diffllama": ("diffllama", {}),
    "doge": ("doge", {"keep_window_size": 512}),
    "modernbert_decoder": (
        "modernbert-decoder",
        {
            "layer_types": _ALTERNATE["layer_types"],
            "local_attention": WINDOW,
            "cls_token_id": BOS,
            "sep_token_id": EOS,
        },
    ),
    "phi": ("phi", {}),
    "phi3": ("phi3", {}),
    "phi3_win": ("phi3", {"sliding_window": WINDOW}),
    # of their own shape
    "gpt2": ("gpt2", _OLD),
    "gpt_bigcode": ("gpt_bigcode", _OLD),
    "gpt_neo": (
        "gpt_neo",
        {
            "num_layers": 4,
            "num_heads": 4,
            "attention_types": [[["global", "local"], 2]],
            "window_size": WINDOW,
        },
    ),
    "gpt_neox": ("gpt_neox", {}),
    "gptj": ("gptj", {**_OLD, "rotary_dim": 8}),
    "codegen": ("codegen", {**_OLD, "rotary_dim": 8}),
    "opt": ("opt", {"ffn_dim": 128, "word_embed_proj_dim": 64, "init_std": 0.2}),
    "opt_350m": ("opt", {"ffn_dim": 128, "word_embed_proj_dim": 128, "do_layer_norm_before": False, "init_std": 0.5}),
    "bloom": ("bloom", {"n_layer": 4, "n_head": 4}),
    "falcon": ("falcon", {"multi_query": True, "parallel_attn": True}),
    "falcon_alibi": (
        "falcon",
        {"alibi": True, "multi_query": False, "parallel_attn": False, "bias": True},
    ),
    "falcon_new": ("falcon", {"new_decoder_architecture": True, "num_kv_heads": 2}),
    "mpt": ("mpt", {"d_model": 64, "n_heads": 4, "n_layers": 4, "max_seq_len": 512, "expansion_ratio": 2}),
    "persimmon": ("persimmon", {}),
    "xglm": ("xglm", {"d_model": 64, "ffn_dim": 128, "num_layers": 4, "attention_heads": 4, "init_std": 0.2}),
    "biogpt": ("biogpt", {}),
    # mixtures of experts
    "mixtral": ("mixtral", _MOE),
    "qwen2_moe": ("qwen2_moe", {**_SPARSE, "shared_expert_intermediate_size": 64}),
    "qwen3_moe": ("qwen3_moe", _SPARSE),
    "phimoe": ("phimoe", _MOE),
    "olmoe": ("olmoe", {**_SPARSE, "intermediate_size": 64}),
    "deepseek_v2": ("deepseek_v2", _DEEPSEEK),
    "deepseek_v3": ("deepseek_v3", _DEEPSEEK),
    "deepseek_v32": (
        "deepseek_v32",
        {
            **_DEEPSEEK,
            "layer_types": ["indexed_attention"] * 4,
            "index_head_dim": 32,
            "index_n_heads": 2,
            "index_topk": 8,
        },
    ),
    "glm4_moe": ("glm4_moe", {k: v for k, v in _DEEPSEEK.items() if k not in _LATENT}),
    "glm4_moe_lite": ("glm4_moe_lite", _DEEPSEEK),
    "granitemoe": ("granitemoe", _MOE),
    "granitemoeshared": ("granitemoeshared", {**_MOE, "shared_intermediate_size": 64}),
    "gemma4_moe": (
        "gemma4_text",
        {
            **_ALTERNATE,
            "enable_moe_block": True,
            "num_experts": 4,
            "top_k_experts": 2,
            "moe_intermediate_size": 64,
            "hidden_size_per_layer_input": 0,
            "global_head_dim": 16,
            "num_global_key_value_heads": 2,
        },
    ),
    "gpt_oss": ("gpt_oss", {**_MOE, **_ALTERNATE}),
    "llama4_text": (
        "llama4_text",
        {**_MOE, "intermediate_size_mlp": 128, "attention_chunk_size": 64, "interleave_moe_layer_step": 2},
    ),
    "ernie4_5_moe": (
        "ernie4_5_moe",
        {"moe_num_experts": 4, "moe_k": 2, "moe_intermediate_size": 64, "moe_num_shared_experts": 1},
    ),
    "hunyuan_moe": ("hunyuan_v1_moe", {"num_experts": 4, "moe_topk": [2] * 4}),
    "minimax_m2": ("minimax_m2", _MOE),
    "dots1": ("dots1", {k: v for k, v in _DEEPSEEK.items() if k not in _LATENT}),
    "jetmoe": ("jetmoe", {**_MOE, "kv_channels": 16, "num_key_value_heads": 2}),
    # layers that share keys and values
    "gemma3n_text": (
        "gemma3n_text",
        {
            **_ALTERNATE,
            "vocab_size_per_layer_input": VOCAB,
            "hidden_size_per_layer_input": 64,
            "num_kv_shared_layers": 2,
            "laurel_rank": 64,
            "activation_sparsity_pattern": [0.0] * 4,
        },
    ),
    "gemma4_text": (
        "gemma4_text",
        {
            **_ALTERNATE,
            "vocab_size_per_layer_input": VOCAB,
            "hidden_size_per_layer_input": 64,
            "num_kv_shared_layers": 2,
            "global_head_dim": 16,
        },
    ),
    # with a state instead of, or beside, keys and values
    "mamba": ("mamba", {"state_size": 14, "time_step_rank": 4}),
    "falcon_mamba": ("falcon_mamba", {"state_size": 14, "time_step_rank": 4}),
    "mamba2": (
        "mamba2",
        {"state_size": 8, "num_heads": 16, "head_dim": 8, "n_groups": 1, "expand": 2, "chunk_size": 16},
    ),
    "rwkv": ("rwkv", {"attention_hidden_size": 64, "context_length": 512}),
    "qwen3_next": ("qwen3_next", {**_LINEAR, **_SPARSE, "shared_expert_intermediate_size": 64}),
    "qwen3_5_text": ("qwen3_5_text", _LINEAR),
    "qwen3_5_moe_text": ("qwen3_5_moe_text", {**_LINEAR, **_SPARSE, "shared_expert_intermediate_size": 64}),
    "olmo_hybrid": ("olmo_hybrid", {**_LINEAR, "linear_num_key_heads": 4}),
    "granitemoehybrid": (
        "granitemoehybrid",
        {
            **_MOE,
            **_MAMBA,
            "shared_intermediate_size": 64,
            "mamba_n_heads": 16,
            "mamba_d_head": 8,
            "layer_types": ["mamba", "attention"] * 2,
        },
    ),
    "granite4_dense": (
        "granitemoehybrid",
        {
            "num_local_experts": 0,
            "num_experts_per_tok": 0,
            "shared_intermediate_size": 128,
            "layer_types": ["attention"] * 4,
            "position_embedding_type": "rope",
        },
    ),
    "lfm2": (
        "lfm2",
        {
            "layer_types": ["conv", "full_attention"] * 2,
            "block_auto_adjust_ff_dim": False,
            "block_multiple_of": 32,
        },
    ),
    "lfm2_moe": (
        "lfm2_moe",
        {**_SPARSE, "layer_types": ["conv", "full_attention"] * 2, "num_dense_layers": 1},
    ),
    "falcon_h1": (
        "falcon_h1",
        {**_MAMBA, "mamba_n_heads": 16, "mamba_d_head": 4, "mamba_d_ssm": 64},
    ),
    "jamba": (
        "jamba",
        {
            **_SPARSE,
            **_MAMBA,
            "mamba_dt_rank": 4,
            "mamba_d_state": 14,
            "use_mamba_kernels": False,
            "attn_layer_period": 2,
            "attn_layer_offset": 1,
            "expert_layer_period": 2,
            "expert_layer_offset": 1,
        },
    ),
    "bamba": ("bamba", {**_MAMBA, "mamba_n_heads": 16, "mamba_d_head": 8, "attn_layer_indices": [1, 3]}),
    "zamba2": (
        "zamba2",
        {
            "layers_block_type": ["mamba", "hybrid"] * 2,
            "mamba_d_state": 8,
            "mamba_ngroups": 1,
            "n_mamba_heads": 16,
            "chunk_size": 16,
            "num_mem_blocks": 1,
            "adapter_rank": 64,
        },
    ),
    "nemotron_h": (
        "nemotron_h",
        {
            "layers_block_type": ["mamba", "attention", "mamba", "moe"],
            "ssm_state_size": 8,
            "mamba_num_heads": 16,
            "mamba_head_dim": 8,
            "n_groups": 1,
            "chunk_size": 16,
            "n_routed_experts": 4,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 64,
            "moe_shared_expert_intermediate_size": 64,
        },
    ),
    "recurrent_gemma": (
        "recurrent_gemma",
        {
            "lru_width": 64,
            "block_types": ["recurrent", "attention"],
            "attention_window_size": WINDOW,
        },
    ),
    "minimax": (
        "minimax",
        {**_MOE, "layer_types": ["linear_attention", "full_attention"] * 2, "block_size": 16},
    ),
}
KINDS = tuple(_KINDS)


def config(kind: str) -> PretrainedConfig:
    """The configuration of one of `KINDS`: what is common where its class has such a key, and what it needs beside."""
    model_type, changes = _KINDS[kind]
    known: Any = CONFIG_MAPPING[model_type]
    names = {f.name for f in dataclasses.fields(known)} | set(known.attribute_map)
    common = {key: value for key, value in _COMMON.items() if key in names}
    return known(**{**common, **changes})


@cache
def made(kind: str) -> Any:
    """The one that all copies are of: not to be changed."""
    state = torch.random.get_rng_state()
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config(kind), dtype=torch.float32).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.numel() > 1 and parameter.std() < 0.1:  # too like each other: tests must see every weight
                parameter.add_(torch.randn_like(parameter) * (0.2 if parameter.dim() > 1 else 0.1))
    torch.random.set_rng_state(state)
    return model.requires_grad_(False)


def make(kind: str) -> Any:
    """A random fp32 causal LM of one of `KINDS`, in eval mode; the same weights every time, and no one else's."""
    return copy.deepcopy(made(kind))
