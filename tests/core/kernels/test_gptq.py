"""GPTQ against a plain implementation of its definition, and against round-to-nearest on real activations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import AutoModelForCausalLM, AutoTokenizer

from core.kernels.base import surgery
from core.kernels.weights import gptq
from core.kernels.weights.calibration import BUILT_IN, calibration
from core.kernels.weights.hessian import inverse_factor
from core.kernels.weights.layer_inputs import layer_by_layer
from core.kernels.weights.linears import CannotQuantize, Int4Linear, dequantize_int4, quantize_int4
from core.model.facts import ModelFacts
from core.model.materialized_note import Materialized
from core.spec.experiment import read_toml
from core.spec.variant import Unsuitable
from tests.core.tiny import KINDS, save_tiny, tiny_model, tiny_tokenizer
from tests.core.transformed import conflicts, demo_folder, load, receipt, transformed


def layer(n: int, k: int, tokens: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """A weight [N, K] and the Hessian of inputs whose channels hang together, as activations do."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(k, k // 4, generator=generator) @ torch.randn(k // 4, tokens, generator=generator)
    x += 0.3 * torch.randn(k, tokens, generator=generator)
    return torch.randn(n, k, generator=generator), 2 * x @ x.T


def plain(weight: Tensor, hessian: Tensor, group: int, damp: float) -> Tensor:
    """GPTQ word by word in double precision: each column's error goes to the rest by the inverse over the rest."""
    w, k = weight.double().clone(), weight.shape[1]
    h = hessian.double() + damp * hessian.diagonal().double().mean() * torch.eye(k, dtype=torch.double)
    inverse, out = torch.linalg.inv(h), torch.empty_like(w)
    for j in range(k):
        if j % group == 0:
            low = w[:, j : j + group].amin(1).clamp_max(0)
            high = w[:, j : j + group].amax(1).clamp_min(0)
            scale = ((high - low) / 15).bfloat16()
            point = (-low / scale.double()).round().clamp(0, 15)  # the code of zero
            zero = ((8 - point) * scale.double()).bfloat16().double()
            scale = scale.double()
        out[:, j] = ((w[:, j] - zero) / scale).round().clamp(-8, 7) * scale + zero
        w[:, j:] -= ((w[:, j] - out[:, j]) / inverse[0, 0])[:, None] * inverse[0]
        inverse = inverse[1:, 1:] - inverse[1:, :1] * inverse[:1, 1:] / inverse[0, 0]  # that of H without column j
    return out


@pytest.mark.parametrize("group", [32, 64, 128, 256])
def test_it_is_the_definition(group: int) -> None:
    weight, hessian = layer(24, 256 + group, 700)
    wanted = plain(weight, hessian, group, 0.01)
    q, scale, zero, damp = gptq.gptq_int4(weight, hessian, group, 0.01)
    assert (damp, q.dtype, int(q.min()) >= 0, int(q.max()) <= 15) == (0.01, torch.int32, True, True)
    found = dequantize_int4(q, scale, zero).double()
    # Rounding in fp32 now and then falls to the other side, and what follows makes up for it.
    assert (found - wanted).norm() / (weight - wanted).norm() < 0.15
    same = gptq.output_error((found - weight).float(), hessian) / gptq.output_error((wanted - weight).float(), hessian)
    assert same == pytest.approx(1, abs=0.02)
    rounded = dequantize_int4(*quantize_int4(weight, group))
    assert gptq.output_error((found - weight).float(), hessian) < 0.6 * gptq.output_error(rounded - weight, hessian)


def test_the_error_is_that_of_the_outputs() -> None:
    x, difference = torch.randn(40, 90), torch.randn(7, 40)
    wanted = float((difference @ x).square().sum())
    assert gptq.output_error(difference, 2 * x @ x.T) == pytest.approx(wanted, rel=1e-4)


def test_the_factor_is_of_the_inverse() -> None:
    _, hessian = layer(1, 60, 200)
    factor, damp = inverse_factor(hessian, 0.05)
    assert damp == 0.05
    assert float(factor.tril(-1).abs().max()) == 0
    damped = hessian.double() + 0.05 * hessian.diagonal().double().mean() * torch.eye(60, dtype=torch.double)
    torch.testing.assert_close((factor.T @ factor).double() @ damped, torch.eye(60).double(), rtol=0, atol=1e-3)


def test_a_channel_that_was_never_fed_is_rounded_and_disturbs_nothing() -> None:
    weight, hessian = layer(16, 64, 300)
    hessian[5], hessian[:, 5] = 0, 0
    factor, _ = inverse_factor(hessian, 0.01)
    assert int((factor[5] != 0).sum()) == int((factor[:, 5] != 0).sum()) == 1
    q, scale, zero, _ = gptq.gptq_int4(weight, hessian, 32, 0.01)
    error = (dequantize_int4(q, scale, zero) - weight)[:, 5].abs()
    assert (error <= 0.6 * scale[:, 0].float()).all()


def test_too_few_tokens_take_more_damping() -> None:
    weight, hessian = layer(16, 64, 3)
    *_, damp = gptq.gptq_int4(weight, hessian, 32, 1e-9)
    assert damp > 1e-9
    with pytest.raises(ValueError, match="cannot be inverted"):
        inverse_factor(torch.full((4, 4), torch.nan), 0.01)


def test_a_layer_that_does_not_fit_is_refused_untouched() -> None:
    linear = nn.Linear(48, 16)
    before = linear.weight.detach().clone()
    with pytest.raises(CannotQuantize, match="K = 48"):
        gptq.calibrate_(linear, torch.eye(48), 32, 0.01)
    assert torch.equal(linear.weight, before)


# -- on models ----------------------------------------------------------------------------------------------


def errors(model: Any, tokenizer: Any, tokens: int, blocks: int) -> dict[str, tuple[float, float, float]]:
    """Output errors of GPTQ and of rounding, and the outputs' own size, measured on the activations."""
    text = calibration(tokenizer, BUILT_IN, tokens, 256)
    found = {}
    for number, fed_layers in enumerate(layer_by_layer(model, text.sequences, hessian=True)):
        for name, fed in fed_layers.items():
            linear, hessian = surgery.as_linear(fed.module), fed.inputs.hessian
            output = gptq.output_error(linear.weight.detach(), hessian)
            done = gptq.calibrate_(linear, hessian, 32, 0.01)
            found[name] = (done.error, done.rounded_error, output)
        if number + 1 == blocks:
            break
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_it_beats_rounding_in_every_layer_of_a_tiny_model(kind: str) -> None:
    found = errors(tiny_model(kind), tiny_tokenizer(), 1024, 4)
    assert len(found) == (16 if kind == "gpt2" else 28)
    assert [name for name, (mine, rounded, _) in found.items() if mine >= rounded] == []
    assert sum(mine for mine, *_ in found.values()) < 0.8 * sum(rounded for _, rounded, _ in found.values())


@pytest.mark.long
@pytest.mark.demo
def test_it_beats_rounding_on_the_demo_model(demo_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = demo_folder()
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    found = errors(model, AutoTokenizer.from_pretrained(folder), 1024, 8)
    assert len(found) == 56
    assert [name for name, (mine, rounded, _) in found.items() if mine >= rounded] == []
    mine, rounded, output = (sum(column) for column in zip(*found.values(), strict=True))
    with capsys.disabled():
        print(
            f"\n‖XW − XŴ‖² / ‖XW‖² over 56 layers: GPTQ {mine / output:.2e}, rounded {rounded / output:.2e}, "
            f"ratio {mine / rounded:.2f}"
        )
    assert mine < 0.5 * rounded


# -- the strategy -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


SMALL = {"method": "gptq", "calibration_tokens": 512, "sequence": 128}


def test_the_strategy_and_its_receipt(folder: Path, tmp_path: Path) -> None:
    runtime, told = load(folder, quantization=SMALL), []
    runtime.report = lambda done, total, what: told.append(f"{done:g}/{total:g} {what}")
    surgery.untie_head(runtime.model)
    assert runtime.variant.quantization is not None
    runtime.variant.quantization.transform(runtime)
    assert told == [f"{n}/4 layers calibrated" for n in (1, 2, 3, 4)]
    proof = receipt(runtime, "quantization")
    assert proof.matches, proof
    assert "gptq int4 g32: 28 of 28 Linear layers; lm_head int8; output error" in proof.effective
    assert proof.detail["calibration_tokens"] == 512
    ratio = proof.detail["output_error_ratio"]
    assert isinstance(ratio, float)
    assert 0 < ratio < 0.8
    body = [m for m in runtime.model.modules() if isinstance(m, Int4Linear)]
    assert {m.how for m in body} == {"gptq"}
    with torch.inference_mode():
        assert torch.isfinite(runtime.model(torch.arange(50)[None]).logits).all()

    text = tmp_path / "mine.txt"
    text.write_text("Another text altogether, as long as it needs to be. " * 30)
    other = receipt(transformed(folder, quantization={**SMALL, "calibration": str(text)}), "quantization")
    assert other.matches
    assert other.detail["calibration_sha256"] != proof.detail["calibration_sha256"]


def test_a_model_that_was_only_rounded_is_seen(folder: Path) -> None:
    runtime = transformed(folder, quantization="int4_weight_only")
    runtime.variant = load(folder, quantization="gptq").variant
    proof = receipt(runtime, "quantization")
    assert not proof.matches
    assert "0 of 28" in proof.effective
    assert not receipt(load(folder, quantization="gptq"), "quantization").matches


def test_a_head_in_the_same_format_is_rounded(folder: Path) -> None:
    proof = receipt(transformed(folder, quantization={**SMALL, "head": "same"}), "quantization")
    assert proof.matches
    assert "lm_head int4 g32" in proof.effective


def test_gpt2_is_calibrated_through_its_transposed_weights(tmp_path: Path) -> None:
    proof = receipt(transformed(save_tiny(tmp_path, "gpt2"), quantization=SMALL), "quantization")
    assert proof.matches
    assert "gptq int4 g32: 16 of 16" in proof.effective


def test_layers_that_do_not_fit_are_named(folder: Path) -> None:
    proof = receipt(transformed(folder, quantization={**SMALL, "group_size": 128}), "quantization")
    assert not proof.matches
    assert "4 of 28" in proof.effective
    left_out = proof.detail["left_out"]
    assert isinstance(left_out, list)
    assert "model.layers.0.self_attn.q_proj: K = 64 is not a multiple of the group of 128" in left_out


def test_what_speaks_against_it_is_known_before_loading(tmp_path: Path) -> None:
    facts = ModelFacts(name="m", kind="folder", path="", hidden=96, context=256)
    reasons = conflicts("quantization", facts, quantization={"method": "gptq", "group_size": 64, "sequence": 512})
    assert any("96 inputs" in r for r in reasons)
    assert any("context of 256" in r for r in reasons)
    (reason,) = conflicts("quantization", quantization={"method": "gptq", "calibration": "text.pdf"})
    assert "text.pdf" in reason
    (reason,) = conflicts("quantization", quantization={"method": "gptq", "calibration": str(tmp_path / "no.txt")})
    assert "no file" in reason
    assert conflicts("quantization", quantization="gptq") == []


def test_a_text_that_holds_nothing_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(Unsuitable, match=r"gptq: calibration: .*empty.txt holds no text"):
        transformed(folder, quantization={"method": "gptq", "calibration": str(tmp_path / "empty.txt")})


def test_a_relative_calibration_text_is_beside_the_experiments_file(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("some text")
    file = tmp_path / "experiment.toml"
    for name, wanted in (("mine.txt", str(tmp_path / "mine.txt")), ("other.txt", "other.txt"), (BUILT_IN, BUILT_IN)):
        file.write_text(f'[[variant]]\nname = "a"\nquantization = {{ method = "gptq", calibration = "{name}" }}\n')
        quantization = read_toml(file).variants[0].quantization
        assert quantization is not None
        assert quantization.calibration == wanted


def test_weights_that_were_calibrated_already_need_no_text() -> None:
    made = Materialized(
        dyno_version="0", versions={}, source="demo", name="m", fingerprint="", dtype="fp32", parameters=1,
        variant={"name": "v", "quantization": {}}, weights_bytes_before=1, before={}, work={}, receipts=[],
    )  # fmt: skip
    facts = ModelFacts(name="m", kind="folder", path="", materialized=made)
    assert conflicts("quantization", facts, quantization={"method": "gptq", "calibration": "/gone/text.txt"}) == []
