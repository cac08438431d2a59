"""A model without its weights: every layer and every shape that a configuration describes, on torch's meta device.
Knows transformers' constructors; decides nothing."""

from __future__ import annotations

from typing import Any

import torch
from transformers import AutoModelForCausalLM
from transformers.initialization import no_init_weights


def outline(config: Any, trust_remote_code: bool = False) -> Any:
    """The causal language model of this configuration, to which nothing is attached. Raises what its class raises."""
    with torch.device("meta"), no_init_weights():
        return AutoModelForCausalLM.from_config(config, trust_remote_code=trust_remote_code).eval()
