"""A real engine process with a tiny model: the protocol, one whole life, and every way to end it."""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from core.protocol import commands, events
from tests.core.tiny import BOS, EOS, save_tiny
from tests.process.engine_child import Child, failed, load, only, trial, warm

OFFSET = 10**15


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("tiny") / "llama")


@pytest.fixture(scope="module")
def life(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[events.Event]]]:
    """One life, seen by several tests: the events of each command."""
    with Child(tmp_path_factory.mktemp("cache")) as child:
        seen = {
            "hello": child.tell(commands.HelloCommand()),
            "env": child.tell(commands.EnvCommand()),
            "early": child.tell(trial()),
            "count": child.tell(commands.CountCommand(model={"source": str(tiny)}, texts=["", "a b", "a b c d"])),
            "load": child.tell(load(tiny, {"precision": "fp32"}, OFFSET)),
            "again": child.tell(load(tiny)),
            "warm": child.tell(warm()),
            "first": child.tell(trial(0)),
            "second": child.tell(trial(1, text="Another question, a longer one than the first.")),
            "short": child.tell(trial(2, text="Too short.", filler="")),
            "third": child.tell(trial(0)),
            "ask": child.tell(commands.AskCommand(prompt="Why?", max_tokens=5)),
        }
        child.send(commands.AskCommand(prompt="Why?", max_tokens=400))
        seen["stopped"] = child.tell(commands.StopCommand())
        child.send(commands.ExitCommand())
        assert child.ended(1) == 0
        yield seen


def test_every_command_ends_with_one_done_or_failed(life: dict[str, list[events.Event]]) -> None:
    for name, found in life.items():
        endings = [e for e in found if isinstance(e, events.Done | events.Failed)]
        assert endings == [found[-1]], name
    done = {n: f[-1].command for n, f in life.items() if isinstance(f[-1], events.Done)}
    assert done == {
        "hello": "hello", "env": "env", "count": "count", "load": "load", "warm": "warm",
        "first": "trial", "second": "trial", "third": "trial",
        "ask": "ask", "stopped": "ask",
    }  # fmt: skip


def test_hello_comes_before_anything_heavy(life: dict[str, list[events.Event]]) -> None:
    assert [e.event for e in life["hello"]] == ["phase", "hello", "done"]
    assert life["hello"][0].phase == "start"  # type: ignore[union-attr]
    assert only(life["hello"], events.Hello).python == ".".join(map(str, sys.version_info[:3]))


def test_environment(life: dict[str, list[events.Event]]) -> None:
    env = only(life["env"], events.Env).environment
    assert env.cpu
    assert 1 <= env.cores <= (os.cpu_count() or 1)
    assert env.ram_bytes > 10**8
    assert env.threads == 1
    assert env.wait_policy == "PASSIVE"
    assert {"torch", "transformers", "numpy"} <= set(env.versions)


def test_tokens_are_counted_without_a_model(life: dict[str, list[events.Event]]) -> None:
    counted = only(life["count"], events.Counted)
    assert counted.tokens == [0, 3, 7]  # bytes
    assert counted.template > 0


def test_an_answer_is_asked_for_and_stopped(life: dict[str, list[events.Event]]) -> None:
    reply = only(life["ask"], events.Reply)
    assert (len(reply.token_ids), reply.ended) == (5, "cap")
    assert OFFSET < reply.dispatch_ns < reply.at_ns[0]
    assert [e.phase for e in life["ask"] if isinstance(e, events.Phase)] == ["answer", "idle"]
    assert only(life["stopped"], events.Reply).ended == "stopped"


def test_wrong_order_is_refused(life: dict[str, list[events.Event]]) -> None:
    assert "no model" in failed(life["early"], "refused").message
    assert "already" in failed(life["again"], "refused").message


def test_loaded(life: dict[str, list[events.Event]], tiny: Path) -> None:
    loaded = only(life["load"], events.Loaded)
    assert (loaded.device, loaded.dtype) == ("cpu", "fp32")
    assert loaded.weights_bytes == loaded.weights_bytes_before
    assert 0 <= loaded.weights_bytes - 4 * loaded.parameters < 1000  # the rotary buffers
    assert loaded.load_peak_bytes > loaded.weights_bytes
    assert len(loaded.fingerprint) == 64
    assert loaded.notes == []
    phases = [e.phase for e in life["load"] if isinstance(e, events.Phase)]
    assert phases == ["load", "idle"]
    assert only(life["load"], events.Log).level == "info"  # the estimate
    weights = [e for e in life["load"] if isinstance(e, events.Progress) and e.detail == "weights"]
    assert weights[-1].done == weights[-1].total == (tiny / "model.safetensors").stat().st_size


def test_receipts_come_after_the_load_and_after_the_first_trial(life: dict[str, list[events.Event]]) -> None:
    for name in ("load", "first"):
        (receipt,) = only(life[name], events.Receipts).receipts
        assert (receipt.slot, receipt.requested, receipt.matches) == ("precision", "fp32", True)
    assert not any(isinstance(e, events.Receipts) for e in life["second"])


def test_warm_up(life: dict[str, list[events.Event]]) -> None:
    done = only(life["warm"], events.Warm)
    assert 2 <= done.passes <= 10
    stamps = [e for e in life["warm"] if isinstance(e, events.Steps)]
    assert {e.round for e in stamps} == {None}
    assert sum(sum(e.tokens) for e in stamps) == 12 * done.passes


@pytest.mark.parametrize("name", ["first", "second", "third"])
def test_trial(life: dict[str, list[events.Event]], name: str) -> None:
    found = life[name]
    done = only(found, events.TrialDone)
    (request,) = done.requests
    steps = [e for e in found if isinstance(e, events.Steps)]
    at = [t for e in steps for t in e.at_ns]
    assert {e.round for e in steps} == {done.round}
    assert sum(sum(e.tokens) for e in steps) == len(done.token_ids) == done.requested_tokens == 12
    assert all(a < b for a, b in pairwise(at))
    assert request.arrival_ns < at[0]
    assert request.end_ns == at[-1]
    assert len(done.prompt_ids) == request.prompt_tokens == 40
    assert EOS not in done.token_ids
    assert "".join(e.text for e in found if isinstance(e, events.Text)) == done.text
    assert done.kv_bytes == 4 * (2 * 2 * 16) * 4 * (40 + 11)  # layers, K and V of 2 heads of 16, fp32
    assert found.index(done) > max(found.index(e) for e in steps)
    samples = [e for e in found if isinstance(e, events.Sample) and e.phase == "trial"]
    assert len(samples) >= 2
    assert all(e.process_bytes for e in samples)


def test_same_seed_and_prompt_give_the_same_tokens(life: dict[str, list[events.Event]]) -> None:
    first, third = (only(life[n], events.TrialDone) for n in ("first", "third"))
    assert first.token_ids == third.token_ids
    assert first.prompt_ids != only(life["second"], events.TrialDone).prompt_ids


def test_prompt_stands_inside_the_chat_template(life: dict[str, list[events.Event]]) -> None:
    text = bytes(only(life["first"], events.TrialDone).prompt_ids).decode()
    assert text.startswith("<|user|>Say something.\n\nwo")
    assert text.endswith("\n<|assistant|>")


def test_too_little_text_is_refused_and_the_engine_goes_on(life: dict[str, list[events.Event]]) -> None:
    assert "no more text" in failed(life["short"], "refused").message
    assert isinstance(life["third"][-1], events.Done)


def test_stamps_are_on_the_drivers_clock(life: dict[str, list[events.Event]]) -> None:
    done = only(life["first"], events.TrialDone)
    now = time.perf_counter_ns() + OFFSET
    for stamp in (done.t_ns, done.requests[0].arrival_ns, only(life["load"], events.Loaded).t_ns):
        assert 0 < now - stamp < 300e9
    assert done.variant == "v"


def test_noise_on_stdout_and_nonsense_on_stdin(tmp_path: Path) -> None:
    noisy = (
        "import os, subprocess\n"
        "import core.engine.__main__ as engine\n"
        "hello = engine.Server.hello\n"
        "def loud(self, command):\n"
        "    print('a library says hello'); os.write(1, b'so does C'); subprocess.run(['echo', 'a child too'])\n"
        "    subprocess.run(['cat'])\n"  # would eat the next command
        "    hello(self, command)\n"
        "engine.Server.hello = loud\n"
        "engine.main()\n"
    )
    with Child(tmp_path, [sys.executable, "-u", "-c", noisy]) as child:
        child.send(commands.HelloCommand())
        found = child.tell(b'{"command": "dance"}')
        assert isinstance(found[-1], events.Done)
        assert "dance" in failed(child.until(events.Failed), "refused").message
        assert isinstance(child.tell(commands.HelloCommand())[-1], events.Done)
        assert all(line.startswith(b"{") for line in child.raw)
        for words in ("a library says hello", "so does C", "a child too"):
            assert words in child.stderr()


def test_end_of_input_ends_it(tmp_path: Path) -> None:
    with Child(tmp_path) as child:
        child.tell(commands.HelloCommand())
        assert child.process.stdin is not None
        child.process.stdin.close()
        assert child.ended(1) == 0


def test_what_it_has_started_ends_with_it(tmp_path: Path) -> None:
    """A compiler that goes on when the window was killed; it removes its temporary files when it is told to end."""
    remains = tmp_path / "remains"
    compiler = f"trap 'rm {remains}; exit' TERM; touch {remains}; sleep 60 & wait"
    starts = (
        "import subprocess, core.engine.__main__ as engine\n"
        f"subprocess.Popen(['sh', '-c', {compiler!r}])\n"
        "engine.main()\n"
    )
    with Child(tmp_path, [sys.executable, "-c", starts]) as child:
        child.tell(commands.HelloCommand())
        _wait_until(remains.exists)
        family = psutil.Process(child.process.pid).children(recursive=True)
        assert len(family) == 2
        assert child.process.stdin is not None
        child.process.stdin.close()
        assert child.ended(1) == 0
        psutil.wait_procs(family, 10)
        assert [p for p in family if p.is_running()] == []
        assert not remains.exists()


def _wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("phase", ["start", "load", "warmup", "trial"])
def test_exit_and_sigkill_in_every_phase(tiny: Path, tmp_path: Path, phase: str) -> None:
    """`exit` while it imports torch and in the load; SIGKILL while it measures: both within a second."""
    with Child(tmp_path) as child:
        child.send(load(tiny, new_tokens=400))
        if phase == "start":
            child.until_phase("start")
            time.sleep(0.5)  # into the import of torch
        else:
            child.until_phase("load")
        if phase in ("warmup", "trial"):
            child.until(events.Done)
            child.send(warm() if phase == "warmup" else trial(text=" ".join(map(str, range(100)))))
            child.until(events.Steps)  # it is at it, and has hundreds of tokens to go
        if phase == "warmup":
            child.process.send_signal(signal.SIGKILL)
            assert child.ended(1) == -signal.SIGKILL
        else:
            child.send(commands.ExitCommand())
            assert child.ended(1) == 0


def test_out_of_memory(tmp_path: Path) -> None:
    """A resource limit stands in for a full machine: weights of 1.4 GB (a file with a hole), room for 1.

    Room enough for imports and the stacks of threads, or those fail first, and a thread that can't start is waited for.
    """
    pytest.importorskip("resource")
    model = save_tiny(tmp_path / "m")
    _widen_vocabulary(model, 5_500_000)
    limited = (
        "import resource, core.engine.load.load, core.engine.__main__ as engine\n"
        "from transformers import AutoModelForCausalLM\n"
        "room = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + (1 << 30)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (room, room))\n"
        "engine.main()\n"
    )
    with Child(tmp_path / "cache", [sys.executable, "-c", limited]) as child:
        failure = failed(child.tell(load(model, {"precision": "fp32"})), "out_of_memory")
        assert "loading the model" in failure.message
        assert "GB are free" in failure.message or "cannot be read" in failure.message  # there may be no room to ask
        assert failure.hint
        assert "load failed" in failed(child.tell(trial()), "refused").message
        child.send(commands.ExitCommand())
        assert child.ended(1) == 0


def _widen_vocabulary(model: Path, vocab: int) -> None:
    """Make the embedding as long as that: zeros that take no room on the disk, behind all other tensors."""
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps(config | {"vocab_size": vocab}))
    data = (model / "model.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    tensors = data[8 + length :]
    entry = header["model.embed_tokens.weight"]
    begin, end = entry["data_offsets"]
    for name, other in header.items():
        if name != "__metadata__" and other["data_offsets"][0] >= end:
            other["data_offsets"] = [at - (end - begin) for at in other["data_offsets"]]
    tensors = tensors[:begin] + tensors[end:]
    entry["shape"][0] = vocab
    entry["data_offsets"] = [len(tensors), len(tensors) + vocab * entry["shape"][1] * 4]
    text = json.dumps(header).encode()
    with (model / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + tensors)
        file.truncate(8 + len(text) + entry["data_offsets"][1])


def test_plain_prompts_without_a_chat_template(tmp_path: Path) -> None:
    model = save_tiny(tmp_path / "plain", kind="gpt2", chat_template=False)
    with Child(tmp_path / "cache") as child:
        loaded = only(child.tell(load(model)), events.Loaded)
        assert any("no chat template" in note for note in loaded.notes)
        done = only(child.tell(trial()), events.TrialDone)
        assert bytes(i for i in done.prompt_ids if i != BOS).decode().startswith("Say something.")
        assert len(done.prompt_ids) == 40
