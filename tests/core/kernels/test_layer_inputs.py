"""Statistics of what Linears are fed: equal to those of hooks on the whole model, and fed by changed layers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from core.kernels.base import surgery
from core.kernels.weights.calibration import BUILT_IN, calibration, calibration_ids, read
from core.kernels.weights.layer_inputs import layer_by_layer
from tests.core.tiny import BOS, KINDS, tiny_model, tiny_tokenizer
from tests.zoo.models import make

SEQUENCES = [list(range(40)), list(range(60, 95)), [7]]


def hooked(model: Any) -> dict[str, tuple[torch.Tensor, int]]:
    """X·Xᵀ in double precision and the tokens of every Linear, from ordinary passes of the whole model."""
    found: dict[str, tuple[torch.Tensor, int]] = {}

    def hook(name: str) -> Any:
        def before(_module: Any, args: tuple[torch.Tensor]) -> None:
            x = args[0].reshape(-1, args[0].shape[-1]).double()
            products, tokens = found.get(name, (torch.zeros(()), 0))
            found[name] = (products + x.T @ x, tokens + len(x))

        return before

    handles = [m.register_forward_pre_hook(hook(name)) for name, m in surgery.linears(model)]
    with torch.inference_mode():
        for ids in SEQUENCES:
            model(torch.tensor([ids]))
    for handle in handles:
        handle.remove()
    del found[surgery.head_name(model) or ""]
    return found


@pytest.mark.parametrize("kind", [*KINDS, "bamba", "falcon_new"])  # their layers return more than hidden states
def test_the_statistics_are_those_of_the_whole_model(kind: str) -> None:
    model = (tiny_model if kind in KINDS else make)(kind)
    wanted = hooked(model)
    seen = 0
    for layer in layer_by_layer(model, SEQUENCES, hessian=True):
        for name, fed in layer.items():
            products, tokens = wanted[name]
            assert fed.module is model.get_submodule(name)
            assert fed.inputs.tokens == tokens
            torch.testing.assert_close(fed.inputs.hessian.double(), 2 * products, rtol=1e-4, atol=1e-3)
            torch.testing.assert_close(fed.inputs.norms.double(), products.diagonal().sqrt(), rtol=1e-4, atol=1e-4)
            seen += 1
    assert seen == len(wanted)
    # The layers are as they were: the model's own forward is back.
    assert all("forward" not in vars(layer) for layer in surgery.decoder_layers(model)[1])
    assert torch.equal(hooked(model)[name][0], products)


def test_a_changed_layer_feeds_the_next_one() -> None:
    model, changed = tiny_model("llama"), tiny_model("llama")
    with torch.no_grad():
        changed.model.layers[1].mlp.down_proj.weight.mul_(3)
    wanted = hooked(changed)
    for index, layer in enumerate(layer_by_layer(model, SEQUENCES, hessian=False)):
        if index == 1:
            with torch.no_grad():
                model.model.layers[1].mlp.down_proj.weight.mul_(3)
        for name, fed in layer.items():
            norms = wanted[name][0].diagonal().sqrt()
            torch.testing.assert_close(fed.inputs.norms.double(), norms, rtol=1e-4, atol=1e-4)


def test_only_one_layers_statistics_exist() -> None:
    earlier: list[dict[str, Any]] = []
    for layer in layer_by_layer(tiny_model("llama"), SEQUENCES, hessian=True):
        assert len(layer) == 7
        assert all(not other for other in earlier)  # emptied, although they are still held here
        earlier.append(layer)
    assert len(earlier) == 4


def test_a_hessian_that_was_not_gathered_is_not_invented() -> None:
    (fed, *_) = next(layer_by_layer(tiny_model("llama"), SEQUENCES, hessian=False)).values()
    with pytest.raises(ValueError, match="without the Hessian"):
        _ = fed.inputs.hessian


def test_layers_that_are_not_called_in_order_are_refused() -> None:
    model = tiny_model("llama")
    first = model.model.layers[0]
    inner = model.model.forward

    def twice(*args: Any, **kwargs: Any) -> Any:  # as models do that share a layer among places
        inner(*args, **kwargs)
        return inner(*args, **kwargs)

    model.model.forward = twice
    with pytest.raises(ValueError, match="runs 8 of its 4 layers"):
        next(layer_by_layer(model, SEQUENCES, hessian=False))
    assert "forward" not in vars(first)


# -- the text -----------------------------------------------------------------------------------------------


def test_the_built_in_text_is_long_and_never_repeats_itself() -> None:
    text = read(BUILT_IN)
    assert len(text.split()) > 2048  # words: no tokenizer makes fewer tokens
    parts = [part.strip() for part in text.split("\n\n")]
    assert len(set(parts)) == len(parts)


def test_sequences_and_their_fingerprint() -> None:
    tokenizer = tiny_tokenizer()
    plain = calibration(tokenizer, BUILT_IN, 1000, 300)
    assert [len(ids) for ids in plain.sequences] == [300, 300, 300, 100]
    assert [i for ids in plain.sequences for i in ids] == calibration_ids(tokenizer, 1000)
    assert plain.tokens == 1000
    assert plain.sha256 == calibration(tokenizer, BUILT_IN, 1000, 300).sha256
    others = [calibration(tokenizer, BUILT_IN, 999, 300), calibration(tokenizer, BUILT_IN, 1000, 250)]
    assert len({plain.sha256, *(other.sha256 for other in others)}) == 3


def test_a_tokenizer_that_begins_texts_begins_every_sequence() -> None:
    class Beginning:
        def __call__(self, text: str, add_special_tokens: bool = True) -> dict[str, list[int]]:
            return {"input_ids": [BOS] * add_special_tokens + list(text.encode())}

    found = calibration(Beginning(), BUILT_IN, 100, 41)
    assert [ids[0] for ids in found.sequences] == [BOS] * 3
    assert [len(ids) for ids in found.sequences] == [41, 41, 21]
    assert [i for ids in found.sequences for i in ids[1:]] == list(read(BUILT_IN).encode()[:100])
    assert calibration_ids(Beginning(), 10) == [BOS, *read(BUILT_IN).encode()[:9]]


def test_files_of_the_users(tmp_path: Path) -> None:
    text, lines = tmp_path / "a.txt", tmp_path / "a.jsonl"
    text.write_text("one\ntwo")
    lines.write_text(json.dumps("one") + "\n\n" + json.dumps({"text": "two"}) + "\n")
    assert read(str(text)) == "one\ntwo"
    assert read(str(lines)) == "one\n\ntwo"
    lines.write_text("\ufeff" + json.dumps("one\u2028two", ensure_ascii=False), "utf-8")  # as other files of a user's
    assert read(str(lines)) == "one\u2028two"
    assert calibration(tiny_tokenizer(), str(text), 64, 64).sequences == [list(b"one\ntwo")]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.txt", b"", "holds no text"),
        ("a.txt", b"\xff\xfe\xfa", "not UTF-8"),
        ("a.jsonl", b'"fine"\n{"texts": 1}', "line 2: expected a string"),
        ("a.jsonl", b"plain", "line 1: not JSON"),
        ("missing.txt", None, "cannot be read"),
        ("no\0path.txt", None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, name: str, content: bytes | None, why: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=why) as caught:
        calibration(tiny_tokenizer(), str(path), 64, 64)
    assert str(path) in str(caught.value)
