"""What a run asked for, in the words of the forms."""

import pytest

from app.compare.compare_rows import entries_of
from app.text.recipe_text import beneath, recipe_in, requested
from core.analysis.compare import compare
from core.analysis.measures import SPEED
from core.model.receipt import Receipt
from tests.app.streams import Made, Stream, fresh

MANY = (
    Made("base", 24.0, 1 << 28),
    Made("small", 55.0, 1 << 27, {"quantization": {"method": "int4_weight_only", "group_size": 64}}),
    Made("guessing", 30.0, 1 << 28, {"speculation": {"method": "prompt_lookup", "draft_tokens": 8}}),
)


@pytest.fixture
def results(qapp):
    session = fresh(qapp)
    session.feed(Stream(MANY, rounds=4), live=False)
    return session.results


@pytest.mark.parametrize(
    ("name", "slot", "written", "said"),
    [
        ("small", "quantization", "int4_weight_only g64, head int8", "int4 weights g64, head int8"),
        ("guessing", "speculation", "prompt_lookup draft_tokens=8, up to 8 draft tokens",
         "Prompt lookup, draft tokens 8, up to 8 draft tokens"),
        ("guessing", "speculation", "8 tokens", "8 tokens"),  # says it in words already
        ("base", "precision", "default", "default"),  # nothing was asked for
        ("gone", "precision", "bf16", "bf16"),
    ],
)  # fmt: skip
def test_a_receipt_tells_what_was_asked_for_by_its_title(results, name, slot, written, said):
    receipt = Receipt(slot=slot, requested=written, effective="", matches=True)
    assert requested(results, name, receipt) == said


def test_rows_of_the_comparison_have_their_recipe_in_words(results):
    lines = entries_of(results, compare(results), SPEED, list(results.variants).index)
    words = ["as loaded", "int4 weights, group size 64", "Prompt lookup, draft tokens 8"]
    assert [line.recipe for line in lines] == words
    assert [recipe_in(results, name) for name in results.variants] == words
    assert recipe_in(None, "small") == recipe_in(results, "gone") == ""
    assert lines[1].row.recipe == "int4_weight_only group_size=64"  # as files have it


def test_a_name_that_says_the_recipe_has_none_below_it():
    assert beneath("int8 weights", "int8 weights") == beneath("prompt lookup", "Prompt lookup") == ""
    assert beneath("small", "int8 weights, head kept") == "int8 weights, head kept"
