"""What a card must hold while a model is loaded: of an 8B model that is quantized, never all of it in bf16."""

import gc
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, LlamaConfig

from core.feasibility.memory_estimate import card_bytes, card_loading_bytes, memory_estimate
from core.feasibility.staging import is_staged
from core.kernels.base import surgery
from core.model.facts import ModelFacts
from core.model.quantization_schemes import Scheme
from core.spec.variant import Variant
from core.spec.workload import Workload
from core.strategies.quantization.weight_only import Int4WeightOnly, Int8WeightOnly
from tests.cuda import fake_device
from tests.cuda.fake_device import FakeCuda

GIB = 1 << 30
LLAMA_8B: dict[str, Any] = {
    "vocab_size": 128256, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8,
}  # fmt: skip
QWEN_14B: dict[str, Any] = {
    "vocab_size": 151936, "hidden_size": 5120, "intermediate_size": 17408, "num_hidden_layers": 40,
    "num_attention_heads": 40, "num_key_value_heads": 8,
}  # fmt: skip


def facts_of(shapes: dict[str, Any], parameters: int) -> ModelFacts:
    return ModelFacts(
        name="m", kind="folder", path="x", parameters=parameters, file_bytes=2 * parameters, dtype="bf16",
        layers=shapes["num_hidden_layers"], hidden=shapes["hidden_size"], intermediate=shapes["intermediate_size"],
        heads=shapes["num_attention_heads"], kv_heads=8, head_dim=128, vocab=shapes["vocab_size"], tied=False,
    )  # fmt: skip


FACTS = facts_of(LLAMA_8B, 8_030_261_248)
FACTS_14B = facts_of(QWEN_14B, 14_768_307_200)


def variant(**slots: Any) -> Variant:
    return Variant.model_validate({"name": "v", **slots})


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCuda]:
    if why := fake_device.missing():
        pytest.skip(why)
    monkeypatch.setattr(torch.utils, "weakref", SimpleNamespace(getweakrefs=lambda tensor: []))  # the fake mode's own
    with FakeCuda() as mode:
        yield mode


def staged(strategy: Any, shapes: dict[str, Any]) -> Any:
    """Return a Llama of these shapes that was read on the host and quantized on the card."""
    config = LlamaConfig(**shapes, head_dim=128, tie_word_embeddings=False)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval()
    runtime: Any = SimpleNamespace(model=model, device=torch.device("cuda:0"), work={}, dtype=torch.bfloat16)
    strategy.transform(runtime)
    return model


@pytest.mark.parametrize(
    ("strategy", "shapes", "facts", "most"),
    [
        (Int8WeightOnly(), LLAMA_8B, FACTS, 9 * GIB),
        (Int4WeightOnly(), LLAMA_8B, FACTS, 6.5 * GIB),
        (Int4WeightOnly(head="keep"), LLAMA_8B, FACTS, 7 * GIB),
        (Int4WeightOnly(), QWEN_14B, FACTS_14B, 11 * GIB),
    ],
)
def test_a_card_holds_what_is_left_and_a_part_of_a_layer(
    card: FakeCuda, strategy: Any, shapes: dict[str, Any], facts: ModelFacts, most: float
):
    staged(strategy, {**shapes, "num_hidden_layers": 1})  # the first pass of a fake mode keeps a tensor in a cycle
    gc.collect()
    card.highest = card.held
    model = staged(strategy, shapes)
    assert {t.device.type for t in [*model.parameters(), *model.buffers()]} == {"cuda"}
    predicted = card_loading_bytes(facts, variant(quantization=strategy.dump()), Workload())
    assert card.highest < predicted < 1.2 * card.highest
    assert predicted < most < card_loading_bytes(facts, variant(), Workload())


def test_weights_are_read_on_the_host_if_a_quantization_comes_first_and_the_host_can_run_them():
    assert is_staged(variant(quantization="nf4"), FACTS)
    assert is_staged(variant(quantization="int4_weight_only", attention={"method": "sdpa", "backend": "flash"}), FACTS)
    for slots in (
        {}, {"pruning": "wanda"}, {"quantization": "gptq"}, {"pruning": "wanda", "quantization": "nf4"},
        {"quantization": "nf4", "attention": "flash_attention_2"}, {"quantization": "nf4", "parallelism": "device_map"},
        {"quantization": "nf4", "attention": {"method": "sdpa", "backend": "cudnn"}},
    ):  # fmt: skip
        assert not is_staged(variant(**slots), FACTS), slots
    assert not is_staged(
        variant(quantization="nf4"), FACTS.model_copy(update={"scheme": Scheme(method="gptq", words="GPTQ")})
    )


def test_a_prediction_for_a_card_counts_its_context():
    parts = memory_estimate(FACTS, variant(), Workload(), "bf16").parts
    assert card_bytes(parts) - parts["weights"] - parts["kv_cache"] - parts["activations"] == 512 << 20


def test_a_layer_on_another_card_stays_there(card: FakeCuda):
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Linear(64, 64, device="cuda:1"))
    surgery.replace_linears(model, lambda name, linear: linear, {}, torch.device("cuda:0"))
    assert [str(layer.weight.device) for layer in model] == ["cuda:0", "cuda:1"]
