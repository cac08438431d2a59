"""What a trial is flagged for: limits, counters from a fake machine, and a real engine's own samples."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from core.engine.machine import cpu, sampler
from core.engine.machine.cpu import Usage
from core.engine.machine.energy import Energy
from core.engine.machine.sampler import Sampling
from core.engine.machine.stop_detector import Mark, Pulse
from core.engine.serve import trial_flags
from core.engine.serve.trial_flags import Conditions
from core.machine import nvml
from core.protocol import events
from core.protocol.events import Sample


def test_the_processor() -> None:
    assert trial_flags.of_the_processor(Usage(100.0, 10.0, 0.5)) == []
    assert trial_flags.of_the_processor(Usage(None, None, None)) == []
    assert trial_flags.of_the_processor(Usage(100.0, 96.7, 3.21)) == ["foreign CPU 97 %", "CPU steal 3.2 %"]


BEFORE = Mark(at=10.0, process=5.0, waited=2.0, gave_way=100)


@pytest.mark.parametrize(
    ("later", "busy", "stopped"),
    [
        ({"at": 10.2}, 2.0, 0.0),
        ({"at": 20.2}, 2.0, 10.0),
        ({"at": 20.2, "process": 5.4}, 2.0, 10.0),  # it worked until it was stopped
        ({"at": 20.2, "waited": 11.0}, 2.0, 0.0),  # for a processor
        ({"at": 12.2, "gave_way": 500}, 2.0, 0.0),  # it asked for Python's lock
        ({"at": 12.2, "waited": 2.2, "gave_way": 140}, 2.0, 2.0),  # a little of both, on a busy machine
        ({"at": 20.2, "waited": None, "gave_way": None}, 2.0, 10.0),
        ({"at": 20.2, "waited": None, "gave_way": None, "process": 5.6}, 2.0, 10.0),
        ({"at": 20.2, "waited": None, "gave_way": None, "process": 14.0}, 2.0, 0.0),  # something held the lock
    ],
)
def test_who_is_late_was_stopped_if_nothing_else_kept_it(later: dict[str, float], busy: float, stopped: float) -> None:
    found = BEFORE.stopped_until(replace(BEFORE, **later), 0.2, busy)  # type: ignore[arg-type]
    assert found == pytest.approx(stopped)


CHILD = """
import sys, threading, time, zlib
from core.engine.machine.stop_detector import Pulse
pulse = Pulse()
def beat():
    while True:
        pulse.rest(0.05)
threading.Thread(target=beat, daemon=True).start()
time.sleep(0.3)
for line in sys.stdin:
    begin = time.perf_counter_ns()
    if line == "work\\n":
        sorted(range(3_000_000, 0, -1), key=str)  # holds Python's lock all the while
    else:
        print("ready", flush=True)
        while time.perf_counter_ns() - begin < 2.5e9:
            zlib.crc32(bytes(1_000_000))  # lets go of Python's lock, as torch does
    print(pulse.stopped_s(begin), flush=True)
"""


def test_a_process_that_is_stopped_notices_it_and_one_that_works_does_not() -> None:
    """A stop that falls between two rests is not noticed: of three, one must be."""
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdin is not None
    assert child.stdout is not None

    def ask(what: str) -> None:
        assert child.stdin is not None
        child.stdin.write(f"{what}\n")
        child.stdin.flush()

    try:
        ask("work")
        assert float(child.stdout.readline()) == 0
        found = 0.0
        for _ in range(3):
            ask("stop")
            assert child.stdout.readline() == "ready\n"
            child.send_signal(signal.SIGSTOP)
            time.sleep(1.2)
            child.send_signal(signal.SIGCONT)
            found = float(child.stdout.readline())
            if found:
                break
        assert found > 1.0
    finally:
        child.kill()
        child.communicate()


def test_a_thread_that_waits_for_another_between_two_rests_was_not_stopped() -> None:
    pulse, begin = Pulse(), time.perf_counter_ns()
    for _ in range(2):
        pulse.rest(0.01)
        time.sleep(0.7)  # a lock, say, that another thread has while it reads what a large model takes
    assert pulse.stopped_s(begin) == 0


def test_seconds_of_a_stop() -> None:
    assert trial_flags.of_stops(0.0) == []
    assert trial_flags.of_stops(0.62) == ["stopped for 0.6 s"]
    assert trial_flags.of_stops(10.1) == ["stopped for 10 s"]


def sample(**values: object) -> Sample:
    return Sample(phase="trial", **values)  # type: ignore[arg-type]


def test_throttling_is_told_by_its_reason_once() -> None:
    hot = [sample(throttle=["power cap"]), sample(throttle=["power cap", "thermal (hardware)"]), sample()]
    assert trial_flags.of_the_clock(hot, 0, None) == ["throttled: power cap", "throttled: thermal (hardware)"]
    assert trial_flags.of_the_clock([sample()], 0, 0) == []
    assert trial_flags.of_the_clock([sample()], 0, 3) == ["CPU throttled for heat 3 times"]


def test_a_clock_that_is_lower_than_it_was() -> None:
    def clocks(*mhz: float) -> list[str]:
        return trial_flags.of_the_clock([sample(clock_mhz=m) for m in mhz], 1875, None)

    assert clocks(1155, 1150, 1160, 1155, 1155) == ["clock 38 % below 1875 MHz"]  # mlx-lm#1010
    assert clocks(1875, 1850, 1860, 1875, 1870) == []
    assert clocks(210, 1870) == []  # idle at one end: of few samples, the fastest speaks
    assert trial_flags.of_the_clock([sample()], 1875, None) == []  # not readable


def test_another_process_on_the_card() -> None:
    assert trial_flags.of_the_card([sample(), sample(foreign_gpu_processes=0)]) == []
    found = trial_flags.of_the_card([sample(foreign_gpu_processes=1), sample(foreign_gpu_processes=2)])
    assert found == ["other processes on the GPU: 2"]
    assert trial_flags.of_the_card([sample()], full=True) == [
        "GPU memory full: the driver moves the rest to the machine's"
    ]


def test_who_is_foreign_on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    parents = {10: 1, 11: 1, 12: 77}  # this engine, its neighbour, somebody else
    monkeypatch.setattr(nvml, "_parent_of", parents.get)
    assert nvml.foreign([10], 10, 1) == 0
    assert nvml.foreign([10, 11], 10, 1) == 0
    assert nvml.foreign([10, 11, 12, 13], 10, 1) == 2
    assert nvml.foreign([12, 13], 10, 1) is None  # another pid namespace: nothing can be said


def test_swap() -> None:
    assert trial_flags.of_swap(0, 0, 0) == []
    assert trial_flags.of_swap(None, None, None) == []
    assert trial_flags.of_swap(0, 30_000_000, 0) == ["swap in use", "swap grew by 30 MB"]
    assert trial_flags.of_swap(30_000_000, 20_000_000, 0) == ["swap in use"]
    found = trial_flags.of_swap(0, 0, 10_000_000 // 4096)
    assert len(found) == 1
    assert found[0].startswith("swapped in ")


def test_a_prefix_cache_that_nobody_asked_for() -> None:
    assert trial_flags.of_reuse(0, 100, False) == []
    assert trial_flags.of_reuse(1, 100, False) == []
    assert trial_flags.of_reuse(60, 100, True) == []
    assert trial_flags.of_reuse(60, 100, False) == [
        "prefix cache hits where none was asked for: 60 % of the prompt tokens"
    ]


def test_lengths() -> None:
    assert trial_flags.of_the_lengths([16], [16]) == []
    assert trial_flags.of_the_lengths([12], [16]) == ["length mismatch: 12 of 16 tokens"]
    # One too long and one too short have the right sum, and are wrong all the same.
    assert trial_flags.of_the_lengths([15, 17, 16], [16, 16, 16]) == [
        "length mismatch: 48 of 48 tokens, 2 of 3 requests have another length"
    ]


def test_counters_of_a_processor(tmp_path: Path) -> None:
    assert cpu.throttle_count(tmp_path) is None
    assert cpu.clock_mhz(tmp_path) is None
    mine = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    for number, khz in ((mine[0], 2_600_000), (mine[-1] + 500, 5_000_000)):  # the second is not this process's
        (tmp_path / f"cpu{number}" / "cpufreq").mkdir(parents=True)
        (tmp_path / f"cpu{number}" / "cpufreq" / "scaling_cur_freq").write_text(f"{khz}\n")
        (tmp_path / f"cpu{number}" / "thermal_throttle").mkdir()
        (tmp_path / f"cpu{number}" / "thermal_throttle" / "core_throttle_count").write_text("3\n")
        (tmp_path / f"cpu{number}" / "thermal_throttle" / "package_throttle_count").write_text("4\n")
    assert cpu.throttle_count(tmp_path) == 14
    assert cpu.clock_mhz(tmp_path) == 2600
    stat = tmp_path / "vmstat"
    assert cpu.pages_swapped_in(stat) is None
    stat.write_text("pgpgin 12\npswpin 34\npswpout 5\n")
    assert cpu.pages_swapped_in(stat) == 34


class _Sink:
    phase = "trial"

    def __init__(self) -> None:
        self.sent: list[events.Event] = []

    def send(self, event: events.Event) -> None:
        self.sent.append(event)


def test_a_trial_looks_at_its_own_samples_only(tmp_path: Path) -> None:
    sampling = Sampling(_Sink(), Energy(tmp_path))  # type: ignore[arg-type]
    sampling.recent.append(sample(throttle=["thermal (hardware)"], t_ns=1))
    taken = Conditions(sampling)
    taken.begin()
    sampling.now()
    taken.end()
    assert "throttled: thermal (hardware)" not in taken.flags(steady=True)
    sampling.recent.append(sample(throttle=["thermal (hardware)"]))
    assert "throttled: thermal (hardware)" in taken.flags(steady=True)
    assert "not steady" in taken.flags(steady=False)
    assert taken.energy == {}
    alone = Conditions(None)
    alone.begin()
    alone.end()
    assert "not steady" not in alone.flags(steady=True)


def test_a_sample_says_what_the_engine_knows_of_its_model(tmp_path: Path) -> None:
    sink = _Sink()
    sampling = Sampling(sink, Energy(tmp_path))  # type: ignore[arg-type]
    sampling.now()
    sampling.weights_bytes, sampling.kv_bytes = 1000, 20
    sampling.now()
    assert [(e.weights_bytes, e.kv_bytes) for e in sink.sent] == [(None, None), (1000, 20)]  # type: ignore[union-attr]


def test_a_trial_that_the_machine_slept_in() -> None:
    assert trial_flags.of_sleep(3.0, 3.0004) == []
    assert trial_flags.of_sleep(3.0, 7205.2) == ["the machine slept for 7202 s"]
    assert trial_flags.of_sleep(None, None) == []
    if os.name == "posix" and os.uname().sysname == "Linux":
        assert (cpu.slept_s() or 0) >= -0.01


def test_an_idle_engine_leaves_the_machine_to_the_one_that_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proportional set takes the kernel 16 ms for an engine of 850 MB; each idle one read it every second."""
    read: list[Path] = []
    monkeypatch.setattr(sampler, "_kilobytes", lambda file, field: read.append(file))
    sink = _Sink()
    sampling = Sampling(sink)  # type: ignore[arg-type]

    def reads(phase: str, pss: bool = False) -> bool:
        sink.phase, sampling._pss_at = phase, 0.0  # long ago
        read.clear()
        sampling.now(pss)
        return sampler._ROLLUP in read

    assert [reads(phase) for phase in ("load", "warmup", "trial", "idle")] == [True, True, False, False]
    assert reads("trial", pss=True)  # at its end
    assert not reads("idle")


def test_an_idle_engine_is_watched_once_a_second() -> None:
    sink = _Sink()
    sampling = Sampling(sink)  # type: ignore[arg-type]
    sampling.now()
    for phase, passed_s, due in (("idle", 0.5, False), ("idle", 1.1, True), ("warmup", 0.5, True), ("trial", 0, True)):
        sink.phase, sampling._taken_at = phase, time.monotonic() - passed_s
        assert sampling.due == due
