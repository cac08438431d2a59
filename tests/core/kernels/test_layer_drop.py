"""Whole layers taken out: which ones, and what is left works like a model that was built so."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from core.kernels.base import surgery
from core.kernels.pruning import layer_drop, skipped_layers
from core.spec.variant import Variant
from core.spec.workload import Workload
from tests.core.kernels.test_strategies import NEW, PROMPT, facts_of, load, receipt, trial
from tests.core.tiny import EOS, save_tiny, tiny_model

TEXT = list(b"One swallow does not make a summer, but a flock of them in April is a good beginning, she said. " * 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


@pytest.mark.parametrize("by", ["influence", "perplexity"])
@pytest.mark.parametrize("kind", ["llama", "gpt2", "qwen3", "gemma3"])
def test_what_is_left_works(tmp_path: Path, kind: str, by: str) -> None:
    drop = {"method": "layer_drop", "ratio": 0.5, "by": by, "calibration_tokens": 200}
    runtime = load(save_tiny(tmp_path, kind), pruning=drop, kv_cache="static", speculation="prompt_lookup")
    proof = runtime.variant.pruning.receipt(runtime)
    assert proof.matches
    assert "2 of 4 layers left; removed " in proof.effective
    assert proof.detail["weights_bytes"] < runtime.weights_bytes_before
    assert proof.detail["parameters"] == runtime.model.num_parameters() < proof.detail["parameters_before"]
    assert proof.detail["badge"] == "physically smaller"
    dropped = proof.detail["dropped"]
    assert isinstance(dropped, list)
    assert dropped == sorted(dropped)
    config = runtime.model.config
    assert config.num_hidden_layers == 2
    assert len(getattr(config, "layer_types", None) or [1, 2]) == 2
    tokens = trial(runtime)
    ids = torch.tensor([PROMPT])
    wanted = runtime.model.generate(ids, do_sample=False, max_new_tokens=NEW, suppress_tokens=[EOS])
    assert tokens == wanted[0, len(PROMPT) :].tolist()


def test_block_influence_is_small_where_a_layer_does_little(folder: Path) -> None:
    runtime = load(folder, transform=False, pruning={"method": "layer_drop", "layers": 1})
    _idle(runtime.model, 2)
    influence = layer_drop.block_influence(runtime.model, PROMPT * 5)
    assert influence[2] == pytest.approx(0, abs=1e-6)
    assert min(influence[0], influence[1], influence[3]) > 0.01
    runtime.variant.pruning.transform(runtime)
    assert runtime.work["pruning"]["dropped"] == [2]


def test_a_layer_that_does_nothing_is_not_missed(folder: Path) -> None:
    """Without it the perplexity is what it was; every other layer costs or gains something."""
    runtime = load(folder, transform=False, pruning={"method": "layer_drop", "layers": 1, "by": "perplexity"})
    _idle(runtime.model, 1)
    before = layer_drop.perplexity(runtime.model, TEXT)
    alone = {i: _without(runtime.model, [i]) for i in range(4)}
    assert alone[1] == pytest.approx(before, rel=1e-6)
    ((first, value),) = layer_drop.least_missed(runtime.model, TEXT, 1, lambda *_: None)
    assert first == min(alone, key=alone.__getitem__)
    assert value == pytest.approx(alone[first], rel=1e-6)
    assert layer_drop.perplexity(runtime.model, TEXT) == before  # the search leaves the model as it was


@pytest.mark.parametrize("kind", ["llama", "gpt2", "gemma2"])
def test_greedy_removal_equals_removing_and_measuring(kind: str) -> None:
    """Step by step against the plain way: build every candidate, measure it, keep the best."""
    model = tiny_model(kind)
    told: list[tuple[int, int]] = []
    found = layer_drop.least_missed(model, TEXT, 2, lambda done, total: told.append((done, total)))
    gone: list[int] = []
    for i, value in found:
        candidates = {j: _without(model, [*gone, j]) for j in range(4) if j not in gone}
        assert i == min(candidates, key=candidates.__getitem__)
        assert value == pytest.approx(candidates[i], rel=1e-5)
        gone.append(i)
    assert told == [(n + 1, 14) for n in range(14)]  # 4 candidates, then 3, on 2 chunks


def test_perplexity_is_the_mean_over_what_can_be_predicted() -> None:
    model = tiny_model("llama")
    ids = TEXT[: layer_drop.CHUNK + 5]
    total, count = 0.0, 0
    for chunk in (ids[: layer_drop.CHUNK], ids[layer_drop.CHUNK :]):
        with torch.no_grad():
            log_p = model(torch.tensor([chunk])).logits[0].log_softmax(-1)
        total -= sum(float(log_p[i, token]) for i, token in enumerate(chunk[1:]))
        count += len(chunk) - 1
    assert layer_drop.perplexity(model, ids) == pytest.approx(math.exp(total / count), rel=1e-4)
    with torch.no_grad():
        model.get_output_embeddings().weight.mul_(math.nan)
    assert layer_drop.perplexity(model, ids) == math.inf


def test_a_drop_that_was_not_applied_is_seen(folder: Path) -> None:
    proof = receipt(load(folder, transform=False, pruning="layer_drop"))
    assert not proof.matches
    assert proof.detail["badge"] == ""


def test_one_layer_stays(folder: Path) -> None:
    variant = Variant.model_validate({"name": "v", "pruning": {"method": "layer_drop", "layers": 4}})
    assert "at most 3" in variant.pruning.conflicts(variant, facts_of(folder), Workload())[0]
    runtime = load(folder, pruning={"method": "layer_drop", "layers": 3})
    assert "1 of 4 layers left" in receipt(runtime).effective
    trial(runtime)


def test_progress_is_told(folder: Path) -> None:
    runtime = load(folder, transform=False, pruning={"method": "layer_drop", "layers": 1, "by": "perplexity"})
    told: list[tuple[float, float, str]] = []
    runtime.report = lambda *step: told.append(step)
    runtime.variant.pruning.transform(runtime)
    assert told[-1] == (16, 16, "layers tried")  # 4 layers on 4 chunks


def _idle(model: Any, index: int) -> None:
    """Let a layer add nothing to the residual stream."""
    layer = model.model.layers[index]
    with torch.no_grad():
        for linear in (layer.self_attn.o_proj, layer.mlp.down_proj):
            linear.weight.zero_()


def _without(model: Any, drop: list[int]) -> float:
    from copy import deepcopy

    candidate = deepcopy(model)
    skipped_layers.drop_layers(candidate, drop)
    assert len(surgery.decoder_layers(candidate)[1]) == 4 - len(drop)
    return layer_drop.perplexity(candidate, TEXT)
