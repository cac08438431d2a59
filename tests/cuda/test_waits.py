"""How often a step waits for the device, on a device that is not there: once, whatever is sampled, served or guessed.
Nothing mixes devices, or the fake one would refuse."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import transformers.masking_utils
from transformers import AutoModelForCausalLM

from core.kernels.base import surgery
from core.kernels.batching.continuous_batching import ContinuousBatchServer
from core.kernels.batching.serving import ServedRequest
from core.kernels.batching.static_batch import StaticBatch
from core.kernels.caches import cache_layers, caches
from core.kernels.caches.prefix_store import PrefixStore
from core.kernels.decoding.decoders import Plain, Recompute
from core.kernels.decoding.sampling import Sampler
from core.kernels.speculation.drafters import ModelDrafter
from core.kernels.speculation.prompt_lookup import PromptLookup
from core.kernels.speculation.speculative import DraftTokens, Speculative
from core.kernels.weights.linears import Int8Linear
from tests.core.tiny import tiny_config
from tests.cuda import fake_device
from tests.cuda.fake_device import FakeCuda

KINDS = ("llama", "qwen3", "gemma3", "gpt2", "mixtral")
SAMPLERS = {
    "greedy": {}, "temperature": {"temperature": 0.8}, "top-k": {"temperature": 0.8, "top_k": 5},
    "top-p": {"temperature": 0.8, "top_p": 0.9}, "no end": {"temperature": 0.8, "forbidden": [3]},
}  # fmt: skip
CACHES = {
    "dynamic": caches.dynamic,
    "static": caches.static,
    "quantized": lambda model: caches.with_layers(model, lambda: cache_layers.QuantizedKvLayer("int8", 4, 4)),
    "sinks": lambda model: caches.with_layers(model, lambda: cache_layers.SinkWindowLayer(2, 8)),
}


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCuda]:
    """The host of a card that is not there."""
    if why := fake_device.missing():
        pytest.skip(why)
    monkeypatch.setattr(transformers.masking_utils, "is_tracing", lambda tensor=None: False)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda *_: (9, 0))
    monkeypatch.setattr(Sampler, "_random", lambda self, device: None)  # a CPU build has no generator for a card
    with FakeCuda() as mode:
        yield mode


def model_on(kind: str, **changes: Any) -> Any:
    config = tiny_config(kind)
    config.update(changes)
    with torch.device("cuda:0"):
        return AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval()


def waits(host: FakeCuda, decoder: Any, sampler: Sampler, steps: int = 1) -> Counter[str]:
    decoder.start(list(range(1, 12)), 12, sampler)
    decoder.step()
    host.waits.clear()
    for _ in range(steps):
        decoder.step()
    return +host.waits


@pytest.mark.parametrize("cache", CACHES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_greedy_step_waits_once(host: FakeCuda, kind: str, cache: str):
    model = model_on(kind)
    assert waits(host, Plain(model, CACHES[cache](model)), Sampler(), steps=3) == {"read": 3}


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_sampled_step_waits_once(host: FakeCuda, name: str):
    model = model_on("llama")
    assert waits(host, Plain(model, caches.dynamic(model)), Sampler(**SAMPLERS[name]))["read"] == 1


def test_a_step_without_a_cache_sends_the_context_and_waits_once(host: FakeCuda):
    model = model_on("llama")
    assert waits(host, Recompute(model, caches.dynamic(model)), Sampler())["read"] == 1


class Guesses:
    """A drafter of certain tokens, none of which waits for anything."""

    def __init__(self, probabilities: Any = None) -> None:
        self._probabilities = probabilities

    def start(self, prompt: list[int], length: int, sampler: Sampler) -> None:
        pass

    def propose(self, context: list[int], k: int) -> DraftTokens:
        return DraftTokens([1, 2, 3][:k], None)

    def describe(self) -> str:
        return "three tokens"

    def kv_bytes(self) -> int:
        return 0


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_verification_waits_once(host: FakeCuda, name: str):
    model = model_on("llama")
    inner = Plain(model, caches.dynamic(model))
    inner.will_roll_back, inner.extra_room = True, 4
    found = waits(host, Speculative(inner, Guesses(), 3), Sampler(**SAMPLERS[name]))
    # One list is read together on a card, and number by number here: a token for each row, or two numbers.
    assert found["read"] == (4 if name == "greedy" else 2)
    assert found["copy"] == 0


@pytest.mark.parametrize("drafter", ["lookup", "model"])
def test_drafters_run_on_the_card(host: FakeCuda, drafter: str):
    model = model_on("llama")
    inner = Plain(model, caches.dynamic(model))
    inner.will_roll_back, inner.extra_room = True, 4
    source = PromptLookup(3) if drafter == "lookup" else ModelDrafter(model_on("llama", num_hidden_layers=1), "small")
    waits(host, Speculative(inner, source, 3), Sampler(temperature=0.8), steps=2)


@pytest.mark.parametrize("name", ["greedy", "top-p"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_continuous_batch_waits_once_and_sends_once(host: FakeCuda, kind: str, name: str):
    model = model_on(kind)
    server = ContinuousBatchServer(model, 3, 16)
    server.prepare(32)
    for number in range(3):
        server.admit(ServedRequest(number, list(range(1, 6 + number)), 8, Sampler(**SAMPLERS[name])))
    for _ in range(3):
        server.step()
    host.waits.clear()
    server.step()
    assert host.waits["send"] == 1
    assert host.waits["copy"] + (host.waits["read"] > 0) == 1


def test_a_static_batch_runs_on_the_card(host: FakeCuda):
    model = model_on("llama")
    server = StaticBatch(model, caches.dynamic(model), 2)
    server.prepare(24)
    for number in range(2):
        server.admit(ServedRequest(number, list(range(1, 6 + number)), 4, Sampler()))
    for _ in range(3):
        server.step()


def test_int8_weights_run_on_the_card(host: FakeCuda, monkeypatch: pytest.MonkeyPatch):
    model = model_on("llama")

    replaced, left = surgery.replace_linears(model, lambda _name, linear: Int8Linear.from_linear(linear), {})
    assert replaced
    assert not left
    monkeypatch.setattr(torch, "_weight_int8pack_mm", lambda *_: pytest.fail("the slow kernel of CUDA"))
    assert waits(host, Plain(model, caches.static(model)), Sampler()) == {"read": 1}


def test_a_prefix_store_restores_on_the_card(host: FakeCuda):
    model = model_on("llama")
    decoder = Plain(model, caches.static(model))
    decoder.prefixes = PrefixStore(256, least=2)
    for _ in range(2):
        found = waits(host, decoder, Sampler())
    assert found == {"read": 1}
    assert decoder.prefixes.reused_tokens


def test_mixed_devices_are_refused(host: FakeCuda):
    with pytest.raises(RuntimeError, match="same device"):
        torch.empty(2, device="cuda:0") + torch.empty(2)


@pytest.mark.parametrize("certain", [True, False])
def test_a_verification_at_once_keeps_the_targets_distribution(certain: bool):
    """On real numbers: of many passes, the first token is the target's, and so is the second after an accepted one."""
    generator = torch.Generator().manual_seed(1)
    logits = torch.randn(2, 6, generator=generator)
    target = logits.softmax(-1)
    q = torch.tensor([0.3, 0.1, 0.2, 0.1, 0.2, 0.1])
    sampler = Sampler(temperature=1.0, seed=3)
    decoder = Speculative.__new__(Speculative)
    decoder._sampler = sampler
    first, second, count = torch.zeros(6), torch.zeros(6), 6000
    for _ in range(count):
        guess = 2 if certain else sampler.draw(q)
        tokens = decoder._verify_at_once(logits, DraftTokens([guess], None if certain else [q]))
        first[tokens[0]] += 1
        if len(tokens) == 2:
            second[tokens[1]] += 1
    assert (first / count - target[0]).abs().max() < 0.03
    assert (second / second.sum() - target[1]).abs().max() < 0.05
