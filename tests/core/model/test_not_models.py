"""What is not a model as transformers reads it is told apart by name, with the way out, before anything is loaded; and
the list of the hub's cache says the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from core.engine.base import prompt_framing
from core.engine.base.failures import Refused
from core.engine.weights.read_model import read_model, read_tokenizer
from core.model import hub_cache, model_kinds
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.source import ModelSource
from core.spec.experiment import Experiment
from core.spec.variant import Variant
from tests.core.engine.test_text_part import TEXT
from tests.core.gguf_files import write_gguf
from tests.core.tiny import save_tiny, tiny_model, tiny_tokenizer

LORA = {"peft_type": "LORA", "base_model_name_or_path": "maker/base"}


def refusal(folder: Path) -> ModelError:
    with pytest.raises(ModelError) as caught:
        resolve(ModelSource(source=str(folder)))
    return caught.value


def change(file: Path, **values: Any) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


def test_an_adapter_alone_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text(json.dumps(LORA))
    error = refusal(tmp_path)
    assert str(error) == f"{tmp_path}: is an adapter (LORA) of maker/base, not a model"
    assert "Merge" in error.hint


@pytest.mark.parametrize("content", [json.dumps(LORA), "{", "[]"])
def test_an_adapter_beside_the_weights_is_not_left_out_in_silence(tmp_path: Path, content: str) -> None:
    save_tiny(tmp_path)
    (tmp_path / "adapter_config.json").write_text(content)
    assert "holds an adapter beside the weights (adapter_config.json" in str(refusal(tmp_path))
    (tmp_path / "adapter_config.json").unlink()
    assert resolve(ModelSource(source=str(tmp_path))).parameters


def test_shards_without_their_index(tmp_path: Path) -> None:
    save_tiny(tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "model-00001-of-00001.safetensors")
    words = "model-00001-of-00001.safetensors is there, and its index (model.safetensors.index.json) is missing"
    assert words in str(refusal(tmp_path))


def test_weights_of_another_layout(tmp_path: Path) -> None:
    save_tiny(tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "consolidated.safetensors")
    assert "consolidated.safetensors" in str(refusal(tmp_path))


def test_a_type_that_the_format_does_not_have(tmp_path: Path) -> None:
    save_tiny(tmp_path)
    file = tmp_path / "model.safetensors"
    file.write_bytes(file.read_bytes().replace(b'"dtype":"F32"', b'"dtype":"F99"', 1))
    words = str(refusal(tmp_path))
    assert words.startswith(f"{file}: tensor ")
    assert "has the type 'F99', which the format does not have" in words


@pytest.mark.parametrize(
    ("kind", "part", "words"),
    [("glm4v", "vision_config", "is a model of images and text (Some"), ("voice", "audio_config", "of more than text")],
)
def test_a_model_of_images_without_a_causal_language_model(tmp_path: Path, kind: str, part: str, words: str) -> None:
    save_tiny(tmp_path)
    change(
        tmp_path / "config.json", architectures=["SomeForConditionalGeneration"], model_type=kind,
        text_config={"model_type": f"{kind}_text"}, **{part: {"hidden_size": 8}},
    )  # fmt: skip
    assert words in str(refusal(tmp_path))
    assert f"no causal language model of the kind {kind}_text" in str(refusal(tmp_path))


def load(folder: Path) -> Any:
    source = ModelSource(source=str(folder))
    return read_model(resolve(source), source, torch.device("cpu"), {"dtype": torch.float32})


@pytest.mark.parametrize(
    ("kind", "words", "hint"),
    [
        ("llama99", "has no model of the kind llama99", "newer"),
        ("clip", "has no causal language model of the kind clip", "Choose one of those"),
        ("mixtral", "tensors are missing", "complete"),
    ],
)
def test_only_what_transformers_does_not_know_may_be_newer(tmp_path: Path, kind: str, words: str, hint: str) -> None:
    save_tiny(tmp_path)
    change(tmp_path / "config.json", model_type=kind)
    with pytest.raises(ModelError) as caught:
        load(tmp_path)
    assert words in str(caught.value)
    assert hint in caught.value.hint
    assert ("newer" in caught.value.hint) == (kind == "llama99")


def test_the_kinds_are_those_of_transformers() -> None:
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    assert all(model_kinds.is_known(kind) for kind in CONFIG_MAPPING_NAMES)
    assert all(model_kinds.is_causal(kind) for kind in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)
    assert (model_kinds.is_known("llama99"), model_kinds.is_causal("llava")) == (False, False)


def test_an_attention_that_a_kind_does_not_have(tmp_path: Path) -> None:
    from transformers import GptOssConfig
    from transformers.models.auto.modeling_auto import AutoModelForCausalLM

    config = GptOssConfig(**{**TEXT, "num_local_experts": 2, "layer_types": ["full_attention"] * 2})
    AutoModelForCausalLM.from_config(config).save_pretrained(tmp_path)
    source = ModelSource(source=str(tmp_path))
    with pytest.raises(ModelError, match=r"GptOssForCausalLM has no sdpa attention .* the model is fine"):
        read_model(resolve(source), source, torch.device("cpu"), {"attn_implementation": "sdpa"})


def tokenizer_refusal(folder: Path) -> ModelError:
    source = ModelSource(source=str(folder))
    with pytest.raises(ModelError) as caught:
        read_tokenizer(resolve(source), source)
    return caught.value


def test_a_tokenizer_with_its_own_code_is_said_and_does_not_run(tmp_path: Path) -> None:
    save_tiny(tmp_path)
    change(tmp_path / "tokenizer_config.json", tokenizer_class="Own", auto_map={"AutoTokenizer": ["own.Own", None]})
    (tmp_path / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Own: ...\n")
    error = tokenizer_refusal(tmp_path)
    assert "the tokenizer brings its own Python code (own.Own)" in str(error)
    assert "trust_remote_code = true" in error.hint
    assert not (tmp_path / "ran").exists()


def test_a_tokenizer_that_a_package_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_tiny(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    change(tmp_path / "tokenizer_config.json", tokenizer_class="LlamaTokenizer")
    (tmp_path / "tokenizer.model").write_bytes(b"\x0a\x0b\x0a\x05<unk>")
    monkeypatch.setattr("core.engine.base.load_errors.find_spec", lambda name: None)
    error = tokenizer_refusal(tmp_path)
    assert "its tokenizer (tokenizer.model) is read by the package sentencepiece" in str(error)
    assert error.hint == "pip install sentencepiece"


def test_ids_beyond_the_embedding_have_a_sentence() -> None:
    tokenizer = tiny_tokenizer()
    prompt_framing.check_ids(tokenizer, [1, 257], 258)
    prompt_framing.check_ids(tokenizer, [300], None)
    with pytest.raises(Refused, match="the token '</s>' = 257, and the model's embedding has 257 rows"):
        prompt_framing.check_ids(tokenizer, [1, 257], 257)


# --- the hub's cache


def snapshot(root: Path, name: str) -> Path:
    place = root / f"models--maker--{name}" / "snapshots" / "0123456789abcdef0123456789abcdef01234567"
    place.mkdir(parents=True)
    (place.parents[1] / "refs").mkdir()
    (place.parents[1] / "refs" / "main").write_text(place.name)
    return place


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def test_a_revision_with_one_gguf_file_is_that_file(hub: Path) -> None:
    place = snapshot(hub, "one")
    blobs = place.parents[1] / "blobs"
    blobs.mkdir()
    write_gguf(blobs / "8a0f", tiny_model("llama"))
    (place / "m.Q8_0.gguf").symlink_to("../../blobs/8a0f")
    (place / "mmproj-m.gguf").write_bytes(b"GGUF")
    facts = resolve(ModelSource(source="maker/one"))
    assert (facts.kind, facts.name, facts.path) == ("gguf", "m.Q8_0", str(place / "m.Q8_0.gguf"))


def test_a_revision_with_several_names_them(hub: Path) -> None:
    place = snapshot(hub, "two")
    for name in ("m.Q4_0.gguf", "m.Q8_0.gguf"):
        (place / name).write_bytes(b"GGUF")
    with pytest.raises(ModelError, match=r"holds 2 GGUF files: m\.Q4_0\.gguf, m\.Q8_0\.gguf") as caught:
        resolve(ModelSource(source="maker/two"))
    assert str(place / "m.Q4_0.gguf") in caught.value.hint


def test_a_split_file_is_listed_once_with_all_its_bytes(hub: Path) -> None:
    place = snapshot(hub, "split")
    files = write_gguf(place / "m.gguf", tiny_model("llama"), split=3)
    [found] = hub_cache.models(hub)
    assert (found.path, found.refusal) == (str(files[0]), "")
    assert found.size_bytes == sum(f.stat().st_size for f in files)
    assert resolve(ModelSource(source="maker/split")).parameters
    files[2].unlink()
    [found] = hub_cache.models(hub)
    assert found.refusal == "is part 1 of 3, part 3 is missing beside it"


def test_the_list_says_what_opening_says(hub: Path) -> None:
    place = snapshot(hub, "adapter")
    save_tiny(place)
    (place / "adapter_config.json").write_text(json.dumps(LORA))
    [found] = hub_cache.models(hub)
    assert found.refusal.startswith("holds an adapter beside the weights (adapter_config.json, LORA of maker/base)")


def test_the_check_says_what_opening_says(tmp_path: Path) -> None:
    from core.cli import check

    (tmp_path / "adapter_config.json").write_text(json.dumps(LORA))
    experiment = Experiment(model=ModelSource(source=str(tmp_path)), variants=[Variant(name="base")])
    _, [found] = check._model(experiment)
    assert found.prevents
    assert "is an adapter (LORA) of maker/base, not a model" in found.text
