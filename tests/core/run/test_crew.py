"""Where engines take turns, the first end of each variant says what it gave back; a cancel does not wait for that."""

import socket
from types import SimpleNamespace

import pytest

from core.machine.environment import Environment
from core.protocol import events
from core.protocol.engine_process import Gone
from core.results.journal import JOURNAL
from core.run import unload_residue
from core.run.engine_slot import died, engine_key
from core.run.engine_unloading import end_engines
from core.run.run_control import Control
from core.run.run_engines import RunEngines
from core.spec import experiment as spec


class Pool:
    """Ends nothing; notes what it was told to."""

    def __init__(self):
        self.ended = []

    def discard(self, engine):
        self.ended.append(engine.pid)


def crew(monkeypatch, mode="reload", host=""):
    asked = []

    def measure(pid, uuid, end, hurry):
        asked.append((pid, uuid, hurry()))
        end()
        return events.Unloaded(held_bytes=100, returned_bytes=99, noise_bytes=1)

    monkeypatch.setattr(unload_residue, "measure", measure)
    found = RunEngines(spec.parse({"variant": [{"name": "a"}]}), ["a"], Pool(), Control())
    found.environment, found.mode = Environment(hostname=host or socket.gethostname()), mode
    return found, asked


def unload(found, pid):
    seat = found.seats[0]
    seat.engine = SimpleNamespace(pid=pid, memory={}, alive=True)
    return list(found.unload(seat))


def test_the_first_end_of_a_variant_is_measured(monkeypatch):
    found, asked = crew(monkeypatch)
    first = unload(found, 1)
    assert [type(e) for e in first] == [events.Unloaded, events.Phase]
    assert first[0].variant == "a"
    assert [type(e) for e in unload(found, 2)] == [events.Phase]
    assert asked == [(1, "", False)]
    assert set(found.pool.ended) == {1, 2}


def test_nothing_is_measured_elsewhere_or_beside_other_engines(monkeypatch):
    for changes in ({"mode": "together"}, {"host": "another"}):
        found, asked = crew(monkeypatch, **changes)
        assert [type(e) for e in unload(found, 1)] == [events.Phase]
        assert found.pool.ended == [1]
        assert not asked


def test_a_hurry_ends_the_engine_without_a_figure(monkeypatch):
    import os
    import time

    ended, began = [], time.monotonic()
    assert unload_residue.measure(os.getpid(), "", lambda: ended.append(1), hurry=lambda: True) is None
    assert ended == [1]
    assert (
        time.monotonic() - began < unload_residue.READINGS * unload_residue.STEP_S
    )  # what it would have watched the noise for


class Warm:
    """A pool of engines that nobody uses."""

    def __init__(self, *engines):
        self.engines = list(engines)
        self.ended = []

    def take_idle(self):
        return self.engines

    def discard(self, engine):
        self.ended.append(engine.pid)


def test_the_engines_of_a_finished_run_are_measured_when_they_end(monkeypatch, tmp_path):
    _, asked = crew(monkeypatch)
    experiment = spec.parse({"variant": [{"name": "a"}, {"name": "b", "precision": "bf16"}]})
    keys = [engine_key(experiment, v) for v in experiment.variants]
    pool = Warm(*(SimpleNamespace(pid=i, key=k, memory={}) for i, k in enumerate(["other", *keys])))
    (tmp_path / JOURNAL).write_text("")
    here = Environment(hostname=socket.gethostname())
    told = list(end_engines(pool, experiment, here, tmp_path))
    assert [e.variant for e in told] == ["a", "b"]
    assert set(pool.ended) == {0, 1, 2}
    assert [pid for pid, _, _ in asked] == [1, 2]
    assert (tmp_path / JOURNAL).read_text().count('"unloaded"') == 2
    assert list(end_engines(pool, experiment, Environment(hostname="another"), tmp_path)) == []


def test_a_figure_that_cannot_be_kept_is_shown(monkeypatch, tmp_path):
    crew(monkeypatch)
    experiment = spec.parse({"variant": [{"name": "a"}]})
    pool = Warm(SimpleNamespace(pid=1, key=engine_key(experiment, experiment.baseline), memory={}))
    here = Environment(hostname=socket.gethostname())
    assert len(list(end_engines(pool, experiment, here, tmp_path / "gone"))) == 1


@pytest.mark.parametrize(("code", "told"), [(-9, False), (-15, False), (-6, True), (3, True)])
def test_what_an_engine_wrote_last_is_no_reason_for_which_it_was_killed(code: int, told: bool) -> None:
    gone = Gone(code=code, tail="a warning of a library\n")
    ending = died(gone, trials=0)
    assert ("a warning of a library" in ending.message) == told
    assert ending.detail == gone.tail
