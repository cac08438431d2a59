"""A strategy that a model does not suit ends in a sentence that names both, whatever its hook raises."""

import errno

import pytest
import torch

from core.engine.base.failures import Refused, failure
from core.engine.load.strategy_fit import check_fit, fitting, running
from core.model.finder import resolve
from core.model.source import ModelSource
from core.spec.variant import Unsuitable, Variant
from core.strategies.fusion import FusedProjections
from tests.core.tiny import save_tiny, tiny_model

RAISED = {
    "AttributeError": lambda: object().num_attention_heads,  # type: ignore[attr-defined]
    "KeyError": lambda: {}["slots_plan"],
    "IndexError": lambda: [][0],
    "TypeError": lambda: len(3),  # type: ignore[arg-type]
    "RuntimeError": lambda: torch.ones(2) + torch.ones(3),
    "ValueError": lambda: torch.nn.MultiheadAttention(8, 2, batch_first=True).load_state_dict({}),
}


@pytest.mark.parametrize("raised", RAISED.values(), ids=RAISED)
def test_what_a_hook_raises_becomes_a_refusal_that_names_strategy_and_model(raised):
    model = tiny_model("llama")
    with pytest.raises(Refused) as refused, fitting(FusedProjections(), model):
        raised()
    ending = failure(refused.value, "loading the model")
    assert ending.kind == "refused"
    assert ending.message == (
        "Fused projections cannot be used with LlamaForCausalLM: its layers are built in a way that this method does "
        "not know"
    )
    assert type(refused.value.__cause__).__name__ in ending.detail  # for the log


def test_what_dyno_says_itself_is_the_reason():
    from core.kernels.base.surgery import decoder_layers

    model = tiny_model("llama")
    model.config.num_hidden_layers = 7
    with pytest.raises(Refused) as refused, fitting(FusedProjections(), model):
        decoder_layers(model)
    assert str(refused.value).endswith("LlamaForCausalLM: LlamaForCausalLM has no list of 7 layers")


@pytest.mark.parametrize(
    "error", [Unsuitable("why"), MemoryError(), OSError(errno.ENOSPC, "No space left on device"), Refused("why")]
)
def test_what_has_words_of_its_own_keeps_them(error):
    with pytest.raises(type(error)) as raised, fitting(FusedProjections(), tiny_model("llama")):
        raise error
    assert raised.value is error


@pytest.mark.parametrize(
    ("slots", "words"),
    [
        ({"fusion": {"method": "fused_projections"}}, "Fused projections cannot be used with LlamaForCausalLM: "),
        ({}, "LlamaForCausalLM cannot be measured: "),
    ],
)
def test_a_first_pass_that_fails_names_what_is_on(slots, words):
    variant = Variant.model_validate({"name": "v", **slots})
    with pytest.raises(Refused) as refused, running(tiny_model("llama"), variant):
        RAISED["RuntimeError"]()
    assert str(refused.value).startswith(words)


def test_a_strategy_is_asked_about_the_layers_before_the_weights_are_read(tmp_path, monkeypatch):
    seen = []

    def misfits(self, outline):
        seen.extend(p.device.type for p in outline.parameters())
        return ["its layers are too few"] if outline.config.num_hidden_layers < 5 else []

    monkeypatch.setattr(FusedProjections, "misfits", misfits)
    folder = save_tiny(tmp_path / "m")
    (folder / "model.safetensors").unlink()  # not needed for the answer
    facts = resolve(ModelSource(source=str(save_tiny(tmp_path / "n"))))
    variant = Variant.model_validate({"name": "v", "fusion": {"method": "fused_projections"}})
    with pytest.raises(Refused, match="Fused projections cannot be used with LlamaForCausalLM: its layers are too few"):
        check_fit(facts.model_copy(update={"path": str(folder)}), ModelSource(source=str(folder)), variant)
    assert set(seen) == {"meta"}
