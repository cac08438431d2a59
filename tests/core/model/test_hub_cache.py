"""What lies in the hub's cache, read from folders that a test makes."""

import json
from pathlib import Path

from core.model import hub_cache

COMMIT, OLD = "a" * 40, "b" * 40


def snapshot(root: Path, name: str, commit: str, config: dict | None, files: dict[str, bytes] | None = None) -> Path:
    place = root / name / "snapshots" / commit
    place.mkdir(parents=True)
    if config is not None:
        (place / "config.json").write_text(json.dumps(config))
    for file, content in (files or {}).items():
        (place / file).write_bytes(content)
    return place


def ref(root: Path, name: str, revision: str, commit: str) -> None:
    (root / name / "refs").mkdir(parents=True, exist_ok=True)
    (root / name / "refs" / revision).write_text(commit)


def safetensors() -> bytes:
    header = json.dumps({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    return len(header).to_bytes(8, "little") + header + b"\0" * 8


LLAMA = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8, "num_hidden_layers": 1}


def test_every_revision_with_its_names_size_and_whether_it_runs(tmp_path):
    blob = tmp_path / "models--org--good" / "blobs" / "x"
    good = snapshot(tmp_path, "models--org--good", COMMIT, LLAMA)
    blob.parent.mkdir()
    blob.write_bytes(safetensors())
    (good / "model.safetensors").symlink_to(blob)
    ref(tmp_path, "models--org--good", "main", COMMIT)
    snapshot(tmp_path, "models--org--good", OLD, LLAMA)
    snapshot(tmp_path, "models--org--bert", COMMIT, {"architectures": ["BertForMaskedLM"], "model_type": "bert"})
    snapshot(tmp_path, "models--org--pickled", COMMIT, LLAMA, {"pytorch_model.bin": b"\x80"})
    snapshot(tmp_path, "models--gpt2", COMMIT, None, {"part.incomplete": b"1"})
    snapshot(tmp_path, "datasets--org--text", COMMIT, None, {"x.json": b"{}"})
    (tmp_path / "version.txt").write_text("1")
    found = {(c.id, c.revision): c for c in hub_cache.models(tmp_path)}
    assert set(found) == {
        ("org/good", COMMIT), ("org/good", OLD), ("org/bert", COMMIT), ("org/pickled", COMMIT), ("gpt2", COMMIT),
    }  # fmt: skip
    best = found["org/good", COMMIT]
    assert (best.refusal, best.architecture, best.names) == ("", "LlamaForCausalLM", ["main"])
    assert best.size_bytes == blob.stat().st_size + (good / "config.json").stat().st_size
    assert (best.source.source, best.source.revision) == ("org/good", None)
    assert found["org/good", OLD].source.revision == OLD
    assert "no weights" in found["org/good", OLD].refusal
    assert found["org/bert", COMMIT].refusal
    assert found["org/bert", COMMIT].architecture == "BertForMaskedLM"
    assert "pickled" in found["org/pickled", COMMIT].refusal
    assert found["gpt2", COMMIT].refusal
    assert str(tmp_path) not in found["gpt2", COMMIT].refusal


def test_a_gguf_file_is_opened_by_its_path(tmp_path):
    place = snapshot(tmp_path, "models--org--g", COMMIT, None, {"q4.gguf": b"no gguf"})
    (found,) = hub_cache.models(tmp_path)
    assert found.source.source == str(place / "q4.gguf")
    assert found.refusal


def test_a_cache_that_is_not_there(tmp_path):
    assert list(hub_cache.models(tmp_path / "none")) == []


def test_where_the_cache_is():
    assert hub_cache.folder({"HF_HUB_CACHE": "/x"}) == Path("/x")
    assert hub_cache.folder({"HF_HOME": "/h"}) == Path("/h/hub")
    assert hub_cache.folder({"XDG_CACHE_HOME": "/c"}) == Path("/c/huggingface/hub")
    assert hub_cache.folder({}) == Path.home() / ".cache" / "huggingface" / "hub"
