"""Where answers part, and what is said of it: cases computed by hand."""

import pytest

from core.protocol.events import Answer
from core.quality import answer_divergence
from core.spec.variant import Variant


def answer(ids: list[int], margins: list[float] | None = None, ended: bool = False) -> Answer:
    return Answer(token_ids=ids, margins=margins or [1.0] * len(ids), text="", ended=ended)


def variant(**slots) -> Variant:
    return Variant.model_validate({"name": "v", **slots})


@pytest.mark.parametrize(
    ("a", "b", "at"),
    [
        ([], [], None),
        ([1, 2, 3], [1, 2, 3], None),
        ([9], [1], 0),
        ([1, 2, 3], [1, 2, 4], 2),
        ([1, 2], [1, 2, 3], 2),
        ([1, 2, 3], [], 0),
    ],
)
def test_first_difference(a, b, at):
    assert answer_divergence.first_difference(a, b) == answer_divergence.first_difference(b, a) == at


def test_the_earliest_position_counts_with_the_margins_there():
    base = [answer([1, 2, 3], [5, 5, 0.5]), answer([4, 5, 6], [5, 0.25, 5]), answer([7])]
    mine = [answer([1, 2, 9], [4, 4, 0.3]), answer([4, 8, 6], [4, 0.125, 4]), answer([7])]
    found = answer_divergence.compare(base, mine)
    assert (found.first, found.margin, found.margin_base) == (1, 0.125, 0.25)
    assert (found.equal, found.prompts) == (1, 3)
    assert found.exact_match_pct == pytest.approx(100 / 3)


def test_answers_that_agree_have_no_position_and_no_margin():
    found = answer_divergence.compare([answer([1, 2])], [answer([1, 2], [9, 9])])
    assert (found.exact_match_pct, found.first, found.margin, found.margin_base) == (100, None, None, None)


def test_an_answer_that_ends_has_no_margin_beyond():
    found = answer_divergence.compare([answer([1, 2])], [answer([1], ended=True)])
    assert (found.first, found.margin, found.margin_base) == (1, None, 1.0)


def test_answers_to_other_prompts_are_not_compared():
    assert answer_divergence.compare([], []) is None
    assert answer_divergence.compare([answer([1])], [answer([1]), answer([2])]) is None


LOOKUP = {"speculation": {"method": "prompt_lookup"}}
INT8 = {"quantization": {"method": "int8_weight_only"}}
PARTED = answer_divergence.Divergence(prompts=4, equal=3, first=2, margin=0.01, margin_base=0.02)


@pytest.mark.parametrize(
    ("base", "mine", "dtypes", "words"),
    [
        ({}, LOOKUP, ("fp32", "fp32"), "not exact"),
        ({"precision": "fp32"}, LOOKUP, ("fp32", "fp32"), "not exact"),
        ({}, LOOKUP, ("bf16", "bf16"), "not lossless in bf16"),
        ({"precision": "bf16"}, LOOKUP, ("bf16", "bf16"), "not lossless in bf16"),
        (INT8, {**INT8, **LOOKUP}, ("fp32", "fp32"), "not lossless in fp32"),
        ({}, INT8, ("fp32", "fp32"), ""),  # nobody says that int8 is exact
        ({}, {**INT8, **LOOKUP}, ("fp32", "fp32"), ""),
        ({}, {"precision": "fp32"}, ("bf16", "fp32"), ""),  # another precision is another model
        ({}, {"precision": "tf32"}, ("fp32", "fp32"), ""),
    ],
)
def test_what_is_said_of_strategies_that_are_called_exact(base, mine, dtypes, words):
    said = answer_divergence.complaint(PARTED, variant(**base), variant(**mine), dtypes)
    assert said.startswith(words)
    assert bool(said) == bool(words)
    if words:
        assert "1 of 4 answers differ from the baseline's, from token 3 on" in said
        assert "0.01" in said
        assert "0.02" in said


def test_nothing_is_said_where_all_agree():
    same = answer_divergence.Divergence(prompts=4, equal=4)
    assert answer_divergence.complaint(same, variant(), variant(**LOOKUP), ("fp32", "fp32")) == ""
