"""Tiny random models of the architectures that people use, and a byte-level tokenizer: real transformers classes, a few
hundred kilobytes, no download."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    Gemma2Config,
    Gemma3TextConfig,
    GPT2Config,
    LlamaConfig,
    MixtralConfig,
    PretrainedConfig,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen3Config,
)
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

# More threads gain nothing on models this small, and OpenMP's barriers make them slow where cores are shared.
torch.set_num_threads(1)

VOCAB = 320  # 256 bytes, the special tokens, some ids that are never text
BOS, EOS = 256, 257
WINDOW = 16  # of the sliding layers: short, so that a test passes it quickly

_COMMON: dict[str, Any] = {
    "vocab_size": VOCAB,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": 512,
    "bos_token_id": BOS,
    "eos_token_id": EOS,
    "pad_token_id": EOS,
    # Wide enough that the logits of a random model differ clearly and greedy text does not settle at once.
    "initializer_range": 0.2,
}
_SLIDING: dict[str, Any] = {
    "sliding_window": WINDOW,
    "layer_types": ["sliding_attention", "full_attention"] * 2,
    "tie_word_embeddings": False,  # tied and random, the scaled embedding makes a model repeat its input
}

KINDS = ("llama", "gpt2", "qwen2", "qwen3", "gemma2", "gemma3")

_CHAT_TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def tiny_config(kind: str) -> PretrainedConfig:
    """The configuration of one of `KINDS`, or of a mixture of experts, mixtral. Gemma2 and Gemma3 alternate sliding and
    full attention."""
    match kind:
        case "llama":
            return LlamaConfig(**_COMMON, tie_word_embeddings=True)
        case "gpt2":
            return GPT2Config(
                vocab_size=VOCAB,
                n_embd=64,
                n_layer=4,
                n_head=4,
                n_positions=512,
                bos_token_id=BOS,
                eos_token_id=EOS,
                initializer_range=0.2,
            )
        case "qwen2":
            return Qwen2Config(**_COMMON)
        case "qwen3":
            return Qwen3Config(**_COMMON)
        case "gemma2":
            return Gemma2Config(**_COMMON, **_SLIDING, query_pre_attn_scalar=16)
        case "gemma3":
            return Gemma3TextConfig(**_COMMON, **_SLIDING, query_pre_attn_scalar=16)
        case "mixtral":
            return MixtralConfig(**_COMMON, num_local_experts=8, num_experts_per_tok=2)
    raise ValueError(f"no tiny model {kind!r}; there are {KINDS}")


def tiny_model(kind: str, seed: int = 0, **changes: Any) -> Any:
    """A random fp32 causal LM in eval mode; the same seed gives the same weights. `changes` are of the config."""
    state = torch.random.get_rng_state()
    torch.manual_seed(seed)
    config = tiny_config(kind)
    config.update(changes)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name or name.endswith("bias"):  # not all ones and zeros: tests must see them
                parameter.add_(torch.randn_like(parameter) * 0.1)
    torch.random.set_rng_state(state)
    return model


def tiny_tokenizer(chat_template: bool = True) -> PreTrainedTokenizerFast:
    """A byte-level tokenizer: id = byte for 0–255 (any text round-trips), then <s> and </s>."""
    alphabet = _bytes_to_unicode()
    tokenizer = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<s>", "</s>"])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", clean_up_tokenization_spaces=False
    )
    if chat_template:
        fast.chat_template = _CHAT_TEMPLATE
    return fast


def save_tiny(
    folder: Path | str, kind: str = "llama", chat_template: bool = True, seed: int = 0, **changes: Any
) -> Path:
    """Write a complete model folder (config, safetensors, tokenizer) and return it; `changes` are of the config."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tiny_model(kind, seed, **changes).save_pretrained(folder)
    tiny_tokenizer(chat_template).save_pretrained(folder)
    return folder


def _bytes_to_unicode() -> list[str]:
    """The printable character that the ByteLevel pre-tokenizer writes for each byte."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    spare = iter(range(256, 512))
    return [chr(b) if b in plain else chr(next(spare)) for b in range(256)]
