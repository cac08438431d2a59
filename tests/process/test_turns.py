"""Variants that do not fit in memory together take turns: never two engines at once, and no trial is lost."""

from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from core.analysis.compare import compare
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.results.journal import open_results
from core.results.results import Results
from core.run.run import Run
from core.spec import experiment as spec
from tests.core.tiny import save_tiny
from tests.process.fakes import experiment, pool


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("DYNO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))


class Watched:
    """A run that was iterated: its results, its events, and how many engines were alive at each of them."""

    def __init__(self, run: Run, stop_at: int | None = None) -> None:
        self.results, self.seen, self.alive = Results(run.folder.name), [], []
        self.turned_at = None
        for event in run:
            self.results.fold(event)
            self.seen.append(event)
            if isinstance(event, events.Turns):
                self.turned_at = len(self.seen)
            self.alive.append(sum(psutil.pid_exists(e.pid) for e in run.pool.engines if e.alive))
            if isinstance(event, events.TrialDone) and event.round == stop_at:
                run.stop_after_round()
        run.pool.close()
        self.rows = compare(self.results).variants
        assert compare(open_results(run.folder)) == compare(self.results)

    @property
    def trials(self) -> list[tuple[str, int]]:
        return [(e.variant, e.round) for e in self.seen if isinstance(e, events.TrialDone)]

    @property
    def pids(self) -> list[int]:
        return [e.pid for e in self.seen if isinstance(e, events.Hello)]


def test_reload_pairs_by_round_with_one_engine_at_a_time():
    run = Run(experiment("a", "b", trials=3, engines="reload"), pool())
    done = Watched(run)
    assert max(done.alive) == 1
    order = [name for names in run.schedule for name in names]
    assert len(set(done.pids)) == 1 + sum(a != b for a, b in pairwise(order))  # who goes on stays loaded
    assert [(r.trials, r.engines) for r in done.rows] == [(3, "reload")] * 2
    assert done.rows[1].rounds_paired == 3
    assert done.rows[1].speed_ratio_low < done.rows[1].speed_ratio < done.rows[1].speed_ratio_high
    assert done.results.finished.status == "ok"


def test_a_sequence_loads_each_variant_once_and_the_baseline_twice():
    done = Watched(Run(experiment("a", "b", engines="sequence"), pool()))
    assert max(done.alive) == 1
    assert len(set(done.pids)) == 3
    assert done.trials == [
        *(("a", r) for r in range(4)),
        *(("b", r) for r in range(4)),
        *(("a", r) for r in range(4, 8)),
    ]
    assert done.rows[1].baseline_drift_pct is not None
    assert done.rows[1].verdict in ("unpaired", "within_margin", "undecided")  # as both passes agree or not


@pytest.mark.parametrize("estimates", [[], ["--estimates"]])
def test_engines_that_do_not_fit_together_take_turns(tmp_path, estimates):
    """By an estimate before the load, or by running out of memory."""
    one = pool("normal", "--room", str(tmp_path / "room"), *estimates)
    done = Watched(Run(experiment("a", "b", "c"), one))
    assert done.turned_at is not None
    assert max(done.alive[done.turned_at :]) == 1
    assert [r.status for r in done.rows] == ["ok", "ok", "ok"]
    assert [r.trials for r in done.rows] == [8, 4, 4]  # a load of a process takes longer than 8 tokens
    assert {r.engines for r in done.rows} == {"sequence"}
    said = next(e for e in done.seen if isinstance(e, events.Log) and "no room" in e.text)
    assert said.variant == "b"
    assert "beside a: " in said.text
    assert ("2.00 GiB to load, and 1.00 GiB are free" in said.text) == bool(estimates)


def test_what_does_not_fit_even_alone_leaves_the_others_together():
    done = Watched(Run(experiment("a", "b", "c"), pool("runs_out_of_memory", "--only", "b", "--at", "trial")))
    assert [r.status for r in done.rows] == ["ok", "out_of_memory", "ok"]
    assert done.rows[0].trials >= 4
    assert done.rows[2].trials == 4
    done = Watched(Run(experiment("a", "b", "c"), pool("runs_out_of_memory", "--only", "b", "--at", "load")))
    assert [r.status for r in done.rows] == ["ok", "out_of_memory", "ok"]
    assert [r.trials for r in done.rows] == [4, 0, 4]
    assert done.turned_at is None
    assert done.rows[2].rounds_paired == 4


def test_together_is_together_even_if_there_is_no_room(tmp_path):
    one = pool("normal", "--room", str(tmp_path / "room"))
    done = Watched(Run(experiment("a", "b", engines="together"), one))
    assert [r.status for r in done.rows] == ["ok", "out_of_memory"]


def test_a_stop_in_a_sequence_ends_it_after_the_trial():
    done = Watched(Run(experiment("a", "b", engines="sequence"), pool()), stop_at=2)
    assert done.trials == [("a", 0), ("a", 1), ("a", 2)]
    assert done.results.finished.status == "stopped"


def test_quality_is_judged_by_one_engine_at_a_time_too():
    quality = {"tokens": 2048, "window": 128, "prompts": 0, "suite": "none"}
    done = Watched(Run(experiment("a", "b", trials=1, engines="sequence", quality=quality), pool()))
    assert max(done.alive) == 1
    assert [(r.status, r.quality_status) for r in done.rows] == [("ok", "reference"), ("ok", "ok")]
    assert done.results.finished.status == "ok"


@pytest.mark.long
def test_real_engines_one_at_a_time(tmp_path: Path):
    """Two rounds: the least that has an interval. Loading torch is what takes the time."""
    wanted = spec.parse(
        {
            "model": {"source": str(save_tiny(tmp_path / "model"))},
            "workload": {"trials": 2, "prompt_tokens": 40, "new_tokens": 12, "engines": "reload"},
            "variant": [{"name": "a"}, {"name": "b", "precision": "bf16"}],
        }
    )
    done = Watched(Run(wanted, EnginePool()))
    assert max(done.alive) == 1
    assert len(set(done.pids)) >= 3
    assert [(r.status, r.trials) for r in done.rows] == [("ok", 2), ("ok", 2)]
    assert done.rows[1].rounds_paired == 2
    assert done.rows[1].speed_ratio_low < done.rows[1].speed_ratio < done.rows[1].speed_ratio_high
    estimates = [e for e in done.seen if isinstance(e, events.Estimate)]
    assert {e.variant for e in estimates} == {"a", "b"}
