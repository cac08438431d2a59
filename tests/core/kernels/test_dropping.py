"""Layers taken out of models that are no row of equal ones: what is left loads again and says the same, or is refused;
the first layers guess for the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from core.kernels.decoding.decoders import base_decoder
from core.kernels.pruning import layer_drop, skipped_layers
from core.kernels.speculation.drafters import ModelDrafter, first_layers
from core.kernels.speculation.speculative import Speculative
from tests.core.kernels.test_rollback import NEW, model_of, reference, run
from tests.zoo.models import make

IDS = torch.tensor([[7 * i % 250 + 1 for i in range(20)]])
#: By how its layers differ: not at all, states among rows, a count of dense layers at the beginning, keys and inputs of
#: their own, windows by a list of pairs, a scale by the number of layers, numbers of the layers with attention.
LEFT = {
    "llama": [1, 2],
    "qwen3_next": [0],
    "lfm2_moe": [0],
    "ernie4_5_moe": [0],
    "gemma3n_text": [3],
    "gemma4_text": [2],
    "gpt_neo": [1],
    "minicpm3": [0, 2],
    "bamba": [0],
    "nemotron_h": [2],
    "granitemoehybrid": [1],
    "deepseek_v3": [0],
}


@pytest.mark.parametrize("kind", LEFT)
def test_what_is_left_loads_again_and_says_the_same(kind: str, tmp_path: Path) -> None:
    model = make(kind)
    skipped_layers.drop_layers(model, LEFT[kind])
    model.save_pretrained(tmp_path)
    again = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32).eval()
    with torch.inference_mode():
        torch.testing.assert_close(again(IDS).logits, model(IDS).logits, rtol=1e-4, atol=1e-4)
    prompt = IDS[0].tolist()
    with torch.inference_mode():
        told = again.generate(IDS, do_sample=False, max_new_tokens=NEW, min_new_tokens=NEW, suppress_tokens=[257])
    assert run(base_decoder(model), prompt) == tuple(told[0, 20:].tolist())


@pytest.mark.parametrize(
    ("kind", "drop", "reason"),
    [
        ("jamba", [0], "no configuration"),  # every second layer is attention, by a rule
        ("gemma4_text", [3], "no configuration"),  # the last layer is always of full attention
        ("gemma3n_text", [0], "no configuration"),  # the only one whose keys a later layer reads
        ("modernbert_decoder", [0], "no configuration"),  # the first layer has no norm
        ("zamba2", [2], "know each other by their numbers"),
        ("nemotron_h", [1], "none of the layers that would be left has attention"),
        ("llama", [0, 1, 2, 3], "at least one layer"),
    ],
)
def test_what_would_be_no_model_is_told(kind: str, drop: list[int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        skipped_layers.drop_layers(make(kind), drop)


def test_only_layers_that_fit_are_tried() -> None:
    """The last two layers of Gemma 3n read the keys of the first two, which stay."""
    model = model_of("gemma3n_text")
    fits = [i for i in range(4) if skipped_layers.describes(model, [i])]
    assert fits == [2, 3]
    told: list[tuple[int, int]] = []
    found = layer_drop.least_missed(
        model, IDS[0].tolist(), 3, lambda done, total: told.append((done, total)), lambda gone: {*gone} <= {*fits}
    )
    assert sorted(i for i, _ in found) == fits


@pytest.mark.parametrize(
    "kind", ["gemma3n_text", "gemma4_text", "jamba", "zamba2", "bamba", "nemotron_h", "falcon_h1", "lfm2", "mamba2"]
)
def test_the_first_layers_of_any_model_are_a_model(kind: str) -> None:
    """Also where no configuration would describe them: they are never written. Nothing is copied."""
    model = model_of(kind)
    first = first_layers(model, 3)
    drafter = ModelDrafter(first, "first 3 of 4")
    own = {p.untyped_storage().data_ptr() for p in model.parameters()}
    assert {p.untyped_storage().data_ptr() for p in first.parameters()} <= own
    if kind == "jamba":
        assert drafter.obstacle()
        return
    decoder = Speculative(base_decoder(model), drafter, 4)
    assert run(decoder) == reference(kind)
    assert decoder.drafted > 0


def test_the_last_attention_is_no_choice() -> None:
    model = model_of("nemotron_h")
    assert [i for i in range(4) if skipped_layers.describes(model, [i])] == [0, 2, 3]


def test_first_layers_without_attention_are_told() -> None:
    with pytest.raises(ValueError, match="has attention"):
        first_layers(make("qwen3_5_text"), 1)
