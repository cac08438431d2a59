"""Which runs were cut off, and how far they had come."""

import json
import os
import time

import pytest

from core.protocol import events
from core.results.journal import JOURNAL, Journal
from core.run import continuation
from core.run.interrupted_runs import NEWS_S, find
from tests.core import build
from tests.core.run.test_continuation import run, session
from tests.core.run.test_continuation import write as append


def test_runs_that_did_not_end_are_found_with_their_whole_rounds(tmp_path):
    run(tmp_path / "20261201-1-done")
    run(tmp_path / "20261201-2-cancelled", measured=2, finished="cancelled")
    run(tmp_path / "20261201-3-cut", measured=3, cut=1, finished="")
    run(tmp_path / "20261201-4-begun", measured=0, finished="")
    run(tmp_path / "20261201-5-until", measured=2, finished="", until_pct=2, max_trials=50)
    (tmp_path / "20261201-6-empty").mkdir()
    (tmp_path / "20261201-7-other").mkdir()
    (tmp_path / "20261201-7-other" / JOURNAL).write_text("nothing of ours\n")
    found = {f.folder.name: f for f in find(tmp_path)}
    assert sorted(found) == ["20261201-3-cut", "20261201-4-begun", "20261201-5-until"]
    cut = found["20261201-3-cut"]
    assert (cut.rounds, cut.planned, cut.variants) == (3, 5, 3)
    assert (found["20261201-4-begun"].rounds, found["20261201-5-until"].planned) == (0, 0)
    assert find(tmp_path / "nowhere") == []
    assert [f.folder.name for f in find(tmp_path / "nowhere", [tmp_path / "20261201-3-cut"])] == ["20261201-3-cut"]


def test_what_was_cut_off_long_ago_is_no_news(tmp_path):
    run(tmp_path / "cut", measured=2, finished="")
    assert len(find(tmp_path)) == 1
    then = time.time() - NEWS_S - 60
    os.utime(tmp_path / "cut" / JOURNAL, (then, then))
    assert find(tmp_path) == []


@pytest.mark.parametrize("tail", ["", '{"t_ns":1,"event":"fini'])
def test_a_journal_that_is_cut_in_a_line_did_not_end(tmp_path, tail):
    run(tmp_path / "cut", measured=2, finished="")
    with (tmp_path / "cut" / JOURNAL).open("a") as file:
        file.write(tail)
    assert [f.rounds for f in find(tmp_path)] == [2]


def test_a_run_that_goes_on_is_not_interrupted(tmp_path):
    run(tmp_path / "cut", measured=2, finished="")
    journal = Journal(tmp_path / "cut", goes_on=True)
    assert find(tmp_path) == []
    journal.close()
    assert len(find(tmp_path)) == 1


def test_a_session_that_was_cut_off_is_told_again(tmp_path):
    results = run(tmp_path / "cut", measured=2, cut=1, finished="")
    (before,) = find(tmp_path)
    append(tmp_path / "cut", session(continuation.plan(results, tmp_path / "cut"), rounds=2, finished=False), True)
    (after,) = find(tmp_path)
    assert (after.rounds, after.planned) == (4, 5)
    assert after.size > before.size


def test_a_model_that_is_gone_is_told(tmp_path):
    began = build.started(["a"], 4)
    gone = {**began.experiment, "model": {"source": str(tmp_path / "gone")}}
    append(tmp_path / "run", [began.model_copy(update={"experiment": gone})])
    (found,) = find(tmp_path)
    assert found.model_is_gone


def test_a_journal_without_its_beginning_is_counted_by_its_copy(tmp_path):
    run(tmp_path / "cut", measured=2, finished="")
    path = tmp_path / "cut" / JOURNAL
    lines = path.read_text().splitlines(keepends=True)
    assert json.loads(lines[0])["event"] == events.Started.model_fields["event"].default
    path.write_text("".join(lines[1:]))
    assert [f.rounds for f in find(tmp_path)] == [2]
