"""Writing a preset's model through a real engine process: it loads without Dyno, and a cancelled one leaves nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
from transformers import AutoModelForCausalLM

from core.cli.main import main
from core.engine.load.model_interface import interface
from core.model.source import ModelSource
from core.presets import preset as presets
from core.presets import preset_library
from core.presets.materialize_task import Materialize
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.quality.interface_diff import differences
from core.spec.variant import Variant
from core.spec.workload import Workload
from tests.core import transformed
from tests.core.tiny import save_tiny
from tests.process.engine_child import Child, failed, load, only, trial, warm

WIDTH = {"pruning": {"method": "mlp_width", "ratio": 0.5, "multiple": 32, "calibration_tokens": 64}}
#: Work for some seconds: 4095 tokens, and a pass for every layer that is left.
SLOW = {"pruning": {"method": "layer_drop", "layers": 3, "by": "perplexity", "calibration_tokens": 4096}}


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))


def preset(folder: Path, fingerprint: str = "f" * 64, **slots: Any) -> presets.Preset:
    return presets.Preset(
        name="narrow",
        created="2026-01-01T00:00:00+00:00",
        model=ModelSource(source=str(folder)),
        fingerprint=fingerprint,
        variant=Variant.model_validate({"name": "narrow", "precision": "fp32", **slots}),
        baseline=Variant(name="baseline"),
        workload=Workload(prompt_tokens=40, new_tokens=12),
    )


def test_the_command_line_writes_a_folder_that_any_engine_loads(tmp_path: Path, capsys: Any) -> None:
    source, out = save_tiny(tmp_path / "source"), tmp_path / "out"
    path = preset_library.save(preset(source, **WIDTH))
    assert main(["preset", "materialize", "narrow", str(out)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "64 of 128 MLP channels left in 4 layers" in said
    assert "its evidence does not apply" in said  # the fingerprint above is none
    assert str(out) in said
    assert sorted(p.name for p in out.parent.iterdir()) == ["cache", "data", "out", "source"]
    model = AutoModelForCausalLM.from_pretrained(out, dtype=torch.float32)
    assert model.config.intermediate_size == 64
    with Child(tmp_path / "cache") as child:
        found = child.tell(load(out, {"precision": "fp32", **WIDTH}))
        assert isinstance(found[-1], events.Done)
        assert "transform" not in [e.phase for e in found if isinstance(e, events.Phase)]
        assert all(r.matches for r in only(found, events.Receipts).receipts)
        before = interface(transformed.load(source))
        assert differences(before, only(found, events.Interface)) == []
        child.tell(warm())
        assert isinstance(child.tell(trial())[-1], events.Done)
    assert main(["preset", "materialize", str(path), str(out)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_cancel_leaves_nothing(tmp_path: Path) -> None:
    source = save_tiny(tmp_path / "source")
    pool = EnginePool([sys.executable, "-m", "core.engine"])
    work = Materialize(preset(source, **SLOW), tmp_path / "out", pool)
    seen: list[events.Event] = []
    pids: list[int] = []
    for event in work:
        seen.append(event)
        if isinstance(event, events.Progress) and event.detail == "layers tried" and not pids:
            pids = [pid for _, pid, _ in pool.processes()]
            # As if it had been stopped while it wrote.
            (tmp_path / f".out.partial-{pids[0]}").mkdir()
            work.cancel()
    ending = seen[-1]
    assert isinstance(ending, events.Failed)
    assert ending.kind == "cancelled"
    assert [p.name for p in tmp_path.iterdir() if "out" in p.name] == []
    assert not any(psutil.pid_exists(pid) for pid in pids)


def test_an_engine_that_dies_is_told(tmp_path: Path) -> None:
    pool = EnginePool([sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(3)"])
    seen = list(Materialize(preset(tmp_path, **WIDTH), tmp_path / "out", pool))
    ending = seen[-1]
    assert isinstance(ending, events.Failed)
    assert ending.kind == "died"
    assert "exit 3" in ending.message


def test_what_cannot_be_written_is_refused_before_an_engine_starts(tmp_path: Path) -> None:
    pool = EnginePool(["no such program"])
    with pytest.raises(presets.PresetError, match="is there already"):
        Materialize(preset(tmp_path, **WIDTH), tmp_path, pool)
    with pytest.raises(presets.PresetError, match="changes no weights"):
        Materialize(preset(tmp_path, kv_cache="static"), tmp_path / "out", pool)


def test_the_engine_refuses_in_words(tmp_path: Path) -> None:
    source = save_tiny(tmp_path / "source", num_key_value_heads=1)
    pool = EnginePool([sys.executable, "-m", "core.engine"])
    seen = list(Materialize(preset(source, pruning="heads"), tmp_path / "out", pool))
    refused = failed(seen, "refused")
    assert "the model has 1 KV head, and that one must stay" in refused.message
