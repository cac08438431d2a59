"""A real engine process answers prompts: speculation gives the baseline's tokens in fp32, four bits part from them,
and what the model accepts is told after the load."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.engine.base import prompt_framing
from core.engine.base.runtime import Runtime
from core.engine.load.model_interface import interface
from core.engine.serve.answers import answer
from core.kernels.decoding.decoders import base_decoder
from core.protocol import commands, events
from core.quality import answer_divergence
from core.quality.interface_diff import differences
from tests.core import transformed
from tests.core.tiny import EOS, save_tiny
from tests.process.engine_child import Child, failed, load, only

TEXTS = ["the cat sat on the mat; the cat sat on the ", "one two three one two three one two", "Why?"]
ASKED = commands.AnswersCommand(purpose="divergence", prompts=TEXTS, max_tokens=24)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("tiny") / "llama")


@pytest.fixture(scope="module")
def baseline(folder: Path) -> Runtime:
    """The same model in this process, decoded plainly in fp32."""
    runtime = transformed.load(folder)
    runtime.frame = prompt_framing.frame(runtime.tokenizer)
    runtime.decoder = base_decoder(runtime.model)
    runtime.forbidden = [EOS]
    return runtime


@pytest.fixture(scope="module")
def told(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[events.Event]]:
    """What two engines say of the same prompts, with the load before."""
    cache: Path = tmp_path_factory.mktemp("cache")
    variants: dict[str, dict[str, Any]] = {
        "lookup": {"speculation": {"method": "prompt_lookup", "adaptive": False}},
        "int4": {"quantization": "int4_weight_only"},
    }
    found = {}
    for name, slots in variants.items():
        with Child(cache) as child:
            found[name] = child.tell(load(folder, {"precision": "fp32", **slots})) + child.tell(ASKED)
            found[f"{name}, cut"] = child.tell(ASKED.model_copy(update={"longest": 30}))
            beyond = commands.AnswersCommand(purpose="suite", prompts=["y" * 600], max_tokens=4)
            found[f"{name}, beyond"] = child.tell(beyond)
    return found


def plainly(baseline: Runtime) -> list[events.Answer]:
    sent: list[Any] = []
    channel = SimpleNamespace(send=sent.append, enter=lambda *_, **__: None)
    answer(baseline, ASKED, channel)  # type: ignore[arg-type]
    return sent[-1].answers


def answers(told: dict[str, list[events.Event]], name: str) -> list[events.Answer]:
    return only(told[name], events.Answers).answers


def test_it_is_a_phase_with_progress(told: dict[str, list[events.Event]]) -> None:
    after = told["lookup"][told["lookup"].index(only(told["lookup"], events.Receipts)) :]
    assert [e.phase for e in after if isinstance(e, events.Phase)] == ["idle", "quality", "idle"]
    done = [(e.done, e.total) for e in after if isinstance(e, events.Progress) and e.unit == "answers"]
    assert done == [(1, 3), (2, 3), (3, 3)]
    assert only(told["lookup"], events.Answers).purpose == "divergence"


def test_speculation_gives_the_baselines_answers_in_fp32(
    baseline: Runtime, told: dict[str, list[events.Event]]
) -> None:
    found = answer_divergence.compare(plainly(baseline), answers(told, "lookup"))
    assert found is not None
    assert (found.first, found.exact_match_pct) == (None, 100)


def test_four_bits_part_from_it_with_a_margin(baseline: Runtime, told: dict[str, list[events.Event]]) -> None:
    found = answer_divergence.compare(plainly(baseline), answers(told, "int4"))
    assert found is not None
    assert found.exact_match_pct < 100
    assert found.first is not None
    assert found.margin is not None
    assert found.margin > 0
    assert found.margin_base is not None
    assert found.margin_base > 0


def test_the_text_is_that_of_the_tokens(told: dict[str, list[events.Event]]) -> None:
    for one in answers(told, "lookup"):
        assert 1 <= len(one.token_ids) <= 24
        assert one.text == bytes(t for t in one.token_ids if t < 256).decode("utf-8", "replace")


def test_a_prompt_may_be_cut(told: dict[str, list[events.Event]]) -> None:
    whole, cut = answers(told, "lookup"), answers(told, "lookup, cut")
    # 22 tokens of the template and 4 of the text fit into the third prompt only.
    assert [a == b for a, b in zip(whole, cut, strict=True)] == [False, False, True]


def test_a_prompt_beyond_the_context_is_refused_and_the_engine_goes_on(told: dict[str, list[events.Event]]) -> None:
    message = failed(told["lookup, beyond"], "refused").message
    assert "prompt 1 has" in message
    assert "context of 512" in message


def test_the_interface_is_told_and_the_same(baseline: Runtime, told: dict[str, list[events.Event]]) -> None:
    base = interface(baseline)
    assert (base.vocabulary, base.logits_shape, base.logits_dtype) == (320, [2, 4, 320], "float32")
    for name in ("lookup", "int4"):
        assert differences(base, only(told[name], events.Interface), ("fp32", "fp32")) == []
