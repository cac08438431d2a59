"""What all formats share: which layers are left alone, and receipts that tell what was asked from what failed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from core.engine.base.failures import Refused
from core.engine.load.preflight import preflight
from core.kernels.base import surgery
from core.kernels.weights.linears import Int8Linear
from core.machine.environment import Environment
from core.model.facts import ModelFacts
from core.model.finder import check_reader, resolve
from core.model.model_error import ModelError
from core.model.source import ModelSource
from core.spec.variant import Variant
from core.spec.workload import Workload
from tests.core.tiny import save_tiny
from tests.core.transformed import conflicts, load, receipt, transformed

SMALL_GPTQ = {"method": "gptq", "calibration_tokens": 256, "sequence": 128}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


@pytest.mark.parametrize(
    ("parameters", "alone"),
    [
        ({"skip": "*.down_proj"}, [f"model.layers.{i}.mlp.down_proj" for i in range(4)]),
        ({"skip": "model.layers.0.mlp.*, *.3.self_attn.[qk]_proj"}, ["model.layers.3.self_attn.q_proj", "5"]),
        ({"skip_first": 1}, ["model.layers.0.mlp.up_proj", "7"]),
        ({"skip_first": 1, "skip_last": 2}, ["model.layers.3.mlp.up_proj", "21"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("method", [{"method": "int8_weight_only"}, {"method": "nf4"}, SMALL_GPTQ], ids=str)
def test_layers_are_left_alone_as_asked_for(
    folder: Path, method: dict[str, Any], parameters: dict[str, Any], alone: list[str]
) -> None:
    count = int(alone[-1]) if alone[-1].isdigit() else len(alone)
    runtime = transformed(folder, quantization={**method, **parameters})
    proof = receipt(runtime, "quantization")
    assert proof.matches, proof
    assert f"{28 - count} of 28 Linear layers; {count} left alone, as asked for" in proof.effective
    left_alone = proof.detail["left_alone"]
    assert isinstance(left_alone, list)
    assert len(left_alone) == min(count, 21)  # 20 names, and how many more
    assert proof.detail["left_out"] == []
    original = load(folder).model
    for name in [n for n in alone if not n.isdigit()]:
        module = runtime.model.get_submodule(name)
        assert type(module) is torch.nn.Linear
        assert torch.equal(module.weight, original.get_submodule(name).weight)


@pytest.mark.parametrize("skip", ["*.gate_proj, *.up_proj", "*.q_proj, *.k_proj, *.v_proj", "*.down_proj"])
def test_layers_left_alone_are_known_after_fusing(folder: Path, skip: str) -> None:
    slots = {"quantization": {"method": "int8_weight_only", "skip": skip}, "fusion": "fused_projections"}
    runtime = transformed(folder, **slots)
    assert receipt(runtime, "fusion").matches
    proof = receipt(runtime, "quantization")
    assert proof.matches, proof
    assert "12 of 16 Linear layers; 4 left alone" in proof.effective


def test_what_was_to_be_left_alone_and_was_not_is_seen(folder: Path) -> None:
    runtime = transformed(folder, quantization="int8_weight_only")
    runtime.variant = Variant.model_validate(
        {"name": "v", "quantization": {"method": "int8_weight_only", "skip_last": 1}}
    )
    proof = receipt(runtime, "quantization")
    assert not proof.matches
    left_out = proof.detail["left_out"]
    assert isinstance(left_out, list)
    assert "model.layers.3.mlp.up_proj: quantized, although it was to be left alone" in left_out


def test_a_pattern_that_no_layer_matches_is_seen(folder: Path) -> None:
    proof = receipt(
        transformed(folder, quantization={"method": "int8_weight_only", "skip": "*.w1, *.up_proj"}), "quantization"
    )
    assert not proof.matches
    assert proof.detail["left_out"] == ["skip: no layer is named '*.w1'"]
    assert "24 of 28" in proof.effective


class _Channel:
    def log(self, *_: Any) -> None: ...
    def send(self, *_: Any) -> None: ...


@pytest.mark.parametrize(
    ("method", "name", "needs"),
    [
        ("gptq", "GPTQ", ("gptqmodel", "optimum")),
        ("awq", "AWQ", ("gptqmodel",)),
        ("auto-round", "AutoRound", ("auto-round",)),
        ("aqlm", "AQLM", ("aqlm",)),
        ("quark", "Quark", ("amd-quark",)),
        (None, "bitsandbytes", ("bitsandbytes",)),
    ],
)
def test_a_ready_made_checkpoint_says_what_it_needs(
    tmp_path: Path, method: str | None, name: str, needs: tuple[str, ...]
) -> None:
    """Codes that Dyno does not know itself (here there are none at all) are for transformers, with its packages."""
    folder = with_quantization(tmp_path, {"quant_method": method, "bits": 4} if method else {"load_in_8bit": True})
    facts = resolve(ModelSource(source=str(folder)))
    assert facts.quantized == name
    assert facts.parameters is None  # packed

    def check(versions: dict[str, str], **slots: Any) -> None:
        variant = Variant.model_validate({"name": "v", **slots})
        preflight(facts, variant, Workload(), Environment(versions=versions), "fp32", _Channel())  # type: ignore[arg-type]

    with pytest.raises(ModelError, match=f"quantized with {name}.*needs {' and '.join(needs)}") as caught:
        check({})
    assert caught.value.hint.startswith(f"pip install {' '.join(needs)}")
    installed = dict.fromkeys(needs, "9.0")
    check(installed)
    check(installed, kv_cache="static")
    for slots in ({"quantization": "int8_weight_only"}, {"quantization": "gptq"}, {"pruning": "wanda"}):
        with pytest.raises(Refused, match=rf"already \({name}\)"):
            check(installed, **slots)


def with_quantization(tmp_path: Path, quantization: dict[str, Any]) -> Path:
    folder = save_tiny(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "quantization_config": quantization}))
    return folder


@pytest.mark.parametrize(
    ("quantization", "name", "reader"),
    [
        ({"quant_method": "exl3", "bits": 4.0}, "EXL3", "exllamav3"),
        ({"quant_method": "modelopt", "quant_algo": "W4A8_AWQ"}, "ModelOpt", "vLLM"),
        ({"group_size": 64, "bits": 4}, "MLX", "mlx-lm"),
        ({"quant_method": "tomorrow"}, "tomorrow", "the program that made them"),
    ],
)
def test_who_reads_what_nobody_here_does(tmp_path: Path, quantization: dict[str, Any], name: str, reader: str) -> None:
    with pytest.raises(ModelError, match=f"quantized with {name}, which neither Dyno nor transformers reads") as caught:
        resolve(ModelSource(source=str(with_quantization(tmp_path, quantization))))
    assert reader in caught.value.hint


@pytest.mark.parametrize(("method", "name"), [("hqq", "HQQ"), ("vptq", "VPTQ"), ("eetq", "EETQ")])
def test_what_runs_on_a_gpu_only_says_so(tmp_path: Path, method: str, name: str) -> None:
    facts = resolve(ModelSource(source=str(with_quantization(tmp_path, {"quant_method": method}))))
    with pytest.raises(ModelError, match=f"quantized with {name}, which transformers runs on a GPU only"):
        check_reader(facts, {}, gpu=False)
    with pytest.raises(ModelError, match=f"quantized with {name}, and loading them needs"):
        check_reader(facts, {}, gpu=True)


def test_ordinary_weights_need_nothing(folder: Path) -> None:
    facts = resolve(ModelSource(source=str(folder)))
    assert facts.quantized == ""
    check_reader(facts, {}, gpu=False)


def test_at_least_one_block_must_be_left_to_quantize() -> None:
    facts = ModelFacts(name="m", kind="folder", path="", layers=4)
    for method in ("int8_weight_only", "int4_weight_only", "nf4", "fp4", "llm_int8", "gptq"):
        ends = {"method": method, "skip_first": 2, "skip_last": 2}
        assert any("none of the model's 4 layers" in r for r in conflicts("quantization", facts, quantization=ends))


@pytest.mark.parametrize("double", [True, False])
@pytest.mark.parametrize("key", ["nf4", "fp4"])
def test_four_bits_of_bitsandbytes(folder: Path, key: str, double: bool) -> None:
    runtime = transformed(folder, quantization={"method": key, "double_quant": double})
    proof = receipt(runtime, "quantization")
    assert proof.matches
    assert f"{key}: 28 of 28 Linear layers; lm_head not quantized" in proof.effective
    state = runtime.model.model.layers[0].mlp.up_proj.weight.quant_state
    assert (state.quant_type, state.nested) == (key, double)
    with torch.inference_mode():
        assert torch.isfinite(runtime.model(torch.arange(50)[None]).logits).all()
    for other in ({"method": "fp4" if key == "nf4" else "nf4"}, {"method": key, "double_quant": not double}):
        runtime.variant = Variant.model_validate({"name": "v", "quantization": other})
        assert not receipt(runtime, "quantization").matches


def test_a_head_that_was_not_asked_for_is_seen(folder: Path) -> None:
    runtime = transformed(folder, quantization={"method": "int8_weight_only", "head": "keep"})
    assert receipt(runtime, "quantization").matches
    runtime.model.lm_head = Int8Linear.from_linear(runtime.model.lm_head)
    assert surgery.head_name(runtime.model) == "lm_head"
    assert not receipt(runtime, "quantization").matches
