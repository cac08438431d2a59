"""The quality gate: limits, and the colour that a variant gets."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, model_validator

from core.base.value import Value

GateColour = Literal["", "green", "amber", "red"]


class Gate(Value):
    """The limits of a quality loss: green within the first, amber within the second, red beyond."""

    model_config = ConfigDict(strict=True)
    kld_green: float = Field(
        0.01, gt=0, title="KL divergence, green below", description="mean KL divergence in nats, below"
    )
    kld_amber: float = Field(0.05, gt=0, title="KL divergence, amber below", description="the same for amber")
    same_top_green: float = Field(
        97.0, ge=0, le=100, title="Same top %, green from", description="same-top-token share in %, at least"
    )
    same_top_amber: float = Field(92.0, ge=0, le=100, title="Same top %, amber from", description="the same for amber")
    ppl_green: float = Field(
        1.01, gt=0, title="Ratio's bound, green to", description="upper bound of the perplexity ratio, at most"
    )
    ppl_amber: float = Field(1.05, gt=0, title="Ratio's bound, amber to", description="the same for amber")

    @model_validator(mode="after")
    def _amber_is_wider(self) -> Gate:
        wider = self.kld_amber >= self.kld_green and self.ppl_amber >= self.ppl_green
        if not wider or self.same_top_amber > self.same_top_green:
            raise ValueError("amber must allow at least what green allows, in each of the three limits")
        return self

    def colour(self, kld_mean: float | None, same_top_pct: float | None, ppl_ratio_high: float | None) -> GateColour:
        """Return the colour for three figures; empty if one is not available."""
        if kld_mean is None or same_top_pct is None or ppl_ratio_high is None:
            return ""
        if kld_mean < self.kld_green and same_top_pct >= self.same_top_green and ppl_ratio_high <= self.ppl_green:
            return "green"
        if kld_mean < self.kld_amber and same_top_pct >= self.same_top_amber and ppl_ratio_high <= self.ppl_amber:
            return "amber"
        return "red"
