"""What an engine refuses, and what it says: bad models, impossible variants, disks that cannot be written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from core import commands, events
from core.engine.failures import Refused
from core.engine.preflight import preflight, read_variant
from core.environment import Device, Environment
from core.models import resolve
from core.spec import ModelSource, Workload
from tests.core.tiny import save_tiny, tiny_model
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

    class Impossible(type(variant.speculation)):  # type: ignore[misc]
        @classmethod
        def unavailable(cls, environment: Environment) -> str:
            return "" if environment.devices else "needs a GPU"

        def conflicts(self, *_: object) -> list[str]:
            return ["not on Fridays"]

    variant = variant.model_copy(update={"speculation": Impossible()})
    with pytest.raises(Refused, match="speculation: prompt_lookup is not available here: needs a GPU"):
        preflight(facts, variant, Workload(), nowhere, "fp32", said)  # type: ignore[arg-type]
    there = Environment(devices=[Device(name="card", uuid="u", memory_bytes=1000)])
    with pytest.raises(Refused, match="not on Fridays"):
        preflight(facts, variant, Workload(), there, "fp32", said)  # type: ignore[arg-type]
    preflight(facts, read_variant({"name": "v"}), Workload(), there, "fp32", said)  # type: ignore[arg-type]
    assert said.level == "warning"  # 1,000 bytes are not enough: it may still be tried


class _Said:
    """Takes the place of a channel: keeps the last line of the log."""

    level = text = ""

    def log(self, text: str, level: str = "info") -> None:
        self.text, self.level = text, level


def test_prompt_tokens_that_the_template_does_not_fit_in(child: Child, tiny: Path) -> None:
    assert isinstance(child.tell(load(tiny, prompt_tokens=5))[-1], events.Done)
    failure = failed(child.tell(trial()), "refused")
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
