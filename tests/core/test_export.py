import csv
import io
import json
import os
import threading

import pytest

from core import export
from core.results import Results
from tests.core import build

COLUMNS = (
    "schema_version experiment model variant status recipe trials ttft_ms_p50 tpot_ms_p50 itl_ms_p50 itl_ms_p95 "
    "decode_tok_s prefill_tok_s speed_ratio speed_ratio_low speed_ratio_high verdict load_s warmup_s "
    "weights_bytes kv_bytes peak_process_bytes peak_allocated_bytes error receipt_ok flags"
).split()  # fmt: skip


@pytest.fixture
def results():
    found = Results("run-1")
    for event in build.run([1.5, 1.4, 1.6, 1.5], names=("a", "=cmd()")):
        found.add(event)
    return found


def test_the_comparison_is_tidy(tmp_path, results):
    export.write_comparison(results.comparison(), tmp_path / "c.csv")
    rows = list(csv.DictReader((tmp_path / "c.csv").open(encoding="utf-8")))
    assert list(rows[0])[: len(COLUMNS)] == COLUMNS  # only ever appended to
    assert [r["variant"] for r in rows] == ["a", "'=cmd()"]
    assert rows[0]["peak_allocated_bytes"] == ""  # not available is empty, never 0
    assert float(rows[1]["speed_ratio"]) == pytest.approx(1.5, rel=0.02)
    assert (rows[1]["verdict"], rows[1]["trials"], rows[1]["weights_bytes"]) == ("faster", "4", "1000")


def test_trials_have_a_row_each(tmp_path, results):
    export.write_trials(results, tmp_path / "t.csv")
    rows = list(csv.DictReader((tmp_path / "t.csv").open(encoding="utf-8")))
    assert list(rows[0]) == export.TRIAL_COLUMNS
    assert len(rows) == 8
    assert float(rows[0]["decode_tok_s"]) == pytest.approx(100)
    assert rows[0]["new_tokens"] == "9"


def test_json_has_the_columns_and_the_receipts(tmp_path, results):
    export.write_json(results.comparison(), tmp_path / "c.json")
    data = json.loads((tmp_path / "c.json").read_text("utf-8"))
    assert set(data) == {"schema_version", "environment", "variants"}
    assert set(data["variants"][0]) == {*export.COMPARISON_COLUMNS, "receipts"}
    assert set(data["variants"][0]["receipts"][0]) == {"slot", "requested", "effective", "matches", "detail"}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_no_text_becomes_a_formula(start):
    found = Results("run-1")
    for event in build.run([1.5], names=("a", f"{start}1+1")):
        found.add(event)
    rows = list(csv.DictReader(io.StringIO(export.tsv(found.comparison())), delimiter="\t"))
    assert rows[1]["variant"] == f"'{start}1+1"


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path, results):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")))
    reader.start()
    export.write_comparison(results.comparison(), pipe)
    reader.join(10)
    assert read[0].startswith("schema_version,")
    assert pipe.is_fifo()


def test_a_run_without_trials_has_a_header(tmp_path):
    found = Results("run-1")
    found.add(build.started(["a"], 3))
    export.write_trials(found, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().strip() == ",".join(export.TRIAL_COLUMNS)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_write_that_fails_leaves_the_old_file(tmp_path, results):
    target = tmp_path / "c.csv"
    target.write_text("old")
    os.symlink("/dev/full", tmp_path / "c.csv.part")
    with pytest.raises(OSError, match="No space left"):
        export.write_comparison(results.comparison(), target)
    assert target.read_text() == "old"
