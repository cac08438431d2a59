"""Each strategy has its effect on a real (tiny) model, and its receipt is read from that model: it says so when
the effect is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
import torch
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

from core.engine.base.runtime import Runtime
from core.engine.load import draft_model
from core.kernels.base import surgery
from core.kernels.decoding.decoders import Recompute, base_decoder
from core.kernels.decoding.sampling import Sampler
from core.kernels.speculation.speculative import Speculative
from core.machine.environment import Device, Environment
from core.model.facts import ModelFacts
from core.model.receipt import Receipt
from core.protocol.events import TrialDone
from core.spec.loaded_model import Decoder
from core.spec.variant import REGISTRY, Strategy, Variant
from core.spec.workload import Workload
from core.strategies.precision import default_precision
from tests.core.tiny import EOS, save_tiny, tiny_tokenizer
from tests.zoo.models import make

PROMPT = list(b"the cat sat on the mat; the cat sat on the ")
NEW = 16


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


def facts_of(folder: Path) -> ModelFacts:
    config = json.loads((folder / "config.json").read_text())
    layers = config.get("num_hidden_layers") or config["n_layer"]
    sizes = {"layers": layers, "hidden": 64, "intermediate": 128, "heads": 4, "kv_heads": 2, "head_dim": 16}
    return ModelFacts(name="tiny", kind="folder", path=str(folder), **sizes)


def load(folder: Path, transform: bool = True, decode: bool = True, **slots: Any) -> Runtime:
    """What the engine does with a variant; `transform` and `decode` leave a step out, as a bug would."""
    variant = Variant.model_validate({"name": "v", **slots})
    options: dict[str, Any] = {"dtype": torch.float32}
    for strategy in variant.strategies():
        strategy.load(options)
    model = AutoModelForCausalLM.from_pretrained(folder, **options).eval()
    runtime = Runtime(
        model=model,
        tokenizer=tiny_tokenizer(),
        variant=variant,
        workload=Workload(),
        facts=facts_of(folder),
        device=torch.device("cpu"),
        dtype=options["dtype"],
        weights_bytes_before=surgery.storage_bytes(model),
        load_draft=draft_model.draft,
    )
    if transform:
        for strategy in variant.strategies():
            strategy.transform(runtime)
    decoder: Decoder = base_decoder(model)
    if decode:
        for strategy in variant.strategies():
            decoder = strategy.decoder(decoder, runtime)
    runtime.decoder = decoder
    return runtime


def trial(runtime: Runtime, prompt: list[int] = PROMPT) -> list[int]:
    decoder = runtime.decoder
    assert decoder is not None
    tokens = [decoder.start(prompt, NEW, Sampler(forbidden=[EOS]))]
    while len(tokens) < NEW:
        tokens += decoder.step()
    runtime.last_trial = TrialDone(
        round=0,
        requests=[],
        requested_tokens=NEW,
        prompt_ids=prompt,
        token_ids=tokens,
        text="",
        kv_bytes=decoder.kv_bytes(),
        drafted=decoder.drafted,
        accepted=decoder.accepted,
        verify_steps=decoder.verify_steps,
    )
    return tokens


def receipt(runtime: Runtime) -> Receipt:
    (strategy,) = runtime.variant.strategies()
    return strategy.receipt(runtime)


# -- declarations -------------------------------------------------------------------------------------------

EXPECTED = {
    "precision": {"fp32", "bf16", "fp16"},
    "quantization": {"nf4", "llm_int8", "int8_weight_only", "int4_weight_only"},
    "pruning": {"magnitude", "layer_drop"},
    "kv_cache": {"none", "dynamic", "static"},
    "speculation": {"prompt_lookup"},
}


def test_every_strategy_is_registered_and_described() -> None:
    for slot, keys in EXPECTED.items():
        assert keys <= set(REGISTRY[slot])
    for kinds in REGISTRY.values():
        for kind in kinds.values():
            assert kind.title
            assert kind.summary.endswith(".")
            assert kind.pays.endswith(".")
            assert kind.pays_not.endswith(".")
            assert kind.source
            for name, field in kind.model_fields.items():
                assert field.title, f"{kind.key}.{name} has no title"
                assert field.description, f"{kind.key}.{name} has no description"
                bounded = field.metadata or field.annotation is bool or "Literal" in str(field.annotation)
                assert bounded, f"{kind.key}.{name} has no bounds"


def test_adding_a_strategy_is_one_class() -> None:
    class Reversed(Strategy):
        slot: ClassVar[str] = "fusion"
        key: ClassVar[str] = "for_this_test"
        title: ClassVar[str] = "For this test"
        summary: ClassVar[str] = "Does nothing."

    try:
        assert REGISTRY["fusion"]["for_this_test"] is Reversed
        variant = Variant.model_validate({"name": "v", "fusion": {"method": "for_this_test"}})
        assert isinstance(variant.fusion, Reversed)
    finally:
        del REGISTRY["fusion"]["for_this_test"]


# -- precision ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "size"), [("fp32", 4), ("bf16", 2), ("fp16", 2)])
def test_precision(folder: Path, key: str, size: int) -> None:
    runtime = load(folder, precision=key)
    proof = receipt(runtime)
    assert proof.matches
    assert proof.detail["weights_bytes"] == runtime.model.num_parameters() * size + 4 * 16  # two fp32 rotary buffers
    runtime.model.model.norm.double()
    assert not receipt(runtime).matches


def test_what_a_kind_of_model_keeps_in_fp32_is_no_fault(tmp_path: Path) -> None:
    """DeepSeek's routers; of any other tensor it is one."""
    make("deepseek_v2").save_pretrained(tmp_path)
    tiny_tokenizer().save_pretrained(tmp_path)
    runtime = load(tmp_path, precision="bf16")
    routers = [name for name, p in runtime.model.named_parameters() if p.dtype == torch.float32]
    assert routers == [f"model.layers.{i}.mlp.gate.weight" for i in (1, 2, 3)]
    assert receipt(runtime).matches
    assert receipt(runtime).effective.endswith("; 3 more are fp32 in every model of this kind")
    runtime.model.model.norm.float()
    assert not receipt(runtime).matches


def test_precision_that_did_not_reach_the_loader_is_seen(folder: Path) -> None:
    runtime = load(folder, precision="fp32")
    runtime.variant = Variant.model_validate({"name": "v", "precision": "bf16"})
    proof = receipt(runtime)
    assert not proof.matches
    assert "fp32: 38" in proof.effective


def test_the_default_precision_follows_the_processor() -> None:
    assert default_precision(Environment()) == "fp32"
    assert default_precision(Environment(cpu_features=["avx512_bf16"])) == "bf16"


# -- quantization -------------------------------------------------------------------------------------------

BODY = 4 * 7


@pytest.mark.parametrize(
    ("method", "words", "linear_bytes"),
    [
        ({"method": "int8_weight_only"}, "int8: 28 of 28 Linear layers; lm_head int8", 1.1),
        ({"method": "int4_weight_only"}, "int4 g32: 28 of 28 Linear layers; lm_head int8", 0.7),
        ({"method": "int4_weight_only", "group_size": 64, "head": "same"}, "int4 g64: 28 of 28", 0.6),
        ({"method": "nf4"}, "nf4: 28 of 28 Linear layers; lm_head not quantized", 0.8),  # a 1 KB table per layer
        ({"method": "nf4", "double_quant": False, "head": "int8"}, "nf4: 28 of 28 Linear layers; lm_head int8", 0.7),
        ({"method": "llm_int8", "head": "same"}, "LLM.int8(): 28 of 28 Linear layers; lm_head LLM.int8()", 1.1),
    ],
    ids=str,
)
def test_quantization_shrinks_the_linears_and_proves_it(
    folder: Path, method: dict[str, Any], words: str, linear_bytes: float
) -> None:
    runtime = load(folder, quantization=method)
    before = runtime.weights_bytes_before
    proof = receipt(runtime)
    assert proof.matches, proof
    assert words in proof.effective
    assert proof.detail["quantized_layers"] == BODY
    elements = sum(n * k for n, k in map(surgery.shape, surgery.linear_like(runtime.model.model).values()))
    saved = elements * (4 - linear_bytes)
    untied = 320 * 64 * 4 if runtime.variant.quantization.head != "keep" else 0
    assert proof.detail["weights_bytes"] <= before - saved + untied
    trial(runtime)
    assert receipt(runtime).matches  # still, after the first pass


def test_a_quantization_that_was_not_applied_is_seen(folder: Path) -> None:
    for method in EXPECTED["quantization"]:
        proof = receipt(load(folder, transform=False, quantization=method))
        assert not proof.matches
        assert "0 of 28" in proof.effective


def test_layers_that_do_not_fit_are_named(folder: Path) -> None:
    proof = receipt(load(folder, quantization={"method": "int4_weight_only", "group_size": 128}))
    assert not proof.matches
    assert "4 of 28" in proof.effective  # down_proj only: K = 128
    left_out = proof.detail["left_out"]
    assert isinstance(left_out, list)
    assert "model.layers.0.self_attn.q_proj: K = 64 is not a multiple of the group of 128" in left_out


def test_group_sizes_are_checked_before_loading(folder: Path) -> None:
    variant = Variant.model_validate({"name": "v", "quantization": {"method": "int4_weight_only", "group_size": 128}})
    reasons = variant.quantization.conflicts(variant, facts_of(folder), Workload())
    assert any("64 inputs" in reason and "a group size of 32 or 64" in reason for reason in reasons)
    fine = Variant.model_validate({"name": "v", "quantization": "int4_weight_only"})
    assert fine.quantization.conflicts(fine, facts_of(folder), Workload()) == []


def test_what_a_machine_lacks_is_a_reason() -> None:
    kinds = REGISTRY["quantization"]
    assert "not installed" in kinds["nf4"].unavailable(Environment())
    assert kinds["nf4"].unavailable(Environment(versions={"bitsandbytes": "0.50"})) == ""
    old = Device(name="T4", uuid="", memory_bytes=0, capability="7.5")
    assert "8.0" in kinds["int4_weight_only"].unavailable(Environment(devices=[old]))
    assert kinds["int4_weight_only"].unavailable(Environment()) == ""


# -- pruning ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("then", [None, "int8_weight_only", "nf4"])
def test_a_mask_is_counted_also_after_quantizing(folder: Path, then: str | None) -> None:
    slots: dict[str, Any] = {"pruning": {"method": "magnitude", "ratio": 0.25}}
    runtime = load(folder, **slots, **({"quantization": then} if then else {}))
    proof = runtime.variant.pruning.receipt(runtime)
    assert proof.matches
    if then is None:
        row = runtime.model.model.layers[0].mlp.up_proj.weight[3]
        assert int((row == 0).sum()) == 16
        assert proof.detail["zeros"] == proof.detail["expected"]
        assert "25.0% zeros in 28 Linear layers" in proof.effective
    trial(runtime)
    assert runtime.variant.pruning.receipt(runtime).matches


def test_a_mask_that_was_not_applied_is_seen(folder: Path) -> None:
    assert not receipt(load(folder, transform=False, pruning="magnitude")).matches


def test_a_mask_would_be_lost_in_int4() -> None:
    variant = Variant.model_validate({"name": "v", "pruning": "magnitude", "quantization": "int4_weight_only"})
    assert "no exact zero" in variant.pruning.conflicts(variant, None, Workload())[0]


# -- the decode loop ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["none", "dynamic", "static"])
def test_kv_cache(folder: Path, key: str) -> None:
    runtime = load(folder, kv_cache=key)
    first = receipt(runtime)
    assert first.matches
    assert "not used yet" in first.effective
    tokens = trial(runtime)
    proof = receipt(runtime)
    assert proof.matches
    per_token = 2 * 4 * 2 * 16 * 4
    positions = {"none": 0, "dynamic": len(PROMPT) + NEW - 1, "static": len(PROMPT) + NEW}[key]
    assert proof.detail["kv_bytes"] == per_token * positions
    assert tokens == trial(load(folder))
    assert isinstance(runtime.decoder, Recompute) == (key == "none")


@pytest.mark.parametrize("key", ["none", "static"])
def test_a_cache_that_was_not_used_is_seen(folder: Path, key: str) -> None:
    runtime = load(folder, decode=False, kv_cache=key)
    assert not receipt(runtime).matches
    trial(runtime)
    assert not receipt(runtime).matches


@pytest.mark.parametrize("cache", ["none", "dynamic", "static"])
def test_prompt_lookup_receipts(folder: Path, cache: str) -> None:
    runtime = load(
        folder, kv_cache=cache, speculation={"method": "prompt_lookup", "draft_tokens": 4, "adaptive": False}
    )
    strategy = runtime.variant.speculation
    assert isinstance(runtime.decoder, Speculative)
    assert "not used yet" in strategy.receipt(runtime).effective
    trial(runtime, prompt=[*range(256), *PROMPT])  # whatever comes, it came before
    proof = strategy.receipt(runtime)
    assert proof.matches
    assert proof.detail["drafted"] == runtime.decoder.drafted > 0
    assert f"{runtime.decoder.drafted} drafted" in proof.effective
    assert runtime.variant.kv_cache.receipt(runtime).matches


def test_prompt_lookup_that_finds_nothing_says_so(folder: Path) -> None:
    runtime = load(folder, speculation={"method": "prompt_lookup", "max_ngram": 16})
    decoder = runtime.decoder
    assert isinstance(decoder, Speculative)
    decoder.drafter._ends = {}  # type: ignore[attr-defined]
    tokens = trial(runtime, prompt=[7])
    proof = receipt(runtime)
    assert proof.matches
    if len(set(tokens)) == len(tokens):
        assert "0 drafted, 0 accepted" in proof.effective


def test_prompt_lookup_outside_the_loop_is_seen(folder: Path) -> None:
    runtime = load(folder, decode=False, speculation="prompt_lookup")
    proof = receipt(runtime)
    assert not proof.matches
    assert "Plain" in proof.effective
    # In place, but the trial was run by something else.
    runtime = load(folder, speculation="prompt_lookup")
    trial(runtime)
    assert runtime.last_trial is not None
    runtime.last_trial = runtime.last_trial.model_copy(update={"verify_steps": 0, "accepted": 0})
    assert not receipt(runtime).matches
