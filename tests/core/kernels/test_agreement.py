"""A model is decoded as `generate()` decodes it, with positions and with a cache that it knows, or refused at load."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from core.engine.load.soundness import cache_fault
from core.kernels.caches import caches
from core.kernels.checks import agreement
from core.kernels.decoding.decoders import base_decoder
from tests.core.kernels.test_rollback import model_of, reference, run
from tests.zoo.models import make

#: One of each kind of state, of attention, of positions.
KINDS = (
    "llama", "gpt2", "opt", "bloom", "falcon_alibi", "gemma3_text", "gemma4_text", "mixtral", "deepseek_v3", "mamba",
    "mamba2", "recurrent_gemma", "jamba", "zamba2", "qwen3_next", "falcon_h1", "bamba", "lfm2",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_plain_decoder_equals_generate(kind: str) -> None:
    assert cache_fault(model_of(kind)) == ""
    assert run(base_decoder(model_of(kind))) == reference(kind)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("kind", ["llama", "gemma3_text", "mixtral", "mamba2", "qwen3_next", "bamba", "lfm2_moe"])
def test_rounding_is_no_fault(kind: str, dtype: torch.dtype) -> None:
    model = make(kind).to(dtype)
    assert cache_fault(model) == ""
    assert agreement.state_fault(model) == ""


def test_a_model_without_a_cache_of_a_known_name_is_refused() -> None:
    assert cache_fault(model_of("rwkv")).startswith("RwkvForCausalLM takes no cache")


def test_a_model_that_wants_a_cache_of_its_own_is_refused() -> None:
    assert cache_fault(model_of("minimax")) == (
        "MiniMaxForCausalLM does not run on the caches that transformers makes for its layers"
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_step_that_is_not_told_its_past_is_refused(dtype: torch.dtype) -> None:
    """As where the cache is swallowed: every step sees one token."""
    model: Any = make("llama").to(dtype)
    forward = model.forward

    def forgetful(input_ids: Any, cache: Any = None, use_cache: bool = False, logits_to_keep: int = 0) -> Any:
        return forward(input_ids, use_cache=False, logits_to_keep=logits_to_keep)

    model.forward = forgetful
    assert cache_fault(model) == "LlamaForCausalLM computes other logits with a cache than without one"


def test_positions_that_are_not_told_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bamba asks its first layer, which keeps a state, how far it is."""
    monkeypatch.setattr(caches, "takes_positions", lambda model: False)
    assert "computes other logits" in cache_fault(model_of("bamba"))


def test_a_fault_of_rounding_on_one_prompt_is_none() -> None:
    """A token that rounding sends to another expert: on one prompt of three."""
    model = model_of("mixtral")

    def odd(prompt: list[int]) -> torch.Tensor:
        return agreement.whole(model, prompt) + (5.0 if prompt == agreement.PROMPTS[0] else 0.0) * torch.randn(6, 1)

    assert agreement.agree(model, odd, lambda p: agreement.whole(model, p))
    assert not agreement.agree(model, lambda p: agreement.whole(model, p) * 1.1, lambda p: agreement.whole(model, p))


def test_eager_attention_that_is_not_sdpas_is_told():
    """Falcon's scales ALiBi in another way than transformers' default; of all others the two agree."""
    model = make("falcon_alibi")
    model.config._attn_implementation = "eager"
    assert not agreement.eager_is_sdpa(model)
    assert model.config._attn_implementation == "eager"
    for kind in ("falcon_new", "llama", "gemma3_text", "bloom", "qwen3_moe"):
        assert agreement.eager_is_sdpa(make(kind))
