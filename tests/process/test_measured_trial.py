"""What a real engine, on a tiny model, tells of its memory and of itself: sizes in its samples, the estimate, hits of
a prefix cache that nobody asked for, compilations."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.engine.load.load import load
from core.engine.machine.energy import Energy
from core.engine.machine.sampler import Sampling
from core.engine.serve.decisions import Watch
from core.engine.serve.trial import run_trial
from core.engine.serve.warmup import warm_up
from core.kernels.caches.prefix_store import PrefixStore
from core.machine.environment import Environment
from core.model.source import ModelSource
from core.protocol import events
from core.protocol.commands import LoadCommand, Prompt, TrialCommand
from core.results.memory_timeline import Timeline
from core.spec.workload import Workload
from tests.core.tiny import save_tiny
from tests.process.engine_child import FILLER


class Channel:
    phase = "trial"

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, event: events.Event) -> None:
        self.sent.append(event)

    def enter(self, phase: Any, round: int | None = None, detail: str = "") -> None:
        self.phase = phase

    def log(self, text: str, level: Any = "info") -> None: ...

    def of(self, kind: type) -> list[Any]:
        return [e for e in self.sent if isinstance(e, kind)]


class Engine:
    """Loads at once; `measure` is one trial."""

    def __init__(self, model: Path, energy: Path, **slots: Any) -> None:
        self.channel: Any = Channel()
        self.sampling = Sampling(self.channel, Energy(energy))
        command = LoadCommand(
            model=ModelSource(source=str(model)),
            variant={"name": "v", "precision": "fp32", **slots},
            workload=Workload(prompt_tokens=40, new_tokens=12),
        )
        self.runtime = load(command, Environment(), self.channel, self.sampling)

    def measure(self, number: int, text: str = "Say something.") -> events.TrialDone:
        command = TrialCommand(round=number, prompt=Prompt(text=text, filler=FILLER), seed=number)
        run_trial(self.runtime, command, self.channel, self.sampling, True)
        return self.channel.of(events.TrialDone)[-1]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("tiny") / "llama")


def test_receipts_are_no_part_of_a_trials_memory(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting the zeros of a mask takes more than a step does, and is sampled meanwhile."""
    engine = Engine(tiny, tmp_path)
    phases: list[str] = []
    monkeypatch.setattr("core.engine.serve.trial.receipts", lambda runtime: phases.append(engine.channel.phase) or [])
    engine.measure(0)
    assert phases == ["idle"]
    assert [e.phase for e in engine.channel.of(events.Sample)][-2:] == ["trial", "trial"]


def test_weights_and_cache_are_in_the_samples(tiny: Path, tmp_path: Path) -> None:
    engine = Engine(tiny, tmp_path)
    asked = [Prompt(text="One.", filler=FILLER), Prompt(text="Two.", filler=FILLER)]
    warm_up(engine.runtime, asked, engine.channel, engine.sampling)
    done = engine.measure(0)
    (loaded,) = engine.channel.of(events.Loaded)
    assert loaded.estimate["weights"] == pytest.approx(loaded.weights_bytes, rel=0.01)
    assert loaded.estimate["kv_cache"] == done.kv_bytes == 2 * 4 * 2 * 16 * 4 * (40 + 12 - 1)
    last = engine.channel.of(events.Sample)[-1]
    assert (last.phase, last.weights_bytes, last.kv_bytes) == ("trial", loaded.weights_bytes, done.kv_bytes)
    memory = Timeline()
    for event in engine.channel.sent:
        memory.fold(event)
    assert memory.peaks["kv", "trial"] == done.kv_bytes
    assert memory.peaks["weights", "trial"] == loaded.weights_bytes
    assert memory.points[-1].bytes["other"] > 0
    assert done.energy == {}


def test_energy_is_that_of_the_trial(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter that moves by 5 J with each reading, whoever reads it."""
    place = tmp_path / "intel-rapl:0"
    place.mkdir()
    for name, text in (("name", "package-0"), ("max_energy_range_uj", str(10**12)), ("energy_uj", "0")):
        (place / name).write_text(text)
    engine = Engine(tiny, tmp_path)
    own, count = Path.read_text, [0]

    def read_text(self: Path, *args: Any, **kwargs: Any) -> str:
        if self.name != "energy_uj":
            return own(self, *args, **kwargs)
        count[0] += 5_000_000
        return str(count[0])

    monkeypatch.setattr(Path, "read_text", read_text)
    monkeypatch.setattr("core.engine.machine.energy.LEAST_S", {"cpu": 0.0})
    assert engine.measure(0).energy == {"cpu": pytest.approx(5)}


def test_prefix_hits_are_flagged_where_no_reuse_was_asked_for(tiny: Path, tmp_path: Path) -> None:
    engine = Engine(tiny, tmp_path)
    assert (engine.measure(0).reused_tokens, engine.measure(1).reused_tokens) == (0, 0)
    engine.runtime.plain.prefixes = PrefixStore(capacity=1000, least=4)  # as a bug would leave one behind
    assert engine.measure(2).reused_tokens == 0
    again = engine.measure(3)
    assert again.reused_tokens == 39  # all but the token whose logits are needed
    assert [f for f in again.flags if "prefix" in f] == [
        "prefix cache hits where none was asked for: 98 % of the prompt tokens"
    ]
    wanted = Engine(tiny, tmp_path, prefix_cache={"method": "prefix_reuse", "least": 4})
    wanted.measure(0)
    found = wanted.measure(1)
    assert found.reused_tokens == 39
    assert not [f for f in found.flags if "prefix" in f]


def test_a_compilation_that_nobody_counts_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attention or a kernel may compile by itself; dynamo counts every graph of the process."""
    stats = {"unique_graphs": 3}
    monkeypatch.setitem(sys.modules, "torch._dynamo.utils", SimpleNamespace(counters={"stats": stats}))
    runtime, channel = SimpleNamespace(decoder=None, plain=None), Channel()
    watch = Watch(runtime)  # type: ignore[arg-type]
    assert watch.tell(channel, 0) == []  # type: ignore[arg-type]
    stats["unique_graphs"] = 5
    assert watch.tell(channel, 0) == ["2 compilations"]  # type: ignore[arg-type]
    assert channel.of(events.Decision)[-1].what == "compiled"


@pytest.mark.gpu
def test_the_parts_of_a_cards_memory(tiny: Path, tmp_path: Path) -> None:
    engine = Engine(tiny, tmp_path)
    engine.measure(0)
    done = engine.measure(1)
    memory = Timeline()
    for event in engine.channel.sent:
        memory.fold(event)
    assert memory.stack == ("weights", "kv", "activations")
    (loaded,) = engine.channel.of(events.Loaded)
    allocated = memory.peak("allocated", "trial")
    assert allocated is not None
    assert allocated >= loaded.weights_bytes + (done.kv_bytes or 0)
    assert (memory.peak("reserved", "trial") or 0) >= allocated
    assert (memory.peak("activations", "trial") or 0) > 0
