"""Masks against references written here in a few lines, on tiny models and, for their order of quality, on the demo
model; and receipts that look into every group."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import AutoModelForCausalLM, AutoTokenizer

from core.kernels.base import surgery
from core.kernels.pruning.masks import Sparsity, lowest, mask_, overfull_groups, sparsity, zeros
from core.kernels.pruning.sparsegpt import prune_, sparsegpt
from core.kernels.weights.bits_and_bytes import four_bit
from core.kernels.weights.calibration import BUILT_IN, calibration
from core.kernels.weights.layer_inputs import layer_by_layer
from core.kernels.weights.linears import Int4Linear, Int8Linear
from core.machine.environment import Device, Environment
from core.model.facts import ModelFacts
from core.spec.variant import Variant
from tests.core.tiny import save_tiny, tiny_model, tiny_tokenizer
from tests.core.transformed import conflicts, demo_folder, load, perplexity, receipt, transformed

PATTERNS = ["unstructured", "2:4", "4:8"]
SMALL = {"calibration_tokens": 256, "sequence": 128}
METHODS: dict[str, dict[str, Any]] = {"magnitude": {}, "wanda": SMALL, "sparsegpt": SMALL}


def test_the_lowest_of_a_row_and_of_a_group() -> None:
    scores = torch.tensor([[1.0, 4, 3, 2], [1, 2, 4, 3]])
    assert lowest(scores, Sparsity(0.5)).tolist() == [[True, False, False, True], [True, True, False, False]]
    assert lowest(scores, Sparsity(0.3)).sum(1).tolist() == [1, 1]
    assert lowest(scores, Sparsity(0.2)).sum() == 0
    assert lowest(scores, Sparsity(0.5, 1, 2)).tolist() == [[True, False, False, True], [True, False, False, True]]
    ties = lowest(torch.zeros(3, 16), sparsity(0.5, "2:4"))
    assert ties.reshape(3, 4, 4).sum(-1).tolist() == [[2] * 4] * 3
    with pytest.raises(ValueError, match="K = 4 is not a multiple of 8"):
        lowest(scores, sparsity(0.5, "4:8"))


@pytest.mark.parametrize(
    ("kind", "pattern"), [("llama", "unstructured"), ("gpt2", "unstructured"), ("llama", "2:4"), ("gemma3", "4:8")]
)
def test_wandas_mask_is_its_definition(kind: str, pattern: str) -> None:
    model, reference = tiny_model(kind), tiny_model(kind)
    text = calibration(tiny_tokenizer(), BUILT_IN, 200, 80)
    wanted = sparsity(0.5, pattern)
    for layer in layer_by_layer(model, text.sequences, hessian=False):
        for name, fed in layer.items():
            mask_(surgery.as_linear(fed.module), wanted, fed.inputs.norms)

            # The reference: X from ordinary passes through what is pruned so far, then the paper's rule row by row.
            inputs: list[Tensor] = []
            module = reference.get_submodule(name)
            hook = module.register_forward_pre_hook(lambda _m, args, inputs=inputs: inputs.append(args[0][0]))
            with torch.no_grad():
                for ids in text.sequences:
                    reference(torch.tensor([ids]))
            hook.remove()
            weight = surgery.as_linear(module).weight
            score = weight.abs() * torch.cat(inputs).norm(dim=0)
            group = wanted.group or weight.shape[1]
            expected = torch.ones_like(weight, dtype=torch.bool)
            for row in range(weight.shape[0]):
                for start in range(0, weight.shape[1], group):
                    order = score[row, start : start + group].argsort()
                    expected[row, start + order[: group // 2]] = False
            assert torch.equal(surgery.as_linear(fed.module).weight != 0, expected), name
        with torch.no_grad():
            for name in layer:
                reference.get_submodule(name).weight.copy_(model.get_submodule(name).weight)


def correlated(n: int, k: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """A weight [N, K] and inputs [K, tokens] whose channels hang together, as activations do."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(k, k // 4, generator=generator) @ torch.randn(k // 4, 3 * k, generator=generator)
    return torch.randn(n, k, generator=generator), x + 0.3 * torch.randn(k, 3 * k, generator=generator)


def plain_sparsegpt(weight: Tensor, x: Tensor, wanted: Sparsity, block: int = 128) -> Tensor:
    """The paper word by word in double precision: the inverse over the columns that are left, column by column."""
    w, k = weight.double().clone(), weight.shape[1]
    h = 2 * (x.double() @ x.double().T)
    h += 0.01 * h.diagonal().mean() * torch.eye(k, dtype=torch.double)
    inverses = [torch.linalg.inv(h[j:, j:]) for j in range(k)]
    gone = torch.zeros_like(w, dtype=torch.bool)
    for j in range(k):
        size = wanted.group or block
        if j % size == 0:
            columns = range(j, min(j + size, k))
            score = torch.stack([w[:, c].square() / inverses[c][0, 0] for c in columns], dim=1)
            if wanted.group:
                gone[:, j : j + size] = score <= score.sort(1).values[:, wanted.of_each - 1 : wanted.of_each]
            else:
                gone[:, j : j + size] = score <= score.flatten().sort().values[round(score.numel() * wanted.ratio) - 1]
        error = torch.where(gone[:, j], w[:, j], 0) / inverses[j][0, 0]
        w[:, j:] -= error[:, None] * inverses[j][0]
    return w.masked_fill(gone, 0)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_sparsegpt_is_its_definition(pattern: str) -> None:
    weight, x = correlated(24, 192)
    wanted = sparsity(0.5, pattern)
    expected = plain_sparsegpt(weight, x, wanted)
    found, damp = sparsegpt(weight, 2 * x @ x.T, wanted, 0.01)
    assert damp == 0.01
    assert int((found == 0).sum()) == found.numel() // 2
    assert ((found == 0) == (expected == 0)).double().mean() > 0.99  # in fp32 a near tie may fall otherwise
    error, expected_error = ((found - weight) @ x).norm(), ((expected.float() - weight) @ x).norm()
    torch.testing.assert_close(error, expected_error, rtol=0.02, atol=0)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_is_changed_makes_up_for_what_is_gone(pattern: str) -> None:
    weight, x = correlated(64, 256)
    x *= torch.rand(256, 1, generator=torch.Generator().manual_seed(1)) ** 2 + 0.05  # channels of unlike strength
    linears = [nn.Linear(256, 64, bias=False) for _ in range(3)]
    with torch.no_grad():
        for linear in linears:
            linear.weight.copy_(weight)
    wanted = sparsity(0.5, pattern)
    prune_(linears[0], 2 * x @ x.T, wanted, 0.01)
    mask_(linears[1], wanted, x.norm(dim=1))
    mask_(linears[2], wanted)
    sparse, wanda, magnitude = (float(((linear.weight.detach() - weight) @ x).norm()) for linear in linears)
    assert sparse < 0.8 * wanda
    assert wanda < magnitude
    for linear in linears:
        mask = zeros(linear)
        assert mask is not None
        assert int(mask.sum()) == wanted.least(64, 256)
        assert overfull_groups(mask, wanted) == 0


# -- reading ------------------------------------------------------------------------------------------------


def test_zeros_are_found_in_every_format_that_keeps_them() -> None:
    torch.manual_seed(0)
    linear = nn.Linear(128, 64)
    mask_(linear, sparsity(0.5, "2:4"))
    mask = linear.weight == 0
    four_bits = [four_bit(linear, kind, torch.float32, True) for kind in ("nf4", "fp4")]
    for quantized in (Int8Linear.from_linear(linear), *four_bits):
        found = zeros(quantized)
        assert found is not None
        assert bool((found >= mask).all())
        assert int(found.sum()) < 0.6 * found.numel()
        assert overfull_groups(found, sparsity(0.5, "2:4")) == 0
    assert zeros(Int4Linear.from_linear(linear, 32)) is None


def test_bitsandbytes_own_packing_is_read_too() -> None:
    from bitsandbytes.functional import _convert_weight_packed_for_cpu, dequantize_4bit

    linear = nn.Linear(128, 64)
    mask_(linear, sparsity(0.5, "2:4"))
    layer: Any = four_bit(linear, "nf4", torch.float32, True)
    expected = dequantize_4bit(layer.weight.data, layer.weight.quant_state) == 0
    assert torch.equal(zeros(layer), expected)
    layer.weight.data, layer.weight.quant_state = _convert_weight_packed_for_cpu(
        layer.weight.data, layer.weight.quant_state
    )
    for _ in range(2):  # reading changes nothing
        assert layer.weight.quant_state.packing_format_for_cpu
        assert torch.equal(zeros(layer), expected)


# -- the strategies -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("key", METHODS)
def test_receipts_look_at_the_weights(folder: Path, key: str, pattern: str) -> None:
    runtime = transformed(folder, pruning={"method": key, "pattern": pattern, **METHODS[key]})
    proof = receipt(runtime, "pruning")
    assert proof.matches, proof
    assert "50.0% zeros in 28 Linear layers; masked: saves neither time nor memory" in proof.effective
    assert proof.detail["badge"] == "masked"
    assert proof.detail["weights_bytes"] == surgery.storage_bytes(runtime.model)
    assert proof.detail["groups_short_of_zeros"] == 0
    assert bool(proof.detail.get("calibration_sha256")) == (key != "magnitude")
    with torch.inference_mode():
        assert torch.isfinite(runtime.model(torch.arange(50)[None]).logits).all()

    # One weight that comes back, in one group of one layer, is seen.
    weight = runtime.model.model.layers[2].mlp.up_proj.weight
    with torch.no_grad():
        row, column = (weight == 0).nonzero()[0].tolist()
        weight[row, column] = 1
        other = (weight[row] != 0).nonzero()[-1]
        weight[row, other] = 0 if pattern != "unstructured" else weight[row, other]  # the count alone stays right
    proof = receipt(runtime, "pruning")
    assert not proof.matches
    left_out = proof.detail["left_out"]
    assert isinstance(left_out, list)
    assert len(left_out) == 1
    assert left_out[0].startswith("model.layers.2.mlp.up_proj: ")


@pytest.mark.parametrize("then", ["int8_weight_only", "nf4", "fp4", "llm_int8"])
def test_patterns_survive_quantizing(folder: Path, then: str) -> None:
    runtime = transformed(folder, pruning={"method": "wanda", "pattern": "2:4", **SMALL}, quantization=then)
    proof = receipt(runtime, "pruning")
    assert proof.matches, proof
    assert proof.detail["groups_short_of_zeros"] == 0


@pytest.mark.parametrize("key", METHODS)
def test_a_mask_that_was_not_applied_is_seen(folder: Path, key: str) -> None:
    proof = receipt(load(folder, pruning=key), "pruning")
    assert not proof.matches
    assert "0.0% zeros" in proof.effective
    assert "nothing is masked" in proof.effective
    assert proof.detail["badge"] == ""


def test_layers_that_calibration_did_not_reach_are_named(folder: Path) -> None:
    runtime = load(folder, pruning={"method": "wanda", **SMALL})
    runtime.model.outside = nn.Linear(64, 256)  # as the projections around OPT's layers
    assert runtime.variant.pruning is not None
    runtime.variant.pruning.transform(runtime)
    proof = receipt(runtime, "pruning")
    assert not proof.matches
    assert proof.detail["left_out"] == ["outside: no calibration token reached it"]
    runtime.model.outside = nn.Linear(64, 32)  # too few weights to matter: named all the same
    proof = receipt(runtime, "pruning")
    assert proof.matches
    assert proof.detail["left_out"] == ["outside: no calibration token reached it"]


def test_a_ratio_is_of_every_row_or_of_every_block(folder: Path) -> None:
    for key, parameters in METHODS.items():
        runtime = transformed(folder, pruning={"method": key, "ratio": 0.3, **parameters})
        proof = receipt(runtime, "pruning")
        assert proof.matches, proof
        assert proof.requested == f"30% of {'every 128 columns' if key == 'sparsegpt' else 'each row'} zero"
        rows = (runtime.model.model.layers[0].mlp.down_proj.weight == 0).sum(1)
        assert (len(set(rows.tolist())) == 1) == (key != "sparsegpt")


def test_what_speaks_against_a_mask_is_known_before_loading() -> None:
    facts = ModelFacts(name="m", kind="folder", path="", hidden=66, heads=4, head_dim=16, intermediate=132)
    for key in METHODS:
        for quantization in ("int4_weight_only", "gptq"):
            (reason,) = conflicts("pruning", pruning=key, quantization=quantization)
            assert "no exact zero" in reason
        assert conflicts("pruning", pruning=key, quantization="int8_weight_only") == []
        reasons = conflicts("pruning", facts, pruning={"method": key, "pattern": "4:8"})
        assert len(reasons) == 2
        assert reasons[0] == "q, k, v, gate, up: 66 inputs are not a multiple of 8"
        assert conflicts("pruning", facts, pruning={"method": key}) == []


def test_the_kernel_is_refused_where_it_cannot_work() -> None:
    def asked(**changes: Any) -> dict[str, Any]:
        return {"method": "magnitude", "pattern": "2:4", "kernel": "semi_structured", **changes}

    assert conflicts("pruning", pruning=asked(), precision="bf16") == []
    assert "pattern = 2:4" in conflicts("pruning", pruning=asked(pattern="4:8"))[0]
    assert "quantization" in conflicts("pruning", pruning=asked(), quantization="nf4")[0]
    assert "not fp32" in conflicts("pruning", pruning=asked(), precision="fp32")[0]
    assert "fusion" in conflicts("pruning", pruning=asked(), fusion="fused_projections")[0]

    strategy = Variant.model_validate({"name": "v", "pruning": asked()}).pruning
    assert "NVIDIA GPU" in strategy.unavailable_as_set(Environment())
    old = Device(name="T4", uuid="", memory_bytes=0, capability="7.5")
    assert "T4 has 7.5" in strategy.unavailable_as_set(Environment(devices=[old]))
    new = old.model_copy(update={"capability": "9.0"})
    assert strategy.unavailable_as_set(Environment(devices=[new])) == ""
    masked = Variant.model_validate({"name": "v", "pruning": "magnitude"}).pruning
    assert masked.unavailable_as_set(Environment()) == ""


def test_a_kernel_that_did_not_engage_is_seen(folder: Path) -> None:
    runtime = transformed(folder, pruning={"method": "magnitude", "pattern": "2:4", "kernel": "semi_structured"})
    proof = receipt(runtime, "pruning")
    assert not proof.matches
    assert proof.detail["badge"] == "masked"
    assert proof.detail["compressed_layers"] == 0
    left_out = proof.detail["left_out"]
    assert isinstance(left_out, list)
    assert "cpu" in left_out[0]  # the library's own words


@pytest.mark.gpu
@pytest.mark.parametrize("key", METHODS)
def test_the_kernel_multiplies_what_the_mask_does(tmp_path: Path, key: str) -> None:
    folder = save_tiny(tmp_path)
    pruning = {"method": key, "pattern": "2:4", **METHODS[key]}
    masked = transformed(folder, "cuda", torch.bfloat16, pruning=pruning)
    active = transformed(folder, "cuda", torch.bfloat16, pruning={**pruning, "kernel": "semi_structured"})
    proof = receipt(active, "pruning")
    assert proof.matches, proof
    assert proof.detail["badge"] == "2:4 kernel active"
    assert "2:4 kernel active" in proof.effective
    assert proof.detail["compressed_layers"] == 28
    assert surgery.storage_bytes(active.model) < surgery.storage_bytes(masked.model)
    ids = torch.arange(50, device="cuda")[None]
    with torch.inference_mode():
        wanted, found = masked.model(ids).logits.float(), active.model(ids).logits.float()
    assert (found - wanted).norm() / wanted.norm() < 0.05


# -- quality ------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.demo
def test_sparsegpt_wanda_and_magnitude_come_in_this_order(demo_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = demo_folder()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    found = {}
    for key in ("sparsegpt", "wanda", "magnitude"):
        found[key] = perplexity(transformed(folder, pruning=key).model, tokenizer, 512)
    dense = perplexity(AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval(), tokenizer, 512)
    with capsys.disabled():
        print("\nperplexity at 50 %:", ", ".join(f"{k} {v:.1f}" for k, v in found.items()), f"(dense {dense:.1f})")
    assert dense < found["sparsegpt"] <= found["wanda"] <= found["magnitude"]
