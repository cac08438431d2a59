"""An encoder that answers to a causal model's name is told from a causal model in every precision."""

import pytest
import torch
from transformers import BertConfig, BertLMHeadModel

from core.engine.load.soundness import faults
from tests.zoo.models import make

PRECISIONS = [torch.float32, torch.bfloat16, torch.float16]


def bert(spread: float, decoder: bool):
    torch.manual_seed(0)
    sizes = {"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 128}
    config = BertConfig(vocab_size=320, **sizes, initializer_range=spread, is_decoder=decoder)
    return BertLMHeadModel(config).eval()


@pytest.mark.parametrize("dtype", PRECISIONS, ids=str)
@pytest.mark.parametrize("spread", [0.02, 0.2])
def test_an_encoder_is_none_in_any_precision(spread, dtype):
    assert "every position sees the tokens after it" in faults(bert(spread, decoder=False).to(dtype))
    assert faults(bert(spread, decoder=True).to(dtype)) == ""


@pytest.mark.parametrize("dtype", PRECISIONS[:2], ids=str)
@pytest.mark.parametrize("kind", ["llama", "qwen3_moe", "gpt_oss", "deepseek_v3", "mamba", "falcon_h1", "gemma3n_text"])
def test_a_causal_model_is_one(kind, dtype):
    assert faults(make(kind).to(dtype)) == ""
