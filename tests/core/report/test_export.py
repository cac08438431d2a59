import csv
import io
import json
import os
import threading

import pytest

from core.analysis.compare import compare
from core.protocol import events
from core.report import table_export
from core.results.results import Results
from tests.core import build

COLUMNS = (
    "schema_version experiment model variant status recipe trials ttft_ms_p50 tpot_ms_p50 itl_ms_p50 itl_ms_p95 "
    "decode_tok_s prefill_tok_s speed_ratio speed_ratio_low speed_ratio_high verdict load_s warmup_s "
    "weights_bytes kv_bytes peak_process_bytes peak_allocated_bytes error receipt_ok flags"
).split()  # fmt: skip
SEVERAL = "concurrency requests aggregate_tok_s per_user_tok_s request_rate queue_ms_p50 e2e_ms_p50".split()
PARTS = "tokenize_ms prefill_ms decode_ms sample_ms detokenize_ms".split()


@pytest.fixture
def results():
    found = Results("run-1")
    for event in build.run([1.5, 1.4, 1.6, 1.5], names=("a", "=cmd()")):
        found.fold(event)
    return found


def test_the_comparison_is_tidy(tmp_path, results):
    table_export.write_comparison(compare(results), tmp_path / "c.csv")
    rows = list(csv.DictReader((tmp_path / "c.csv").open(encoding="utf-8")))
    assert list(rows[0])[: len(COLUMNS)] == COLUMNS  # only ever appended to
    assert [r["variant"] for r in rows] == ["a", "'=cmd()"]
    assert rows[0]["peak_allocated_bytes"] == ""  # not available is empty, never 0
    assert float(rows[1]["speed_ratio"]) == pytest.approx(1.5, rel=0.02)
    assert (rows[1]["verdict"], rows[1]["trials"], rows[1]["weights_bytes"]) == ("faster", "4", "1000")


def test_trials_have_a_row_each(tmp_path, results):
    table_export.write_trials(results, tmp_path / "t.csv")
    rows = list(csv.DictReader((tmp_path / "t.csv").open(encoding="utf-8")))
    assert list(rows[0]) == table_export.TRIAL_COLUMNS
    assert len(rows) == 8
    assert float(rows[0]["decode_tok_s"]) == pytest.approx(100)
    assert rows[0]["new_tokens"] == "9"


def test_columns_of_several_requests_are_appended(tmp_path):
    parts = events.Breakdown(queue_ms=1, prefill_ms=50, decode_ms=80, tokenize_ms=0.5, sample_ms=2, detokenize_ms=0.25)
    batch = events.Batching(
        slots=2, steps=17, mean_occupancy=1.5, prefill_chunks=3, widest_step=9, longest_step_ms=12.5
    )  # fmt: skip
    found = Results("run-1")
    for event in build.run([2.0] * 4, concurrency=2, breakdown=parts, batching=batch):
        found.fold(event)
    table_export.write_comparison(compare(found), tmp_path / "c.csv")
    row = next(csv.DictReader((tmp_path / "c.csv").open(encoding="utf-8")))
    assert [name for name in row if name in {*SEVERAL, *PARTS}] == SEVERAL + PARTS
    assert list(row).index("concurrency") > list(row).index("hint")
    assert [row[name] for name in PARTS] == ["0.5", "50.0", "80.0", "2.0", "0.25"]
    assert float(row["aggregate_tok_s"]) == pytest.approx(9 / 0.130)  # 9 tokens: 50 ms, then 10 ms each
    assert float(row["per_user_tok_s"]) == float(row["decode_tok_s"]) == pytest.approx(100)
    assert float(row["request_rate"]) == pytest.approx(1 / 0.130)
    assert (float(row["queue_ms_p50"]), float(row["e2e_ms_p50"])) == (0, 130)
    table_export.write_trials(found, tmp_path / "t.csv")
    trial = next(csv.DictReader((tmp_path / "t.csv").open(encoding="utf-8")))
    assert [trial[name] for name in ("concurrency", "requests", "steps", "longest_step_ms")] == ["2", "1", "17", "12.5"]
    assert [trial[name] for name in PARTS] == ["0.5", "50.0", "80.0", "2.0", "0.25"]


def test_json_has_the_columns_and_the_receipts(tmp_path, results):
    table_export.write_json(compare(results), tmp_path / "c.json")
    data = json.loads((tmp_path / "c.json").read_text("utf-8"))
    assert set(data) == {"schema_version", "environment", "machine", "advice", "variants"}
    assert set(data["variants"][0]) == {*table_export.COMPARISON_COLUMNS, "receipts"}
    assert set(data["variants"][0]["receipts"][0]) == {"slot", "requested", "effective", "matches", "detail"}


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_no_text_becomes_a_formula(start):
    found = Results("run-1")
    for event in build.run([1.5], names=("a", f"{start}1+1")):
        found.fold(event)
    rows = list(csv.DictReader(io.StringIO(table_export.tsv(compare(found))), delimiter="\t"))
    assert rows[1]["variant"] == f"'{start}1+1"


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path, results):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")))
    reader.start()
    table_export.write_comparison(compare(results), pipe)
    reader.join(10)
    assert read[0].startswith("schema_version,")
    assert pipe.is_fifo()


def test_a_run_without_trials_has_a_header(tmp_path):
    found = Results("run-1")
    found.fold(build.started(["a"], 3))
    table_export.write_trials(found, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().strip() == ",".join(table_export.TRIAL_COLUMNS)
