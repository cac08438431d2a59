"""The outline of a model: every layer and shape that a config describes, on torch's meta device without weights; and
the differences that another config makes.

The effect of a config setting is read from two outlines and not from names: with fewer MLP channels in the config, the
dimensions that shrink are those that hold MLP channels, whatever the family calls its layers.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import torch
from transformers import AutoModelForCausalLM
from transformers.initialization import no_init_weights


def outline(config: Any, trust_remote_code: bool = False) -> Any:
    """Return the causal language model of this config, on the meta device. Raises what its class raises."""
    with torch.device("meta"), no_init_weights():
        return AutoModelForCausalLM.from_config(config, trust_remote_code=trust_remote_code).eval()


def made_in(model: Any, asked: torch.dtype, kept: torch.dtype) -> set[str]:
    """Return the parameters that the model's class makes in the type `kept` although another is asked for; empty if the
    class makes no outline."""
    try:
        with torch.device("meta"), no_init_weights():
            whole = type(model)._from_config(deepcopy(model.config), dtype=asked)
    except Exception:
        return set()
    return {name for name, p in whole.named_parameters() if p.dtype == kept}


def twin(model: Any, changes: dict[str, Any]) -> Any:
    """Return the outline of the model with these changes in its text config. Raises ValueError if its class does not
    take such a config."""
    config = deepcopy(model.config)
    text = config.get_text_config(decoder=True)
    try:
        for name, value in changes.items():
            setattr(text, name, value)
        read = type(config).from_dict(config.to_dict())  # as from a file: its rules are checked then
        with torch.device("meta"), no_init_weights():
            return type(model)(read).eval()
    except Exception as error:
        words = ", ".join(f"{name} = {value}" for name, value in changes.items())
        raise ValueError(f"transformers loads no {type(model).__name__} with {words}") from error


def runs(model: Any) -> bool:
    """Return whether the shapes of an outline fit each other in a forward pass; False too if the pass reads values,
    which an outline lacks. The pass runs in bf16, which products of experts need, and with a mask, since the model
    would read values to make one."""
    model = model.to(torch.bfloat16)
    with torch.device("meta"):
        ids, mask = torch.ones(1, 4, dtype=torch.long), torch.ones(1, 1, 4, 4, dtype=torch.bool)
    try:
        with torch.no_grad():
            model(ids, attention_mask=mask, use_cache=False)
    except Exception:
        return False
    return True


@dataclass(frozen=True)
class Cut:
    """A dimension of a parameter that another config makes smaller or larger."""

    parameter: str
    dim: int
    before: int
    after: int


def cuts(model: Any, other: Any) -> list[Cut]:
    """Return the parameters of another config's outline that differ in size, in the model's order. Raises ValueError if
    it has other parameters, or one that differs in two dimensions."""
    mine, theirs = (dict(m.named_parameters(remove_duplicate=False)) for m in (model, other))  # tied ones too
    odd = next((name for name in [*mine, *theirs] if name not in mine or name not in theirs), None)
    if odd is not None:
        raise ValueError(f"{odd} is there only in one of the two models, the larger and the smaller")
    found = []
    for name, parameter in mine.items():
        before, after = parameter.shape, theirs[name].shape
        differ = [d for d, (a, b) in enumerate(zip(before, after, strict=False)) if a != b]
        if len(differ) > 1 or len(before) != len(after):
            raise ValueError(f"{name} changes from {list(before)} to {list(after)}, in more than one dimension")
        found += [Cut(name, d, before[d], after[d]) for d in differ]
    return found


def settings(model: Any, other: Any) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield the plain attribute values of modules that differ: module name, attribute, mine, theirs."""
    theirs = dict(other.named_modules())
    for name, module in model.named_modules():
        if name in theirs:
            own, there = vars(module), vars(theirs[name])
            for key, value in there.items():
                if _is_plain(value) and _is_plain(own.get(key)) and own[key] != value:
                    yield name, key, own[key], value


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return isinstance(value, bool | int | float | str)
