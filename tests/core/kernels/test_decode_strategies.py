"""Attention, fusion, compilation, caches and prefixes on a tiny model: each has its effect, leaves greedy fp32
output alone where it says so, and its receipt notices when it is not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from core.kernels.caches import caches
from core.kernels.caches.cache_layers import QuantizedKvLayer, SinkWindowLayer
from core.kernels.caches.prefix_store import PrefixStore
from core.kernels.decoding.decoders import Plain
from core.kernels.weights.fusion import CannotFuse, Fused, join
from core.kernels.weights.linears import Int4Linear, Int8Linear
from core.machine.environment import Device, Environment
from core.spec.variant import REGISTRY, Unsuitable, Variant
from core.spec.workload import Workload
from tests.core.kernels.test_strategies import PROMPT, load, receipt, trial
from tests.core.tiny import save_tiny

GPU = Environment(devices=[Device(name="H100", uuid="", memory_bytes=0, capability="9.0")], versions={"triton": "3"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


@pytest.fixture(autouse=True)
def attention_switches() -> Iterator[None]:
    """`sdpa` sets switches of the process; an engine has one variant, a test process has many."""
    yield
    for name in ("flash", "math", "mem_efficient", "cudnn"):
        getattr(torch.backends.cuda, f"enable_{name}_sdp")(True)


def conflicts(slot: str, **slots: Any) -> str:
    variant = Variant.model_validate({"name": "v", **slots})
    return "; ".join(getattr(variant, slot).conflicts(variant, None, Workload()))


# -- attention ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ({"method": "eager"}, "eager: matrix products and softmax"),
        ({"method": "sdpa"}, "sdpa: _scaled_dot_product_flash_attention_for_cpu"),
        ({"method": "sdpa", "backend": "flash"}, "sdpa: _scaled_dot_product_flash_attention_for_cpu"),
        ({"method": "sdpa", "backend": "math"}, "sdpa: matrix products and softmax"),
    ],
    ids=str,
)
def test_attention_is_proved_by_the_operators_that_ran(folder: Path, method: dict[str, Any], words: str) -> None:
    runtime = load(folder, attention=method)
    proof = receipt(runtime)
    assert proof.matches
    assert proof.effective == words
    assert trial(runtime) == trial(load(folder))


def test_an_attention_that_is_not_in_use_is_seen(folder: Path) -> None:
    runtime = load(folder, attention="eager")
    runtime.model.set_attn_implementation("sdpa")
    assert not receipt(runtime).matches
    runtime = load(folder, attention={"method": "sdpa", "backend": "math"})
    torch.backends.cuda.enable_flash_sdp(True)
    assert not receipt(runtime).matches


def test_attention_kernels_say_what_they_need(folder: Path) -> None:
    kinds = REGISTRY["attention"]
    assert "CUDA" in kinds["flash_attention_2"].unavailable(Environment())
    assert "flash-attn is not installed" in kinds["flash_attention_2"].unavailable(GPU).replace("the package ", "")
    assert "9.0" in kinds["flash_attention_3"].unavailable(
        Environment(devices=[Device(name="A100", uuid="", memory_bytes=0, capability="8.0")])
    )
    assert "compiler" in kinds["flex_attention"].unavailable(Environment())
    assert "bf16 or fp16" in conflicts("attention", precision="fp32", attention="flash_attention_2")
    if not torch.cuda.is_available():
        with pytest.raises(Unsuitable, match="needs CUDA"):
            load(folder, attention={"method": "sdpa", "backend": "efficient"})


# -- precision and parallelism: what a CPU can check ---------------------------------------------------------


def test_reduced_products_need_their_hardware_and_are_measured(folder: Path) -> None:
    kinds = REGISTRY["precision"]
    assert "GPU" in kinds["tf32"].unavailable(Environment())
    assert kinds["tf32"].unavailable(GPU) == ""
    assert "AMX" in kinds["fp32_bf16_matmul"].unavailable(Environment(cpu_features=["avx2"]))
    assert kinds["fp32_bf16_matmul"].unavailable(Environment(cpu_features=["amx_bf16"])) == ""
    before = torch.get_float32_matmul_precision()
    try:
        runtime = load(folder, precision="tf32")
        torch.set_float32_matmul_precision("highest")  # as if the switch had no effect
        proof = receipt(runtime)
    finally:
        torch.set_float32_matmul_precision(before)
    assert not proof.matches
    error = proof.detail["product_error"]
    assert isinstance(error, float)
    assert error < 1e-6


def test_parallelism_needs_gpus(folder: Path) -> None:
    kind = REGISTRY["parallelism"]["device_map"]
    assert "more than one GPU; this machine has none" in kind.unavailable(Environment())
    assert "more than one GPU; this machine has 1" in kind.unavailable(GPU)
    assert kind.unavailable(GPU.model_copy(update={"devices": GPU.devices * 2})) == ""


# -- fusion -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["llama", "qwen2", "qwen3", "gemma2", "gemma3"])
def test_fused_projections_are_exact(tmp_path: Path, kind: str) -> None:
    source = save_tiny(tmp_path, kind)
    runtime = load(source, fusion="fused_projections")
    proof = receipt(runtime)
    assert proof.matches
    assert proof.effective == "20 Linears joined into 8"
    assert proof.detail["weights_bytes"] == runtime.weights_bytes_before
    assert trial(runtime) == trial(load(source))


@pytest.mark.parametrize("method", ["int8_weight_only", "int4_weight_only"])
def test_quantized_projections_fuse_too(folder: Path, method: str) -> None:
    runtime = load(folder, quantization=method, fusion="fused_projections")
    for strategy in runtime.variant.strategies():
        proof = strategy.receipt(runtime)
        left = proof.detail.get("left_out", [])  # some processors' int4 layouts come in larger blocks
        assert proof.matches or (left and all("cannot be joined at these sizes" in reason for reason in left)), strategy
    assert trial(runtime) == trial(load(folder, quantization=method))


def test_what_cannot_be_fused_says_so(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(Unsuitable, match="fused already"):
        load(save_tiny(tmp_path, "gpt2"), fusion="fused_projections")
    assert "cannot be joined" in conflicts("fusion", quantization="nf4", fusion="fused_projections")
    assert not receipt(load(folder, transform=False, fusion="fused_projections")).matches
    linears = [torch.nn.Linear(32, 16) for _ in range(2)]
    with pytest.raises(CannotFuse, match="different kinds"):
        join([linears[0], Int8Linear.from_linear(linears[1])])
    wide = torch.nn.Linear(64, 16)
    with pytest.raises(CannotFuse, match="group sizes"):
        join([Int4Linear.from_linear(wide, 32), Int4Linear.from_linear(wide, 64)])
    with pytest.raises(CannotFuse, match="have a bias"):
        join([linears[0], torch.nn.Linear(32, 16, bias=False)])


def test_a_wrong_join_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    import core.kernels.weights.fusion as fusion

    monkeypatch.setattr(fusion, "_cat", lambda tensors: torch.cat(tensors[::-1]).contiguous())
    parts = [torch.nn.Linear(32, 16, bias=False) for _ in range(2)]
    with pytest.raises(CannotFuse, match="layout"):
        join(parts)


def test_a_fused_layer_holds_no_activation() -> None:
    fused = Fused(torch.nn.Linear(8, 6), [2, 4])
    x = torch.randn(3, 8)
    a, b = fused.part(0, x), fused.part(1, x)
    assert torch.equal(torch.cat([a, b], -1), fused.linear(x))
    assert fused._input is None
    assert fused._outputs == ()


# -- compilation --------------------------------------------------------------------------------------------


def test_a_compiled_step_is_exact_and_counted(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "llama", num_hidden_layers=1)  # layers are unrolled, and compiled one by one
    slots: dict[str, Any] = {"compilation": "torch_compile", "kv_cache": "static"}
    runtime = load(folder, **slots)
    strategy = runtime.variant.compilation
    assert "at the first step" in strategy.receipt(runtime).effective
    assert trial(runtime) == trial(load(folder))
    proof = strategy.receipt(runtime)
    assert proof.matches, proof
    assert proof.detail["graphs"] == 1
    assert proof.detail["recompilations"] == 0
    assert proof.detail["steps"] == 15
    assert "s compiling" in proof.effective
    trial(runtime, prompt=PROMPT[:-3])  # another length is another shape
    assert strategy.receipt(runtime).detail["recompilations"] == 1


def test_compilation_says_what_it_needs(folder: Path) -> None:
    assert "static" in conflicts("compilation", compilation="torch_compile")
    assert "nf4" not in conflicts("compilation", compilation="torch_compile", kv_cache="static")
    kinds = REGISTRY["compilation"]
    assert "compiler" in kinds["torch_compile"].unavailable(Environment())
    assert kinds["torch_compile"].unavailable(Environment(compiler="/usr/bin/g++")) == ""
    assert "CUDA" in kinds["cuda_graphs"].unavailable(Environment())
    runtime = load(folder, decode=False, compilation="torch_compile", kv_cache="static")
    trial(runtime)
    assert not runtime.variant.compilation.receipt(runtime).matches


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_cuda_graph_is_exact(folder: Path) -> None:
    runtime = load(folder, compilation="cuda_graphs", kv_cache="static")
    runtime.model.cuda()
    assert isinstance(runtime.decoder, Plain)
    plain = Plain(runtime.model, caches.static(runtime.model))
    graphed = Plain(runtime.model, caches.static(runtime.model))
    graphed.forward_one = runtime.decoder.forward_one
    runtime.decoder = plain
    expected = trial(runtime)
    runtime.decoder = graphed
    assert trial(runtime) == expected
    assert trial(runtime) == expected  # replayed on the same cache
    assert runtime.variant.compilation.receipt(runtime).matches


# -- caches -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fmt", "bound", "share"), [("fp8", 0.04, 0.36), ("int8", 0.01, 0.36), ("int4", 0.12, 0.3)])
def test_a_quantized_cache_is_small_and_its_error_is_bounded(fmt: Any, bound: float, share: float) -> None:
    generator = torch.Generator().manual_seed(0)
    keys = torch.randn(1, 2, 512, 64, generator=generator)
    keys[..., 5] *= 20  # an outlier channel, as in real keys
    values = torch.randn(1, 2, 512, 64, generator=generator)
    layer = QuantizedKvLayer(fmt, window=32, block=32)
    layer.update(keys[..., :300, :], values[..., :300, :])
    for i in range(300, 512):
        seen_keys, seen_values = layer.update(keys[..., i : i + 1, :], values[..., i : i + 1, :])
    assert seen_keys.shape == keys.shape
    assert layer.get_seq_length() == 512
    assert torch.equal(seen_keys[..., -32:, :], keys[..., -32:, :])  # the newest in full
    for seen, true in ((seen_keys, keys), (seen_values, values)):
        assert float((seen - true).norm() / true.norm()) < bound
    full = 2 * keys.numel() * 4
    cache = type("C", (), {"layers": [layer]})()
    assert caches.cache_bytes(cache) < share * full


def test_a_quantized_cache_with_everything_in_its_window_is_exact(folder: Path) -> None:
    runtime = load(folder, kv_cache={"method": "quantized", "window": 4096})
    assert trial(runtime) == trial(load(folder))
    assert receipt(runtime).matches
    assert "4 QuantizedKvLayer" in receipt(runtime).effective


def test_a_window_forgets_what_lies_between(folder: Path) -> None:
    runtime = load(folder, kv_cache={"method": "sliding_window", "window": 8, "sinks": 2})
    trial(runtime)
    proof = receipt(runtime)
    assert proof.matches
    assert proof.detail["kv_bytes"] == 2 * 4 * 2 * 16 * 4 * (8 + 2)
    wide = load(folder, kv_cache={"method": "sliding_window", "window": 4096})
    assert trial(wide) == trial(load(folder))


def test_a_window_keeps_sinks_and_the_newest() -> None:
    layer = SinkWindowLayer(window=3, sinks=1)
    for i in range(6):
        state = torch.full((1, 1, 1, 2), float(i))
        keys, _ = layer.update(state, state)
    assert layer.keys[0, 0, :, 0].tolist() == [0, 3, 4, 5]
    assert keys[0, 0, :, 0].tolist() == [0, 2, 3, 4, 5]  # a step sees what was kept before it, and itself
    assert layer.get_seq_length() == 6
    assert layer.get_mask_sizes(1) == (5, 2)


def test_static_buckets_round_up_and_are_used_again(folder: Path) -> None:
    runtime = load(folder, kv_cache={"method": "static", "bucket": 64})
    first = trial(runtime)
    assert receipt(runtime).detail["kv_bytes"] == 2 * 4 * 2 * 16 * 4 * 64
    cache = runtime.decoder.cache  # type: ignore[union-attr]
    assert trial(runtime) == first
    assert runtime.decoder.cache is cache  # type: ignore[union-attr]


@pytest.mark.parametrize("key", ["quantized", "sliding_window", "offloaded"])
def test_caches_that_cannot_roll_back_refuse_speculation(key: str) -> None:
    assert "cannot drop positions" in conflicts("kv_cache", kv_cache=key, speculation="prompt_lookup")
    assert conflicts("kv_cache", kv_cache=key) == ""


def test_offloading_is_for_gpus() -> None:
    kind = REGISTRY["kv_cache"]["offloaded"]
    assert "GPU" in kind.unavailable(Environment())
    assert kind.unavailable(GPU) == ""


# -- prefixes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cache", ["dynamic", "static"])
@pytest.mark.parametrize("speculation", [None, "prompt_lookup"])
def test_prefix_reuse_is_exact_and_counted(folder: Path, cache: str, speculation: str | None) -> None:
    extra = {"speculation": speculation} if speculation else {}
    runtime = load(folder, prefix_cache={"method": "prefix_reuse", "least": 4}, kv_cache=cache, **extra)
    prompts = [PROMPT, [*PROMPT[:30], 7, 8, 9], PROMPT, [1, 2, 3]]
    for prompt in prompts:
        assert trial(runtime, prompt) == trial(load(folder), prompt)
    proof = runtime.variant.prefix_cache.receipt(runtime)
    assert proof.matches
    assert proof.detail["hits"] == 2
    assert proof.detail["reused_tokens"] == 30 + len(PROMPT) - 1  # one token is always computed
    assert proof.detail["prompt_tokens"] == sum(map(len, prompts))


def test_prefixes_are_forgotten_at_the_capacity(folder: Path) -> None:
    runtime = load(folder, prefix_cache={"method": "prefix_reuse", "capacity": 60, "least": 4})
    store = runtime.decoder.prefixes  # type: ignore[union-attr]
    assert isinstance(store, PrefixStore)
    for first in (1, 2, 3):
        trial(runtime, [first, *PROMPT])
    assert len(store._kept) == 1
    trial(runtime, [9] * 100)
    assert (9,) * 100 not in store._kept


def test_prefix_reuse_refuses_what_does_not_keep_a_prompt(tmp_path: Path, folder: Path) -> None:
    for key in ("none", "quantized", "sliding_window"):
        assert "as it was computed" in conflicts("prefix_cache", kv_cache=key, prefix_cache="prefix_reuse")
    with pytest.raises(Unsuitable, match="sliding window"):
        load(save_tiny(tmp_path, "gemma3"), prefix_cache="prefix_reuse")
    runtime = load(folder, decode=False, prefix_cache="prefix_reuse")
    trial(runtime)
    assert not receipt(runtime).matches
