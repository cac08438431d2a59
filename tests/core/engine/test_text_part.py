"""Models of images and text: the text part loads as a causal language model that computes what the whole model does of
text, without the weights of the other parts; where there is none, the reason is said before anything is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForImageTextToText

from core.engine.weights.read_model import read_model
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.source import ModelSource
from tests.core.tiny import VOCAB, tiny_tokenizer

TEXT: dict[str, Any] = {
    "vocab_size": VOCAB, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 512, "bos_token_id": 256, "eos_token_id": 257,
    "pad_token_id": 257, "initializer_range": 0.2, "tie_word_embeddings": False,
}  # fmt: skip
CLIP = {
    "model_type": "clip_vision_model", "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 2, "image_size": 28, "patch_size": 14,
}  # fmt: skip
SIGLIP = {**CLIP, "model_type": "siglip_vision_model"}
QWEN = {"depth": 1, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "patch_size": 14, "out_hidden_size": 64}
AXES = {"rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [2, 3, 3]}}
IMAGES = {"image_token_id": 300, "video_token_id": 301, "vision_start_token_id": 302, "vision_end_token_id": 303}
MIXTURE = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 48}

#: kind → text_config, vision_config, the rest
MODELS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "llava": ({**TEXT, "model_type": "llama"}, CLIP, {"image_token_id": 300}),
    "llava_next": ({**TEXT, "model_type": "mistral"}, CLIP, {"image_token_id": 300}),
    "mistral3": ({**TEXT, "model_type": "mistral"}, {**CLIP, "model_type": "pixtral"}, {"image_token_id": 300}),
    "gemma3": (
        {**TEXT, "model_type": "gemma3_text", "sliding_window": 16, "query_pre_attn_scalar": 16,
         "layer_types": ["sliding_attention", "full_attention"], "tie_word_embeddings": True},
        SIGLIP, {"mm_tokens_per_image": 4, "image_token_id": 300},
    ),
    "qwen2_vl": ({**TEXT, **AXES}, {**QWEN, "embed_dim": 32, "hidden_size": 64}, IMAGES),
    "qwen2_5_vl": ({**TEXT, **AXES}, QWEN, IMAGES),
    "qwen3_vl": ({**TEXT, **AXES}, {**QWEN, "deepstack_visual_indexes": [0], "num_position_embeddings": 16}, IMAGES),
    "qwen3_vl_moe": (
        {**TEXT, **AXES, **MIXTURE}, {**QWEN, "deepstack_visual_indexes": [0], "num_position_embeddings": 16}, IMAGES,
    ),
    "smolvlm": ({**TEXT, "model_type": "llama"}, {**CLIP, "model_type": "smolvlm_vision"}, {"image_token_id": 300}),
    "internvl": (
        {**TEXT, "model_type": "qwen2"},
        {**CLIP, "model_type": "internvl_vision", "image_size": [28, 28], "patch_size": [14, 14]},
        {"image_token_id": 300},
    ),
}  # fmt: skip


def save_whole(folder: Path, kind: str, **changes: Any) -> Any:
    text, vision, rest = MODELS[kind]
    config = AutoConfig.for_model(kind, text_config={**text, **changes}, vision_config=vision, **rest)
    config.tie_word_embeddings = text["tie_word_embeddings"]
    with torch.random.fork_rng():
        torch.manual_seed(5)
        model = AutoModelForImageTextToText.from_config(config, dtype=torch.float32).eval()
    model.save_pretrained(folder)
    tiny_tokenizer().save_pretrained(folder)
    return model


def load(folder: Path) -> tuple[Any, list[str]]:
    source, notes = ModelSource(source=str(folder)), []
    facts = resolve(source)
    model = read_model(facts, source, torch.device("cpu"), {"dtype": torch.float32}, notes)
    assert facts.parameters == model.num_parameters()
    return model, notes


@pytest.mark.parametrize("kind", MODELS)
def test_the_text_part_computes_what_the_whole_model_does(tmp_path: Path, kind: str) -> None:
    whole = save_whole(tmp_path, kind)
    model, notes = load(tmp_path)
    assert type(model).__name__.endswith("ForCausalLM")
    assert not any(word in name for name, _ in model.named_modules() for word in ("vision", "visual"))
    ids = torch.randint(0, 250, (1, 40), generator=torch.Generator().manual_seed(1))
    with torch.inference_mode():
        torch.testing.assert_close(model(ids).logits, whole(ids).logits, rtol=1e-4, atol=1e-4)
    left_out = sum(1 for _ in whole.named_parameters()) - sum(1 for _ in model.named_parameters())
    words = f"the text part of {type(whole).__name__} is measured: {left_out} tensors of its other parts are left out"
    assert notes == [words]


def test_a_part_that_lacks_a_tensor_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    save_whole(tmp_path, "llava")
    tensors = load_file(tmp_path / "model.safetensors")
    del tensors["language_model.model.layers.1.mlp.up_proj.weight"]
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="1 tensors are missing from the weights"):
        load(tmp_path)
