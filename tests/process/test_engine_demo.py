"""The engine on the real demo model: conversion once, and the same tokens as transformers' own loop."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from core.model.finder import resolve
from core.model.source import ModelSource
from core.protocol import commands, events
from tests.process.engine_child import Child, load, only, prompt, trial, warm

pytestmark = pytest.mark.demo

TEXT = "Explain to a child why the sky is blue, in three sentences."
FILLER = "Rivers carry sand to the sea, where waves grind shells and pebbles. " + " ".join(
    f"Lake number {i} freezes in week {53 - i}." for i in range(1, 30)
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def first(cache: Path) -> list[list[events.Event]]:
    """The first engine that meets the model, from its load to two trials."""
    (cache / "models").mkdir()
    sha256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    remains = cache / "models" / f"{sha256}.tmp-1"  # what an interrupted conversion leaves
    remains.mkdir()
    (remains / "model.safetensors").write_bytes(b"half")
    with Child(cache) as child:
        told = [
            child.tell(load("demo", {"precision": "fp32"}, prompt_tokens=96, new_tokens=24), timeout_s=170),
            child.tell(warm()),
            child.tell(trial(text=TEXT, filler=FILLER)),
        ]
    assert not remains.exists()
    return told


def folder(cache: Path) -> Path:
    (found,) = (p for p in (cache / "models").iterdir() if p.is_dir())
    return found


@pytest.mark.timeout(240)
def test_conversion_is_noted(first: list[list[events.Event]], cache: Path) -> None:
    assert [e.phase for e in first[0] if isinstance(e, events.Phase)] == ["start", "convert", "load", "idle"]
    loaded = only(first[0], events.Loaded)
    assert any("permuted" in note and "Q4_1" in note for note in loaded.notes)
    assert any("dequantized from Q4_1: losses are relative to that" in note for note in loaded.notes)
    assert loaded.source_type == "Q4_1"
    effective = [r.effective for r in only(first[0], events.Receipts).receipts]
    assert any(said.startswith("fp32: ") and said.endswith(", dequantized from Q4_1") for said in effective)
    note = json.loads((folder(cache) / "dyno.json").read_text())
    assert note["permuted"] is True
    assert note["sha256"] == folder(cache).name == loaded.fingerprint
    facts = resolve(ModelSource(source=str(folder(cache))))
    assert (facts.dtype, facts.parameters, facts.tied, facts.chat_template) == ("fp32", 134_515_008, True, True)


def test_second_load_does_not_convert(first: list[list[events.Event]], cache: Path) -> None:
    before = {p.name: p.stat().st_mtime_ns for p in folder(cache).iterdir()}
    with Child(cache) as child:
        found = child.tell(load("demo", {"precision": "fp32"}))
        assert isinstance(found[-1], events.Done)
    assert not [e for e in found if isinstance(e, events.Log) and "converting" in e.text]
    assert {p.name: p.stat().st_mtime_ns for p in folder(cache).iterdir()} == before
    assert only(found, events.Loaded).notes == only(first[0], events.Loaded).notes


def test_greedy_output_equals_generate(first: list[list[events.Event]], cache: Path) -> None:
    done = only(first[2], events.TrialDone)
    assert len(done.prompt_ids) == 96
    model = AutoModelForCausalLM.from_pretrained(folder(cache), dtype=torch.float32)
    ids = torch.tensor([done.prompt_ids])
    out = model.generate(ids, do_sample=False, max_new_tokens=24, min_new_tokens=24)
    assert out[0, 96:].tolist() == done.token_ids


@pytest.mark.long
def test_continuous_batching_gives_everyone_what_they_get_alone(first: list[list[events.Event]], cache: Path) -> None:
    """Three slots, four requests, a budget that cuts every prompt."""
    asked = commands.TrialCommand(
        round=0,
        prompt=prompt(TEXT, FILLER),
        others=[prompt(f"Tell me about the number {i}.", FILLER) for i in range(3)],
    )
    found = {}
    for batching in (None, {"method": "continuous", "slots": 3, "token_budget": 20}):
        variant = {"precision": "fp32"} | ({"batching": batching} if batching else {})
        with Child(cache) as child:
            child.tell(load("demo", variant, prompt_tokens=48, new_tokens=12, concurrency=4), timeout_s=170)
            done = only(child.tell(asked), events.TrialDone)
            found[bool(batching)] = [done.token_ids, *(o.token_ids for o in done.others)]
    assert found[True] == found[False]
    assert done.batching is not None
    assert done.batching.prefill_chunks > 4
    receipts = only([e for e in child.seen if e.t_ns >= done.t_ns], events.Receipts).receipts
    assert all(r.matches for r in receipts)


def test_a_conversion_that_is_killed_leaves_nothing_that_counts(tmp_path: Path) -> None:
    with Child(tmp_path) as child:
        child.send(commands.ConvertCommand(model=ModelSource()))
        while True:
            log = child.until(events.Log)[-1]
            if "converting" in log.text:  # type: ignore[union-attr]
                break
        child.send(commands.ExitCommand())
        assert child.ended(1) == 0
    assert not [p for p in (tmp_path / "models").iterdir() if (p / "dyno.json").exists() and ".tmp" not in p.name]
