"""`dyno prompts`, without an engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli.main import main
from core.spec.prompt_sets import ABOUT


def test_the_list_says_what_each_set_stresses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompts", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {item["name"]: item["about"] for item in listed} == ABOUT
    assert main(["prompts"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ABOUT)


def test_the_figures_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.json"
    asked = ["Why?", "How long is a piece of string?"]
    path.write_text(json.dumps([{"conversations": [{"from": "human", "value": text}]} for text in asked]))
    assert main(["prompts", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["prompts"], said["unit"], said["lengths"]) == (2, "characters", [4, 30])
    assert (said["shortest"], said["longest"], said["median"]) == (4, 30, 17)
    assert main(["prompts", str(path)]) == 0
    assert "characters: 4 to 30, median 17" in capsys.readouterr().out


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.json"
    path.write_text("{}")
    assert main(["prompts", str(path)]) == 2
    assert f"{path}: expected a list of conversations" in capsys.readouterr().err.replace("\n", "")
