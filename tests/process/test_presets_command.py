"""`dyno check`, `dyno compare` and `dyno preset …` with an engine without a model: what is said and the exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from core.analysis.compare import compare
from core.cli.main import main
from core.presets import preset as presets
from core.presets import preset_library
from core.results.journal import EXPERIMENT, JOURNAL, open_results
from tests.process.fakes import ENGINE

FAKE = [sys.executable, str(ENGINE)]
TOML = """
[model]
source = "small.gguf"
[workload]
prompt_tokens = 16
new_tokens = 8
trials = 4
[quality]
tokens = 256
window = 16
[[variant]]
name = "a"
[[variant]]
name = "b"
quantization = "int8_weight_only"
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    from tests.core.model.test_models import gguf

    monkeypatch.setenv("DYNO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("DYNO_ENGINE", json.dumps(FAKE))
    gguf(tmp_path / "small.gguf")
    (tmp_path / "e.toml").write_text(TOML)
    return tmp_path


@pytest.fixture(scope="module")
def measured(tmp_path_factory) -> Path:
    """A run of both variants, made once."""
    from tests.core.model.test_models import gguf

    folder = tmp_path_factory.mktemp("measured")
    gguf(folder / "small.gguf")
    (folder / "e.toml").write_text(TOML)
    assert main(["run", str(folder / "e.toml"), "--out", str(folder / "run"), "--engine", json.dumps(FAKE)]) == 0
    return folder / "run"


def said(capsys) -> str:
    out, err = capsys.readouterr()
    return " ".join((out + err).split())


def engine(monkeypatch, *words: str) -> None:
    monkeypatch.setenv("DYNO_ENGINE", json.dumps([*FAKE, *words]))


# -- check --------------------------------------------------------------------------------------------------


def test_check_says_nothing_of_a_machine_that_can_do_it(here, capsys):
    assert main(["check", str(here / "e.toml")]) == 0
    assert said(capsys) == "Nothing stands in the way."


def test_check_exits_1_for_what_cannot_run_here(here, capsys):
    (here / "e.toml").write_text(TOML.replace("int8_weight_only", "nf4"))
    assert main(["check", str(here / "e.toml")]) == 1
    assert "cannot run here: quantization nf4 (b): bitsandbytes is not installed" in said(capsys)


def test_check_of_everything_lists_and_does_not_count_what_nobody_asked_for(capsys):
    assert main(["check", "--json"]) == 0
    found = {f["about"]: f for f in json.loads(capsys.readouterr().out)}
    assert found["quantization nf4"]["level"] == "missing"
    assert found["attention flash_attention_2"]["text"]


def test_check_of_what_is_no_experiment(here, capsys):
    assert main(["check", str(here / "absent.toml")]) == 2
    assert "cannot be read" in said(capsys)


def test_a_run_begins_with_the_check(here, capsys):
    (here / "e.toml").write_text(TOML.replace('"int8_weight_only"', '"int8_dynamic"'))
    main(["run", str(here / "e.toml"), "--out", str(here / "run")])
    out = capsys.readouterr().out
    assert out.index("cannot run here: quantization int8_dynamic (b): torchao") < out.index("round 1")


# -- compare ------------------------------------------------------------------------------------------------


def altered(run: Path, to: Path, change) -> Path:
    """A copy of a run with its events changed."""
    to.mkdir()
    lines = [json.loads(line) for line in (run / JOURNAL).read_text().splitlines()]
    lines = [change(line) or line for line in lines]
    (to / JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))
    (to / EXPERIMENT).write_text(json.dumps(lines[0]) + "\n")
    return to


def test_runs_that_are_alike_stand_side_by_side(here, measured, capsys):
    again = altered(measured, here / "again", lambda line: None)
    assert main(["compare", str(measured), str(again), "--json", str(here / "c.json")]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "baseline of the same run" in out
    assert "unlike" not in out
    assert out.count("green") == 2  # the judged variant of each run
    data = json.loads((here / "c.json").read_text())["runs"]
    assert [(r["run"], r["comparable"], r["differs"]) for r in data] == [("A", True, []), ("B", True, [])]
    assert [[v["variant"] for v in r["variants"]] for r in data] == [["a", "b"]] * 2
    assert {v["speed_ratio"] for r in data for v in r["variants"] if v["variant"] == "a"} == {1.0}


def slower(line):
    if line["event"] == "env":
        line["environment"]["threads"] = 16
        line["environment"]["versions"]["torch"] = "2.14.0"


def longer(line):
    if line["event"] == "started":
        line["experiment"]["workload"]["new_tokens"] = 99


def other_model(line):
    if line["event"] == "loaded":
        line["fingerprint"] = "0" * 64


def other_prompts(line):
    if line["event"] == "trial_done" and line["round"] == 2:
        line["prompt_ids"] = [9, 9, 9]


def other_request(line):
    """Of several requests at once, one with another prompt."""
    if line["event"] == "trial_done" and line["round"] == 1:
        line["others"] = [{"request": 1, "prompt_ids": [9], "token_ids": [], "text": ""}]


def other_text(line):
    if line["event"] == "quality":
        line["text_sha256"] = "0" * 64


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_text, ["quality: the token ids of the text are others"]),
        (slower, ["threads: 2 → 16", "torch: 2.13.0 → 2.14.0"]),
        (longer, ["workload.new_tokens: 8 → 99"]),
        (other_model, ["model: ffffffffffff… (", "→ 000000000000…"]),
        (other_prompts, ["prompts: the token ids of round 3 are others"]),
        (other_request, ["prompts: the token ids of round 2 are others"]),
    ],
)
def test_unlike_runs_are_refused_and_shown_as_such_if_asked(here, measured, capsys, change, words):
    other = altered(measured, here / "other", change)
    assert main(["compare", str(measured), str(other)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert all(w in " ".join(err.split()) for w in words)
    assert "Not comparable" in err
    assert main(["compare", str(measured), str(other), "--anyway", "--json", str(here / "c.json")]) == 0
    out, err = capsys.readouterr()
    assert out.count("B unlike") == 2
    assert words[0] in " ".join(err.split())
    second = json.loads((here / "c.json").read_text())["runs"][1]
    assert not second["comparable"]
    assert second["differs"]


def test_more_rounds_are_no_difference(here, measured, capsys):
    def more(line):
        if line["event"] == "started":
            line["experiment"]["workload"]["trials"] = 99

    assert main(["compare", str(measured), str(altered(measured, here / "other", more))]) == 0


def test_one_run_is_no_comparison(here, measured, capsys):
    assert main(["compare", str(measured)]) == 2
    assert main(["compare", str(measured), str(here)]) == 2
    assert "there is no journal.jsonl" in said(capsys)


# -- presets ------------------------------------------------------------------------------------------------


def save(measured: Path, *more: str) -> Path:
    assert main(["preset", "save", str(measured), "b", *more]) == 0
    return preset_library.find("b")


def rewrite(path: Path, **changes) -> None:
    """The preset with other evidence."""
    preset = presets.load(path)
    presets.write(preset.model_copy(update={"row": preset.row.model_copy(update=changes)}), path)


def test_save_list_and_show(measured, capsys):
    save(measured, "--note", "for the laptop", "--tag", "edge", "--tag", "ci")
    save(measured, "--tag", "edge")
    assert main(["preset", "save", str(measured), "a", "--name", "plain"]) == 0
    capsys.readouterr()
    assert main(["preset", "list"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 2
    assert "b@2: int8_weight_only" in out
    assert "stale" not in out
    assert main(["preset", "list", "--tag", "edge", "--all"]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["b@1", "b@2"]
    assert main(["preset", "list", "--search", "LAPTOP", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)
    assert (listed["name"], listed["version"], listed["tags"], listed["stale"]) == ("b", 1, ["edge", "ci"], [])
    assert main(["preset", "show", "b@1"]) == 0
    out = capsys.readouterr().out
    for words in ("b, version 1", "note: for the laptop", "recipe: int8_weight_only", "environment fingerprint: "):
        assert words in out
    assert main(["preset", "show", "b", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["fingerprints"]["model"] == "f" * 64
    assert shown["row"]["variant"] == "b"


def test_what_has_changed_is_marked(measured, capsys):
    path = save(measured)
    preset = presets.load(path)
    elsewhere = preset.environment.model_copy(update={"cpu": "Other CPU", "versions": {"torch": "1.0"}})
    presets.write(preset.model_copy(update={"environment": elsewhere}), path)
    capsys.readouterr()
    assert main(["preset", "list"]) == 0
    assert "stale: cpu: Other CPU → Fake CPU" in said(capsys)
    assert main(["preset", "show", "b"]) == 0
    assert "stale: torch: 1.0 → 2.13.0" in said(capsys)


def test_without_an_engine_the_rest_is_still_listed(measured, capsys, monkeypatch):
    save(measured)
    monkeypatch.setenv("DYNO_ENGINE", "/no/such/python")
    capsys.readouterr()
    assert main(["preset", "list"]) == 0
    assert "b: int8_weight_only" in said(capsys)


@pytest.mark.parametrize(
    ("stored", "gate", "status"),
    [
        (None, {}, 0),
        (9.0, {}, 1),
        (None, {"gate": "red"}, 0),  # better than it was
        (None, {"gate": "green", "kld_mean": 0.001}, 0),
    ],
)
def test_verify_is_an_exit_status_and_a_line_of_history(measured, capsys, stored, gate, status):
    path = save(measured)
    capsys.readouterr()
    rewrite(path, **gate, **({"speed_ratio": stored} if stored else {}))
    assert main(["preset", "verify", "b", "--margin", "60", "--json"]) == status
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert answer["confirmed"] is (status == 0)
    assert answer["margin"] == pytest.approx(0.6)
    (noted,) = presets.load(path).history
    assert noted.ratio_now == answer["ratio_now"]
    assert noted.gate_now == answer["gate_now"] == "green"  # judged again
    assert noted.kld_now == pytest.approx(0.004)
    assert noted.environment == presets.load(path).environment.fingerprint
    assert "round 1" in err  # progress does not mix with the answer
    assert main(["preset", "show", "b"]) == 0
    assert "verified 20" in said(capsys)


def test_verify_with_other_rounds_into_a_folder(here, measured, capsys):
    save(measured)
    status = main(["preset", "verify", "b", "--rounds", "5", "--margin", "90", "--out", str(here / "new")])
    assert status == 0
    assert "confirmed: " in said(capsys)
    assert compare(open_results(here / "new")).rounds == 5


def test_quality_that_cannot_be_judged_again_is_not_confirmed(measured, capsys, monkeypatch):
    save(measured)
    engine(monkeypatch, "refuses", "--at", "quality", "--only", "b")
    assert main(["preset", "verify", "b", "--margin", "90"]) == 1
    assert "quality could not be judged again" in said(capsys)


def test_a_preset_without_quality_is_verified_without_it(measured, capsys):
    path = save(measured)
    preset = presets.load(path)
    row = preset.row.model_copy(update={"kld_mean": None, "gate": "", "suite_lost": None})
    presets.write(preset.model_copy(update={"quality": None, "row": row}), path)
    assert main(["preset", "verify", "b", "--margin", "90"]) == 0
    assert "gate" not in said(capsys)


def test_a_variant_that_fails_now_is_not_confirmed(measured, capsys, monkeypatch):
    save(measured)
    engine(monkeypatch, "runs_out_of_memory", "--at", "load", "--only", "b")
    assert main(["preset", "verify", "b"]) == 1
    assert "not confirmed" in said(capsys)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--margin", "0"], "--margin"),
        (["--rounds", "0"], "--rounds"),
        (["--out", "/proc/nope"], "cannot be written"),
    ],
)
def test_verify_with_arguments_that_make_no_sense(measured, capsys, more, words):
    save(measured)
    assert main(["preset", "verify", "b", *more]) == 2
    assert words in said(capsys)


def test_a_preset_that_cannot_be_written_is_verified_all_the_same(measured, capsys, monkeypatch):
    save(measured)

    def refuse(path, verification):
        raise presets.PresetError(f"{path}: cannot be written: Read-only file system")

    monkeypatch.setattr(preset_library, "record", refuse)
    assert main(["preset", "verify", "b", "--margin", "90"]) == 0
    assert "the history was not extended" in said(capsys)


def test_files_of_the_recipe_that_changed_end_it_before_anything_is_measured(here, measured, capsys, monkeypatch):
    path = save(measured)
    text = here / "calibration.txt"
    text.write_text("one")
    preset = presets.load(path)
    mark = presets.FileMark(path=str(text), sha256="0" * 64)
    from core.model.finder import resolve
    from core.model.fingerprints import fingerprint

    presets.write(
        preset.model_copy(
            update={
                "files": {"quantization calibration": mark},
                "model": preset.model.model_copy(update={"source": str(here / "small.gguf")}),
                "fingerprint": fingerprint(
                    resolve(preset.model.model_copy(update={"source": str(here / "small.gguf")}))
                ),
            }
        ),
        path,
    )
    monkeypatch.delenv("DYNO_ENGINE")
    monkeypatch.setattr("core.cli.presets.Run", None)  # nothing may be measured
    assert main(["preset", "verify", "b"]) == 2
    assert "calibration.txt has changed" in said(capsys)
