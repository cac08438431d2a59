"""Every column says what it means, and both front ends and the command line say it in the same words."""

from __future__ import annotations

import json

import pytest

from core.analysis.compare import compare
from core.cli.main import main
from core.report import column_dictionary, table_export
from core.results.results import Results
from core.wording.column_meanings import MEANING
from tests.core import build

ALL = list(
    dict.fromkeys(
        [
            *table_export.COMPARISON_COLUMNS,
            *table_export.TRIAL_COLUMNS,
            *table_export.MEMORY_COLUMNS,
            *table_export.METRIC_COLUMNS,
        ]
    )
)


@pytest.mark.parametrize("column", ALL)
def test_every_column_has_a_meaning_with_its_source(column: str) -> None:
    assert column in MEANING, f"say what {column} means in core/wording/column_meanings.py"
    meaning = MEANING[column]
    assert meaning.title
    assert meaning.formula
    assert meaning.source, f"say what {column} is computed from"


def test_no_meaning_is_left_of_a_column_that_is_gone() -> None:
    assert set(MEANING) == set(ALL)


@pytest.mark.parametrize("column", ALL)
def test_a_unit_in_a_name_is_the_unit_of_its_meaning(column: str) -> None:
    units = {"_ms": "ms", "_s": "s", "_tok_s": "tok/s", "_bytes": "B", "_pct": "%", "_j": "J"}
    ending = max(
        (e for e in units if column.removesuffix("_p50").removesuffix("_p95").removesuffix("_p99").endswith(e)),
        key=len,
        default="",
    )
    if ending:
        assert MEANING[column].unit == units[ending]


def test_the_table_of_trials_has_the_columns_that_are_described() -> None:
    results = Results("run")
    for event in build.run([1.5] * 4):
        results.fold(event)
    assert list(table_export.trials_table(results)[0]) == table_export.TRIAL_COLUMNS
    assert list(table_export.comparison_table(compare(results))[0]) == table_export.COMPARISON_COLUMNS


def test_the_dictionary_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics"]) == 0
    text = capsys.readouterr().out
    for column in column_dictionary.columns():
        assert column.name in text
        assert column.formula in text
    assert main(["metrics", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [c["name"] for c in listed] == ALL
    first = next(c for c in listed if c["name"] == "decode_tok_s")
    assert (first["tables"], first["unit"]) == ("comparison.csv, trials.csv", "tok/s")
