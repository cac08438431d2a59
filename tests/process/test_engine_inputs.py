"""What an engine refuses, and what it says: bad models, impossible variants, disks that cannot be written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, BertConfig

from core.engine.base.failures import Refused
from core.engine.load import soundness
from core.engine.load.load import _transform
from core.engine.load.preflight import preflight, read_variant
from core.machine.environment import Device, Environment
from core.model.finder import resolve
from core.model.source import ModelSource
from core.protocol import commands, events
from core.spec.workload import Workload
from tests.core.tiny import KINDS, save_tiny, tiny_model
from tests.process.engine_child import Child, failed, load, only, trial


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("tiny") / "llama")


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Child]:
    with Child(tmp_path / "cache") as engine:
        yield engine


def _damage(model: Path, how: str) -> None:
    weights = model / "model.safetensors"
    match how:
        case "truncated":
            weights.write_bytes(weights.read_bytes()[:-1000])
        case "corrupt":
            weights.write_bytes(b"\x10" + bytes(7) + b"not a header at all" + bytes(100))
        case "pickled":
            torch.save(tiny_model("llama").state_dict(), model / "pytorch_model.bin")
            weights.unlink()
        case "no config":
            (model / "config.json").unlink()
        case "not causal":
            _edit(model / "config.json", architectures=["LlamaForSequenceClassification"])
        case "unknown kind":
            _edit(model / "config.json", model_type="newfangled")
        case "no tokenizer":
            for file in model.glob("token*"):
                file.unlink()


def _edit(file: Path, **changes: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def test_bad_models_are_refused_in_words(tmp_path: Path) -> None:
    """One engine meets them all: each is refused before memory is spent, or ends the use of that engine."""
    before_loading = {
        "truncated": "truncated", "corrupt": "corrupt", "pickled": "pickled", "no config": "config.json",
        "not causal": "not a causal",
    }  # fmt: skip
    with Child(tmp_path / "cache") as child:
        for number, (how, words) in enumerate(before_loading.items()):
            model = save_tiny(tmp_path / f"{number}")
            _damage(model, how)
            # `convert` resolves as `load` does, and leaves the engine usable.
            failure = failed(child.tell(commands.ConvertCommand(model=ModelSource(source=str(model)))), "refused")
            assert words in failure.message
            assert str(model) in failure.message
            assert failure.hint
        missing = failed(child.tell(load(tmp_path / "absent folder")), "refused")
        assert "no such folder" in missing.message


@pytest.mark.parametrize(("how", "words"), [("unknown kind", "newfangled"), ("no tokenizer", "tokenizer")])
def test_models_that_only_transformers_can_judge(child: Child, tmp_path: Path, how: str, words: str) -> None:
    model = save_tiny(tmp_path / "m")
    _damage(model, how)
    failure = failed(child.tell(load(model)), "refused")
    assert words in failure.message
    assert failure.hint


def test_pickled_weights_load_after_the_opt_in(child: Child, tmp_path: Path) -> None:
    model = save_tiny(tmp_path / "m")
    _damage(model, "pickled")
    assert isinstance(child.tell(load(model, source={"allow_pickle": True}))[-1], events.Done)
    assert isinstance(child.tell(trial())[-1], events.Done)


def test_weights_with_a_tensor_missing(child: Child, tmp_path: Path) -> None:
    """transformers would fill it with random numbers and go on."""
    from safetensors.torch import load_file, save_file

    model = save_tiny(tmp_path / "m")
    tensors = load_file(model / "model.safetensors")
    tensors.pop("model.layers.1.mlp.up_proj.weight")
    save_file(tensors, model / "model.safetensors", metadata={"format": "pt"})
    assert "model.layers.1.mlp.up_proj.weight" in failed(child.tell(load(model)), "refused").message


def _change(model: Path, change: Callable[[dict[str, torch.Tensor]], None]) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(model / "model.safetensors")
    change(tensors)
    save_file(tensors, model / "model.safetensors", metadata={"format": "pt"})


def test_weights_that_the_model_does_not_use_are_said(child: Child, tmp_path: Path) -> None:
    model = save_tiny(tmp_path / "m")
    _edit(model / "config.json", num_hidden_layers=3)
    loaded = only(child.tell(load(model)), events.Loaded)
    (note,) = [n for n in loaded.notes if "not used" in n]
    first = "model.layers.3.input_layernorm.weight"
    assert note == f"9 tensors of the weights are not used by the model, the first is {first}"


def test_weights_that_are_no_numbers(child: Child, tmp_path: Path) -> None:
    model = save_tiny(tmp_path / "m")
    _change(model, lambda tensors: [t.fill_(float("nan")) for t in tensors.values()])
    failure = failed(child.tell(load(model)), "refused")
    assert failure.message == f"{model}: its logits are not finite"
    assert "Get the weights again" in failure.hint


def test_an_encoder_that_calls_itself_causal(child: Child, tmp_path: Path) -> None:
    model = save_tiny(tmp_path / "m")
    shape = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
    config = BertConfig(vocab_size=320, initializer_range=0.2, architectures=["BertLMHeadModel"], **shape)
    AutoModelForCausalLM.from_config(config).save_pretrained(model)
    failure = failed(child.tell(load(model, {"precision": "fp32"})), "refused")
    assert "every position sees the tokens after it" in failure.message


def test_a_transform_that_breaks_the_model_is_refused() -> None:
    variant = read_variant({"name": "v", "quantization": "int8_weight_only"})

    class Breaking(type(variant.quantization)):  # type: ignore[misc]
        def transform(self, runtime: Any) -> None:
            runtime.model.model.layers[2].mlp.down_proj.weight.fill_(float("inf"))

    variant = variant.model_copy(update={"quantization": Breaking()})
    runtime = SimpleNamespace(model=tiny_model("llama"), variant=variant, applied=frozenset())
    assert soundness.is_finite(runtime.model)
    channel = SimpleNamespace(enter=lambda *_: None, send=lambda *_: None)
    with pytest.raises(Refused, match="quantization: after int8_weight_only the model's logits are not finite"):
        _transform(runtime, channel)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("kind", KINDS)
def test_no_causal_model_is_taken_for_another(kind: str, dtype: torch.dtype) -> None:
    assert soundness.faults(tiny_model(kind).to(dtype)) == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden_size": 128}, "{model}: the tensors of the weights do not have the sizes that config.json states"),
        ({"num_attention_heads": 7}, "{model}/config.json: The hidden size (64) is not a multiple of"),
        ({"eos_token_id": "</s>"}, "{model}/config.json: eos_token_id cannot be '</s>'"),
        ({"pad_token_id": 999}, "{model}: transformers "),
        ({"model_type": None}, "{model}: transformers "),
    ],
)
def test_a_model_that_transformers_refuses_names_its_file(
    child: Child, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    """The library's own words are in the detail."""
    model = save_tiny(tmp_path / "m")
    _edit(model / "config.json", **change)
    failure = failed(child.tell(load(model)), "refused")
    assert failure.message.startswith(message.format(model=model))
    for word in ("ignore_mismatched", "Validation error", "Error:"):
        assert word not in failure.message
    assert "Traceback" in failure.detail


def test_a_workload_beyond_the_context(child: Child, tiny: Path) -> None:
    assert "context of 512" in failed(child.tell(load(tiny, prompt_tokens=500, new_tokens=13)), "refused").message


@pytest.mark.parametrize(
    ("variant", "words"),
    [({"quantization": "no_such_method"}, "no_such_method"), ({"warp": 9}, "warp"), ({"name": ""}, "name")],
)
def test_a_variant_of_another_version(variant: dict[str, object], words: str) -> None:
    with pytest.raises(Refused, match=words) as caught:
        read_variant({"name": "v", **variant})
    assert "\n" not in str(caught.value)


def test_what_a_strategy_says_is_passed_on(tiny: Path) -> None:
    facts = resolve(ModelSource(source=str(tiny)))
    variant = read_variant({"name": "v", "speculation": {"method": "prompt_lookup"}})
    nowhere, said = Environment(), _Said()
    preflight(facts, variant, Workload(), nowhere, "fp32", said)  # type: ignore[arg-type]
    assert said.level == "info"
    assert "needs about" in said.text
    assert said.estimate is not None
    assert said.estimate.loading_bytes >= said.estimate.needed_bytes > 0
    assert said.estimate.free_bytes > said.estimate.loading_bytes

    class Impossible(type(variant.speculation)):  # type: ignore[misc]
        @classmethod
        def unavailable(cls, environment: Environment) -> str:
            return "" if environment.devices else "needs a GPU"

        def conflicts(self, *_: object) -> list[str]:
            return ["not on Fridays"]

    variant = variant.model_copy(update={"speculation": Impossible()})
    with pytest.raises(Refused, match="Prompt lookup is not available here: needs a GPU"):
        preflight(facts, variant, Workload(), nowhere, "fp32", said)  # type: ignore[arg-type]
    there = Environment(devices=[Device(name="card", uuid="u", memory_bytes=1000)])
    with pytest.raises(Refused, match="not on Fridays"):
        preflight(facts, variant, Workload(), there, "fp32", said)  # type: ignore[arg-type]
    preflight(facts, read_variant({"name": "v"}), Workload(), there, "fp32", said)  # type: ignore[arg-type]
    assert said.level == "warning"  # 1,000 bytes are not enough: it may still be tried


class _Said:
    """Takes the place of a channel: keeps the last line of the log."""

    level = text = ""
    estimate: events.Estimate | None = None

    def log(self, text: str, level: str = "info") -> None:
        self.text, self.level = text, level

    def send(self, event: events.Event) -> None:
        assert isinstance(event, events.Estimate)
        self.estimate = event


def test_prompt_tokens_that_the_template_does_not_fit_in(child: Child, tiny: Path) -> None:
    """Said before the weights are read: minutes may lie between."""
    told = child.tell(load(tiny, prompt_tokens=5))
    failure = failed(told, "refused")
    assert not any(isinstance(event, events.Loaded) for event in told)
    assert "chat template alone takes" in failure.message
    assert "at least" in failure.hint


def test_default_precision_has_a_receipt(child: Child, tiny: Path) -> None:
    native = only(child.tell(commands.EnvCommand()), events.Env).environment.native_bf16
    (receipt,) = only(child.tell(load(tiny)), events.Receipts).receipts
    assert (receipt.slot, receipt.requested, receipt.matches) == ("precision", "default", True)
    assert receipt.effective == ("bf16" if native else "fp32")


def test_transform_and_decoder_hooks(child: Child, tiny: Path) -> None:
    variant = {
        "precision": "bf16",
        "quantization": {"method": "int8_weight_only"},
        "speculation": {"method": "prompt_lookup", "draft_tokens": 3, "adaptive": False},
    }
    found = child.tell(load(tiny, variant, new_tokens=40))
    loaded = only(found, events.Loaded)
    assert loaded.weights_bytes < loaded.weights_bytes_before
    assert loaded.parameters == resolve(ModelSource(source=str(tiny))).parameters
    phases = [e.phase for e in found if isinstance(e, events.Phase)]
    assert phases == ["start", "load", "transform", "idle"]
    receipts = {r.slot: r for r in only(found, events.Receipts).receipts}
    assert set(receipts) == {"precision", "quantization", "speculation"}
    assert receipts["quantization"].matches
    found = child.tell(trial())
    done = only(found, events.TrialDone)
    steps = [n for e in found if isinstance(e, events.Steps) for n in e.tokens]
    assert sum(steps) == len(done.token_ids) == 40
    assert done.verify_steps == len(steps) - 1  # the first stamp is the prefill's
    assert done.accepted == sum(steps) - len(steps)
    assert done.drafted >= done.accepted


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with Child(tmp_path / "file" / "cache") as child:
        failure = failed(child.tell(commands.ConvertCommand(model=ModelSource(source="demo"))), "refused")
        assert "cannot be written" in failure.message
        assert "DYNO_CACHE" in failure.hint
