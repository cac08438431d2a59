"""The command line from end to end: the real engine on the demo model, through `main()`."""

import csv
import json
import re

import pytest

from app.__main__ import main
from tests.tools.documents import block, commands, manual, readme

pytestmark = pytest.mark.demo

EXPERIMENT = """
[model]
source = "demo"
[workload]
prompts = "rewrite"
prompt_tokens = 96
new_tokens = 12
trials = 4
[[variant]]
name = "baseline"
[[variant]]
name = "int8 + lookup"
quantization = { method = "int8_weight_only" }
speculation = { method = "prompt_lookup", draft_tokens = 5, adaptive = false }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("e2e")


@pytest.fixture(autouse=True)
def data(folder, monkeypatch):
    monkeypatch.setenv("DYNO_DATA", str(folder / "data"))


@pytest.fixture(scope="module")
def run(folder, demo_cache):
    """One real run for all tests of this module: its exit status and its folder."""
    (folder / "e.toml").write_text(EXPERIMENT)
    out = folder / "run"
    arguments = ["run", str(folder / "e.toml"), "--out", str(out)]
    status = main([*arguments, "--csv", str(folder / "c.csv"), "--json", str(folder / "c.json")])
    return status, out


def test_run_writes_everything(run, folder):
    status, out = run
    assert status == 0
    written = {"comparison.csv", "experiment.json", "journal.jsonl", "metrics.csv", "trials.csv"}
    assert {p.name for p in out.iterdir()} == written
    rows = list(csv.DictReader((folder / "c.csv").open(encoding="utf-8")))
    assert (out / "comparison.csv").read_text() == (folder / "c.csv").read_text()
    base, other = rows
    assert (base["status"], base["verdict"], other["status"]) == ("ok", "baseline", "ok")
    assert other["receipt_ok"] == "True"
    assert int(other["weights_bytes"]) < int(base["weights_bytes"])
    assert float(other["speed_ratio"]) > 0
    assert other["verdict"] in ("faster", "slower", "within_margin", "undecided")
    assert float(other["mean_accepted_length"]) > 1  # rewriting repeats the prompt
    element = {"bf16": 2, "fp32": 4}[base["dtype"]]  # whichever the processor computes
    assert int(base["kv_bytes"]) == 2 * 30 * 3 * 64 * element * (96 + 12 - 1)  # layers, KV heads, their width
    trials = list(csv.DictReader((out / "trials.csv").open(encoding="utf-8")))
    assert len(trials) == 8
    assert {(t["prompt_tokens"], t["new_tokens"]) for t in trials} == {("96", "12")}


def test_json_has_environment_and_receipts(run, folder):
    data = json.loads((folder / "c.json").read_text("utf-8"))
    assert data["environment"]["versions"]["torch"]
    receipts = {r["slot"]: r for r in data["variants"][1]["receipts"]}
    assert receipts["quantization"]["detail"]["quantized_layers"] == 210
    assert receipts["speculation"]["detail"]["drafted"] > 0


def test_show_replays_it(run, capsys):
    _, out = run
    assert main(["show", str(out)]) == 0
    assert "int8 + lookup" in capsys.readouterr().out


@pytest.mark.long
def test_preset_save_list_show_export_verify(run, folder, capsys):
    _, out = run
    assert main(["preset", "save", str(out), "int8 + lookup"]) == 0
    assert main(["preset", "list"]) == 0
    assert "prompt_lookup" in capsys.readouterr().out
    assert main(["preset", "show", "int8-lookup", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["row"]["variant"] == "int8 + lookup"
    script = folder / "preset.py"
    assert main(["preset", "export", "int8-lookup", str(folder / "again.toml"), "--script", str(script)]) == 0
    assert "MODEL is what Dyno made of" in script.read_text("utf-8")  # the converted folder
    compile(script.read_text("utf-8"), "preset.py", "exec")
    status = main(["preset", "verify", "int8-lookup"])
    said = capsys.readouterr().out
    assert re.search(r"(not )?confirmed: \d", said)
    assert status == (1 if "not confirmed" in said else 0)


def test_a_variant_that_cannot_run_leaves_the_rest(folder, demo_cache, capsys):
    text = EXPERIMENT.replace("trials = 4", "trials = 1").replace(
        'speculation = { method = "prompt_lookup", draft_tokens = 5, adaptive = false }', ""
    )
    text = text.replace('method = "int8_weight_only"', 'method = "int4_weight_only", group_size = 128')
    (folder / "refused.toml").write_text(text)
    assert main(["run", str(folder / "refused.toml"), "--out", str(folder / "refused")]) == 1
    rows = list(csv.DictReader((folder / "refused" / "comparison.csv").open(encoding="utf-8")))
    assert [r["status"] for r in rows] == ["ok", "refused"]
    assert "576 inputs" in rows[1]["error"]


@pytest.mark.long
def test_several_requests_at_once_as_in_the_manual(folder, demo_cache):
    """The manual's experiment, smaller: three ways of batching, a row and its columns each."""
    text = block(manual()["requests"], "toml")
    for key, value in (("prompt_tokens", 40), ("new_tokens", 4), ("concurrency", 2), ("requests", 3)):
        text = re.sub(rf"^{key} = \d+", f"{key} = {value}", text, flags=re.MULTILINE)
    (folder / "several.toml").write_text(text.replace("[workload]", "[workload]\ntrials = 1"))
    assert main(["run", str(folder / "several.toml"), "--out", str(folder / "several")]) == 0
    rows = list(csv.DictReader((folder / "several" / "comparison.csv").open(encoding="utf-8")))
    assert [r["variant"] for r in rows] == ["one by one", "static", "continuous"]
    for row in rows:
        assert (row["status"], row["concurrency"], row["requests"]) == ("ok", "2", "3")
        assert row["receipt_ok"] in ("True", "")
        for name in ("aggregate_tok_s", "per_user_tok_s", "request_rate", "e2e_ms_p50", "prefill_ms", "sample_ms"):
            assert float(row[name]) > 0
    assert float(rows[0]["queue_ms_p50"]) > float(rows[2]["queue_ms_p50"])  # one by one, somebody has to wait
    trials = list(csv.DictReader((folder / "several" / "trials.csv").open(encoding="utf-8")))
    assert [t["new_tokens"] for t in trials] == ["12", "12", "12"]
    assert {t["mean_occupancy"] != "" for t in trials} == {True}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("trials = 4", "trials = 0"), "workload.trials"),
        (('method = "int8_weight_only"', 'method = "int7"'), "variant[1].quantization: there is no method 'int7'"),
        (("new_tokens = 12", "new_token = 12"), "workload.new_token: this key is not known"),
        (("draft_tokens = 5", "draft_tokens = 0"), "variant[1].speculation.draft_tokens"),
        (('prompts = "rewrite"', 'prompts = "nope"'), "workload.prompts"),
        (('name = "int8 + lookup"', 'name = "baseline"'), "two variants are named"),
        (('source = "demo"', 'source = "/no/such/folder"'), "model.source: /no/such/folder"),
    ],
)
def test_invalid_input_exits_2_and_names_the_place(folder, capsys, change, words):
    path = folder / "bad.toml"
    path.write_text(EXPERIMENT.replace(*change))
    assert main(["run", str(path), "--out", str(folder / "never")]) == 2
    assert words in capsys.readouterr().err.replace("\n", "")
    assert not (folder / "never").exists()


def test_what_cannot_be_read_or_written_exits_2(folder, capsys):
    assert main(["run", str(folder / "absent.toml")]) == 2
    assert main(["show", str(folder)]) == 2
    assert main(["preset", "show", "absent"]) == 2
    (folder / "good.toml").write_text(EXPERIMENT)
    assert main(["run", str(folder / "good.toml"), "--out", "/proc/nope"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_strategies_and_env(capsys):
    assert main(["strategies", "--json"]) == 0
    listed = {(s["slot"], s["method"]): s for s in json.loads(capsys.readouterr().out)}
    group = listed["quantization", "int4_weight_only"]["parameters"]["group_size"]
    assert group["enum"] == [32, 64, 128, 256]
    assert all("unavailable" in s and s["summary"] for s in listed.values())
    assert main(["strategies"]) == 0
    assert 'quantization = { method = "nf4" }' in capsys.readouterr().out
    assert main(["env", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["versions"]["torch"]
    assert main(["env"]) == 0


def test_the_readme_example_is_the_one_that_is_tested():
    for text in (readme(), manual()["experiments"]):
        assert 'name = "int8 + lookup"' in text
    assert {"make run", "make test"} <= {line.split(" #")[0].strip() for line in commands(readme())}
