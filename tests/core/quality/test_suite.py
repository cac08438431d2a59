"""Regression suites: every check against answers that pass and that fail, and files that cannot be used."""

import json
import re
import time

import pytest

from core.quality import regression_suite
from tests.tools.documents import block, manual


def one(**fields) -> regression_suite.Check:
    (found,) = regression_suite._lines(json.dumps({"prompt": "p", **fields}), "file")
    return found


SCHEMA = {"type": "object", "required": ["age"], "properties": {"age": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("fields", "good", "bad"),
    [
        ({"contains": "paris"}, ["It is PARIS."], ["It is Rome.", ""]),
        ({"contains": ["red", "Blue"]}, ["blue and red"], ["blue only", "red only"]),
        ({"regex": r"\b\d{4}\b"}, ["in 1984 or so"], ["in 84", "19845"]),
        ({"regex": "(?i)^yes"}, ["YES, it is"], ["oh yes"]),
        ({"exact": "ready"}, ["ready", " ready\n"], ["Ready", "ready!", ""]),
        ({"numeric": 19}, ["12 + 7 = 19", "19.", "19.0", "1.9e1"], ["19 or 20", "nineteen", "", "-19"]),
        ({"numeric": 100, "tolerance": 0.5}, ["99.6 °C", "100.5"], ["101", "99.4"]),
        ({"numeric": 15}, ["10-15", "no-15", "9−15"], ["-15", "(-15)", "10 - 14"]),
        ({"numeric": -1200}, ["-1,200", "−1200"], ["1,200", "- 1 200"]),
        ({"numeric": 0.5}, [".5", "0.50"], ["5"]),
        ({"json_schema": SCHEMA}, ['{"age": 3}', 'Here:\n```json\n{"age": 3, "a": []}\n```'], ['{"age": "3"}', "{}"]),
        (
            {"json_schema": {"type": "array", "minItems": 2}},
            ["so: [1, 2] and {}", "[as asked] [1, 2]"],
            ["[1]", "none", "[1, 2", "{}"],
        ),
        ({"json_schema": {"properties": {"a": {"pattern": "^x+$"}}}}, ['{"a": "xx"}'], ['{"a": "xy"}']),
        ({"contains": "a", "regex": "b"}, ["ab"], ["a", "b"]),
    ],
)
def test_checks(fields, good, bad):
    check = one(**fields)
    for answer in good:
        found = check.held_against(answer)
        assert found.passed is True, (answer, found.why)
        assert found.why == ""
    for answer in bad:
        found = check.held_against(answer)
        assert found.passed is False, answer
        assert found.why


def test_a_pattern_that_never_ends_is_not_judged(monkeypatch):
    monkeypatch.setattr("core.quality.json_schema.PATTERN_S", 0.2)
    answer = "a" * 40 + "b"
    for check in (one(regex="^(a|aa)+$"), one(json_schema={"items": {"pattern": "^(a|aa)+$"}})):
        begin = time.monotonic()
        found = check.held_against(json.dumps([answer]) if check.json_schema else answer)
        assert found.passed is None
        assert "takes longer than 0.2 s" in found.why
        assert time.monotonic() - begin < 30  # it would be hours


def test_a_part_that_fails_decides_where_another_cannot_be_judged(monkeypatch):
    monkeypatch.setattr("core.quality.json_schema.PATTERN_S", 0.2)
    check = one(regex="^(a|aa)+$", exact="something else")
    assert check.held_against("a" * 40 + "b").passed is False


def test_a_schema_that_refers_to_itself_without_end_is_not_judged():
    assert one(json_schema={"$ref": "#"}).held_against("{}").passed is None
    assert one(json_schema={"$ref": "#/$defs/none"}).held_against("{}").passed is None


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ("{", "line 2", "not JSON"),
        ('"text"', "line 2", "expected an object"),
        ('{"contains": "x"}', "line 2, prompt", "required"),
        ('{"prompt": ""  , "contains": "x"}', "line 2, prompt", "at least 1"),
        ('{"prompt": "p"}', "line 2", "needs one of contains, regex, exact, numeric, json_schema"),
        ('{"prompt": "p", "contain": "x"}', "line 2, contain", "not known"),
        ('{"prompt": "p", "contains": ""}', "line 2, contains", "empty"),
        ('{"prompt": "p", "contains": ["a", ""]}', "line 2, contains", "empty"),
        ('{"prompt": "p", "regex": "(a"}', "line 2, regex", "not a regular expression"),
        ('{"prompt": "p", "numeric": "7"}', "line 2, numeric", "number"),
        ('{"prompt": "p", "numeric": NaN}', "line 2, numeric", "finite"),
        ('{"prompt": "p", "exact": "x", "tolerance": 1}', "line 2", "tolerance goes with numeric"),
        ('{"prompt": "p", "numeric": 1, "tolerance": -1}', "line 2, tolerance", "greater than or equal to 0"),
        ('{"prompt": "p", "json_schema": {"type": "thing"}}', "line 2, json_schema", "type"),
        ('{"prompt": "p", "json_schema": {"pattern": "("}}', "line 2, json_schema", "pattern"),
        (
            '{"prompt": "p", "json_schema": {"$ref": "https://example.org/s"}}',
            "line 2, json_schema",
            "nothing is fetched",
        ),
        ('{"prompt": "p", "json_schema": {"patternProperties": {}}}', "line 2, json_schema", "not supported"),
        ('{"prompt": "\\ud800", "exact": "x"}', "line 2", "surrogate"),
        ('{"prompt": "p", "exact": "x", "name": "first"}', "line 2, name", "is the name of line 1 already"),
    ],
)
def test_a_fault_names_file_line_and_field(tmp_path, line, place, words):
    file = tmp_path / "mine.jsonl"
    file.write_text('{"name": "first", "prompt": "p", "exact": "x"}\n' + line + "\n")
    with pytest.raises(regression_suite.SuiteError) as caught:
        regression_suite.read(str(file))
    message = str(caught.value)
    assert message.startswith(f"quality.suite: {file}, {place}"), message
    assert words in message
    assert "\n" not in message


def test_files_that_are_none(tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n \n")
    (tmp_path / "latin.jsonl").write_bytes(b'{"prompt": "\xe9"}')
    for name, words in (
        ("nothing", "there is no built-in suite 'nothing' (there are: basic)"),
        (str(tmp_path / "none.jsonl"), "cannot be read"),
        (str(tmp_path / "empty.jsonl"), "holds no prompt"),
        (str(tmp_path / "latin.jsonl"), "not UTF-8"),
    ):
        with pytest.raises(regression_suite.SuiteError, match=re.escape(words)):
            regression_suite.read(name)


def test_lines_without_a_name_are_named_by_their_number(tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text('\ufeff{"prompt": "p", "exact": "x"}\n\n{"prompt": "p", "exact": "x"}\n')
    assert [c.name for c in regression_suite.read(str(file))] == ["line 1", "line 3"]


def test_the_bundled_suite():
    basic = regression_suite.read("basic")
    assert len(basic) == 20
    used = {kind for c in basic for kind in regression_suite._KINDS if getattr(c, kind) is not None}
    assert used == set(regression_suite._KINDS)
    checked = regression_suite.check(basic, ["" for _ in basic])
    assert [c.passed for c in checked] == [False] * 20  # no answer at all passes nowhere


def test_the_manual_shows_a_suite_that_can_be_read(tmp_path):
    example = block(manual()["suite"], "json")
    (tmp_path / "mine.jsonl").write_text(example, "utf-8")
    found = regression_suite.read(str(tmp_path / "mine.jsonl"))
    assert {kind for c in found for kind in regression_suite._KINDS if getattr(c, kind) is not None} == set(
        regression_suite._KINDS
    )
    assert found[1].held_against("It was in 1984.").passed is True
