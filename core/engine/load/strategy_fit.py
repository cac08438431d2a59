"""Checks whether strategies fit a model's layers, on its outline before the weights are read, and turns a failing
hook's error into a sentence.

An outline is the model that config.json describes on torch's meta device: all layers and shapes, no weights. Measured,
torch 2.13 and transformers 5.24: 20 ms for 80 layers of Llama, 40 ms for 94 of a Qwen3 mixture.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from transformers import AutoConfig

from core.engine.base.failures import Refused
from core.kernels.base.outline import outline
from core.kernels.checks import agreement
from core.model.facts import ModelFacts
from core.model.model_error import ModelError
from core.model.source import ModelSource
from core.spec.variant import Strategy, Unsuitable, Variant

_OWN = Path(__file__).parents[2]
_WAY_OUT = "Choose another method for that slot. The log has the details."


def check_fit(facts: ModelFacts, source: ModelSource, variant: Variant) -> None:
    """Ask every strategy about the layers that its model will have. Raises Refused."""
    for strategy in variant.strategies():
        if type(strategy).misfits is Strategy.misfits or (facts.materialized and facts.materialized.has(strategy.slot)):
            continue
        found = outline_of(facts, source)  # each its own: a strategy may change it
        if found is None:
            return
        with fitting(strategy, found):
            reasons = strategy.misfits(found)
        if reasons:
            raise Refused(
                f"{strategy.title} cannot be used with {type(found).__name__}: {'; '.join(reasons)}",
                "Choose another method for that slot.",
            )


def outline_of(facts: ModelFacts, source: ModelSource) -> Any:
    """Return the outline of a folder's model; None if there can be none, and loading the model then says why."""
    try:
        config = AutoConfig.from_pretrained(
            facts.path, local_files_only=True, trust_remote_code=source.trust_remote_code
        )
        return outline(config, trust_remote_code=source.trust_remote_code)
    except Exception:
        return None


@contextmanager
def fitting(strategy: Strategy, model: Any) -> Iterator[None]:
    """Turn any error of a strategy's hook into a sentence. Raises Refused."""
    try:
        yield
    except Exception as error:
        if _is_told_elsewhere(error):
            raise
        why = _own_words(error) or "its layers are built in a way that this method does not know"
        raise Refused(f"{strategy.title} cannot be used with {type(model).__name__}: {why}", _WAY_OUT) from error


@contextmanager
def running(model: Any, variant: Variant) -> Iterator[None]:
    """Turn any error of a loaded variant's first passes into a sentence. Raises Refused."""
    try:
        yield
    except Exception as error:
        if _is_told_elsewhere(error):
            raise
        titles = [s.title for s in variant.strategies() if s.slot != "precision"]
        raise Refused(
            f"{' + '.join(titles)} cannot be used with {type(model).__name__}: its forward pass fails with it"
            if titles
            else f"{type(model).__name__} cannot be measured: its forward pass fails in the decode loop",
            "Choose other methods. The log has the details." if titles else "Choose another model.",
        ) from error


def _is_told_elsewhere(error: Exception) -> bool:
    """Return whether an error is a sentence already, or the machine's (memory, disks, devices)."""
    told = (Refused, ModelError, Unsuitable, OSError)
    return isinstance(error, told) or agreement.says_nothing(error)


def _own_words(error: Exception) -> str:
    """Return the message of a ValueError that Dyno raised; "" for a library's."""
    frames = traceback.extract_tb(error.__traceback__)
    own = type(error) is ValueError and frames and Path(frames[-1].filename).is_relative_to(_OWN)
    return str(error) if own else ""
