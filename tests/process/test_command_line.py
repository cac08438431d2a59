"""The command line with an engine without a model: what it says and writes when something is in its way."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.analysis.compare import compare
from core.cli.main import main
from core.loadtest.load_sweep import mark_of
from core.presets import preset as presets
from core.results.journal import JOURNAL, open_results
from core.results.results import Results
from tests.core import build
from tests.core.model.test_models import gguf
from tests.process.fakes import ENGINE

ROOT = Path(__file__).parents[2]
FAKE = [sys.executable, str(ENGINE)]
TOML = """
[workload]
prompt_tokens = 16
new_tokens = 8
trials = 4
[[variant]]
name = "a"
[[variant]]
name = "b [/x] [bold]y[/bold]"
quantization = "int8_weight_only"
"""


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("DYNO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def toml(tmp_path) -> Path:
    (tmp_path / "e.toml").write_text(TOML)
    return tmp_path / "e.toml"


def arguments(toml: Path, *more: str, engine: tuple[str, ...] = ()) -> list[str]:
    out = str(toml.parent / "run")
    return ["run", str(toml), "--out", out, "--engine", json.dumps([*FAKE, *engine]), *more]


def dyno(words: list[str], largest: int | None = None, **options) -> subprocess.Popen[bytes]:
    """The command line in a process of its own, in which no file may grow beyond `largest` bytes."""

    def limit() -> None:
        if largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))

    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen(
        [sys.executable, "-m", "core", *words], cwd=ROOT, preexec_fn=limit, **options
    )  # fmt: skip


def said(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=120)
    assert b"Traceback" not in (out or b"") + (err or b"")
    return process.returncode, (out or b"").decode("utf-8", "replace"), (err or b"").decode("utf-8", "replace")


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_names_are_printed_as_they_are(toml, capsys):
    assert main(arguments(toml)) == 0
    out = capsys.readouterr().out
    assert "round 1, b [/x] [bold]y[/bold]: 8 tokens" in out
    assert main(["preset", "save", str(toml.parent / "run"), "b [/x] [bold]y[/bold]"]) == 0


def test_until_and_budget_from_the_command_line(toml, capsys):
    """What it waits for is said at the end of every round, and at the end what ended it."""
    status = main(arguments(toml, "--until", "40", "--budget", "200", engine=("normal", "--pace", "2")))
    assert status == 0
    out = one_line(capsys.readouterr().out)
    assert "16 rounds, widest interval ±" in out
    assert "of ±40 %" in out
    assert "Every interval is within ±40 % after 16 rounds" in out
    results = open_results(toml.parent / "run")
    assert (results.finished.reason, results.experiment.workload.budget_s) == ("precise", 200)


@pytest.mark.parametrize(("option", "value"), [("--until", "51"), ("--until", "-1"), ("--budget", "-3")])
def test_a_target_that_cannot_be(toml, capsys, option, value):
    assert main(arguments(toml, option, value)) == 2
    error = one_line(capsys.readouterr().err)
    assert {"--until": "workload.until_pct", "--budget": "workload.budget_s"}[option] in error
    assert value in error


def test_a_disk_that_is_full_from_the_start(toml):
    status, out, err = said(dyno(arguments(toml), largest=10))
    assert status == 2
    assert "the journal cannot be written: File too large. Free some space" in one_line(out + err)
    assert "nothing was measured" in one_line(out + err)
    assert list((toml.parent / "run").iterdir()) == []  # so that the same folder serves the next attempt


def test_a_disk_that_fills_while_it_measures(toml):
    """The journal ends; what was measured is reported, and what can't be written is said file by file."""
    toml.write_text(TOML.replace("trials = 4", "trials = 40"))
    limit = 20_000
    status, out, err = said(dyno(arguments(toml, "--csv", str(toml.parent / "c.csv")), largest=limit))
    assert status == 1
    both = one_line(out + err)
    assert "the journal cannot be written: File too large" in both
    assert "finished trials are kept" in both
    assert "tok/s" in out  # the table
    assert compare(open_results(toml.parent / "run")).variants[0].trials > 0
    assert (toml.parent / "c.csv").read_text().startswith("schema_version,")


def test_files_that_cannot_be_written_come_after_the_report(toml, capsys, monkeypatch):
    """/dev/full opens, so that only the end of the run can tell."""
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("needs the device /dev/full")
    status = main(arguments(toml, "--csv", str(full), "--json", str(toml.parent / "c.json")))
    out, err = capsys.readouterr()
    assert status == 1
    assert "/dev/full: cannot be written: No space left on device" in err
    assert "TTFT" in out
    assert (toml.parent / "c.json").exists()
    assert full.is_char_device()


@pytest.mark.parametrize("option", ["--csv", "--json"])
def test_a_path_that_cannot_be_written_is_known_before_the_run(toml, capsys, option):
    for path in (toml.parent, toml.parent / "absent" / "c"):
        assert main(arguments(toml, option, str(path))) == 2
        assert f"{path}: cannot be written" in capsys.readouterr().err
        assert not (toml.parent / "run").exists()
        assert main(["show", str(toml.parent), option, str(path)]) == 2


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_output_that_is_not_utf8(toml, encoding):
    toml.write_text(TOML.replace('name = "a"', 'name = "变体 é"'))
    process = dyno(arguments(toml), env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)})
    assert said(process)[0] == 0


def test_a_reader_that_goes_away_ends_no_run(toml):
    process = dyno(arguments(toml, "--csv", str(toml.parent / "c.csv"), engine=("normal", "--pace", "3")))
    assert process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 0
    assert err == ""
    results = open_results(toml.parent / "run")
    assert results.finished.status == "ok"
    assert [r.trials for r in compare(results).variants] == [4, 4]
    assert (toml.parent / "c.csv").exists()
    assert (toml.parent / "run" / "trials.csv").exists()


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs the device /dev/full")
def test_an_output_that_is_full_is_said_and_ends_no_run(toml):
    with Path("/dev/full").open("w") as full:
        status, _, err = said(dyno(arguments(toml), stdout=full))
        assert status == 1
        assert err.strip() == "standard output cannot be written: No space left on device"
        assert (toml.parent / "run" / "comparison.csv").exists()
        status, _, err = said(dyno(["show", str(toml.parent / "run")], stdout=full))
    assert status == 1
    assert "No space left" in err


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ('"unclosed', "a quotation mark is not closed"),
        ("   ", "the command is empty"),
        ("[]", "the command is empty"),
        ("[1]", "expected a list of strings"),
        ('["a"', "not JSON"),
    ],
)
def test_an_engine_command_that_is_none(toml, capsys, command, words):
    assert main(["run", str(toml), "--engine", command]) == 2
    assert f"--engine: {words}" in capsys.readouterr().err


def test_an_engine_that_never_answers(toml, capsys, monkeypatch):
    monkeypatch.setattr("core.run.run_engines.HELLO_S", 0.5)
    assert main(["run", str(toml), "--out", str(toml.parent / "run"), "--engine", "sleep 100"]) == 1
    out = one_line(capsys.readouterr().out)
    assert "the engine did not answer within 0.5 s" in out
    assert "Check the engine command" in out


@pytest.mark.parametrize(("mode", "number"), [("silent", 1), ("slow", 1), ("slow", 2)])
def test_ctrl_c_before_the_first_round_ends_the_run(toml, mode, number):
    process = dyno(arguments(toml, engine=(mode,)))
    while not (toml.parent / "run" / JOURNAL).exists():
        time.sleep(0.02)
    time.sleep(0.7)
    for _ in range(number):
        process.send_signal(signal.SIGINT)
    began = time.monotonic()
    status, out, err = said(process)
    assert time.monotonic() - began < 10  # a slow engine loads for 30 s, a silent one is waited for 60 s
    assert status == 1
    assert "Stopping" in err
    assert "tok/s" in out


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.5])
def test_ctrl_c_at_the_start_is_no_traceback(toml, delay):
    """Through the front door, which is in control before the heavy imports."""
    process = subprocess.Popen(
        [sys.executable, "-c", "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
         "from app.__main__ import main; print(flush=True); exit(main())",
         *arguments(toml, engine=("slow",))],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.readline()
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    status, _, _ = said(process)
    assert status in (1, 130)


def test_show_says_what_a_newer_version_wrote(toml, capsys):
    assert main(arguments(toml)) == 0
    journal = toml.parent / "run" / JOURNAL
    journal.write_text(journal.read_text().replace('"schema_version":1', '"schema_version":7', 1))
    assert main(["show", str(toml.parent / "run")]) == 0
    assert "newer than this one" in one_line(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": {"source": "/no/such/model"}}, "model.source: /no/such/model: there is no such folder"),
        ({"row": None}, "there is no stored ratio"),
        (
            {"variant": {"name": "x", "quantization": {"method": "int3_dreams"}}},
            "no quantization strategy 'int3_dreams'",
        ),
        ({"fingerprint": "0" * 64}, "the model has changed"),
    ],
)
def test_verify_says_what_is_missing_before_it_measures(toml, tmp_path, capsys, monkeypatch, change, words):
    monkeypatch.setattr("core.cli.presets.Run", None)  # nothing may be measured
    monkeypatch.delenv("DYNO_ENGINE", raising=False)
    model = tmp_path / "small.gguf"
    gguf(model)
    results = Results("run")
    for event in build.run([1.5] * 4):
        results.fold(event)
    stored = presets.from_results(results, "b").dump()
    preset = {**stored, "model": {"source": str(model)}, **change}
    (tmp_path / "p.json").write_text(json.dumps(preset))
    assert main(["preset", "verify", str(tmp_path / "p.json")]) == 2
    assert words in one_line(capsys.readouterr().err)


def test_a_home_that_does_not_exist(toml, capsys, monkeypatch):
    monkeypatch.setenv("DYNO_DATA", "~nosuchuser/x")
    assert main(["preset", "list"]) == 2
    assert "DYNO_DATA=~nosuchuser/x: cannot be used" in capsys.readouterr().err
    assert main(["run", str(toml), "--engine", json.dumps(FAKE)]) == 2
    assert "DYNO_DATA=~nosuchuser/x: cannot be used" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('source = "~nosuchuser/x"', "there is no such folder"),
        (f'source = "/{"a" * 5000}"', "File name too long"),
        ('source = "a\\u0000b"', "there is no such folder"),
    ],
)
def test_a_source_that_is_no_path(toml, capsys, monkeypatch, line, words):
    monkeypatch.delenv("DYNO_ENGINE", raising=False)
    toml.write_text(f"[model]\n{line}\n{TOML}")
    assert main(["run", str(toml)]) == 2
    assert words in one_line(capsys.readouterr().err)


def test_a_sweep_measures_one_load_after_the_other(toml, capsys):
    assert main(arguments(toml, "--sweep", "concurrency=1,3")) == 0
    out = capsys.readouterr().out
    assert "Run 2 of 2: concurrency 3" in out
    folder = toml.parent / "run"
    runs = {n: open_results(folder / n) for n in ("1", "3")}
    assert [r.experiment.workload.concurrency for r in runs.values()] == [1, 3]
    marks = [mark_of(r) for r in runs.values()]
    assert marks[0].sweep == marks[1].sweep
    assert [(m.field, m.value, m.count) for m in marks] == [("concurrency", 1, 2), ("concurrency", 3, 2)]
    assert len((folder / "load_curve.csv").read_text().splitlines()) == 1 + 4
    assert main(["show", str(folder)]) == 0
    assert "2 of 2 runs of a sweep over concurrency" in capsys.readouterr().out
    assert main(arguments(toml, "--sweep", "concurrency=3,5")) == 2  # nothing is measured before it is known
    assert "there is a run in it already" in one_line(capsys.readouterr().err)
    assert not (folder / "5").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--sweep", "concurrency=1,999"], "concurrency 999: input should be less than or equal to 256"),
        (["--sweep", "rate=1,2"], "only where arrivals are poisson"),
        (["--sweep", "seed=1"], "one of concurrency, rate, prompt_tokens"),
        (["--sweep", "concurrency="], "no value is given"),
        (["--sweep", "concurrency=1,2", "--html", "x.html"], "--html: of one run"),
    ],
)
def test_a_sweep_that_cannot_be_says_why_before_it_begins(toml, capsys, more, words):
    assert main(arguments(toml, *more)) == 2
    assert words in one_line(capsys.readouterr().err)
    assert not (toml.parent / "run").exists()
