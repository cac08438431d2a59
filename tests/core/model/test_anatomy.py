"""What is read from loaded models against independent counts: torch's own FLOP counter, and the cache's real bytes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode
from transformers import (
    DynamicCache,
    LlamaConfig,
    LlamaForCausalLM,
    MixtralConfig,
    MixtralForCausalLM,
    Qwen2MoeConfig,
    Qwen2MoeForCausalLM,
    Qwen3MoeConfig,
    Qwen3MoeForCausalLM,
)

from core.analysis.roofline import Step, bytes_per_step
from core.kernels.base import surgery
from core.kernels.caches import caches
from core.kernels.checks.anatomy import anatomy, operations
from core.kernels.weights.linears import Int4Linear, Int8Linear
from core.spec.variant import Variant
from tests.core.tiny import KINDS, WINDOW, tiny_model


def demo(dtype: torch.dtype) -> Any:
    """SmolLM2-135M without values: memory that is never touched costs nothing."""
    config = LlamaConfig(
        vocab_size=49_152, hidden_size=576, intermediate_size=1536, num_hidden_layers=30, num_attention_heads=9,
        num_key_value_heads=3, tie_word_embeddings=True, max_position_embeddings=8192,
    )  # fmt: skip
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    model = model.to(dtype).to_empty(device="cpu")
    model.tie_weights()
    return model.eval()


def int8(linear: nn.Linear) -> nn.Module:
    n, k = linear.out_features, linear.in_features
    return Int8Linear(torch.empty((n, k), dtype=torch.int8), torch.empty(n, dtype=torch.bfloat16), None)


def int4(linear: nn.Linear, group: int) -> nn.Module:
    """An Int4Linear whose weights were never packed, only their room taken."""
    n, k = linear.out_features, linear.in_features
    new = Int4Linear.__new__(Int4Linear)
    nn.Module.__init__(new)
    new.out_features, new.in_features, new.group_size, new.how = n, k, group, "rounded"
    new.register_buffer("packed", torch.empty((n, k // 2), dtype=torch.uint8))
    new.register_buffer("scale_zero", torch.empty((k // group, n, 2), dtype=torch.bfloat16))
    new.register_buffer("bias", None)
    return new


@pytest.mark.parametrize(
    ("body", "head", "megabytes"),
    [
        (None, None, 269),
        (int8, None, 163),
        (int8, int8, 135),
        (lambda linear: int4(linear, 32), None, 123),
        (lambda linear: int4(linear, 64), None, 116),
    ],
    ids=["bf16", "int8, bf16 head", "int8", "int4 g32", "int4 g64"],
)
def test_bytes_of_the_demo_model(body: Any, head: Any, megabytes: int) -> None:
    model = demo(torch.bfloat16)
    if head is not None:
        surgery.untie_head(model)
    if body is not None:
        name = surgery.head_name(model)
        skip = {} if head is not None or name is None else {name: "kept"}
        surgery.replace_linears(model, lambda _, linear: body(linear), skip)
    found = anatomy(model, torch.bfloat16, eager=False)
    assert found is not None
    one = Step(seconds=1, tokens_out=1, tokens_in=1, logits=1, context=0, kv_read=0)
    assert round(bytes_per_step(found, one) / 1e6) == megabytes
    assert found.kv_bytes_per_token() == 23_040
    assert found.matrix_weights == 134_479_872


def test_bytes_of_the_demo_model_in_full_precision() -> None:
    found = anatomy(demo(torch.float32), torch.float32, eager=False)
    assert found is not None
    assert round((found.weights_read + found.embedding_row_bytes) / 1e6) == 538
    assert found.kv_bytes_per_token() == 46_080


@pytest.mark.parametrize("kind", KINDS)
def test_flops_agree_with_torchs_own_count(kind: str) -> None:
    model = tiny_model(kind)
    model.set_attn_implementation("eager")  # torch does not count the products inside its fused attention on a CPU
    found = anatomy(model, torch.float32)
    assert found is not None
    name, _ = caches.forward_arguments(model)
    cache = DynamicCache(config=model.config)
    with torch.inference_mode():
        model(torch.arange(9)[None], **{name: cache}, use_cache=True)
        with FlopCounterMode(display=False) as counter:
            model(torch.tensor([[1]]), **{name: cache}, use_cache=True)
    counted = counter.get_total_flops()
    assert found.flops(1, 1, 10) == pytest.approx(counted, rel=0.02)  # rotary angles are a product too


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_of_keys_and_values_agree_with_the_cache(kind: str) -> None:
    model = tiny_model(kind)
    found = anatomy(model, torch.float32)
    assert found is not None
    name, _ = caches.forward_arguments(model)
    for length in (5, WINDOW - 1, 3 * WINDOW):
        cache = DynamicCache(config=model.config)
        with torch.inference_mode():
            model(torch.arange(length)[None], **{name: cache}, use_cache=True)
        held = sum(layer.keys.nbytes + layer.values.nbytes for layer in cache.layers)
        # a sliding layer holds one position less than it attends to: the newest one is the query's own
        late = sum(1 for w in found.windows if w and length >= w) * 2 * found.kv_heads * found.head_dim * 4
        assert found.kv_read(length) - late == held


@pytest.mark.parametrize("kind", KINDS)
def test_every_byte_of_the_model_is_somewhere(kind: str) -> None:
    model = tiny_model(kind)
    found = anatomy(model, torch.float32)
    assert found is not None
    tied = model.get_output_embeddings().weight is model.get_input_embeddings().weight
    parts = found.body_bytes + found.embedding_bytes + (0 if tied else found.head_bytes)
    assert parts == surgery.storage_bytes(model)
    assert found.head_bytes == 320 * 64 * 4
    rows = 2 if kind == "gpt2" else 1  # it looks positions up as well
    assert found.embedding_row_bytes == rows * 64 * 4


def test_operations_of_a_step_grow_with_the_layers() -> None:
    model = tiny_model("llama")
    whole = operations(model)
    model.model.layers = model.model.layers[:2]
    model.config.num_hidden_layers = 2
    half = operations(model)
    assert whole is not None
    assert half is not None
    assert whole > half > whole / 4


def test_a_compiled_step_has_no_operations_to_count() -> None:
    found = anatomy(tiny_model("llama"), torch.float32, eager=False)
    assert found is not None
    assert found.operations is None


SIZES = {
    "vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
    "head_dim": 16,
}  # fmt: skip
#: Of each layer with experts: (model, experts, met by a token, weights of one, shared expert and its gate).
MIXTURES = {
    "mixtral": (
        MixtralForCausalLM, MixtralConfig(**SIZES, intermediate_size=48, num_local_experts=8, num_experts_per_tok=2),
        8, 2, 3 * 32 * 48, 0,
    ),
    "qwen2": (
        Qwen2MoeForCausalLM,
        Qwen2MoeConfig(
            **SIZES, intermediate_size=99, moe_intermediate_size=24, shared_expert_intermediate_size=40,
            num_experts=16, num_experts_per_tok=4, qkv_bias=False,
        ),
        16, 4, 3 * 32 * 24, 3 * 32 * 40 + 32,
    ),
    "qwen3": (
        Qwen3MoeForCausalLM,
        Qwen3MoeConfig(**SIZES, intermediate_size=99, moe_intermediate_size=24, num_experts=16, num_experts_per_tok=4),
        16, 4, 3 * 32 * 24, 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MIXTURES)
def test_a_token_meets_some_of_the_experts(name: str) -> None:
    kind, config, count, chosen, one, shared = MIXTURES[name]
    model = kind(config).eval()
    found = anatomy(model, torch.float32)
    assert found is not None
    attention = 32 * (32 + 16 + 16) + 32 * 32
    layer = attention + shared + count * 32  # its router has a row for each expert
    assert found.matrix_weights == 2 * (layer + chosen * one) + 64 * 32
    assert found.expert_bytes == 2 * count * one * 4
    read = surgery.storage_bytes(model) - found.embedding_bytes - 2 * (count - chosen) * one * 4
    assert found.weights_read == pytest.approx(read)
    assert hit(model, 1) == [chosen, chosen]
    assert found.weights_read_by(2) == pytest.approx(read + 2 * chosen * (1 - chosen / count) * one * 4)
    assert found.weights_read_by(1e6) == pytest.approx(surgery.storage_bytes(model) - found.embedding_bytes)
    step = Step(seconds=1, tokens_out=1, tokens_in=2, logits=2, context=0, kv_read=0)
    assert bytes_per_step(found, step) == pytest.approx(found.weights_read_by(2) + 2 * 32 * 4)


def hit(model: Any, tokens: int) -> list[int]:
    """Experts that a step really meets, in each layer."""
    seen: list[int] = []
    hooks = [
        module.register_forward_pre_hook(lambda _, args: seen.append(len(args[1].unique())))
        for name, module in model.named_modules()
        if name.endswith(".experts")
    ]
    with torch.inference_mode():
        model(torch.arange(tokens)[None])
    for hook in hooks:
        hook.remove()
    return seen


def test_experts_that_are_not_found_are_said() -> None:
    kind, config, *_ = MIXTURES["mixtral"]
    model = kind(config)
    vars(model.config)["num_experts_per_tok"] = None
    with pytest.raises(ValueError, match="which of its 8 experts a token meets"):
        anatomy(model, torch.float32)
    model.config.num_experts_per_tok = 2
    model.model.layers[1].mlp.experts.down_proj = nn.Parameter(torch.zeros(4, 2))  # as packed by who knows what
    with pytest.raises(ValueError, match="the tensors of MixtralExperts are not those of 8 experts"):
        anatomy(model, torch.float32)


def test_experts_that_are_modules() -> None:
    """As older models have them: a list of multilayer perceptrons."""
    kind, config, count, *_ = MIXTURES["mixtral"]
    model = kind(config)
    fused = anatomy(model, torch.float32)
    for layer in model.model.layers:
        layer.mlp.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(32, 96, False), nn.Linear(48, 32, False)) for _ in range(count)
        )
    apart = anatomy(model, torch.float32, eager=False)
    assert fused is not None
    assert apart is not None
    assert apart == fused.model_copy(update={"operations": None})


def test_layers_that_are_gone_are_not_counted() -> None:
    from core.kernels.pruning.skipped_layers import drop_layers

    model = tiny_model("llama")
    before = anatomy(model, torch.float32)
    drop_layers(model, [1, 2])
    after = anatomy(model, torch.float32)
    assert before is not None
    assert after is not None
    assert (after.layers, len(after.windows)) == (2, 2)
    assert after.kv_bytes_per_token() == before.kv_bytes_per_token() / 2
    assert after.matrix_weights < before.matrix_weights


def test_the_type_of_the_products() -> None:
    model = tiny_model("llama")
    assert anatomy(model, torch.float32).computes_in == "fp32"  # type: ignore[union-attr]
    torch.set_float32_matmul_precision("medium")  # what fp32_bf16_matmul does: another peak holds
    try:
        assert anatomy(model, torch.float32).computes_in == "bf16"  # type: ignore[union-attr]
    finally:
        torch.set_float32_matmul_precision("highest")
    quantized = Variant.model_validate({"name": "v", "quantization": {"method": "int8_weight_only"}}).quantization
    assert quantized is not None
    surgery.replace_linears(model, lambda _, linear: Int8Linear.from_linear(linear), {})
    assert anatomy(model, torch.float32).computes_in == "bf16"  # type: ignore[union-attr]
