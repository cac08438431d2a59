"""GGUF files: what transformers makes of them computes what the model did that they were written from, or they are
refused by the name of what is missing or not known."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from core.base.out_of_memory import is_out_of_memory
from core.engine.base.failures import failure
from core.engine.gguf import convert
from core.engine.gguf.convert import converted
from core.model import gguf_facts, gguf_header, gguf_parts
from core.model.finder import resolve
from core.model.fingerprints import gguf_sha256
from core.model.model_error import ModelError
from core.model.source import ModelSource
from tests.core.gguf_files import _sizes, write_gguf
from tests.core.tiny import VOCAB, tiny_model


class Silent:
    """A channel that nobody listens to."""

    def enter(self, phase: str) -> None: ...
    def send(self, event: Any) -> None: ...
    def log(self, text: str, level: str = "info") -> None: ...


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def convert_file(path: Path) -> convert.Converted:
    return converted(resolve(ModelSource(source=str(path))), Silent())  # type: ignore[arg-type]


def refusal(path: Path) -> str:
    with pytest.raises(ModelError) as caught:
        convert_file(path)
    return str(caught.value)


def logits(model: Any) -> torch.Tensor:
    ids = torch.randint(0, 250, (1, 200), generator=torch.Generator().manual_seed(1))
    with torch.inference_mode():
        return model(ids).logits


def assert_same(path: Path, model: Any) -> Any:
    """The converted file computes what the model does; returns its config."""
    folder = convert_file(path).folder
    made = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    torch.testing.assert_close(logits(made), logits(model), rtol=1e-4, atol=1e-4)
    return AutoConfig.from_pretrained(folder)


LLAMA3 = {
    "rope_type": "llama3", "rope_theta": 500_000.0, "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}  # fmt: skip
LINEAR = {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0}
YARN = {
    "rope_type": "yarn", "rope_theta": 10_000.0, "factor": 4.0, "original_max_position_embeddings": 64,
}  # fmt: skip


def llama3_divisors(width: int) -> np.ndarray:
    """As llama.cpp's converter writes them for Llama 3.1 and later."""
    found = []
    for i in range(0, width, 2):
        length = 2 * math.pi * 500_000.0 ** (i / width)
        if length < 8192 / 4:
            found.append(1.0)
        elif length > 8192:
            found.append(32.0)
        else:
            smooth = (8192 / length - 1) / 3
            found.append(1 / ((1 - smooth) / 32 + smooth))
    return np.array(found, np.float32)


SCALED = {
    "linear": (LINEAR, {"rope.scaling.type": "linear", "rope.scaling.factor": 4.0}),
    "linear, no type": (LINEAR, {"rope.scaling.factor": 4.0}),
    "linear, old key": (LINEAR, {"rope.scale_linear": 4.0}),
    "yarn": (
        YARN,
        {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 64},
    ),
    "yarn, betas": (
        {**YARN, "beta_fast": 8.0, "beta_slow": 2.0},
        {
            "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 64,
            "rope.scaling.yarn_beta_fast": 8.0, "rope.scaling.yarn_beta_slow": 2.0,
        },
    ),
    "another base": ({"rope_type": "default", "rope_theta": 77_000.0}, {"rope.freq_base": 77_000.0}),
    "none": ({"rope_type": "default", "rope_theta": 10_000.0}, {"rope.scaling.type": "none"}),
}  # fmt: skip


@pytest.mark.parametrize("case", SCALED)
@pytest.mark.parametrize("kind", ["llama", "qwen2", "qwen3"])
def test_a_scaled_rotary_embedding_is_taken_over(tmp_path: Path, kind: str, case: str) -> None:
    parameters, keys = SCALED[case]
    model = tiny_model(kind, rope_parameters=dict(parameters))
    plain = tiny_model(kind)
    assert case == "none" or not torch.allclose(logits(model), logits(plain), atol=1e-3)
    write_gguf(tmp_path / "m.gguf", model, {"rope.dimension_count": 16, **keys})
    assert_same(tmp_path / "m.gguf", model)


def test_llama_3_divides_its_frequencies(tmp_path: Path) -> None:
    model = tiny_model("llama", rope_parameters=LLAMA3)
    write_gguf(tmp_path / "m.gguf", model, {"rope.freq_base": 500_000.0}, {"rope_freqs.weight": llama3_divisors(16)})
    config = assert_same(tmp_path / "m.gguf", model)
    assert config.rope_parameters["rope_type"] == "llama3"


def test_divisors_of_no_known_rule_are_kept_as_they_are(tmp_path: Path) -> None:
    divisors = np.linspace(1, 3, 8, dtype=np.float32)
    model = tiny_model(
        "llama",
        rope_parameters={
            "rope_type": "longrope", "rope_theta": 10_000.0, "short_factor": divisors.tolist(),
            "long_factor": divisors.tolist(), "original_max_position_embeddings": 512, "attention_factor": 1.0,
        },
    )  # fmt: skip
    write_gguf(tmp_path / "m.gguf", model, {}, {"rope_freqs.weight": divisors})
    assert_same(tmp_path / "m.gguf", model)
    write_gguf(tmp_path / "n.gguf", model, {}, {"rope_freqs.weight": divisors[:4]})
    assert "rope_freqs.weight does not have one number for each pair of channels" in refusal(tmp_path / "n.gguf")


def random_model(config: Any, seed: int = 3) -> Any:
    """With norms and biases that are not all ones and zeros."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.ndim == 1:
                    parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


SIZES: dict[str, Any] = {
    "vocab_size": VOCAB, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 256, "initializer_range": 0.2, "pad_token_id": 257,
    "bos_token_id": 256, "eos_token_id": 257, "tie_word_embeddings": False,
}  # fmt: skip


def test_longrope_with_a_part_of_each_head_turned(tmp_path: Path) -> None:
    short, long = np.linspace(1, 1.5, 6, dtype=np.float32), np.linspace(1, 9, 6, dtype=np.float32)
    config = AutoConfig.for_model(
        "phi3", **SIZES, original_max_position_embeddings=64, partial_rotary_factor=0.75, sliding_window=96,
        rope_parameters={
            "rope_type": "longrope", "rope_theta": 10_000.0, "partial_rotary_factor": 0.75, "attention_factor": 1.19,
            "short_factor": short.tolist(), "long_factor": long.tolist(), "original_max_position_embeddings": 64,
        },
    )  # fmt: skip
    model = random_model(config)
    keys = {
        "rope.dimension_count": 12, "rope.scaling.attn_factor": 1.19, "rope.scaling.original_context_length": 64,
        "rope.freq_base": 10_000.0, "attention.sliding_window": 96,
    }  # fmt: skip
    write_gguf(tmp_path / "m.gguf", model, keys, {"rope_factors_short.weight": short, "rope_factors_long.weight": long})
    made = assert_same(tmp_path / "m.gguf", model)  # 200 tokens: past the switch of factors
    assert made.sliding_window == 96


@pytest.mark.parametrize("kind", ["gemma2", "gemma3"])
def test_windows_caps_and_the_scale_of_attention(tmp_path: Path, kind: str) -> None:
    changes: dict[str, Any] = {"sliding_window": 24, "final_logit_softcapping": 20.0, "attn_logit_softcapping": 30.0}
    keys: dict[str, Any] = {
        "attention.sliding_window": 24, "final_logit_softcapping": 20.0, "attn_logit_softcapping": 30.0,
        "attention.scale": 0.125,
    }  # fmt: skip
    changes |= {"query_pre_attn_scalar": 64, "tie_word_embeddings": True}
    if kind == "gemma3":
        changes["layer_types"] = ["sliding_attention"] * 4  # as transformers' reader sets them: every sixth is full
    model = tiny_model(kind, **changes)
    write_gguf(tmp_path / "m.gguf", model, keys)
    made = assert_same(tmp_path / "m.gguf", model)
    assert (made.sliding_window, made.query_pre_attn_scalar, made.final_logit_softcapping) == (24, 64, 20.0)


def test_of_layers_with_a_window_only_the_others_are_scaled(tmp_path: Path) -> None:
    kinds = ["sliding_attention"] * 5 + ["full_attention"]
    parameters = {
        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1_000_000.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 10_000.0},
    }
    config = AutoConfig.for_model(
        "gemma3_text",
        **{**SIZES, "num_hidden_layers": 6}, head_dim=16, layer_types=kinds, sliding_window=32,
        query_pre_attn_scalar=16, rope_parameters=parameters,
    )  # fmt: skip
    model = random_model(config)
    keys = {
        "attention.sliding_window": 32, "rope.freq_base": 1_000_000.0, "rope.scaling.type": "linear",
        "rope.scaling.factor": 8.0,
    }  # fmt: skip
    write_gguf(tmp_path / "m.gguf", model, keys)
    made = assert_same(tmp_path / "m.gguf", model)
    assert made.rope_parameters["full_attention"]["factor"] == 8.0


LAYER_NORM = {
    "context_length": 256, "embedding_length": 64, "block_count": 2, "feed_forward_length": 128,
    "attention.head_count": 4, "attention.head_count_kv": 2, "attention.layer_norm_epsilon": 1e-5,
}  # fmt: skip
RMS_NORM = {
    **{k: v for k, v in LAYER_NORM.items() if k != "attention.layer_norm_epsilon"},
    "attention.layer_norm_rms_epsilon": 1e-5,
}
TIED = {"tie_word_embeddings": True}
SHORT = {"vocab_size": VOCAB, "hidden_size": 64, "initializer_range": 0.2}
#: kind → config, keys as llama.cpp's converter writes them for the architecture
FAMILIES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "gpt2": (
        {"vocab_size": VOCAB, "n_embd": 64, "n_layer": 2, "n_head": 4, "n_positions": 256, "n_inner": 128,
         "bos_token_id": 256, "eos_token_id": 257, "initializer_range": 0.2},
        {k: v for k, v in LAYER_NORM.items() if k != "attention.head_count_kv"},
    ),
    "starcoder2": (
        {**SIZES, "norm_epsilon": 1e-5, "rope_theta": 50_000.0, **TIED}, {**LAYER_NORM, "rope.freq_base": 50_000.0},
    ),
    "stablelm": (
        {**SIZES, "layer_norm_eps": 1e-5, "partial_rotary_factor": 0.25, "use_qkv_bias": False},
        {**LAYER_NORM, "rope.dimension_count": 4, "use_parallel_residual": False},
    ),
    "nemotron": (
        {**SIZES, "norm_eps": 1e-5, "partial_rotary_factor": 0.5, "head_dim": 16},
        {**LAYER_NORM, "rope.dimension_count": 8, "rope.scaling.type": "none"},
    ),
    "bloom": (
        {**SHORT, "n_layer": 2, "n_head": 4},
        {**LAYER_NORM, "context_length": 2048, "feed_forward_length": 256, "attention.head_count_kv": 4},
    ),
    "falcon": (
        {**SHORT, "num_hidden_layers": 2, "num_attention_heads": 4, "multi_query": True, "bias": False,
         "bos_token_id": 256, "eos_token_id": 257},
        {**LAYER_NORM, "context_length": 2048, "tensor_data_layout": "jploski", "feed_forward_length": 256,
         "attention.head_count_kv": 1},
    ),
    "mamba": (
        {**SHORT, "num_hidden_layers": 2, "state_size": 8, "time_step_rank": 4, **TIED},
        {"context_length": 1_048_576, "embedding_length": 64, "feed_forward_length": 0, "attention.head_count": 0,
         "block_count": 2, "ssm.conv_kernel": 4, "ssm.inner_size": 128, "ssm.state_size": 8, "ssm.time_step_rank": 4,
         "attention.layer_norm_rms_epsilon": 1e-5, "ssm.dt_b_c_rms": False},
    ),
    "qwen2_moe": (
        {**SIZES, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 48, "rms_norm_eps": 1e-5,
         "shared_expert_intermediate_size": 32},
        {**RMS_NORM, "expert_count": 4, "expert_used_count": 2, "expert_feed_forward_length": 48,
         "expert_shared_feed_forward_length": 32},
    ),
    "lfm2": (
        {**SIZES, "layer_types": ["conv", "full_attention"], "block_auto_adjust_ff_dim": False, "norm_eps": 1e-5,
         **TIED},
        {**RMS_NORM, "attention.head_count_kv": [0, 2], "shortconv.l_cache": 3, "rope.freq_base": 1_000_000.0},
    ),
    "gemma4_text": (
        {**SIZES, "head_dim": 16, "global_head_dim": 32, "hidden_size_per_layer_input": 8, "sliding_window": 16,
         "vocab_size_per_layer_input": VOCAB, "num_kv_shared_layers": 0, "final_logit_softcapping": 30.0,
         "layer_types": ["sliding_attention", "full_attention"], "rms_norm_eps": 1e-5, **TIED},
        {**RMS_NORM, "attention.key_length": 32, "attention.value_length": 32, "attention.key_length_swa": 16,
         "attention.value_length_swa": 16, "attention.sliding_window": 16, "final_logit_softcapping": 30.0,
         "attention.sliding_window_pattern": [True, False], "attention.shared_kv_layers": 0,
         "embedding_length_per_layer_input": 8, "rope.freq_base": 1_000_000.0, "rope.freq_base_swa": 10_000.0,
         "rope.dimension_count": 32, "rope.dimension_count_swa": 16},
    ),
    "qwen3_5_text": (
        {**SIZES, "head_dim": 16, "layer_types": ["linear_attention", "full_attention"], "full_attention_interval": 2,
         "linear_conv_kernel_dim": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 8, "linear_num_key_heads": 2,
         "linear_num_value_heads": 2, "rms_norm_eps": 1e-5, **TIED,
         "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [4, 2, 2],
                             "mrope_interleaved": True, "partial_rotary_factor": 1.0}},
        {**RMS_NORM, "attention.key_length": 16, "attention.value_length": 16, "full_attention_interval": 2,
         "ssm.conv_kernel": 4, "ssm.state_size": 8, "ssm.group_count": 2, "ssm.time_step_rank": 2, "ssm.inner_size": 16,
         "rope.freq_base": 10_000.0, "rope.dimension_sections": [4, 2, 2, 0], "rope.dimension_count": 16},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FAMILIES)
def test_every_key_and_tensor_of_an_architecture_is_taken_over(tmp_path: Path, kind: str) -> None:
    values, keys = FAMILIES[kind]
    model = random_model(AutoConfig.for_model(kind, **values))
    tensors: dict[str, np.ndarray | None] = {}
    if kind == "gemma4_text":  # a quarter of the channels is turned in the layers without a window
        for name, buffer in model.named_buffers():
            if name.endswith("layer_scalar"):
                buffer.fill_(0.7)
        tensors["rope_freqs.weight"] = np.array([1] * 4 + [1e30] * 12, np.float32)
    write_gguf(tmp_path / "m.gguf", model, tensors=tensors, sizes=keys)
    assert_same(tmp_path / "m.gguf", model)


EXPERTS = {"expert_count": 4, "expert_used_count": 2, "expert_feed_forward_length": 48}


def mixture() -> Any:
    config = AutoConfig.for_model(
        "qwen3_moe", **SIZES, head_dim=16, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=48,
        norm_topk_prob=True,
    )  # fmt: skip
    return random_model(config)


def test_the_width_of_experts_and_of_heads_is_the_file_s(tmp_path: Path) -> None:
    model = mixture()
    write_gguf(tmp_path / "m.gguf", model, EXPERTS)
    assert_same(tmp_path / "m.gguf", model)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("attention.scale", 0.3), ("logit_scale", 0.0625), ("residual_scale", 0.22), ("embedding_scale", 12.0),
        ("attention.sliding_window", 32), ("final_logit_softcapping", 30.0), ("attn_logit_softcapping", 50.0),
        ("expert_weights_scale", 2.5), ("expert_count", 8), ("attention.clamp_kqv", 8.0),
        ("attention.max_alibi_bias", 8.0), ("attention.causal", False), ("rope.scaling.type", "su"),
        ("rope.scaling.yarn_log_multiplier", 0.1), ("rope.dimension_sections", [1, 2]), ("anything.new", 1),
    ],
)  # fmt: skip
def test_what_would_be_dropped_is_refused_by_its_name(tmp_path: Path, key: str, value: Any) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_model("llama"), {key: value})
    words = refusal(tmp_path / "m.gguf")
    assert words.startswith(f"{tmp_path / 'm.gguf'}: llama.{key} = ")
    assert not list((tmp_path / "cache" / "models").glob("*/dyno.json"))


def test_what_changes_nothing_is_no_reason_to_refuse(tmp_path: Path) -> None:
    model = tiny_model("llama")
    keys = {
        "attention.scale": 0.25, "logit_scale": 1.0, "attention.causal": True, "expert_count": 0,
        "rope.dimension_count": 16, "rope.scaling.finetuned": True, "rope.scaling.original_context_length": 512,
    }  # fmt: skip
    write_gguf(tmp_path / "m.gguf", model, keys, {"rope_freqs.weight": np.ones(8, np.float32)})
    assert_same(tmp_path / "m.gguf", model)


@pytest.mark.parametrize(
    "lacking",
    [
        "blk.1.ffn_down.weight", "blk.0.attn_norm.weight", "token_embd.weight", "output_norm.weight",
        "blk.3.attn_q.weight",
    ],
)  # fmt: skip
def test_a_missing_tensor_is_named_and_nothing_is_kept(tmp_path: Path, lacking: str, cache: Path) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_model("llama"), {}, {lacking: None})
    assert f"1 tensor is missing, {lacking}" in refusal(tmp_path / "m.gguf")
    assert not [p for p in (cache / "models").iterdir() if p.suffix != ".lock"]


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (3, "it has tensors of block 3, and there should be 3 blocks, counted from 0"),
        (5, "the tensors of block 4 are missing: there should be 5 blocks"),
        (4_000_000_000, "the tensors of block 4 are missing: there should be 4,000,000,000 blocks"),
    ],
)
def test_blocks_are_as_many_as_the_file_says(tmp_path: Path, count: int, words: str) -> None:
    model = tiny_model("llama")
    write_gguf(tmp_path / "m.gguf", model, sizes={**_sizes(model.config), "block_count": count})
    assert refusal(tmp_path / "m.gguf") == f"{tmp_path / 'm.gguf'}: {words}"


def test_blocks_that_guess_further_tokens_may_be_there_or_not(tmp_path: Path) -> None:
    blocks = [gguf_header.GgufTensor(f"blk.{i}.attn_q.weight", (1,), "F32") for i in range(5)]
    for found in (4, 5):
        header = gguf_header.Header({}, tuple(blocks[:found]))
        for count in (4, 5):
            gguf_facts._check_blocks(tmp_path, header, count, 1)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"attention.head_count": 0}, "the sizes in its metadata make no model of the kind llama"),
        ({"attention.head_count_kv": [2, 1, 2, 2]}, "llama.attention.head_count_kv has a value for each layer"),
    ],
)
def test_sizes_that_transformers_cannot_read_are_no_fault_of_the_tokenizer(
    tmp_path: Path, sizes: dict[str, Any], words: str
) -> None:
    model = tiny_model("llama")
    write_gguf(tmp_path / "m.gguf", model, sizes={**_sizes(model.config), **sizes})
    assert words in refusal(tmp_path / "m.gguf")


@pytest.mark.parametrize("turned", [8, 0])
def test_heads_of_which_a_part_is_turned_are_refused_where_all_would_be(tmp_path: Path, turned: int) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_model("llama"), {"rope.dimension_count": turned})
    words = f"{turned} channels of each head are turned by position, and models of the kind llama in transformers turn"
    assert f"{words} 16" in refusal(tmp_path / "m.gguf")


def test_half_a_stack_of_experts_is_missing(tmp_path: Path) -> None:
    write_gguf(tmp_path / "m.gguf", mixture(), EXPERTS, {"blk.1.ffn_up_exps.weight": None})
    assert "1 tensor is missing, blk.1.ffn_up_exps.weight" in refusal(tmp_path / "m.gguf")


def test_a_tensor_without_a_place_is_named(tmp_path: Path) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_model("llama"), {}, {"blk.0.attn_q.bias": np.ones(64, np.float32)})
    assert "no place for 1 of its tensors in a model of the kind llama, the first is blk.0.attn_q.bias" in refusal(
        tmp_path / "m.gguf"
    )


def test_a_model_that_is_not_the_file_s_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_model("llama"), quantized=gguf.GGMLQuantizationType.Q8_0)
    real = convert.compare

    def spoiled(model: Any, *rest: Any) -> None:
        with torch.no_grad():
            model.model.layers[2].mlp.up_proj.weight[5].zero_()
        real(model, *rest)

    monkeypatch.setattr(convert, "compare", spoiled)
    assert "blk.2.ffn_up.weight is not in the model as it is in the file" in refusal(tmp_path / "m.gguf")


def test_a_folder_of_an_older_version_is_made_again(tmp_path: Path) -> None:
    model = tiny_model("llama", rope_parameters=LINEAR)
    write_gguf(tmp_path / "m.gguf", model, {"rope.scaling.factor": 4.0})
    folder = convert_file(tmp_path / "m.gguf").folder
    note = json.loads((folder / "dyno.json").read_text())
    (folder / "dyno.json").write_text(json.dumps({**note, "version": 1}))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "rope_parameters": {"rope_type": "default"}}))
    assert_same(tmp_path / "m.gguf", model)


@pytest.mark.parametrize("kind", [None, gguf.GGMLQuantizationType.Q4_1])
def test_the_parts_of_a_split_file_are_one_model(tmp_path: Path, kind: Any) -> None:
    model = tiny_model("llama")
    files = write_gguf(tmp_path / "m.gguf", model, {}, split=3, quantized=kind)
    facts = resolve(ModelSource(source=str(files[1])))  # any of them
    assert (facts.name, facts.path) == ("m", str(files[0]))
    assert facts.parameters == model.num_parameters()
    assert facts.file_bytes == sum(f.stat().st_size for f in files)
    [whole] = write_gguf(tmp_path / "whole.gguf", model, {}, quantized=kind)
    assert facts.dtype == resolve(ModelSource(source=str(whole))).dtype
    folders = [AutoModelForCausalLM.from_pretrained(convert_file(f).folder) for f in (files[2], whole)]
    assert torch.equal(*map(logits, folders))
    assert {gguf_sha256(f) for f in files} == {gguf_sha256(files[0])} != {gguf_sha256(whole)}
    assert not list((tmp_path / "cache" / "models").glob("*.tmp-*"))


def test_joined_parts_hold_what_they_held_apart(tmp_path: Path) -> None:
    files = write_gguf(tmp_path / "m.gguf", tiny_model("qwen2"), {}, split=4)
    gguf_parts.join(files[0], tmp_path / "joined.gguf")
    [whole] = write_gguf(tmp_path / "whole.gguf", tiny_model("qwen2"), {})
    one, other = (gguf.GGUFReader(str(p)) for p in (tmp_path / "joined.gguf", whole))
    assert [t.name for t in one.tensors] == [t.name for t in other.tensors]
    assert all(np.array_equal(a.data, b.data) for a, b in zip(one.tensors, other.tensors, strict=True))
    assert set(gguf_header.read_header(whole).metadata) < set(
        gguf_header.read_header(tmp_path / "joined.gguf").metadata
    )


def test_parts_that_are_not_there_are_named_before_anything_is_read(tmp_path: Path) -> None:
    files = write_gguf(tmp_path / "m.gguf", tiny_model("llama"), {}, split=3)
    files[1].rename(tmp_path / "away")
    words = refusal(files[0])
    assert "m-00001-of-00003.gguf: is part 1 of 3, part 2 is missing beside it" in words
    files[0].rename(tmp_path / "first.gguf")
    assert "is part 1 of 3, and its name does not say where the others are" in refusal(tmp_path / "first.gguf")
    (tmp_path / "first.gguf").rename(files[0])
    files[2].unlink()
    assert "parts 2, 3 are missing" in refusal(files[0])


def test_parts_of_two_models_are_not_one(tmp_path: Path) -> None:
    files = write_gguf(tmp_path / "m.gguf", tiny_model("llama"), {}, split=3)
    files[1].write_bytes(files[2].read_bytes())
    assert "m-00002-of-00003.gguf is not part 2 of 3" in refusal(files[0])


def test_a_tokenizer_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_model("llama"), {}, merges=("x y",))
    words = refusal(tmp_path / "m.gguf")
    assert words.startswith(f"{tmp_path / 'm.gguf'}: cannot be converted: the tokenizer in it cannot be read (")


def test_an_error_may_be_its_own_cause() -> None:
    error, other = ValueError("one"), KeyError("two")
    error.__cause__ = error
    assert not is_out_of_memory(error)
    error.__cause__, other.__context__ = other, error
    assert not is_out_of_memory(other)
    memory = MemoryError()
    other.__context__, memory.__cause__ = memory, error
    assert is_out_of_memory(error)
    assert failure(error, "convert").kind == "out_of_memory"


def test_an_unknown_error_of_a_conversion_has_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_model("llama"))

    def fails(*_: Any) -> None:
        raise KeyError("qwen9.anything")

    monkeypatch.setattr(convert, "read_config", fails)
    assert "cannot convert this file" in refusal(tmp_path / "m.gguf")


@pytest.mark.parametrize(("way", "known"), [("llama-bpe", True), ("default", True), ("smollm", False)])
def test_a_way_of_splitting_text_that_is_not_known_is_noted(way: str, known: bool) -> None:
    notes = convert._splitting({"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": way})
    assert (notes == []) == known
    assert convert._splitting({"tokenizer.ggml.model": "llama", "tokenizer.ggml.pre": way}) == []
