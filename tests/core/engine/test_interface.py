"""Differences between what two models accept and return: a line for each."""

import pytest

from core.protocol.events import Interface
from core.quality.interface_diff import differences

BASE = Interface(
    inputs=["input_ids", "attention_mask", "labels"],
    logits_shape=[2, 4, 320],
    logits_dtype="float32",
    vocabulary=320,
    tokens=258,
    special_tokens={"eos_token": "</s>", "model.eos_token_id": 257},
    chat_template="ab" * 32,
    max_length=512,
    generation={"eos_token_id": 257},
)


def lines(*dtypes: str, **changes) -> list[tuple[str, bool]]:
    found = differences(BASE, BASE.model_copy(update=changes), dtypes or ("fp32", "fp32"))
    return [(d.text, d.expected) for d in found]


def test_the_same_interface_has_no_line():
    assert lines() == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"logits_shape": [2, 4, 300]}, "logits shape: 2 × 4 × 320 → 2 × 4 × 300"),
        ({"vocabulary": 300}, "vocabulary size: 320 → 300"),
        ({"tokens": 259}, "tokens that the tokenizer knows: 258 → 259"),
        ({"chat_template": ""}, "chat template: abababababab… → none"),
        ({"max_length": None}, "longest context: 512 → none"),
        ({"inputs": ["input_ids", "attention_mask"]}, "forward no longer takes labels"),
        ({"inputs": [*BASE.inputs, "x", "y"]}, "forward also takes x, y"),
        ({"inputs": ["attention_mask", "input_ids", "labels"]}, "forward takes its inputs in another order"),
        (
            {"special_tokens": {"eos_token": "<e>", "model.eos_token_id": 257}},
            "special token eos_token: </s> → <e>",
        ),
        ({"special_tokens": {"eos_token": "</s>"}}, "special token model.eos_token_id: 257 → none"),
        ({"generation": {}}, "generation setting eos_token_id: 257 → none"),
        ({"logits_dtype": "bfloat16"}, "logits type: float32 → bfloat16"),
    ],
)
def test_each_difference_is_a_line(changes, words):
    assert lines(**changes) == [(words, False)]


def test_logits_that_follow_another_precision_are_expected():
    assert lines("fp32", "bf16", logits_dtype="bfloat16") == [
        ("logits type: float32 → bfloat16, as the other precision has it", True)
    ]


def test_several_differences_are_several_lines():
    assert len(lines(vocabulary=300, logits_shape=[2, 4, 300], max_length=256)) == 3
