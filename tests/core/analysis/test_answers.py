"""Greedy answers with their natural end, against a loop of a few lines that computes everything anew; whatever
decodes them. What the model says of its interface."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from core.engine.base.failures import Refused
from core.engine.base.runtime import Runtime
from core.engine.load.model_interface import interface
from core.engine.serve.answers import answer
from core.protocol.commands import AnswersCommand
from core.protocol.events import Answer, Answers, Progress
from core.quality.interface_diff import differences
from tests.core.kernels.test_strategies import load
from tests.core.tiny import BOS, EOS, save_tiny

TEXTS = ["the cat sat on the mat; the cat sat on the ", "one two three one two three one", "x", "Why is that so?"]
CAP = 20


class Kept:
    """A channel that keeps what it is given."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.phases: list[str] = []

    def send(self, event: Any) -> None:
        self.sent.append(event)

    def enter(self, phase: str, **_: Any) -> None:
        self.phases.append(phase)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


@pytest.fixture(scope="module")
def plain(folder: Path) -> Runtime:
    return load(folder)


def answers(runtime: Runtime, texts: list[str] = TEXTS, cap: int = CAP, ends: tuple[int, ...] = ()) -> list[Answer]:
    runtime.forbidden = [EOS, *ends]
    channel = Kept()
    answer(runtime, AnswersCommand(purpose="suite", prompts=texts, max_tokens=cap), channel)  # type: ignore[arg-type]
    assert channel.phases == ["quality"]
    *progress, last = channel.sent
    assert isinstance(last, Answers)
    assert last.purpose == "suite"
    assert [p.done for p in progress if isinstance(p, Progress)] == list(range(1, len(texts) + 1))
    return last.answers


@pytest.fixture(scope="module")
def expected(plain: Runtime) -> list[tuple[list[int], list[float]]]:
    """Tokens and margins without a cache and without an end: the whole context again for every token."""
    found = []
    for text in TEXTS:
        context, margins = list(text.encode()), []
        while len(margins) < CAP:
            with torch.inference_mode():
                logits = plain.model(torch.tensor([context])).logits[0, -1]
            first, second = logits.sort(descending=True).values[:2].tolist()
            context.append(int(logits.argmax()))
            margins.append(first - second)
        found.append((context[-CAP:], margins))
    return found


VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "lookup": {"speculation": {"method": "prompt_lookup", "adaptive": False}},
    "adaptive lookup": {"speculation": {"method": "prompt_lookup"}},
    "early exit": {"speculation": {"method": "early_exit", "adaptive": False}},
    "static cache": {"kv_cache": "static"},
    "no cache": {"kv_cache": "none"},
    "static batch": {"batching": "static"},
    "continuous": {"batching": {"method": "continuous", "token_budget": 24}},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_way_of_decoding_gives_the_same_answers(
    folder: Path, expected: list[tuple[list[int], list[float]]], name: str
) -> None:
    runtime = load(folder, **VARIANTS[name])
    all_ids = [token for ids, _ in expected for token in ids]
    assert EOS not in all_ids
    often = max(all_ids, key=all_ids.count)  # a token that really comes up takes the place of EOS
    for ends in ((), (often,)):
        found = answers(runtime, ends=ends)
        for one, (ids, margins) in zip(found, expected, strict=True):
            count = ids.index(often) + 1 if ends and often in ids else CAP
            assert one.token_ids == ids[:count]
            assert one.margins == pytest.approx(margins[:count], abs=1e-3)
            assert one.ended == bool(ends and often in ids)
        assert any(one.ended for one in found) == bool(ends)
    if name == "early exit":
        assert runtime.decoder is not None
        assert runtime.decoder.drafted > 0  # the guesses were made on this path


def test_text_leaves_out_the_end(plain: Runtime) -> None:
    (one,) = answers(plain, ["ab"], ends=())
    assert one.text == plain.tokenizer.decode(one.token_ids, skip_special_tokens=True)
    assert "</s>" not in one.text


def test_the_answer_is_no_longer_than_the_cap(folder: Path) -> None:
    runtime = load(folder, speculation={"method": "prompt_lookup", "draft_tokens": 8, "adaptive": False})
    for cap in (1, 2, 5):
        assert [len(a.token_ids) for a in answers(runtime, cap=cap)] == [cap] * len(TEXTS)


def test_a_prompt_beyond_the_context_is_refused(plain: Runtime) -> None:
    plain.facts = plain.facts.model_copy(update={"context": 64})
    try:
        with pytest.raises(Refused, match=r"prompt 2 has 50 tokens; with 20 .* context of 64") as caught:
            answers(plain, ["short", "y" * 50])
        assert "answer_tokens" in caught.value.hint
        assert len(answers(plain, ["y" * 44])[0].token_ids) == CAP  # exactly full
    finally:
        plain.facts = plain.facts.model_copy(update={"context": None})


def test_interface_of_a_model(plain: Runtime) -> None:
    found = interface(plain)
    assert {"input_ids", "attention_mask", "logits_to_keep"} <= set(found.inputs)
    assert (found.logits_shape, found.logits_dtype) == ([2, 4, 320], "float32")
    assert (found.vocabulary, found.tokens, found.max_length) == (320, 258, 512)
    assert found.special_tokens["eos_token"] == "</s>"
    assert found.special_tokens["model.bos_token_id"] == BOS
    assert len(found.chat_template) == 64
    assert found.generation["eos_token_id"] == EOS


@pytest.mark.parametrize(
    "slots",
    [
        {"quantization": "int8_weight_only"},
        {"quantization": "nf4"},
        {"pruning": {"method": "magnitude"}},
        {"pruning": {"method": "layer_drop", "layers": 1}},
        {"fusion": "fused_projections"},
        {"attention": "eager"},
        {"speculation": "prompt_lookup"},
    ],
    ids=str,
)
def test_transforms_keep_the_interface(folder: Path, plain: Runtime, slots: dict[str, Any]) -> None:
    assert differences(interface(plain), interface(load(folder, **slots))) == []


def test_another_precision_is_expected_to_show(folder: Path, plain: Runtime) -> None:
    (line,) = differences(interface(plain), interface(load(folder, precision="bf16")), ("fp32", "bf16"))
    assert line.expected
    assert "bfloat16" in line.text


def test_another_vocabulary_shows(folder: Path, plain: Runtime) -> None:
    runtime = load(folder)
    runtime.model.resize_token_embeddings(300)
    runtime.tokenizer.chat_template = None
    lines = [d.text for d in differences(interface(plain), interface(runtime))]
    assert "vocabulary size: 320 → 300" in lines
    assert "logits shape: 2 × 4 × 320 → 2 × 4 × 300" in lines
    assert any(line.endswith("→ none") and line.startswith("chat template") for line in lines)
