"""Fixed steps give the plain decoder's tokens: a CUDA graph, recorded and replayed here without a card, and a compiled
step, which is compiled once and not for every token."""

from types import SimpleNamespace
from typing import Any, get_args

import pytest
import torch

from core.kernels.caches import caches
from core.kernels.decoding import compiled
from core.kernels.decoding.compiled import CompiledStep, GraphedStep
from core.kernels.decoding.decoders import Plain
from core.kernels.decoding.sampling import Sampler
from core.spec.variant import REGISTRY, Variant
from core.spec.workload import Workload
from core.strategies.compilation import TorchCompile
from tests.core.tiny import WINDOW, tiny_model
from tests.cuda.recorded_graph import recorded_graphs  # noqa: F401

KINDS = ("llama", "qwen3", "gemma2", "gemma3", "gpt2", "mixtral")
#: Prompt and new tokens: within the window, again, over its edge while decoding, from beyond it, shorter again.
REQUESTS = ((5, 6), (5, 6), (WINDOW - 3, 8), (2 * WINDOW + 4, 8), (3, 9))


def answers(model: Any, step: Any, bucket: int = 1) -> list[list[int]]:
    decoder = Plain(model, caches.static(model, bucket))
    decoder.forward_one = step
    found = []
    for length, count in REQUESTS:
        tokens = [decoder.start(list(range(3, 3 + length)), count, Sampler())]
        while len(tokens) < count:
            tokens += decoder.step()
        found.append(tokens)
    return found


@pytest.mark.usefixtures("recorded_graphs")
@pytest.mark.parametrize("bucket", [1, 32])
@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_gives_the_plain_decoders_tokens(kind: str, bucket: int):
    model = tiny_model(kind)
    step = GraphedStep(model)
    assert answers(model, step, bucket) == answers(model, None, bucket)
    assert step.replays == sum(count - 1 for _, count in REQUESTS)


@pytest.mark.parametrize("kind", ["llama", "gemma3"])
def test_a_step_is_compiled_once_for_each_size_of_the_cache(kind: str, monkeypatch: pytest.MonkeyPatch):
    """Traced by dynamo and run as it is: what makes it trace again is the same with every backend."""
    compile_ = torch.compile
    monkeypatch.setattr(torch, "compile", lambda f, mode, dynamic: compile_(f, backend="eager", dynamic=dynamic))
    torch._dynamo.reset()
    model = tiny_model(kind)
    step = CompiledStep(model, "default", dynamic=False)
    assert answers(model, step, bucket=64) == answers(model, None, bucket=64)
    assert step.compiling_calls == 1


def test_flash_attention_and_a_static_cache_are_refused_together():
    """The kernel gets no mask, and would attend to positions that were never written."""
    variant = Variant.model_validate(
        {"name": "x", "attention": {"method": "flash_attention_2"}, "kv_cache": {"method": "static"}}
    )
    assert variant.attention is not None
    assert "never written" in " ".join(variant.attention.conflicts(variant, None, Workload()))
    dynamic = variant.model_copy(update={"kv_cache": None})
    assert variant.attention.conflicts(dynamic, None, Workload()) == []


def test_a_rotary_embedding_that_asks_the_host_is_no_part_of_a_graph():
    strategy = REGISTRY["compilation"]["cuda_graphs"]()
    scaled = {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0}
    assert strategy.misfits(tiny_model("llama", rope_parameters=scaled))
    assert not strategy.misfits(tiny_model("llama"))


def test_a_compiled_step_on_a_card_tunes_products_of_one_token():
    def of(device: str, mode: str) -> Any:
        weight = SimpleNamespace(device=torch.device(device))
        return compiled._settings(SimpleNamespace(parameters=lambda: iter([weight])), mode)

    assert of("cpu", "reduce-overhead") == {"mode": "reduce-overhead"}
    for mode in get_args(TorchCompile.model_fields["mode"].annotation):
        options = of("cuda:0", mode)["options"]
        assert options["coordinate_descent_tuning"]
        assert options.get("triton.cudagraphs", False) == (mode in ("reduce-overhead", "max-autotune"))
        assert options.get("max_autotune", False) == mode.startswith("max-autotune")
