import random

import pytest

from core import events
from core.journal import EXPERIMENT, JOURNAL, Journal, JournalError, open_results, replay
from core.results import Results
from tests.core import build


def write(folder, stream) -> bytes:
    journal = Journal(folder)
    for event in stream:
        journal.write(event)
    journal.close()
    return (folder / JOURNAL).read_bytes()


def test_a_replayed_run_equals_the_live_one(tmp_path):
    stream = list(build.run([1.5, 1.4, 1.6, 1.5]))
    write(tmp_path / "run", stream)
    assert list(replay(tmp_path / "run")) == stream
    live = Results("run")
    for event in stream:
        live.add(event)
    assert open_results(tmp_path / "run").comparison() == live.comparison()


def test_a_journal_cut_at_any_byte_opens(tmp_path):
    whole = write(tmp_path / "run", build.run([1.5, 1.4, 1.6, 1.5]))
    cuts = {0, 1, len(whole) - 1, *random.Random(1).sample(range(len(whole)), 60)}
    for cut in sorted(cuts):
        (tmp_path / "run" / JOURNAL).write_bytes(whole[:cut])
        results = open_results(tmp_path / "run")
        finished = whole[:cut].count(b'"trial_done"') - (whole[:cut].rpartition(b"\n")[2].count(b'"trial_done"'))
        assert sum(r.trials for r in results.comparison().variants) == finished
        assert results.comparison().status == "interrupted"


def test_every_finished_trial_is_on_disk_before_the_next(tmp_path):
    journal = Journal(tmp_path / "run")
    for event in build.run([1.5, 1.5]):
        journal.write(event)
        if isinstance(event, events.TrialDone):
            assert (tmp_path / "run" / JOURNAL).read_bytes().endswith(event.line().encode() + b"\n")


def test_a_line_of_a_newer_version_is_left_out(tmp_path):
    whole = write(tmp_path / "run", build.run([1.5] * 4))
    lines = whole.splitlines(keepends=True)
    lines.insert(3, b'{"event": "telepathy", "t_ns": 1}\n')
    lines.insert(5, b"\x00garbage\n")
    (tmp_path / "run" / JOURNAL).write_bytes(b"".join(lines))
    assert open_results(tmp_path / "run").comparison().status == "ok"


def test_a_second_run_never_overwrites_the_first(tmp_path):
    before = write(tmp_path / "run", build.run([1.5]))
    with pytest.raises(OSError, match="a run in it already"):
        Journal(tmp_path / "run")
    assert (tmp_path / "run" / JOURNAL).read_bytes() == before


def test_folders_that_hold_no_run(tmp_path):
    with pytest.raises(JournalError, match=JOURNAL):
        open_results(tmp_path)
    (tmp_path / JOURNAL).write_text("")
    with pytest.raises(JournalError, match=EXPERIMENT):
        open_results(tmp_path)
