import json
import random

import pytest

from core.analysis.compare import compare
from core.protocol import events
from core.results.journal import EXPERIMENT, JOURNAL, Journal, JournalError, open_results, replay
from core.results.results import Results
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
        live.fold(event)
    assert compare(open_results(tmp_path / "run")) == compare(live)


def test_a_journal_cut_at_any_byte_opens(tmp_path):
    whole = write(tmp_path / "run", build.run([1.5, 1.4, 1.6, 1.5]))
    cuts = {0, 1, len(whole) - 1, *random.Random(1).sample(range(len(whole)), 60)}
    for cut in sorted(cuts):
        (tmp_path / "run" / JOURNAL).write_bytes(whole[:cut])
        results = open_results(tmp_path / "run")
        finished = whole[:cut].count(b'"trial_done"') - (whole[:cut].rpartition(b"\n")[2].count(b'"trial_done"'))
        assert sum(r.trials for r in compare(results).variants) == finished
        assert compare(results).status == "interrupted"


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
    assert compare(open_results(tmp_path / "run")).status == "ok"


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


def rewrite(folder, change) -> None:
    """Change every event of a journal, and the file of its beginning, as JSON."""
    lines = [json.loads(line) for line in (folder / JOURNAL).read_text().splitlines()]
    for line in lines:
        change(line)
    (folder / JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / EXPERIMENT).write_text(json.dumps(lines[0]) + "\n")


def warnings(results: Results) -> list[str]:
    return [e.text for e in results.log if isinstance(e, events.Log) and e.level == "warning"]


def test_keys_of_a_newer_version_cost_no_trial(tmp_path):
    write(tmp_path / "run", build.run([1.5] * 4))
    before = compare(open_results(tmp_path / "run"))

    def newer(line):
        if line["event"] == "started":
            line.update(schema_version=99, dyno_version="9.9", colour="red")
            line["experiment"]["workload"]["mood"] = "calm"
            line["experiment"]["variant"][1]["warp"] = {"method": "x"}
        if line["event"] == "trial_done":
            line["mood"] = "calm"
            line["requests"][0]["mood"] = "calm"

    rewrite(tmp_path / "run", newer)
    results = open_results(tmp_path / "run")
    assert [r.trials for r in compare(results).variants] == [4, 4]
    assert compare(results).variants[1].speed_ratio == before.variants[1].speed_ratio
    (said,) = warnings(results)
    assert "written by Dyno 9.9 (format 99)" in said
    for key in ("started.colour", "trial_done.mood", "requests.mood", "experiment.workload.mood", "variant.warp"):
        assert key in said


def test_a_newer_version_is_said_even_if_everything_is_understood(tmp_path):
    write(tmp_path / "run", build.run([1.5] * 4))
    rewrite(tmp_path / "run", lambda line: line.update({"schema_version": 2} if line["event"] == "started" else {}))
    assert "newer than this one" in warnings(open_results(tmp_path / "run"))[0]


def test_lines_that_cannot_be_read_are_counted(tmp_path):
    whole = write(tmp_path / "run", build.run([1.5] * 4))
    lines = whole.splitlines(keepends=True)
    lines[5:5] = [
        b"\0" * 50 + b"\n",
        b'{"event": "log", "text": 3}\n',
        b'{"event": "done", "x": ' + b"9" * 5000 + b"}\n",
    ]
    (tmp_path / "run" / JOURNAL).write_bytes(b"".join(lines))
    results = open_results(tmp_path / "run")
    assert "lines that cannot be read are left out: 3" in warnings(results)[0]
    assert [r.trials for r in compare(results).variants] == [4, 4]


def test_a_garbled_line_of_steps_takes_its_trial_out(tmp_path):
    """It made the variant look slower, and nothing said so."""
    whole = write(tmp_path / "run", build.run([2.0] * 6))
    lines = whole.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if b'"steps"' in line and b'"b"' in line and b'"round":2' in line:
            lines[number] = b"\0" * 20 + b"\n"
            break
    (tmp_path / "run" / JOURNAL).write_bytes(b"".join(lines))
    row = compare(open_results(tmp_path / "run")).variants[1]
    assert (row.trials, row.verdict) == (5, "faster")
    assert row.speed_ratio == pytest.approx(2, rel=0.01)
    assert row.flags == "steps are missing (1 of 6 trials)"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"experiment": {}}, "variant: Field required"),
        ({"experiment": {"variant": [{"name": "a"}], "zzz": 1}}, "zzz: this key is not known"),
        ({"experiment": {"variant": [{"name": "a"}, {"name": "a"}]}}, "two variants are named"),
    ],
)
def test_an_experiment_that_cannot_be_shown_names_its_file(tmp_path, change, words):
    write(tmp_path / "run", build.run([1.5] * 4))
    rewrite(tmp_path / "run", lambda line: line.update(change if line["event"] == "started" else {}))
    with pytest.raises(JournalError, match=words) as caught:
        open_results(tmp_path / "run")
    assert str(tmp_path / "run" / JOURNAL) in str(caught.value)
    (tmp_path / "run" / JOURNAL).write_text("")
    with pytest.raises(JournalError, match=words) as caught:
        open_results(tmp_path / "run")
    assert str(tmp_path / "run" / EXPERIMENT) in str(caught.value)


def test_less_than_nothing_is_no_figure(tmp_path):
    """A garbled number of bytes is left out with its line, and not shown as −5 B."""
    write(tmp_path / "run", build.run([1.5] * 4))
    rewrite(tmp_path / "run", lambda line: line.update({"weights_bytes": -5} if line["event"] == "loaded" else {}))
    results = open_results(tmp_path / "run")
    assert "left out: 2" in warnings(results)[0]
    row = compare(results).variants[1]
    assert (row.weights_bytes, row.trials, row.verdict) == (None, 4, "faster")


@pytest.mark.parametrize(
    "change", [{"tokens": [10**15]}, {"tokens": [-1]}, {"at_ns": [2**62]}, {"at_ns": [-(2**63)]}, {"t_ns": 2**63 - 1}]
)
def test_a_step_that_no_machine_can_make_is_left_out(tmp_path, change):
    """Its tokens are drawn one by one, and its stamps subtracted: neither memory nor 64 bits would do."""
    write(tmp_path / "run", build.run([1.5] * 4))
    one = [line for line in (tmp_path / "run" / JOURNAL).read_text().splitlines() if '"steps"' in line][-1]
    garbled = {**json.loads(one), "at_ns": [1], "tokens": [1], **change}
    with (tmp_path / "run" / JOURNAL).open("a") as file:
        file.write(json.dumps(garbled) + "\n")
    assert "left out: 1" in warnings(open_results(tmp_path / "run"))[0]


@pytest.mark.parametrize("content", ["", "{", "[]", events.Done(t_ns=1, command="x").line(), "[" * 100_000])
def test_a_beginning_that_is_none(tmp_path, content):
    write(tmp_path / "run", build.run([1.5] * 4))
    (tmp_path / "run" / JOURNAL).write_text("")
    (tmp_path / "run" / EXPERIMENT).write_text(content)
    with pytest.raises(JournalError, match="says what was run"):
        open_results(tmp_path / "run")


def test_a_folder_that_no_path_can_name(tmp_path):
    with pytest.raises(JournalError):
        open_results(tmp_path / ("x" * 300))
