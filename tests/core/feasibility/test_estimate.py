"""The estimate of memory against real models: the weights and the cache of a tiny one, strategy by strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from core.engine.load.cache_facts import with_cache
from core.engine.load.load import _anatomy
from core.feasibility.memory_estimate import footprint, loading_bytes, memory_estimate, on_device
from core.kernels.base import memory
from core.kernels.decoding.decoders import base_decoder
from core.kernels.decoding.sampling import Sampler
from core.model.config_sizes import cached_layers
from core.model.facts import ModelFacts
from core.model.finder import resolve
from core.model.memory_footprint import KERNEL_BYTES, KERNELS_KEPT
from core.model.source import ModelSource
from core.protocol.engine_channel import Channel
from core.spec.variant import REGISTRY, Variant
from core.spec.workload import Workload
from tests.core.kernels.test_strategies import NEW, PROMPT, load, trial
from tests.core.tiny import save_tiny
from tests.zoo.models import make

CACHES = ("llama", "gpt2", "gemma3")  # grouped heads, one of each, every second layer with a window
WORK = Workload(prompt_tokens=len(PROMPT), new_tokens=NEW)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


@pytest.mark.parametrize("skip", ["", "*.experts"])
@pytest.mark.parametrize("method", ["int8_weight_only", "int4_weight_only"])
def test_experts_have_the_bytes_of_their_format(tmp_path: Path, method: str, skip: str) -> None:
    from core.kernels.base.surgery import storage_bytes

    folder = save_tiny(tmp_path, "mixtral")
    runtime = load(folder, quantization={"method": method, "skip": skip})
    facts = resolve(ModelSource(source=str(folder)))
    assert facts.expert_parameters == 4 * 8 * 3 * 64 * 128
    parts = memory_estimate(facts, runtime.variant, WORK, "fp32").parts
    assert parts["weights"] == pytest.approx(storage_bytes(runtime.model), rel=0.05)


@pytest.mark.parametrize(("slot", "method"), [(slot, method) for slot, kinds in REGISTRY.items() for method in kinds])
def test_what_was_just_chosen_can_be_estimated(folder: Path, slot: str, method: str) -> None:
    """With its defaults, before anything else was filled in: a draft model has no name yet."""
    facts = resolve(ModelSource(source=str(folder)))
    assert (
        memory_estimate(facts, Variant.model_validate({"name": "v", slot: {"method": method}}), WORK, "fp32").total > 0
    )


@pytest.mark.parametrize(
    "slots",
    [
        {"precision": "fp32"},
        {"precision": "bf16"},
        {"quantization": "int8_weight_only"},
        {"quantization": "int4_weight_only"},
        {"quantization": {"method": "int4_weight_only", "group_size": 64, "head": "same"}},
        {"quantization": {"method": "int8_weight_only", "head": "keep"}},
        {"quantization": {"method": "int8_weight_only", "skip_first": 2}},
        {"quantization": {"method": "llm_int8", "head": "same"}},
        {"pruning": {"method": "layer_drop", "ratio": 0.5, "calibration_tokens": 64}},
        {"pruning": {"method": "mlp_width", "ratio": 0.5, "multiple": 16, "calibration_tokens": 64}},
        {"pruning": {"method": "heads", "ratio": 0.5, "calibration_tokens": 64}},
        {
            "precision": "bf16",
            "pruning": {"method": "mlp_width", "ratio": 0.5, "multiple": 32, "calibration_tokens": 64},
            "quantization": "int4_weight_only",
        },
    ],
    ids=str,
)
def test_weights_and_cache_are_those_of_the_loaded_model(folder: Path, slots: dict[str, Any]) -> None:
    from core.kernels.base.surgery import storage_bytes

    runtime = load(folder, **slots)
    facts = resolve(ModelSource(source=str(folder)))
    parts = memory_estimate(facts, runtime.variant, WORK, "fp32").parts
    # In a model this small, scales, norms and rotary tables weigh more than in any other.
    assert parts["weights"] == pytest.approx(storage_bytes(runtime.model), rel=0.05)
    trial(runtime)
    assert runtime.last_trial is not None
    assert parts["kv_cache"] == pytest.approx(runtime.last_trial.kv_bytes, rel=0.05)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("kinds")
    return {kind: save_tiny(root / kind, kind) for kind in CACHES}


@pytest.mark.parametrize("kind", CACHES)
@pytest.mark.parametrize(
    "slots",
    [
        {},
        {"kv_cache": "static"},
        {"kv_cache": {"method": "static", "bucket": 64}},
        {"kv_cache": "none"},
        {"kv_cache": {"method": "sliding_window", "window": 12, "sinks": 2}},
        {"kv_cache": {"method": "quantized", "format": "int8", "window": 8, "block": 8}},
        {"kv_cache": {"method": "quantized", "format": "int4", "window": 8, "block": 8}},
        {"kv_cache": {"method": "quantized", "format": "fp8", "window": 8, "block": 8}},
        {"speculation": {"method": "prompt_lookup", "adaptive": False}},
        {"speculation": {"method": "prompt_lookup"}, "kv_cache": "static"},
        {"speculation": {"method": "early_exit", "share": 0.5, "adaptive": False}},
    ],
    ids=str,
)
def test_the_cache_is_counted_by_layers_heads_and_windows(
    folders: dict[str, Path], kind: str, slots: dict[str, Any]
) -> None:
    """Grouped heads, layers with a window, room in multiples of a bucket, room for a draft: the bytes of a decoder
    that has passed its window."""
    prompt, new = 30, 10
    runtime = load(folders[kind], precision="fp32", **slots)
    decoder = runtime.decoder
    work = Workload(prompt_tokens=prompt, new_tokens=new)
    left = new - 1
    decoder.start([7 * i % 250 for i in range(prompt)], new, runtime.sampler(0))
    while left > 0:
        left -= len(decoder.step())
    facts = resolve(ModelSource(source=str(folders[kind])))
    expected = memory_estimate(facts, runtime.variant, work, "fp32").parts["kv_cache"]
    # A model that guesses is a token behind at the end; a window that may roll back keeps what was rejected, too.
    tolerance = 0.2 if "early_exit" in str(slots) or (kind == "gemma3" and "sliding_window" in str(slots)) else 0.0
    assert decoder.kv_bytes() == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ({}, (0, 0)),
        ({"sliding_window": 4096}, (0, 8)),  # Mistral 7B v0.1
        ({"sliding_window": 4096, "use_sliding_window": False}, (0, 0)),  # Qwen2
        ({"sliding_window": 4096, "use_sliding_window": True, "max_window_layers": 6}, (0, 2)),
        ({"sliding_window": 4096, "model_type": "gemma2"}, (0, 4)),
        ({"sliding_window": 512, "model_type": "gemma3_text"}, (0, 7)),
        ({"layer_types": ["linear_attention"] * 6 + ["full_attention"] * 2}, (6, 0)),  # Qwen3-Next
        ({"layer_types": ["sliding_attention", "full_attention"] * 4, "sliding_window": 16}, (0, 4)),
        ({"num_kv_shared_layers": 3}, (3, 0)),  # Gemma 3n
        ({"layer_types": "nonsense", "sliding_window": "wide"}, (0, 0)),
    ],
    ids=str,
)
def test_layers_without_a_cache_and_layers_with_a_window(text: dict[str, Any], found: tuple[int, int]) -> None:
    counted = cached_layers(text, 8)
    assert (counted["uncached_layers"], counted["sliding_layers"]) == found


@pytest.mark.parametrize("method", ["nf4", "fp4"])
def test_four_bits_of_a_model_of_real_size(method: str) -> None:
    """On a tiny model the tables of bitsandbytes outweigh the weights."""
    facts = ModelFacts(
        name="m", kind="folder", path="x", parameters=1_235_814_400, layers=16, hidden=2048, vocab=128_256, tied=True
    )
    variant = Variant.model_validate({"name": "v", "quantization": {"method": method}})
    body = 1_235_814_400 - 2048 * 128_256
    weights = footprint(facts, variant, WORK, "bf16").weights_bytes
    assert weights == pytest.approx(body * 4.125 / 8 + 2048 * 128_256 * 2, rel=1e-6)
    plain = Variant.model_validate({"name": "v", "quantization": {"method": method, "double_quant": False}})
    assert footprint(facts, plain, WORK, "bf16").weights_bytes - weights == pytest.approx(body * 0.375 / 8, rel=1e-6)


def test_the_cache_follows_its_strategy(folder: Path) -> None:
    facts = resolve(ModelSource(source=str(folder)))

    def kv(**slots: Any) -> int:
        variant = Variant.model_validate({"name": "v", **slots})
        work = Workload(prompt_tokens=400, new_tokens=100, concurrency=4)
        return memory_estimate(facts, variant, work, "fp32").parts["kv_cache"]

    token = 2 * 4 * 2 * 16 * 4
    assert kv() == 499 * token  # the last token is never fed
    assert kv(kv_cache={"method": "static", "bucket": 64}) == 512 * token
    assert kv(kv_cache="none") == 0
    assert kv(kv_cache={"method": "sliding_window", "window": 60, "sinks": 4}) == 64 * token
    # 14 blocks of 32 in 8 bits, with scales and zeros: of keys per channel and block, of values per token and head.
    assert kv(kv_cache={"method": "quantized", "format": "int8"}) == (448 * (8 + 32 / 32 + 32 / 16) / 32 + 51) * token
    assert kv(kv_cache={"method": "quantized", "format": "fp8"}) == (448 * (8 + 32 / 16) / 32 + 51) * token
    assert kv(batching="continuous") == 4 * 500 * token
    assert kv(batching={"method": "static", "batch_size": 2}) == 2 * 499 * token


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_draft_model_is_weighed_beside_its_target(folder: Path, precision: str) -> None:
    facts = resolve(ModelSource(source=str(folder)))
    speculation = {"method": "draft_model", "model": str(folder)}
    alone, both, lost = (
        footprint(facts, Variant.model_validate({"name": "v", "precision": precision, **more}), WORK, "fp32")
        for more in ({}, {"speculation": speculation}, {"speculation": {**speculation, "model": "/nowhere"}})
    )
    assert both.beside == pytest.approx(alone.weights_bytes, rel=0.01)
    assert both.weights_bytes == alone.weights_bytes + both.beside
    assert lost.beside == 0


def test_loading_needs_the_weights_as_they_were(folder: Path) -> None:
    facts = resolve(ModelSource(source=str(folder)))
    plain, quantized = Variant(name="a"), Variant.model_validate({"name": "b", "quantization": "int4_weight_only"})
    found = memory_estimate(facts, plain, WORK)
    total, parts = found.total, found.parts
    assert loading_bytes(facts, plain, WORK) == parts["weights"] + parts["runtime"] <= total
    assert memory_estimate(facts, quantized, WORK).total < total
    assert loading_bytes(facts, quantized, WORK) == loading_bytes(facts, plain, WORK) + 5 * 4 * 320 * 64


def runtime_of(facts: ModelFacts, precision: str, **slots: Any) -> int:
    variant = Variant.model_validate({"name": "v", **slots})
    work = Workload(prompt_tokens=40, new_tokens=20)
    return memory_estimate(facts, variant, work, precision).parts["runtime"]


def test_products_of_every_shape_have_code_of_their_own_in_bf16(folder: Path) -> None:
    """Four shapes in a body with grouped heads, one in the head."""
    facts = resolve(ModelSource(source=str(folder)))
    for precision, each in (("bf16", KERNEL_BYTES), ("fp32", 0)):
        plain = runtime_of(facts, precision)
        assert runtime_of(facts, precision, attention="eager") - plain == 2 * 20 * each
        assert runtime_of(facts, precision, attention="eager", kv_cache="static") - plain == 2 * each
        assert runtime_of(facts, precision, kv_cache="none") - plain == 4 * 20 * each
        assert runtime_of(facts, precision, speculation="prompt_lookup") - plain == 5 * 5 * each
        assert runtime_of(facts, precision, kv_cache="none", quantization="int4_weight_only") == plain
    long = Workload(prompt_tokens=40, new_tokens=1900)
    without, with_all = (
        memory_estimate(facts, Variant.model_validate({"name": "v", **slots}), long, "bf16").parts["runtime"]
        for slots in ({}, {"kv_cache": "none"})
    )
    assert with_all - without == KERNELS_KEPT * KERNEL_BYTES  # and no more


def test_a_library_is_counted_once_and_within_its_range(folder: Path) -> None:
    facts = resolve(ModelSource(source=str(folder)))
    draft = {"method": "self_draft", "quantization": "nf4"}
    work = Workload(prompt_tokens=40, new_tokens=20)

    def spread(**slots: Any) -> tuple[int, int, int]:
        asked = (facts, Variant.model_validate({"name": "v", **slots}), work, "fp32")
        found = memory_estimate(*asked)
        return found.least - found.total, found.total, found.most - found.total

    assert spread()[::2] == (0, 0)
    one, both = spread(quantization="nf4"), spread(quantization="nf4", speculation=draft)
    assert one[0] < 0 < one[2]
    assert one[::2] == both[::2]
    assert spread(speculation=draft)[::2] == one[::2]
    plain, nf4 = runtime_of(facts, "fp32"), runtime_of(facts, "fp32", quantization="nf4")
    assert nf4 > plain
    assert runtime_of(facts, "fp32", quantization="nf4", speculation=draft) == nf4


def test_eager_attention_holds_the_scores_of_the_whole_prompt() -> None:
    facts = ModelFacts(name="m", kind="folder", path="x", layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128)
    variant = Variant.model_validate({"name": "v", "attention": "eager"})
    work = Workload(prompt_tokens=4096, new_tokens=8)
    plain = memory_estimate(facts, Variant(name="v"), work, "bf16").parts["activations"]
    assert memory_estimate(facts, variant, work, "bf16").parts["activations"] - plain == 32 * 4096**2 * (4 + 3 * 2)


def test_rows_of_a_mapped_embedding_that_no_token_asks_for_are_not_read() -> None:
    facts = ModelFacts(
        name="m", kind="folder", path="x", parameters=99_000_000, dtype="bf16", layers=8, hidden=768, vocab=32_000,
        tied=False,
    )  # fmt: skip
    table = 768 * 32_000 * 2

    def left(facts: ModelFacts, precision: str = "bf16", trials: int = 5, **slots: Any) -> int:
        variant = Variant.model_validate({"name": "v", **slots})
        found = memory_estimate(facts, variant, Workload(prompt_tokens=128, new_tokens=32, trials=trials), precision)
        total, parts = found.total, found.parts
        assert found.least <= total <= found.most
        assert on_device(parts) == parts["weights"] + parts["kv_cache"] + parts["activations"]  # it gets all of it
        return -parts["unread_weights"]

    assert 0 < left(facts) < left(facts, trials=1) < table
    assert left(facts, trials=1000) < 0.01 * table
    assert left(facts, attention="eager") == left(facts)
    assert left(facts.model_copy(update={"tied": True})) == 0  # the head reads all of it
    assert left(facts, precision="fp32") == 0  # another type: made anew
    assert left(facts, quantization="int8_weight_only") == 0
    assert left(facts.model_copy(update={"kind": "gguf"})) == 0


def test_what_is_not_known_counts_nothing() -> None:
    facts = ModelFacts(name="m", kind="folder", path="x", file_bytes=2_000_000, needs_pickle=True)
    for slots in ({}, {"pruning": "layer_drop"}, {"pruning": "heads"}, {"pruning": "mlp_width"}):
        found = memory_estimate(facts, Variant.model_validate({"name": "v", **slots}), WORK, "bf16")
        total, parts = found.total, found.parts
        assert total == sum(parts.values())
        assert parts["weights"] == 2_000_000


def test_a_file_is_let_go_once_nothing_is_mapped_from_it(folder: Path) -> None:
    def mapped() -> bool:
        return str(folder / "model.safetensors") in Path("/proc/self/maps").read_text()

    if not Path("/proc/self/maps").exists():
        pytest.skip("this system does not tell what is mapped")
    runtime = load(folder, quantization="int8_weight_only")
    if not mapped():
        pytest.skip("this transformers copies what it loads")
    before = trial(runtime)
    assert memory.unmap(runtime.model) > 0
    memory.give_back()
    assert not mapped()
    assert memory.unmap(runtime.model) == 0
    assert trial(runtime) == before


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        ("deepseek_v3", True),  # latent attention: a compressed row for all heads
        ("minicpm3", True),
        ("glm4_moe_lite", True),
        ("falcon", True),  # multi-query
        ("gpt_bigcode", True),
        ("gpt_neo", True),  # sizes under names of its own
        ("xglm", True),
        ("deepseek_v32", False),  # keys of an index beside the rows
        ("mamba", False),  # states
        ("mamba2", False),
        ("qwen3_next", False),  # states and rows
        ("nemotron_h", False),
        ("lfm2", False),
        ("falcon_h1", False),
        ("gemma3n_text", True),  # layers that share
        ("mistral", True),
    ],
)
def test_the_cache_is_estimated_by_what_its_layers_keep(tmp_path: Path, kind: str, known: bool) -> None:
    """From config.json alone, and, where that does not say it, from the outline that the engine makes."""
    model = make(kind)
    model.save_pretrained(tmp_path)
    source = ModelSource(source=str(tmp_path))
    facts, variant = resolve(source), Variant.model_validate({"name": "v"})
    decoder = base_decoder(model)
    decoder.start(PROMPT, NEW, Sampler())
    for _ in range(NEW - 1):
        decoder.step()
    real = decoder.kv_bytes()
    assert memory_estimate(with_cache(facts, source), variant, WORK).parts["kv_cache"] == pytest.approx(real, rel=0.05)
    if known:
        assert memory_estimate(facts, variant, WORK).parts["kv_cache"] == pytest.approx(real, rel=0.05)


@pytest.mark.parametrize("kind", ["deepseek_v3", "falcon", "llama"])
def test_a_step_reads_what_layers_keep(tmp_path: Path, kind: str) -> None:
    """The roofline's bytes of a position are those by which the cache grows."""
    make(kind).save_pretrained(tmp_path)
    runtime = load(tmp_path)
    source = ModelSource(source=str(tmp_path))
    runtime.facts = with_cache(resolve(source), source)
    decoder = base_decoder(runtime.model)
    found = _anatomy(runtime, cast(Channel, None))
    assert found is not None
    decoder.start(PROMPT, 4, Sampler())
    before = decoder.kv_bytes()
    decoder.step()
    assert found.kv_bytes_per_token() == decoder.kv_bytes() - before
    assert found.kv_read(10) == 10 * found.kv_bytes_per_token()


def test_what_has_no_outline_is_estimated_as_before(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    facts = ModelFacts(name="x", kind="folder", path=str(tmp_path), layers=4, kv_heads=2, head_dim=16)
    assert with_cache(facts, ModelSource(source=str(tmp_path))) == facts
