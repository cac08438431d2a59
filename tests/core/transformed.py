"""Models as the engine leaves them after a variant's transforms, without a decode loop: tiny ones, and the demo
model."""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from core.engine.base.runtime import Runtime
from core.engine.gguf.convert import converted
from core.engine.load import draft_model
from core.kernels.base import surgery
from core.model.facts import ModelFacts
from core.model.finder import resolve
from core.model.receipt import Receipt
from core.model.source import ModelSource
from core.spec.variant import Variant
from core.spec.workload import Workload


def runtime_of(model: Any, tokenizer: Any, facts: ModelFacts, **slots: Any) -> Runtime:
    """As loaded, before any transform."""
    return Runtime(
        model=model,
        tokenizer=tokenizer,
        variant=Variant.model_validate({"name": "v", **slots}),
        workload=Workload(),
        facts=facts,
        device=model.device,
        dtype=model.dtype,
        weights_bytes_before=surgery.storage_bytes(model),
        load_draft=draft_model.draft,
    )


def load(folder: Path, device: str = "cpu", dtype: torch.dtype = torch.float32, **slots: Any) -> Runtime:
    """The model of a folder, not yet transformed."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype).eval().requires_grad_(False).to(device)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return runtime_of(model, tokenizer, resolve(ModelSource(source=str(folder))), **slots)


def transformed(folder: Path, device: str = "cpu", dtype: torch.dtype = torch.float32, **slots: Any) -> Runtime:
    runtime = load(folder, device, dtype, **slots)
    surgery.untie_head(runtime.model)
    for strategy in runtime.variant.strategies():
        strategy.transform(runtime)
    return runtime


def receipt(runtime: Runtime, slot: str) -> Receipt:
    return getattr(runtime.variant, slot).receipt(runtime)


def conflicts(slot: str, facts: ModelFacts | None = None, **slots: Any) -> list[str]:
    """What the strategy of that slot says against the variant."""
    variant = Variant.model_validate({"name": "v", **slots})
    return getattr(variant, slot).conflicts(variant, facts, Workload())


class _Silent:
    def enter(self, *_: Any, **__: Any) -> None: ...

    def send(self, *_: Any) -> None: ...

    def log(self, *_: Any, **__: Any) -> None: ...


@cache
def demo_folder() -> Path:
    """The converted demo model in the cache that DYNO_CACHE names (`demo_cache` of conftest)."""
    return converted(resolve(ModelSource()), _Silent()).folder  # type: ignore[arg-type]


@torch.inference_mode()
def perplexity(model: Any, tokenizer: Any, tokens: int) -> float:
    """On the built-in prompts, which are no part of the calibration text."""
    lines = (files("resources") / "prompts" / "chat.jsonl").read_text("utf-8").splitlines()
    ids = tokenizer("\n\n".join(json.loads(line)["text"] for line in lines), add_special_tokens=False)["input_ids"]
    x = torch.tensor([ids[:tokens]])
    assert x.shape[1] == tokens
    loss = torch.nn.functional.cross_entropy(model(x).logits[0, :-1].float(), x[0, 1:])
    return math.exp(loss)
