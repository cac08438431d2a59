"""Narrower layers: the parts that go are those that add least, what is left computes what the full model computes
with those parts silenced, and caches and text generation work on it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

from core.engine.load.load import _transform
from core.kernels.base import surgery
from core.kernels.base.outline import outline
from core.kernels.pruning import structured
from core.model.facts import ModelFacts
from core.spec.variant import Variant
from core.spec.workload import Workload
from tests.core.kernels.test_strategies import NEW, PROMPT, load, receipt, trial
from tests.core.tiny import EOS, save_tiny, tiny_config, tiny_model
from tests.zoo.models import config, make

KINDS = ("llama", "qwen2", "qwen3", "gemma2", "gemma3")
WIDTH: dict[str, Any] = {"method": "mlp_width", "ratio": 0.5, "multiple": 16, "calibration_tokens": 200}
HEADS: dict[str, Any] = {"method": "heads", "ratio": 0.5, "calibration_tokens": 200}
TEXT = list(b"The ferry leaves at six, and whoever is late will have to swim or wait for the next one until noon. " * 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


def logits(model: Any) -> torch.Tensor:
    with torch.no_grad():
        return model(torch.tensor([TEXT])).logits


# -- the criterion ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_norms_are_what_a_part_adds(kind: str) -> None:
    """Against the plain way: let the part alone reach the projection and measure what comes out."""
    model = tiny_model(kind)
    channels = structured.channel_norms(model, TEXT)
    groups = structured.group_norms(model, TEXT)
    layer = model.model.layers[2]
    fed: dict[str, list[torch.Tensor]] = {"mlp": [], "attention": []}
    layer.mlp.down_proj.register_forward_pre_hook(lambda _, args: fed["mlp"].append(args[0][0]))
    layer.self_attn.o_proj.register_forward_pre_hook(lambda _, args: fed["attention"].append(args[0][0]))
    with torch.no_grad():
        for start in range(0, len(TEXT), 128):
            model(torch.tensor([TEXT[start : start + 128]]))
    for part, linear, found, size in (
        ("mlp", layer.mlp.down_proj, channels[2], 1),
        ("attention", layer.self_attn.o_proj, groups[2], 2 * 16),
    ):
        x = torch.cat(fed[part])
        assert len(x) == len(TEXT)
        for i in range(0, len(found), 7):
            alone = torch.zeros_like(x)
            alone[:, i * size : (i + 1) * size] = x[:, i * size : (i + 1) * size]
            wanted = torch.nn.functional.linear(alone, linear.weight.detach()).norm()
            assert float(found[i]) == pytest.approx(float(wanted), rel=1e-4)


def test_the_largest_stay_in_their_order() -> None:
    norms = torch.tensor([3.0, 1.0, 5.0, 2.0, 4.0])
    assert structured.largest(norms, 3).tolist() == [0, 2, 4]


# -- the model that is left ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_fewer_channels_equal_silent_channels(kind: str) -> None:
    full = tiny_model(kind)
    small = deepcopy(full)
    keep = [structured.largest(n, 48) for n in structured.channel_norms(full, TEXT)]
    structured.keep_channels(small, keep)
    with torch.no_grad():
        for layer, kept in zip(full.model.layers, keep, strict=True):
            gone = sorted(set(range(128)) - set(kept.tolist()))
            layer.mlp.down_proj.weight[:, gone] = 0
    torch.testing.assert_close(logits(small), logits(full), rtol=1e-4, atol=1e-4)
    assert small.model.layers[0].mlp.gate_proj.weight.shape == (48, 64)
    assert small.config.intermediate_size == 48
    removed = 4 * 3 * 64 * (128 - 48)
    assert full.num_parameters() - small.num_parameters() == removed
    assert surgery.storage_bytes(full) - surgery.storage_bytes(small) == 4 * removed


@pytest.mark.parametrize("kind", KINDS)
def test_fewer_heads_equal_silent_heads(kind: str) -> None:
    full = tiny_model(kind)
    small = deepcopy(full)
    keep = [structured.largest(n, 1) for n in structured.group_norms(full, TEXT)]
    structured.keep_groups(small, keep)
    with torch.no_grad():
        for layer, kept in zip(full.model.layers, keep, strict=True):
            gone = 1 - int(kept)
            layer.self_attn.o_proj.weight[:, gone * 32 : gone * 32 + 32] = 0
    torch.testing.assert_close(logits(small), logits(full), rtol=1e-4, atol=1e-4)
    sizes = small.config
    assert (sizes.num_attention_heads, sizes.num_key_value_heads, sizes.head_dim) == (2, 1, 16)
    if kind == "qwen2":
        assert small.model.layers[0].self_attn.q_proj.bias.shape == (32,)


def test_without_grouped_queries_single_heads_go() -> None:
    sizes = tiny_config("llama")
    sizes.num_key_value_heads = 4
    full = AutoModelForCausalLM.from_config(sizes, dtype=torch.float32).eval()
    small = deepcopy(full)
    keep = [structured.largest(n, 2) for n in structured.group_norms(full, TEXT)]
    structured.keep_groups(small, keep)
    with torch.no_grad():
        for layer, kept in zip(full.model.layers, keep, strict=True):
            for head in set(range(4)) - set(kept.tolist()):
                layer.self_attn.o_proj.weight[:, head * 16 : head * 16 + 16] = 0
    torch.testing.assert_close(logits(small), logits(full), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("kind", "cache"), [("llama", "dynamic"), *((kind, "static") for kind in KINDS)])
@pytest.mark.parametrize("method", [WIDTH, HEADS], ids=["mlp_width", "heads"])
def test_greedy_text_equals_generate(tmp_path: Path, kind: str, method: dict[str, Any], cache: str) -> None:
    runtime = load(save_tiny(tmp_path, kind), pruning=method, kv_cache=cache)
    tokens = trial(runtime)
    wanted = runtime.model.generate(torch.tensor([PROMPT]), do_sample=False, max_new_tokens=NEW, suppress_tokens=[EOS])
    assert tokens == wanted[0, len(PROMPT) :].tolist()
    assert all(strategy.receipt(runtime).matches for strategy in runtime.variant.strategies())
    if method is HEADS and cache == "dynamic" and kind == "llama":
        assert runtime.decoder.kv_bytes() == 2 * 4 * 1 * 16 * 4 * (len(PROMPT) + NEW - 1)


@pytest.mark.parametrize("method", [WIDTH, HEADS], ids=["mlp_width", "heads"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_model_loads_without_dyno(tmp_path: Path, kind: str, method: dict[str, Any]) -> None:
    runtime = load(save_tiny(tmp_path / "source", kind), pruning=method)
    runtime.model.save_pretrained(tmp_path / "small")
    again = AutoModelForCausalLM.from_pretrained(tmp_path / "small", dtype=torch.float32).eval()
    assert torch.equal(logits(again), logits(runtime.model))


def test_the_engine_leaves_a_tied_head_tied(folder: Path) -> None:
    """Untied, a model with a large vocabulary would be larger after pruning than before."""

    class Silent:
        def enter(self, *_: Any) -> None: ...
        def send(self, *_: Any) -> None: ...

    runtime = load(folder, transform=False, decode=False, pruning=WIDTH)
    _transform(runtime, Silent())  # type: ignore[arg-type]
    assert runtime.model.lm_head.weight is runtime.model.model.embed_tokens.weight
    assert surgery.storage_bytes(runtime.model) == runtime.weights_bytes_before - 4 * 4 * 3 * 64 * 64


# -- receipts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("then", [None, "int8_weight_only", "int4_weight_only"])
def test_the_width_is_proved_also_after_quantizing(folder: Path, then: str | None) -> None:
    slots = {"pruning": {**WIDTH, "multiple": 32}, **({"quantization": then} if then else {})}
    runtime = load(folder, **slots)
    proof = runtime.variant.pruning.receipt(runtime)
    assert proof.matches
    assert proof.requested == "64 of 128 MLP channels removed from every layer"
    assert proof.effective.startswith("64 of 128 MLP channels left in 4 layers; perplexity ")
    detail = proof.detail
    assert (detail["channels_before"], detail["channels"], detail["badge"]) == (128, 64, "physically smaller")
    assert detail["parameters_before"] - detail["parameters"] == 4 * 3 * 64 * 64 - (320 * 64 if then else 0)
    assert 0 < detail["removed_share_mean"] < 0.5  # less than their share of the channels: the least important went
    if then:
        assert runtime.variant.quantization.receipt(runtime).matches


def test_the_heads_are_proved(folder: Path) -> None:
    proof = receipt(load(folder, pruning=HEADS))
    assert proof.matches
    assert proof.requested == "1 of 2 KV heads removed from every layer"
    assert proof.effective.startswith("1 of 2 KV heads (2 heads) left in 4 layers; perplexity ")
    assert proof.detail["parameters_before"] - proof.detail["parameters"] == 4 * 64 * (2 * 32 + 2 * 16)
    assert proof.detail["weights_bytes_before"] - proof.detail["weights_bytes"] == 4 * 4 * 64 * (2 * 32 + 2 * 16)
    assert len(proof.detail["removed"]) == 4


@pytest.mark.parametrize("method", [WIDTH, HEADS], ids=["mlp_width", "heads"])
def test_what_was_not_applied_is_seen(folder: Path, method: dict[str, Any]) -> None:
    proof = receipt(load(folder, transform=False, pruning=method))
    assert not proof.matches
    assert proof.detail["badge"] == ""


@pytest.mark.parametrize("method", [WIDTH, HEADS], ids=["mlp_width", "heads"])
def test_one_layer_that_differs_is_seen(folder: Path, method: dict[str, Any]) -> None:
    runtime = load(folder, pruning=method)
    layer = runtime.model.model.layers[1]
    linear = layer.mlp.down_proj if method is WIDTH else layer.self_attn.o_proj
    linear.weight = torch.nn.Parameter(linear.weight[:, :16])
    linear.in_features = 16
    assert not receipt(runtime).matches


# -- refusals -----------------------------------------------------------------------------------------------


def conflicts(method: dict[str, Any], quantization: Any = None, **changes: Any) -> list[str]:
    sizes = {"layers": 4, "hidden": 64, "intermediate": 128, "heads": 4, "kv_heads": 2, "head_dim": 16}
    facts = ModelFacts(name="tiny", kind="folder", path="x", architecture="LlamaForCausalLM", **sizes)
    facts = facts.model_copy(update=changes)
    variant = Variant.model_validate({"name": "v", "pruning": method, "quantization": quantization})
    return variant.pruning.conflicts(variant, facts, Workload())


def test_what_cannot_be_removed_is_said_before_loading() -> None:
    assert conflicts(WIDTH) == []
    assert conflicts(HEADS) == []
    assert "is all of them" in conflicts({**WIDTH, "multiple": 128})[0]
    assert "down: 48 inputs" in conflicts({**WIDTH, "ratio": 0.62}, "int4_weight_only")[0]
    assert conflicts({**WIDTH, "multiple": 32}, "int4_weight_only") == []
    assert "1 KV head" in conflicts(HEADS, kv_heads=1)[0]
    assert "at most 1" in conflicts({**HEADS, "groups": 2})[0]


def test_heads_that_transformers_would_not_load_are_refused() -> None:
    """Llama: hidden_size % num_attention_heads must be 0, although head_dim is given. Qwen does not ask for it."""
    large = {"hidden": 2048, "heads": 32, "kv_heads": 8, "head_dim": 64}
    reason = conflicts({**HEADS, "groups": 1}, **large)[0]
    assert "28 heads would be left" in reason
    assert "groups = 4 or 6 or 7 fits" in reason
    assert conflicts({**HEADS, "groups": 4}, **large) == []
    assert conflicts({**HEADS, "groups": 1}, architecture="Qwen3ForCausalLM", **large) == []


def test_transformers_rule_is_kept_after_loading(folder: Path) -> None:
    sizes = tiny_config("llama")
    sizes.num_attention_heads = sizes.num_key_value_heads = 4
    model = AutoModelForCausalLM.from_config(sizes, dtype=torch.float32)
    before = model.num_parameters()
    with pytest.raises(ValueError, match="transformers loads no LlamaForCausalLM with num_attention_heads = 3"):
        structured.keep_groups(model, [torch.arange(3)] * 4)
    assert model.num_parameters() == before


#: Of other layouts: plain and joined projections, Conv1D, classes of their own, keys and values from a latent.
OTHERS = {
    "mlp_width": (
        "gpt2",
        "phi",
        "phi3",
        "glm4",
        "opt",
        "falcon_new",
        "starcoder2",
        "apertus",
        "granite4_dense",
        "lfm2",
    ),
    "heads": ("phi", "phi3", "glm4", "starcoder2", "deepseek_v3", "minicpm3", "gpt_oss", "falcon_h1"),
}


@pytest.mark.parametrize(("method", "kind"), [(method, kind) for method, kinds in OTHERS.items() for kind in kinds])
def test_layers_of_other_layouts_become_narrower_and_load_again(tmp_path: Path, method: str, kind: str) -> None:
    full = make(kind)
    find, norms, keep = {
        "mlp_width": (structured.channels, structured.channel_norms, structured.keep_channels),
        "heads": (structured.groups, structured.group_norms, structured.keep_groups),
    }[method]
    parts = find(full)
    keep(full, [structured.largest(n, parts.count // 2) for n in norms(full, TEXT)])  # raises where parts were mixed up
    assert find(full).count == parts.count // 2
    assert all(mine == said for mine, said in structured.widths(full, find(full)))
    full.save_pretrained(tmp_path / "small")
    again = AutoModelForCausalLM.from_pretrained(tmp_path / "small", dtype=torch.float32).eval()
    torch.testing.assert_close(logits(again), logits(full), rtol=1e-5, atol=1e-5)
    assert again.num_parameters() == full.num_parameters() < make(kind).num_parameters()


#: Why parts cannot be taken out, by what a model is.
REASONS = {
    ("mlp_width", "bloom"): "no setting of its configuration decides how wide its MLPs are",
    ("mlp_width", "mixtral"): "layer 0 has no MLP of its own that is as wide as intermediate_size says",
    ("mlp_width", "deepseek_v3"): "layer 1 has no MLP of its own that is as wide as intermediate_size says",
    ("mlp_width", "hunyuan_moe"): "model.layers.0.mlp.experts holds its experts in one tensor",
    ("mlp_width", "bitnet"): "model.layers.0.mlp.ffn_sub_norm works on all of a layer's parts together",
    ("mlp_width", "mamba"): "layer 0 feeds them to backbone.layers.0.mixer.x_proj and backbone.layers.0.mixer.out_proj",
    ("heads", "mamba"): "it has no attention heads",
    ("heads", "gpt2"): "its heads share a fixed width",
    ("heads", "stablelm"): "its heads share a fixed width",
    ("heads", "helium"): "layer 0 has no output projection that becomes narrower with fewer attention heads",
    ("heads", "diffllama"): "transformers loads no DiffLlamaForCausalLM with num_attention_heads = 2",
    ("heads", "olmo2"): "model.layers.0.self_attn.q_norm works on all of a layer's parts together",
    ("heads", "bitnet"): "with fewer of them, its layers do not fit each other",
    ("heads", "qwen3_5_text"): "layer 0 has no output projection that becomes narrower with fewer attention heads",
}


@pytest.mark.parametrize(("method", "kind"), REASONS)
def test_what_cannot_become_narrower_is_said_of_its_outline(method: str, kind: str) -> None:
    variant = Variant.model_validate({"name": "v", "pruning": WIDTH if method == "mlp_width" else HEADS})
    (reason,) = variant.pruning.misfits(outline(config(kind)))
    assert reason.startswith(REASONS[method, kind])


def test_a_layout_that_is_taken_for_another_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phi-3 joins q, k and v one after the other; cut as if each head's lay together, it computes something else."""
    model = make("phi3")
    parts = structured.groups(model)
    wrong = replace(parts, joined=lambda size, inputs: [size])
    monkeypatch.setattr(structured, "groups", lambda model: wrong)
    with pytest.raises(ValueError, match="compute something else than with these parts at zero"):
        structured.keep_groups(model, [torch.tensor([1])] * 4)


def test_facts_without_sizes_refuse_nothing() -> None:
    bare = ModelFacts(name="m", kind="folder", path="x")
    for method in (WIDTH, HEADS):
        variant = Variant.model_validate({"name": "v", "pruning": method})
        assert variant.pruning.conflicts(variant, bare, Workload()) == []
