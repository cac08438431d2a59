"""Checkpoints that their makers packed, read without the packers' libraries: the codes that Dyno runs are the maker's,
and the model is the one that they stand for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.engine.base.failures import Refused
from core.engine.load.load import load as start
from core.engine.load.load import receipts
from core.engine.weights.packed_checkpoint import check_changes, is_plain
from core.engine.weights.read_model import read_model
from core.kernels.base import surgery
from core.kernels.packed import layer_storage
from core.kernels.packed import packed_codes as packed
from core.kernels.weights.linears import Int4Linear, Int8Linear
from core.machine.environment import Environment
from core.model.facts import ModelFacts
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.quantization_schemes import Scheme
from core.model.source import ModelSource
from core.protocol.commands import LoadCommand
from core.spec.variant import Unsuitable, Variant
from core.spec.workload import Workload
from tests.core import packers
from tests.core.engine.test_materialize import Recorder, write
from tests.core.engine.test_text_part import save_whole

WORK = Workload(prompt_tokens=40, new_tokens=12)
IDS = torch.randint(0, 256, (2, 48), generator=torch.Generator().manual_seed(0))
GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 32, "desc_act": False, "sym": False}
AWQ = {"quant_method": "awq", "bits": 4, "group_size": 32, "version": "gemm", "zero_point": True}

AUTO_ROUND = {"quant_method": "auto-round", "packing_format": "auto_round:auto_gptq"}


def ct(form: str, bits: int, kind: str = "int", group: int | None = None) -> dict[str, Any]:
    weights = {"num_bits": bits, "type": kind, "symmetric": True, "group_size": group}
    groups = {"group_0": {"targets": ["Linear"], "weights": weights}}
    return {"quant_method": "compressed-tensors", "format": form, "config_groups": groups, "ignore": ["lm_head"]}


PACKED = ct("pack-quantized", 4, group=64)


def load(folder: Path, dtype: torch.dtype = torch.float32) -> tuple[Any, ModelFacts, list[str]]:
    source, notes = ModelSource(source=str(folder)), list[str]()
    facts = resolve(source)
    return read_model(facts, source, torch.device("cpu"), {"dtype": dtype}, notes), facts, notes


def logits(model: Any) -> Tensor:
    with torch.no_grad():
        return model(IDS).logits.float()


def packer(bits: int, group: int, symmetric: bool, make: Any, shuffled: bool = False) -> Any:
    def pack(name: str, weight: Tensor) -> tuple[packers.Parts, Tensor]:
        grid = packers.grid(weight, bits, group, symmetric, shuffled)
        return make(grid), grid.weight

    return pack


def plain_weight(layer: Any) -> Tensor:
    """fp32 [N, K] that a layer of Dyno's own stands for."""
    if isinstance(layer, Int8Linear):
        return layer.weight.float() * layer.scale.float()[:, None]
    scale, zero = layer.scale_zero.float().unbind(-1)
    size = layer.group_size
    return (layer_storage.codes(layer) - 8) * scale.T.repeat_interleave(size, 1) + zero.T.repeat_interleave(size, 1)


def same(found: Tensor, expected: Tensor) -> bool:
    """Apart by a scale and a zero that are rounded to bf16, and by nothing else: 2⁻⁹ each, of at most 15 steps."""
    expected = expected.detach()
    return float((found - expected).abs().max()) <= 2**-8 * float(expected.abs().max())


def close(found: Any, expected: Any) -> bool:
    """Apart by bf16's rounding in kernels that compute in it, which four random layers make larger."""
    a, b = logits(found), logits(expected)
    return float((a - b).norm() / b.norm()) < 0.1


# -- four bits become Int4Linears with the maker's codes -----------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "bits", "group", "symmetric", "make", "config"),
    [
        ("gptq", 4, 32, False, lambda g: packers.gptq(g, 4), GPTQ),
        ("gptq symmetric", 4, 64, True, lambda g: packers.gptq(g, 4), {**GPTQ, "sym": True, "group_size": 64}),
        ("gptq v2", 4, 32, False, lambda g: packers.gptq(g, 4, 2), {**GPTQ, "checkpoint_format": "gptq_v2"}),
        ("gptq without g_idx", 4, 32, False, lambda g: packers.gptq(g, 4, with_index=False), GPTQ),
        ("gptq, one group", 4, -1, True, lambda g: packers.gptq(g, 4), {**GPTQ, "group_size": -1}),
        ("gptq, 3 bits", 3, 32, False, lambda g: packers.gptq(g, 3), {**GPTQ, "bits": 3}),
        ("gptq, 2 bits", 2, 32, False, lambda g: packers.gptq(g, 2), {**GPTQ, "bits": 2}),
        ("auto-round", 4, 32, True, lambda g: packers.gptq(g, 4), AUTO_ROUND),
        ("awq", 4, 32, False, packers.awq, AWQ),
        ("compressed", 4, 32, True, lambda g: packers.compressed(g, 4, True), ct("pack-quantized", 4, group=32)),
        ("compressed, zero points", 4, 64, False, lambda g: packers.compressed(g, 4, False), PACKED),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)  # fmt: skip
def test_four_bits_run_as_the_makers_codes(
    tmp_path: Path, name: str, bits: int, group: int, symmetric: bool, make: Any, config: dict[str, Any]
) -> None:
    expected = packers.save_packed(tmp_path, "llama", packer(bits, group, symmetric, make), config)
    model, facts, notes = load(tmp_path)
    assert facts.scheme is not None
    assert facts.quantized
    assert facts.parameters == sum(p.numel() for p in expected.parameters())
    layers = {n: m for n, m in surgery.linear_like(model).items() if n != "lm_head"}
    assert {type(m) for m in layers.values()} == {Int4Linear}
    for layer_name, layer in layers.items():
        assert same(plain_weight(layer), expected.get_submodule(layer_name).weight)
    assert close(model, expected)
    assert notes == [f"the weights are as their maker quantized them: {facts.scheme.words}"]


def test_codes_are_the_makers(tmp_path: Path) -> None:
    found = {}

    def pack(name: str, weight: Tensor) -> tuple[packers.Parts, Tensor]:
        found[name] = packers.grid(weight, 4, 32, symmetric=False)
        return packers.gptq(found[name], 4), found[name].weight

    packers.save_packed(tmp_path, "llama", pack, GPTQ)
    model, _, _ = load(tmp_path)
    for name, grid in found.items():
        assert torch.equal(layer_storage.codes(model.get_submodule(name)), grid.q)


# -- what no kernel takes is multiplied out, and said ---------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "bits", "group", "shuffled", "config", "reason"),
    [
        ("desc_act", 4, 32, True, {**GPTQ, "desc_act": True}, "desc_act"),
        ("8 bits in groups", 8, 32, False, {**GPTQ, "bits": 8}, "one scale per output"),
        ("groups of 16", 4, 16, False, {**GPTQ, "group_size": 16}, "no multiple of 32"),
    ],
    ids=lambda v: v if isinstance(v, str) and " " not in v else "",
)
def test_other_codes_are_multiplied_out(
    tmp_path: Path, name: str, bits: int, group: int, shuffled: bool, config: dict[str, Any], reason: str
) -> None:
    pack = packer(bits, group, False, lambda g: packers.gptq(g, bits), shuffled)
    expected = packers.save_packed(tmp_path, "llama", pack, config)
    model, _, notes = load(tmp_path)
    assert all(type(m) is torch.nn.Linear for m in surgery.linear_like(model).values())
    assert torch.allclose(logits(model), logits(expected), atol=1e-3)
    assert any("dequantized" in note for note in notes)
    assert any(reason in note for note in notes) or "dequantized from GPTQ" in notes[0]


def test_conv1d_and_biases(tmp_path: Path) -> None:
    """GPT-2's layers are transposed, and its packed ones are not."""
    model = packers.tiny_model("gpt2")
    state = {n: t.clone() for n, t in model.state_dict().items() if n != "lm_head.weight"}
    for name, module in model.named_modules():
        if type(module).__name__ == "Conv1D":
            grid = packers.grid(module.weight.detach().T, 4, 32, symmetric=False)
            state.pop(f"{name}.weight")
            state.update({f"{name}.{part}": t for part, t in packers.gptq(grid, 4).items()})
            with torch.no_grad():
                module.weight.copy_(grid.weight.T)
    model.config.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "quantization_config": GPTQ}))
    save_file(state, tmp_path / "model.safetensors", {"format": "pt"})
    found, _, _ = load(tmp_path)
    assert torch.allclose(logits(found), logits(model), atol=1e-3)


# -- one element a code: a scale, perhaps a zero point ---------------------------------------------------------------
def int8_rows(name: str, weight: Tensor) -> tuple[packers.Parts, Tensor]:
    scale = weight.abs().amax(1, keepdim=True) / 127
    q = (weight / scale).round().to(torch.int8)
    return {"weight": q, "weight_scale": scale}, q.float() * scale


def fp8(scale_shape: str) -> Any:
    def pack(name: str, weight: Tensor) -> tuple[packers.Parts, Tensor]:
        n, k = weight.shape
        if scale_shape == "block":
            blocks = torch.nn.functional.pad(weight, (0, -k % 48, 0, -n % 48)).abs()
            scale = blocks.unflatten(0, (-1, 48)).unflatten(2, (-1, 48)).amax((1, 3)) / 448
            wide = scale.repeat_interleave(48, 0)[:n].repeat_interleave(48, 1)[:, :k]
        else:
            scale = weight.abs().amax(1, keepdim=True) / 448 if scale_shape == "rows" else weight.abs().max() / 448
            wide = scale
        q = (weight / wide).to(torch.float8_e4m3fn)
        part = "weight_scale_inv" if scale_shape == "block" else "weight_scale"
        return {"weight": q, part: scale.clone(), "input_scale": torch.tensor(1.0)}, q.float() * wide

    return pack


MODELOPT = {"quant_method": "modelopt", "quant_algo": "FP8", "exclude_modules": ["lm_head"]}


@pytest.mark.parametrize(
    ("config", "file", "pack"),
    [
        (MODELOPT, None, fp8("one")),
        (None, ("hf_quant_config.json", {"quantization": {"quant_algo": "FP8"}}), fp8("one")),
        (None, None, fp8("one")),  # nothing states it, the tensors do
        ({"quant_method": "fbgemm_fp8"}, None, fp8("rows")),
        ({"quant_method": "quark"}, None, fp8("one")),
        (ct("float-quantized", 8, "float"), None, fp8("rows")),
        (None, None, fp8("rows")),
    ],
    ids=["modelopt", "hf_quant_config", "unstated", "fbgemm", "quark", "compressed", "unstated_rows"],
)
def test_fp8_is_multiplied_by_its_scales(tmp_path: Path, config: Any, file: Any, pack: Any) -> None:
    expected = packers.save_packed(tmp_path, "llama", pack, config)
    if file:
        (tmp_path / file[0]).write_text(json.dumps(file[1]))
    model, facts, notes = load(tmp_path)
    assert torch.allclose(logits(model), logits(expected), atol=1e-3)
    assert facts.quantized == ""  # its weights are ordinary ones: they can be quantized
    assert is_plain(facts, model)
    assert "fp32" in notes[0]
    assert "fp8" in notes[0].lower()
    assert notes[1].startswith("activations stay as they are here")


@pytest.mark.parametrize("config", [None, ct("int-quantized", 8)], ids=["unstated", "compressed"])
def test_int8_with_a_scale_per_row_runs_as_int8(tmp_path: Path, config: Any) -> None:
    expected = packers.save_packed(tmp_path, "qwen2", int8_rows, config)
    model, facts, _ = load(tmp_path, torch.bfloat16)
    layers = {n: m for n, m in surgery.linear_like(model).items() if n != "lm_head"}
    assert {type(m) for m in layers.values()} == {Int8Linear}
    assert all(same(plain_weight(m), expected.get_submodule(n).weight) for n, m in layers.items())
    assert facts.quantized
    assert close(model, expected)


def test_pack_quantized_int8_runs_as_int8(tmp_path: Path) -> None:
    pack = packer(8, -1, True, lambda g: packers.compressed(g, 8, True))
    expected = packers.save_packed(tmp_path, "llama", pack, ct("pack-quantized", 8))
    model, _, _ = load(tmp_path)
    layers = {n: m for n, m in surgery.linear_like(model).items() if n != "lm_head"}
    assert {type(m) for m in layers.values()} == {Int8Linear}
    assert all(same(plain_weight(m), expected.get_submodule(n).weight) for n, m in layers.items())


def test_blocks_of_scales_at_the_edges() -> None:
    weight = torch.randn(100, 130)
    parts, expected = fp8("block")("x", weight)
    found = packed.scaled(parts, (48, 48))
    assert isinstance(found, Tensor)
    assert torch.equal(found, expected)
    with pytest.raises(ValueError, match="how long a block is"):  # three of 34, or of 48? A guess would be garbage
        packed.scaled(parts)


# -- what cannot be right is never measured -------------------------------------------------------------------------
def test_codes_without_scales_are_refused(tmp_path: Path) -> None:
    def pack(name: str, weight: Tensor) -> tuple[packers.Parts, Tensor]:
        return {"weight": weight.to(torch.float8_e4m3fn)}, weight

    packers.save_packed(tmp_path, "llama", pack, None)
    with pytest.raises(ModelError, match="28 weights are stored as F8_E4M3"):
        resolve(ModelSource(source=str(tmp_path)))


@pytest.mark.parametrize("part", ["pre_quant_scale", "weight_scale_2", "smooth"])
def test_a_part_that_nobody_knows_is_refused(tmp_path: Path, part: str) -> None:
    def pack(name: str, weight: Tensor) -> tuple[packers.Parts, Tensor]:
        return {**int8_rows(name, weight)[0], part: torch.ones(weight.shape[1])}, weight

    packers.save_packed(tmp_path, "llama", pack, {"quant_method": "modelopt", "quant_algo": "INT8_SQ"})
    with pytest.raises(ModelError, match=rf"q_proj\.{part}|k_proj\.{part}|_proj\.{part}"):
        resolve(ModelSource(source=str(tmp_path)))


def test_forgotten_scales_end_the_load(tmp_path: Path) -> None:
    """Whatever the header looked like: what a quantization left behind unused is no note in passing."""
    packers.tiny_model("llama").save_pretrained(tmp_path)
    packers.tiny_tokenizer().save_pretrained(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    tensors["model.layers.0.mlp.up_proj.weight_scale"] = torch.ones(1)
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match=r"1 tensors that weights are quantized with are not used"):
        load(tmp_path)
    del tensors["model.layers.0.mlp.up_proj.weight_scale"]
    tensors["model.layers.0.self_attn.rotary_emb.inv_freq"] = torch.ones(8)
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    load(tmp_path)


def test_gptq_whose_zero_points_are_ambiguous_is_refused(tmp_path: Path) -> None:
    pack = packer(4, 32, False, lambda g: packers.gptq(g, 4))
    packers.save_packed(tmp_path, "llama", pack, None)
    with pytest.raises(ModelError, match="which of its formats for zero points"):
        resolve(ModelSource(source=str(tmp_path)))
    (tmp_path / "quantize_config.json").write_text(json.dumps({"bits": 4, "group_size": 32}))
    assert resolve(ModelSource(source=str(tmp_path))).quantized == "GPTQ"


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({**GPTQ, "checkpoint_format": "marlin"}, "format marlin"),
        ({**AWQ, "version": "gemv"}, "gemv kernel"),
    ],
)
def test_orders_of_other_kernels_are_refused(tmp_path: Path, config: dict[str, Any], words: str) -> None:
    make = packers.awq if config["quant_method"] == "awq" else lambda g: packers.gptq(g, 4)
    packers.save_packed(tmp_path, "llama", packer(4, 32, False, make), config)
    with pytest.raises(ModelError, match=words):
        resolve(ModelSource(source=str(tmp_path)))


# -- in the engine: what runs on such a model, what is refused, and what the receipts say ------------------------------
def begin(folder: Path, precision: str | None = "fp32", **slots: Any) -> Any:
    variant = {"name": "v", **({"precision": precision} if precision else {}), **slots}
    work = WORK.model_copy(update={"concurrency": 2 if "batching" in slots else 1})
    command = LoadCommand(model=ModelSource(source=str(folder)), variant=variant, workload=work)
    return start(command, Environment(versions={"torchao": "0.18"}), Recorder(), None)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def four_bits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    pack = packer(4, 32, False, lambda g: packers.gptq(g, 4))
    packers.save_packed(folder, "llama", pack, GPTQ, num_key_value_heads=4)
    return folder


def test_the_receipt_counts_layers_of_codes(four_bits: Path) -> None:
    proof = next(r for r in receipts(begin(four_bits)) if r.slot == "quantization")
    assert proof.requested == "as quantized by its maker"
    assert proof.effective == "GPTQ 4-bit g32: 28 of 29 Linear layers as int4 codes"
    assert proof.matches
    assert proof.detail["quantized_layers"] == 28


@pytest.mark.parametrize(
    "slots",
    [
        {"kv_cache": "static"}, {"kv_cache": "quantized"}, {"attention": "eager"}, {"speculation": "prompt_lookup"},
        {"fusion": "fused_projections"}, {"batching": "continuous"},
        {"pruning": {"method": "layer_drop", "layers": 1, "calibration_tokens": 64}},
    ],
    ids=lambda s: next(iter(s)),
)  # fmt: skip
def test_what_leaves_codes_alone_runs(four_bits: Path, slots: dict[str, Any]) -> None:
    runtime = begin(four_bits, **slots)
    assert all(r.matches for r in receipts(runtime))
    assert sum(type(m) is Int4Linear for m in runtime.model.modules()) > 0


@pytest.mark.parametrize(
    ("slots", "reason"),
    [
        ({"quantization": "int8_weight_only"}, r"quantized already \(GPTQ\)"),
        ({"pruning": "wanda"}, r"packed already \(GPTQ\)"),
        ({"pruning": {"method": "mlp_width", "multiple": 32}}, r"packed already \(GPTQ\)"),
        ({"pruning": {"method": "heads", "groups": 1}}, r"packed already \(GPTQ\)"),
        ({"speculation": {"method": "self_draft"}}, r"quantized already \(GPTQ\)"),
    ],
    ids=str,
)
def test_what_changes_codes_is_refused_for_that(four_bits: Path, slots: dict[str, Any], reason: str) -> None:
    with pytest.raises((Refused, Unsuitable), match=reason):
        begin(four_bits, **slots)


def test_a_shortened_packed_model_is_written_and_read(four_bits: Path, tmp_path: Path) -> None:
    drop = {"pruning": {"method": "layer_drop", "layers": 1, "calibration_tokens": 64}}
    made = write(four_bits, tmp_path / "out", **drop)
    again = begin(tmp_path / "out", **drop)
    assert torch.equal(logits(again.model), logits(made.model))
    with pytest.raises(Refused, match=r"codes of .*'s maker"):
        begin(tmp_path / "out", **drop, quantization="int8_weight_only")


def test_dequantized_weights_say_so_and_can_be_quantized(tmp_path: Path) -> None:
    packers.save_packed(tmp_path, "llama", fp8("one"), MODELOPT)
    runtime = begin(tmp_path, None, quantization="int8_weight_only")
    proofs = {r.slot: r for r in receipts(runtime)}
    assert proofs["precision"].effective == "fp32, dequantized from ModelOpt fp8"
    assert proofs["quantization"].matches
    assert proofs["quantization"].detail["quantized_layers"] == 28
    assert runtime.source_type == "ModelOpt fp8"  # which the inspector and the report show, and quality is relative to
    bare = {r.slot: r for r in receipts(begin(tmp_path, "fp32"))}
    assert bare["precision"].effective.endswith("floating-point tensors, dequantized from ModelOpt fp8")
    assert bare["quantization"].effective == "ModelOpt fp8, dequantized"


def test_fine_grained_fp8_is_dequantized_where_no_gpu_runs_it(tmp_path: Path) -> None:
    config = {"quant_method": "fp8", "weight_block_size": [48, 48], "activation_scheme": "dynamic"}
    expected = packers.save_packed(tmp_path, "llama", fp8("block"), config)  # blocks at the edges are smaller
    model, facts, notes = load(tmp_path)
    assert facts.quantized == ""
    assert torch.allclose(logits(model), logits(expected), atol=1e-3)
    assert "dequantized from fine-grained FP8 to fp32" in notes[0]


def test_weights_that_stay_packed_are_not_passed_over(tmp_path: Path) -> None:
    """A device on which transformers keeps what it dequantizes elsewhere."""
    packers.save_packed(tmp_path, "llama", int8_rows, None)
    facts = resolve(ModelSource(source=str(tmp_path)))
    model, _, _ = load(tmp_path)
    plain = facts.model_copy(update={"scheme": Scheme(method="FP8", words="FP8", plain=True)})
    check_changes(plain, model, Variant.model_validate({"name": "v"}))
    with pytest.raises(Refused, match="on this device the weights stay packed as FP8"):
        check_changes(plain, model, Variant.model_validate({"name": "v", "quantization": "int8_weight_only"}))


@pytest.fixture(scope="module")
def torchao(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from torchao.quantization import Float8WeightOnlyConfig
    from transformers import AutoModelForCausalLM, TorchAoConfig

    plain, folder = tmp_path_factory.mktemp("plain"), tmp_path_factory.mktemp("torchao")
    packers.tiny_model("llama", tie_word_embeddings=False).bfloat16().save_pretrained(plain)
    config = TorchAoConfig(Float8WeightOnlyConfig())
    AutoModelForCausalLM.from_pretrained(plain, quantization_config=config, dtype=torch.bfloat16).save_pretrained(
        folder
    )
    packers.tiny_tokenizer().save_pretrained(folder)
    return folder


@pytest.mark.parametrize(
    ("slots", "reason"),
    [
        ({"precision": "fp32"}, "layers that torchao packed do not run in fp32"),
        ({"fusion": "fused_projections"}, "layers that torchao packed cannot be joined"),
        ({"pruning": {"method": "mlp_width", "multiple": 32}}, r"packed already \(torchao\)"),
        ({"pruning": {"method": "heads", "groups": 1}}, r"packed already \(torchao\)"),
    ],
    ids=str,
)
def test_torchao_says_what_it_cannot(torchao: Path, slots: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        begin(torchao, **{"precision": "bf16", **slots})


def test_torchao_runs_in_the_precision_it_was_packed_for(torchao: Path) -> None:
    proof = next(r for r in receipts(begin(torchao, "bf16")) if r.slot == "quantization")
    assert proof.effective == "torchao: 28 of 29 Linear layers as Float8Tensor"


def test_a_copy_is_loaded_as_the_model_was(tmp_path: Path) -> None:
    """Pickled weights that the user allowed are allowed to the copy that drafts for them, and to no other model."""
    model = packers.tiny_model("llama")
    model.config.save_pretrained(tmp_path)
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    packers.tiny_tokenizer().save_pretrained(tmp_path)
    command = LoadCommand(
        model=ModelSource(source=str(tmp_path), allow_pickle=True),
        variant={"name": "v", "precision": "fp32", "speculation": {"method": "self_draft"}},
        workload=WORK,
    )
    runtime = start(command, Environment(), Recorder(), None)  # type: ignore[arg-type]
    assert all(r.matches for r in receipts(runtime))
    other = command.model_copy(
        update={"variant": {"name": "v", "speculation": {"method": "draft_model", "model": str(tmp_path)}}}
    )
    with pytest.raises(ModelError, match="unpickling can run code"):
        start(other, Environment(), Recorder(), None)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["qwen2_5_vl", "llava"])
def test_the_text_part_of_a_packed_model_with_images(tmp_path: Path, kind: str) -> None:
    whole = save_whole(tmp_path, kind)
    state = load_file(tmp_path / "model.safetensors")
    by_end = {name.rpartition("layers.")[2]: module for name, module in whole.named_modules()}
    for full in [n for n in state if "proj.weight" in n and "vision" not in n and "visual" not in n and "layers." in n]:
        name = full.removesuffix(".weight")
        grid = packers.grid(state.pop(full), 4, 32, symmetric=False)
        state |= {f"{name}.{part}": tensor for part, tensor in packers.awq(grid).items()}
        with torch.no_grad():
            by_end[name.rpartition("layers.")[2]].weight.copy_(grid.weight)
    save_file(state, tmp_path / "model.safetensors", {"format": "pt"})
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "quantization_config": AWQ}))
    model, _, notes = load(tmp_path)
    assert sum(type(m) is Int4Linear for m in model.modules()) == 14
    assert close(model, whole)
    assert "tensors of its other parts are left out" in notes[0]


def nvfp4(maker: str) -> Any:
    """e2m1 by a search among the eight magnitudes; a scale of fp8 for 16 weights, and one for all of these."""
    magnitudes = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6.0])

    def pack(name: str, weight: Tensor) -> tuple[packers.Parts, Tensor]:
        groups = weight.unflatten(1, (-1, 16))
        whole = groups.abs().max() / (6 * 448)
        scale = (groups.abs().amax(-1) / 6 / whole).to(torch.float8_e4m3fn)
        wide = scale.float()[..., None] * whole
        index = ((groups / wide).abs()[..., None] - magnitudes).abs().argmin(-1)
        codes = (index + 8 * (groups < 0)).flatten(1).to(torch.uint8)
        stands_for = (magnitudes[index] * groups.sign() * wide).flatten(1)
        packed_codes = codes[:, ::2] | codes[:, 1::2] << 4
        if maker == "modelopt":
            parts = {"weight": packed_codes, "weight_scale_2": whole, "input_scale": torch.tensor(1.0)}
        else:
            parts = {"weight_packed": packed_codes, "weight_global_scale": (1 / whole)[None]}
        return {**parts, "weight_scale": scale}, stands_for

    return pack


@pytest.mark.parametrize(
    ("maker", "config"),
    [
        ("modelopt", {"quant_method": "modelopt", "quant_algo": "NVFP4", "group_size": 16}),
        ("compressed-tensors", ct("nvfp4-pack-quantized", 4, "float", 16)),
    ],
)
def test_nvfp4_is_multiplied_by_both_its_scales(tmp_path: Path, maker: str, config: dict[str, Any]) -> None:
    expected = packers.save_packed(tmp_path, "llama", nvfp4(maker), config)
    model, facts, notes = load(tmp_path)
    assert torch.allclose(logits(model), logits(expected), atol=1e-3)
    assert facts.quantized == ""
    assert facts.parameters == sum(p.numel() for p in expected.parameters())
    assert "dequantized from" in notes[0]
    assert "nvfp4" in notes[0].lower()


def test_experts_of_a_packed_mixture_are_multiplied_out_and_merged(tmp_path: Path) -> None:
    """transformers makes one tensor of the experts of a layer, whose codes are stored one by one."""
    model = packers.tiny_model("mixtral", tie_word_embeddings=False)
    model.save_pretrained(tmp_path)
    packers.tiny_tokenizer().save_pretrained(tmp_path)
    state = load_file(tmp_path / "model.safetensors")
    plain = dict(state)
    for full in [n for n in state if ".experts." in n or "_proj." in n]:
        grid = packers.grid(state.pop(full), 4, 32, symmetric=False)
        plain[full] = grid.weight
        state |= {f"{full.removesuffix('.weight')}.{part}": t for part, t in packers.gptq(grid, 4).items()}
    assert any(".experts.0.w1.qweight" in n for n in state)
    (tmp_path / "plain").mkdir()
    model.config.save_pretrained(tmp_path / "plain")
    packers.tiny_tokenizer().save_pretrained(tmp_path / "plain")
    save_file(plain, tmp_path / "plain" / "model.safetensors", {"format": "pt"})
    save_file(state, tmp_path / "model.safetensors", {"format": "pt"})
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "quantization_config": GPTQ}))
    found, facts, notes = load(tmp_path)
    expected = {n: p for n, p in load(tmp_path / "plain")[0].named_parameters() if "experts" in n}
    parameters = dict(found.named_parameters())
    assert len(expected) == 8  # two in each of four layers
    assert all(torch.allclose(parameters[n], p, atol=1e-6) for n, p in expected.items())
    assert facts.parameters == sum(p.numel() for p in model.parameters())
    assert "96 layers were dequantized" in notes[0]
    assert sum(type(m) is Int4Linear for m in found.modules()) == 16


def test_a_layer_that_lacks_a_tensor_is_named(tmp_path: Path) -> None:
    packers.save_packed(tmp_path, "llama", packer(4, 32, False, packers.awq), AWQ)
    tensors = load_file(tmp_path / "model.safetensors")
    del tensors["model.layers.1.mlp.up_proj.qzeros"]
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match=r"model\.layers\.1\.mlp\.up_proj lacks its tensor qzeros"):
        load(tmp_path)


def test_codes_whose_zero_points_are_not_there_are_refused(tmp_path: Path) -> None:
    config = ct("pack-quantized", 4, group=64)
    config["config_groups"]["group_0"]["weights"]["symmetric"] = False
    packers.save_packed(
        tmp_path, "llama", packer(4, 64, False, lambda grid: packers.compressed(grid, 4, symmetric=False)), config
    )
    assert load(tmp_path)[2]
    tensors = load_file(tmp_path / "model.safetensors")
    del tensors["model.layers.1.mlp.up_proj.weight_zero_point"]
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match=r"model\.layers\.1\.mlp\.up_proj has no weight_zero_point"):
        load(tmp_path)


def test_a_stated_shape_that_the_codes_do_not_have_is_refused_in_words(tmp_path: Path) -> None:
    packers.save_packed(
        tmp_path, "llama", packer(4, 64, True, lambda grid: packers.compressed(grid, 4, symmetric=True)), PACKED
    )
    tensors = load_file(tmp_path / "model.safetensors")
    tensors["model.layers.1.mlp.up_proj.weight_shape"] *= 2
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="codes of 256 outputs and scales of 256 are not 512 each"):
        load(tmp_path)
