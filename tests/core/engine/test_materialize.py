"""A transformed model as a folder: transformers loads it alone where that can be, Dyno loads it without doing the
work again, and either way it is the same model with the same receipts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers.models.auto.modeling_auto import AutoModelForCausalLM
from transformers.models.auto.tokenization_auto import AutoTokenizer

from core.engine.base.failures import Refused
from core.engine.base.runtime import Runtime
from core.engine.load.load import load
from core.engine.serve.write_model import materialize
from core.feasibility.compatibility import recipe_of
from core.feasibility.memory_estimate import memory_estimate
from core.kernels.base import surgery
from core.kernels.decoding.sampling import Sampler
from core.kernels.packed import compressed_tensors, layer_storage
from core.kernels.weights.linears import Int4Linear, Int8Linear
from core.machine.environment import Environment
from core.model import materialized_note
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.receipt import Receipt
from core.model.source import ModelSource
from core.presets.materialize_task import loads_in
from core.protocol import events
from core.protocol.commands import LoadCommand, MaterializeCommand
from core.spec.variant import Unsuitable, Variant
from core.spec.workload import Workload
from tests.core import packers
from tests.core.tiny import EOS, save_tiny, tiny_tokenizer
from tests.zoo import models as zoo

HERE = Environment(versions={"bitsandbytes": "0.50", "torch": torch.__version__})
WORK = Workload(prompt_tokens=40, new_tokens=12)
PROMPT = list(b"the cat sat on the mat; the cat sat on the ")

DROP = {"pruning": {"method": "layer_drop", "layers": 1, "calibration_tokens": 64}}
WIDTH = {"pruning": {"method": "mlp_width", "ratio": 0.5, "multiple": 32, "calibration_tokens": 64}}
HEADS = {"pruning": {"method": "heads", "groups": 1, "calibration_tokens": 64}}
MASK = {"pruning": {"method": "magnitude", "ratio": 0.25}}
WANDA = {"pruning": {"method": "wanda", "calibration_tokens": 256, "sequence": 64}}
INT8 = {"quantization": {"method": "int8_weight_only"}}
INT4 = {"quantization": {"method": "int4_weight_only"}}
NF4 = {"quantization": {"method": "nf4"}}


class Recorder:
    """A channel that keeps what is sent."""

    variant = None

    def __init__(self) -> None:
        self.seen: list[events.Event] = []

    def send(self, event: events.Event) -> None:
        self.seen.append(event)

    def enter(self, phase: events.PhaseName, round: int | None = None, detail: str = "") -> None:
        self.seen.append(events.Phase(phase=phase))

    def log(self, text: str, level: Any = "info") -> None:
        self.seen.append(events.Log(level=level, text=text))

    def of(self, kind: type) -> list[Any]:
        return [e for e in self.seen if isinstance(e, kind)]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("models") / "llama")


def write(source: Path, out: Path, precision: str | None = "fp32", **slots: Any) -> Runtime:
    command = MaterializeCommand(
        model=ModelSource(source=str(source)),
        variant={"name": "v", "precision": precision, **slots},
        workload=WORK,
        out=str(out),
    )
    return materialize(command, HERE, Recorder(), None)  # type: ignore[arg-type]


def read(folder: Path, precision: str | None = "fp32", **slots: Any) -> tuple[Runtime, Recorder]:
    command = LoadCommand(
        model=ModelSource(source=str(folder)), variant={"name": "v", "precision": precision, **slots}, workload=WORK
    )
    recorder = Recorder()
    return load(command, HERE, recorder, None), recorder  # type: ignore[arg-type]


def logits(model: Any) -> torch.Tensor:
    with torch.no_grad():
        return model(torch.tensor([PROMPT])).logits


def greedy(runtime: Runtime, count: int = 12) -> list[int]:
    decoder = runtime.decoder
    assert decoder is not None
    tokens = [decoder.start(PROMPT, count, Sampler(forbidden=[EOS]))]
    while len(tokens) < count:
        tokens += decoder.step()
    return tokens


def proofs(runtime: Runtime) -> list[Receipt]:
    return [s.receipt(runtime) for s in runtime.variant.strategies()]


def sized(found: list[Receipt]) -> tuple[list[Receipt], list[int]]:
    """Receipts without their bytes, and those."""
    bare = [r.model_copy(update={"detail": {k: v for k, v in r.detail.items() if k != "weights_bytes"}}) for r in found]
    return bare, [r.detail.get("weights_bytes", 0) for r in found]


def phases(recorder: Recorder) -> list[str]:
    return [e.phase for e in recorder.of(events.Phase)]


# -- ordinary checkpoints -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "slots"),
    [("qwen2", DROP), ("gemma3", DROP), ("qwen2", WIDTH), ("gemma3", HEADS), ("llama", MASK), ("llama", WANDA)],
    ids=str,
)
def test_what_is_pruned_loads_with_transformers_alone(tmp_path: Path, kind: str, slots: dict[str, Any]) -> None:
    made = write(save_tiny(tmp_path / "source", kind), tmp_path / "out", **slots)
    alone = AutoModelForCausalLM.from_pretrained(tmp_path / "out", dtype=torch.float32).eval()
    assert torch.equal(logits(alone), logits(made.model))
    assert AutoTokenizer.from_pretrained(tmp_path / "out")("abc")["input_ids"] == [97, 98, 99]
    text = alone.generate(torch.tensor([PROMPT]), do_sample=False, max_new_tokens=12, suppress_tokens=[EOS])
    again, recorder = read(tmp_path / "out", **slots)
    assert greedy(again) == text[0, len(PROMPT) :].tolist() == greedy(made)
    assert "transform" not in phases(recorder)
    assert proofs(again) == proofs(made)
    assert all(p.matches for p in proofs(again))


def test_the_folder_says_what_it_is(source: Path, tmp_path: Path) -> None:
    made = write(source, tmp_path / "out", **WIDTH)
    note = materialized_note.read(tmp_path / "out")
    assert note is not None
    assert note.fingerprint == made.fingerprint
    assert note.source == str(source)
    assert recipe_of(note).pruning == made.variant.pruning
    assert (note.before["intermediate"], note.before["layers"]) == (128, 4)
    facts = resolve(ModelSource(source=str(tmp_path / "out")))
    assert facts.intermediate == 64
    assert facts.parameters == made.model.num_parameters()
    assert facts.before("pruning").intermediate == 128
    assert facts.before("quantization").intermediate == 64
    card = (tmp_path / "out" / "README.md").read_text("utf-8")
    assert "64 of 128 MLP channels left in 4 layers" in card
    assert note.fingerprint in card
    assert f"torch {torch.__version__}" in card
    assert "transformers alone loads it" in card
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]


def test_a_gguf_conversion_is_no_materialized_folder(tmp_path: Path) -> None:
    assert materialized_note.read(tmp_path) is None
    (tmp_path / "dyno.json").write_text(json.dumps({"version": 1, "permuted": True, "notes": []}))
    assert materialized_note.read(tmp_path) is None


@pytest.mark.parametrize("kind", ["gpt_oss", "jetmoe", "llama4_text"])  # transposed, and such as do not say so
def test_quantized_experts_are_the_same_again(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    zoo.make(kind).save_pretrained(tmp_path / "source")
    tiny_tokenizer().save_pretrained(tmp_path / "source")
    made = write(tmp_path / "source", tmp_path / "out", **INT8)
    monkeypatch.setattr(type(made.variant.quantization), "transform", _never)
    again, _ = read(tmp_path / "out", **INT8)
    assert torch.equal(logits(again.model), logits(made.model))
    assert proofs(again) == proofs(made)
    assert all(p.matches for p in proofs(again))


def test_experts_in_layers_that_transformers_does_not_load_are_not_written(tmp_path: Path) -> None:
    source = save_tiny(tmp_path / "source", "mixtral")
    with pytest.raises(Refused, match="is an expert, and transformers loads none in bitsandbytes' layers"):
        write(source, tmp_path / "out", **NF4)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["source"]


# -- layers of Dyno's own -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "precision", "slots"),
    [
        ("llama", "bf16", INT8),
        ("llama", "fp32", INT4),
        ("llama", "bf16", {"quantization": {"method": "int4_weight_only", "group_size": 64, "head": "same"}}),
        ("llama", "bf16", {"quantization": {"method": "int4_weight_only", "head": "keep"}}),
        ("qwen2", "bf16", INT4),
        ("gpt2", "fp32", INT8),
        ("llama", "bf16", {"quantization": {"method": "gptq", "calibration_tokens": 256, "sequence": 64}}),
        ("gemma3", "bf16", INT8),
        ("llama", "fp32", {**HEADS, **INT4}),
        ("llama", "bf16", {"quantization": {"method": "int4_weight_only", "group_size": 128}}),  # leaves layers out
        ("mixtral", "bf16", INT8),
        ("mixtral", "fp32", {"quantization": {"method": "int4_weight_only", "skip": "*.down_proj"}}),
    ],
    ids=str,
)
def test_what_is_quantized_is_the_same_again(
    tmp_path: Path, kind: str, precision: str, slots: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "128" in str(slots):  # refused beforehand, where facts are known; here the receipt is what matters
        estimate = memory_estimate
        monkeypatch.setattr("core.engine.load.load.preflight", lambda a, b, work, *_: estimate(a, b, work))
    made = write(save_tiny(tmp_path / "source", kind), tmp_path / "out", precision, **slots)
    monkeypatch.setattr(type(made.variant.quantization), "transform", _never)
    again, recorder = read(tmp_path / "out", precision, **slots)
    assert torch.equal(logits(again.model), logits(made.model))
    assert greedy(again) == greedy(made)
    assert proofs(again) == proofs(made)
    assert "transform" not in phases(recorder)
    assert surgery.storage_bytes(again.model) == surgery.storage_bytes(made.model)
    names = {n: (p.dtype, p.shape) for n, p in made.model.named_parameters()}
    assert {n: (p.dtype, p.shape) for n, p in again.model.named_parameters()} == names
    (loaded,) = recorder.of(events.Loaded)
    assert loaded.parameters == surgery.parameter_count(made.model)
    assert any("written by Dyno" in n for n in loaded.notes)


def _never(*_: object) -> None:
    raise AssertionError("quantized again")


@pytest.mark.parametrize("kind", ["gpt2", "mixtral"])
def test_other_programs_do_not_mistake_it_for_a_checkpoint(kind: str, tmp_path: Path) -> None:
    """Transposed layers and experts that are slices of one tensor have no place in a common format."""
    write(save_tiny(tmp_path / "source", kind), tmp_path / "out", **INT8)
    with pytest.raises(OSError, match=r"model\.safetensors"):
        AutoModelForCausalLM.from_pretrained(tmp_path / "out")
    assert "Only Dyno loads it" in (tmp_path / "out" / "README.md").read_text("utf-8")


def test_codes_are_read_out_exactly() -> None:
    torch.manual_seed(0)
    q = torch.randint(0, 16, (48, 320), dtype=torch.int32)
    scale_zero = torch.randn(5, 48, 2).bfloat16()
    assert torch.equal(layer_storage.codes(Int4Linear(q, scale_zero, 64, None)), q)


def test_what_others_load_is_in_the_format_that_they_know(source: Path, tmp_path: Path) -> None:
    """compressed-tensors' pack-quantized, held against a packer that was written from its definition."""
    made = write(source, tmp_path / "out", **INT4)
    tensors = load_file(tmp_path / "out" / "model.safetensors")
    name = "model.layers.0.mlp.up_proj"
    layer = made.model.get_submodule(name)
    scale, zero = layer.scale_zero.float().unbind(-1)
    grid = packers.Grid(layer_storage.codes(layer), scale.T, (8 - zero / scale).T.round().int(), torch.arange(64) // 32)
    expected = packers.compressed(grid, 4, symmetric=False)
    assert expected["weight_packed"].shape == (128, 8)  # half a byte for each of 64 inputs
    for part, tensor in expected.items():
        assert torch.equal(tensors[f"{name}.{part}"], tensor), part
    config = json.loads((tmp_path / "out" / "config.json").read_text())["quantization_config"]
    assert (config["quant_method"], config["format"]) == ("compressed-tensors", "pack-quantized")
    assert list(config["config_groups"]) == ["group_0"]  # transformers multiplies out one scheme only
    body = config["config_groups"]["group_0"]
    assert (body["targets"], body["weights"]["num_bits"], body["weights"]["group_size"]) == (["Linear"], 4, 32)
    assert config["ignore"] == ["lm_head"]
    head = made.model.lm_head
    assert torch.equal(tensors["lm_head.weight"], head.weight.float() * head.scale.float()[:, None])
    assert load_file(tmp_path / "out" / "dyno.codes")["lm_head.weight"].dtype == torch.int8
    assert "transformers loads it, with compressed-tensors installed" in (tmp_path / "out" / "README.md").read_text()
    assert not hasattr(made.model.config, "quantization_config")  # the model itself goes on as it was


@pytest.mark.parametrize(
    ("slots", "words"),
    [
        (DROP, "in transformers alone"), (INT8, "in vLLM and in transformers with compressed-tensors"),
        (INT4, "in vLLM and in transformers with compressed-tensors"), (NF4, "in transformers with bitsandbytes"),
    ],
)  # fmt: skip
def test_who_will_load_it_is_said_before(slots: dict[str, Any], words: str) -> None:
    assert words in loads_in(Variant.model_validate({"name": "v", **slots}))


def test_what_only_dyno_loads_is_said_while_it_is_written(tmp_path: Path) -> None:
    recorder = Recorder()
    command = MaterializeCommand(
        model=ModelSource(source=str(save_tiny(tmp_path / "gpt2", "gpt2"))),
        variant={"name": "v", "precision": "fp32", **INT8},
        workload=WORK,
        out=str(tmp_path / "out"),
    )
    materialize(command, HERE, recorder, None)  # type: ignore[arg-type]
    (warning,) = [e.text for e in recorder.of(events.Log) if e.level == "warning"]
    assert warning.startswith("Only Dyno loads it: `dyno.safetensors` holds its layers")
    assert "is no Linear layer in transformers" in warning


def test_the_files_are_as_readable_as_any(source: Path, tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        for name, slots in (("codes", INT8), ("own", {**INT8, "kind": "gpt2"}), ("plain", MASK)):
            model = save_tiny(tmp_path / "gpt2", "gpt2") if slots.pop("kind", "") else source
            write(model, tmp_path / name, **slots)
            assert {p.stat().st_mode & 0o777 for p in (tmp_path / name).iterdir()} == {0o640}
    finally:
        os.umask(before)


def test_a_grid_between_codes_stays_dynos_own() -> None:
    """As the int4 layers that earlier versions made, and those of GGUF's formats."""
    scale_zero = torch.ones(2, 16, 2).bfloat16()
    scale_zero[..., 1] = 0.3
    layer = Int4Linear(torch.zeros(16, 64, dtype=torch.int32), scale_zero, 32, None)
    with pytest.raises(compressed_tensors.CannotPack, match="between codes"):
        compressed_tensors.pack(layer)


def test_another_precision_is_only_a_cast(source: Path, tmp_path: Path) -> None:
    write(source, tmp_path / "out", "fp32", **INT8)
    runtime, _ = read(tmp_path / "out", "bf16", **INT8)
    assert runtime.model.dtype == torch.bfloat16
    assert all(p.matches for p in proofs(runtime))


# -- bitsandbytes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "quantization",
    [
        {"method": "nf4"},
        {"method": "nf4", "double_quant": False, "head": "same"},
        {"method": "nf4", "skip": "*.down_proj"},
        {"method": "llm_int8", "threshold": 5.0},
    ],
    ids=str,
)
def test_bitsandbytes_loads_with_transformers(source: Path, tmp_path: Path, quantization: dict[str, Any]) -> None:
    slots = {"quantization": quantization}
    made = write(source, tmp_path / "out", "bf16", **slots)
    alone = AutoModelForCausalLM.from_pretrained(tmp_path / "out", dtype=torch.bfloat16).eval()
    assert torch.equal(logits(alone), logits(made.model))
    again, recorder = read(tmp_path / "out", "bf16", **slots)
    assert "transform" not in phases(recorder)
    assert torch.equal(logits(again.model), logits(made.model))
    (told, sizes), (before, sizes_before) = sized(proofs(again)), sized(proofs(made))
    assert told == before
    assert sizes == pytest.approx(sizes_before, abs=8 * 14)  # where kernels pack them, statistics change their type
    assert greedy(again) == greedy(made)
    facts = resolve(ModelSource(source=str(tmp_path / "out")))
    assert facts.parameters == surgery.parameter_count(made.model)


# -- what is in the weights already -------------------------------------------------------------------------


def test_a_variant_that_asks_for_nothing_gets_the_weights_as_they_are(source: Path, tmp_path: Path) -> None:
    made = write(source, tmp_path / "out", **INT8)
    runtime, recorder = read(tmp_path / "out")
    layers = [m for m in runtime.model.modules() if isinstance(m, Int8Linear)]
    assert layers
    assert all(m.weight.data_ptr() % 64 == 0 for m in layers)  # else torch's kernel may end the process
    assert torch.equal(logits(runtime.model), logits(made.model))
    assert any("int8_weight_only" in n for n in recorder.of(events.Loaded)[0].notes)


@pytest.mark.parametrize(
    ("written", "asked", "words"),
    [
        (INT8, INT4, "through int8_weight_only already, and int4_weight_only cannot be applied on top"),
        (INT4, {"quantization": {"method": "int4_weight_only", "group_size": 64}}, "group_size=64 cannot"),
        (DROP, WIDTH, "pruning: the weights in this folder have been through layer_drop"),
        (INT8, MASK, "pruning: comes before quantization"),
    ],
    ids=["method", "parameter", "pruning", "order"],
)
def test_another_choice_for_that_slot_is_refused(
    source: Path, tmp_path: Path, written: dict[str, Any], asked: dict[str, Any], words: str
) -> None:
    write(source, tmp_path / "out", **written)
    with pytest.raises(Refused, match=words):
        read(tmp_path / "out", **asked)


def test_a_drop_larger_than_what_is_left_is_no_conflict(source: Path, tmp_path: Path) -> None:
    """3 of 4 layers were removed; asking for that again is not asking a model of 1 layer to lose 3."""
    slots = {"pruning": {"method": "layer_drop", "layers": 3, "calibration_tokens": 64}}
    write(source, tmp_path / "out", **slots)
    runtime, _ = read(tmp_path / "out", **slots)
    assert proofs(runtime)[1].matches


def test_quantizing_a_pruned_folder_and_writing_that_too(source: Path, tmp_path: Path) -> None:
    first = write(source, tmp_path / "pruned", **WIDTH)
    both, recorder = read(tmp_path / "pruned", **WIDTH, **INT8)
    assert phases(recorder)[-1] == "transform"
    assert surgery.shape(both.model.model.layers[0].mlp.down_proj) == (64, 64)  # once, not twice
    direct, _ = read(source, **WIDTH, **INT8)
    assert torch.equal(logits(both.model), logits(direct.model))
    assert proofs(both) == proofs(direct)
    write(tmp_path / "pruned", tmp_path / "both", **INT8)
    note = materialized_note.read(tmp_path / "both")
    assert note is not None
    assert (note.source, note.fingerprint, note.before["intermediate"]) == (str(source), first.fingerprint, 128)
    again, _ = read(tmp_path / "both", **WIDTH, **INT8)
    assert proofs(again) == proofs(direct)
    assert torch.equal(logits(again.model), logits(direct.model))


def test_a_draft_from_a_written_folder_is_not_made_twice(source: Path, tmp_path: Path) -> None:
    made = write(source, tmp_path / "out", **DROP)
    target, _ = read(source)
    draft = target.draft(str(tmp_path / "out"), DROP)
    assert torch.equal(logits(draft.model), logits(made.model))
    with pytest.raises(Unsuitable, match="been through layer_drop"):
        target.draft(str(tmp_path / "out"), {"pruning": {**DROP["pruning"], "layers": 2}})


# -- refusals and faults ------------------------------------------------------------------------------------


def test_nothing_is_overwritten_and_nothing_is_left(source: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(Refused, match="is there already"):
        write(source, tmp_path / "there", **INT8)
    with pytest.raises(Refused, match="no such folder"):
        write(source, tmp_path / "not" / "here", **INT8)
    with pytest.raises(Refused, match="changes no weights"):
        write(source, tmp_path / "out", kv_cache="static")
    with pytest.raises(Refused, match="no folder holds both"):
        write(source, tmp_path / "out", quantization={"method": "nf4", "head": "int8"})
    assert [p.name for p in tmp_path.iterdir()] == ["there"]


def test_a_fault_while_writing_leaves_nothing(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("transformers.modeling_utils.safe_save_file", full)
    with pytest.raises(Refused, match="No space left on device"):
        write(source, tmp_path / "out", **INT8)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_swept(source: Path, tmp_path: Path) -> None:
    (tmp_path / ".out.partial-999999999").mkdir()
    write(source, tmp_path / "out", **MASK)
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_wrappers_are_refused_by_name() -> None:
    class Wrapper(torch.Tensor):
        def __tensor_flatten__(self) -> tuple[list[str], None]:
            return [], None

    model = torch.nn.Sequential(torch.nn.Linear(4, 4, bias=False))
    model[0].weight = torch.nn.Parameter(torch.zeros(4, 4).as_subclass(Wrapper), requires_grad=False)
    assert "Wrapper" in layer_storage.unstorable(model)[0]

    class OddLinear(torch.nn.Module):
        in_features = out_features = 4

    assert "OddLinear" in layer_storage.unstorable(torch.nn.Sequential(OddLinear()))[0]


def test_damage_to_codes_is_named(source: Path, tmp_path: Path) -> None:
    write(source, tmp_path / "out", **INT8)
    file = tmp_path / "out" / "model.safetensors"
    tensors = load_file(file)
    del tensors["model.layers.2.mlp.up_proj.weight_scale"]
    save_file(tensors, file, {"format": "pt"})
    with pytest.raises(ModelError, match=r"model\.layers\.2\.mlp\.up_proj"):
        read(tmp_path / "out")


def test_damage_is_named(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.serve.write_model.packing", lambda *_: (None, "as earlier versions wrote it"))
    write(source, tmp_path / "out", **INT8)
    file = tmp_path / "out" / "dyno.safetensors"
    tensors = load_file(file)
    scale = tensors.pop("model.layers.2.mlp.up_proj.scale")
    save_file(tensors, file)
    with pytest.raises(ModelError, match=r"model\.layers\.2\.mlp\.up_proj cannot be rebuilt"):
        read(tmp_path / "out")
    norm = tensors.pop("model.norm.weight")
    save_file({**tensors, "model.layers.2.mlp.up_proj.scale": scale}, file)
    with pytest.raises(ModelError, match=r"model\.norm\.weight is missing"):
        read(tmp_path / "out")
    weight = tensors["model.layers.2.mlp.up_proj.weight"][:64].contiguous()
    save_file({**tensors, "model.norm.weight": norm, "model.layers.2.mlp.up_proj.weight": weight}, file)
    with pytest.raises(ModelError, match="cannot be rebuilt"):
        read(tmp_path / "out")


@pytest.mark.parametrize(
    ("change", "words"),
    [({"format": 2}, "is not understood"), ({"layers": {"x": {}}}, "is not understood")],
)
def test_a_note_of_another_version_is_refused(source: Path, tmp_path: Path, change: dict[str, Any], words: str) -> None:
    write(source, tmp_path / "out", **INT8)
    path = tmp_path / "out" / "dyno.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ModelError, match=words):
        resolve(ModelSource(source=str(tmp_path / "out")))
