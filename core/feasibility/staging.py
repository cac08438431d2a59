"""Where the weights of a variant are read: on the card, or on the host.

A quantization that replaces one layer after the other needs no more of a card than what it leaves there, and one layer:
the weights are mapped on the host, and each layer is moved when its turn comes. Read onto the card at once, an 8B model
in bf16 takes 15 GiB of it first, whatever it is quantized to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.spec.variant import Variant


def is_staged(variant: Variant, facts: ModelFacts) -> bool:
    """Return whether an engine on a card reads the weights on the host, and moves them layer by layer: the first
    strategy that changes the model does so, and until then the model runs on the host."""
    strategies = variant.strategies()
    first = next((strategy for strategy in strategies if strategy.changes_model), None)
    plain = facts.materialized is None and facts.scheme is None
    return plain and first is not None and first.moves_layers and all(s.runs_on_host() for s in strategies)
