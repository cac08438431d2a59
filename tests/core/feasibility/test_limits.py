"""What is known to spoil a run before it begins: nothing of what is usual, and each limit at its edge."""

from __future__ import annotations

import pytest

from core.feasibility.context_limits import few_chunks, limits
from core.feasibility.environment_check import check
from core.quality.distribution_metrics import MIN_CHUNKS
from core.spec.experiment import QualitySettings, parse
from tests.core.feasibility.test_check import GOOD


def told(context: int | None = None, quality: object = True, **workload: object) -> dict[str, str]:
    data = {"workload": workload, "quality": quality, "variant": [{"name": "a"}]}
    return {one.field: one.text for one in limits(parse(data), context)}


def test_nothing_is_said_of_what_is_usual() -> None:
    assert told() == told(4096) == told(quality=False) == {}


@pytest.mark.parametrize("window", [8, 128, 512])
def test_a_text_that_is_too_short_for_an_interval_says_what_is_long_enough(window: int) -> None:
    quality = QualitySettings(tokens=64, window=window)
    words = few_chunks(quality) or few_chunks(quality.model_copy(update={"window": 128}))
    assert f"takes {MIN_CHUNKS}" in words
    enough = MIN_CHUNKS * (window // 2)
    if enough >= 64:
        assert few_chunks(QualitySettings(tokens=enough, window=window)) == ""
        short = few_chunks(QualitySettings(tokens=max(64, enough - window // 2), window=window))
        assert (f"set tokens to {enough} or more" in short) == (enough - window // 2 >= 64)
    assert told(quality={"tokens": 256})["quality.tokens"].startswith("4 chunks of text are too few for an interval")


@pytest.mark.parametrize(
    ("workload", "quality", "field", "words"),
    [
        ({"prompt_tokens": 500, "new_tokens": 13}, False, "workload.prompt_tokens", "513 prompt and new tokens"),
        ({"new_tokens": 1}, False, "workload.new_tokens", "there is no decode rate"),
        ({"until_pct": 2.0, "max_trials": 12}, False, "workload.max_trials", "before round 16"),
        ({}, {"tokens": 40_000}, "quality.tokens", "40,064 are needed"),
        ({}, {"window": 514, "tokens": 9000}, "quality.window", "a window of 514 tokens is beyond"),
        ({"new_tokens": 8}, {"answer_tokens": 400}, "quality.answer_tokens", "an answer of 400"),
    ],
)
def test_each_limit_names_its_field(workload: dict, quality: object, field: str, words: str) -> None:
    found = told(512, quality, **workload)
    assert list(found) == [field]
    assert words in found[field]


def test_a_file_of_text_is_judged_by_its_size(tmp_path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("word " * 2000)
    assert "some 2,500 tokens, and 4,064" in told(quality={"text": str(path), "tokens": 4000})["quality.tokens"]
    assert told(quality={"text": str(path)}) == told(quality={"text": str(tmp_path / "none.txt")}) == {}


def test_the_check_says_them_and_counts_what_would_be_refused() -> None:
    data = {"quality": {"tokens": 256}, "variant": [{"name": "a"}]}
    (one,) = check(GOOD, parse(data | {"model": {"source": "a/b"}}))
    assert (one.level, one.about, one.prevents) == ("workload", "quality.tokens", False)
    assert one.line().startswith("this experiment: quality.tokens: 4 chunks")
    found = check(GOOD, parse({"variant": [{"name": "a"}], "model": {"source": "a/b"}}), context=64)
    assert [(f.about, f.prevents) for f in found] == [("workload.prompt_tokens", True)]
