"""Every pair of choices of different slots, on a tiny model: it runs, gives sane output and matching receipts, or
it is refused with a reason. Nothing in between. Exact pairs give the baseline's greedy tokens in fp32.

The decode step is compiled with dynamo's own backend here, and flex attention not at all: graphs are captured as
always, but no C++ is built for each of a hundred pairs.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import torch

from core.engine.base.runtime import Runtime
from core.engine.machine.probe import probe
from core.engine.serve.serve import serve, server_of
from core.kernels.batching.serving import ServedRequest
from core.kernels.decoding.sampling import Sampler
from core.machine.environment import Environment
from core.model.receipt import Receipt
from core.spec.variant import REGISTRY, SLOTS, Unsuitable, Variant
from core.spec.workload import Workload
from tests.core.kernels.test_strategies import NEW, PROMPT, facts_of, load, trial
from tests.core.tiny import EOS, VOCAB, save_tiny

#: Choices that say nothing without a parameter, and parameters that fit a tiny model.
PARAMETERS: dict[str, dict[str, Any]] = {
    "draft_model": {"model": "DRAFT"},
    "sliding_window": {"window": 16, "sinks": 2},
    "quantized": {"window": 8, "block": 8},
    "prefix_reuse": {"least": 4},
    **{key: {"calibration_tokens": 256} for key in ("gptq", "wanda", "sparsegpt", "mlp_width", "heads")},
    "layer_drop": {"ratio": 0.5, "calibration_tokens": 64},
}
PAIRS = [
    pytest.param(a, b, id=f"{a}-{b}") for a, b in combinations([s for s in SLOTS if REGISTRY[s]], 2)
]  # pairs of slots; the choices are walked inside, so that the baseline is measured once


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of two layers: what pairs have to agree on is the same in each, and there are hundreds of pairs."""
    return save_tiny(tmp_path_factory.mktemp("llama"), num_hidden_layers=2)


@pytest.fixture(scope="module")
def environment() -> Environment:
    return probe()


@pytest.fixture(scope="module")
def baseline(folder: Path) -> list[int]:
    return trial(load(folder, precision="fp32"))


@pytest.fixture(scope="module")
def tally() -> Iterator[Counter[str]]:
    """How many pairs run and how many are refused; of all of them, build/pairs.json keeps it."""
    counts: Counter[str] = Counter()
    yield counts
    everything = sum(len(REGISTRY[a]) * len(REGISTRY[b]) for a, b in combinations(SLOTS, 2))
    if sum(counts.values()) == everything:
        file = Path(__file__).parents[3] / "build" / "pairs.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(counts), "utf-8")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No C++ compiler; the switches that an engine would set for itself alone are set back."""
    real = torch.compile

    def compile_quickly(model: Any = None, **options: Any) -> Any:
        if model is None:
            return functools.partial(compile_quickly, **options)
        if model.__module__ != "core.kernels.decoding.compiled":
            return model  # torch's own: flex attention compiles its masks
        return real(model, backend="eager", dynamic=options.get("dynamic"))

    monkeypatch.setattr(torch, "compile", compile_quickly)
    precision = torch.get_float32_matmul_precision()
    yield
    torch.set_float32_matmul_precision(precision)
    for name in ("flash", "math", "mem_efficient", "cudnn"):
        getattr(torch.backends.cuda, f"enable_{name}_sdp")(True)
    torch._dynamo.reset()


def choice(slot: str, key: str, draft: Path) -> dict[str, Any]:
    parameters = {k: str(draft) if v == "DRAFT" else v for k, v in PARAMETERS.get(key, {}).items()}
    return {"method": key, **{k: v for k, v in parameters.items() if k in REGISTRY[slot][key].model_fields}}


def refusal(variant: Variant, folder: Path, environment: Environment) -> str:
    """Why a variant is refused before it is loaded; empty where it is not."""
    for strategy in variant.strategies():
        reason = strategy.unavailable(environment)
        reasons = [reason] if reason else strategy.conflicts(variant, facts_of(folder), Workload())
        if reasons:
            return f"{strategy.key}: {'; '.join(reasons)}"
    return ""


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_pairs_run_or_are_refused(
    first: str, second: str, folder: Path, environment: Environment, baseline: list[int], tally: Counter[str]
) -> None:
    for a in REGISTRY[first]:
        for b in REGISTRY[second]:
            pair = {first: choice(first, a, folder), second: choice(second, b, folder)}
            # Compiling needs a cache of fixed size, whatever else is being tried.
            if "compilation" in pair and "kv_cache" not in pair:
                pair["kv_cache"] = {"method": "static"}
            tally[run_or_refuse({"precision": "fp32", **pair}, folder, environment, baseline)] += 1


def too_small(proof: Receipt) -> bool:
    """Whether all that was left out are layers of a size that a kernel does not take; those of some processors take
    none so small. The receipt does not match then, and says so."""
    reasons = proof.detail.get("left_out", [])
    kernels = ("the CPU kernel needs multiples of", "packed layout cannot be joined at these sizes")
    return bool(reasons) and all(any(k in str(reason) for k in kernels) for reason in reasons)


def run_or_refuse(slots: dict[str, Any], folder: Path, environment: Environment, baseline: list[int]) -> str:
    """What became of it: "runs" or "refused". Raises AssertionError for anything in between."""
    variant = Variant.model_validate({"name": "v", **slots})
    if refusal(variant, folder, environment):
        return "refused"
    if variant.compilation is not None:
        torch._dynamo.reset()  # after eight models dynamo would give up on one more
    try:
        runtime = load(folder, **slots)
    except Unsuitable:
        return "refused"
    if variant.batching is not None:
        return served_together(runtime, baseline)
    tokens = trial(runtime)
    assert len(tokens) == NEW, variant.recipe()
    assert all(0 <= token < VOCAB for token in tokens), variant.recipe()
    for strategy in variant.strategies():
        proof = strategy.receipt(runtime)
        assert proof.matches or too_small(proof), f"{variant.recipe()}: {proof}"
    if all(strategy.exact for strategy in variant.strategies()):
        assert tokens == baseline, f"{variant.recipe()} is exact, and gives other tokens"
        assert trial(runtime) == baseline, f"{variant.recipe()}: another text the second time"
    assert runtime.decoder is not None
    assert len(PROMPT) > 16
    return "runs"


def served_together(runtime: Runtime, baseline: list[int]) -> str:
    """Three requests at once, one of them the baseline's: it must get what it gets alone."""
    variant = runtime.variant
    prompts = [PROMPT, PROMPT[5:], PROMPT[::-1]]
    jobs = [ServedRequest(i, prompt, NEW, Sampler(forbidden=[EOS])) for i, prompt in enumerate(prompts)]
    served = serve(server_of(runtime), jobs, [0.0] * len(jobs), lambda done: None)
    assert [len(done.ids) for done in served.passes] == [NEW] * len(jobs), variant.recipe()
    if all(strategy.exact for strategy in variant.strategies()):
        assert served.passes[0].ids == baseline, f"{variant.recipe()} is exact, and gives other tokens"
    for strategy in variant.strategies():
        if strategy.slot not in ("batching", "speculation", "kv_cache", "compilation", "prefix_cache"):
            proof = strategy.receipt(runtime)  # those of the loop are read after a trial: the engine's tests do
            assert proof.matches or too_small(proof), f"{variant.recipe()}: {proof}"
    return "runs"
