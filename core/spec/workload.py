"""The work of each trial, and the number of rounds."""

from __future__ import annotations

from typing import Literal

from pydantic import (
    Field,
    model_validator,
)

from core.base.value import Value
from core.model.source import AS_WRITTEN

#: Fields of duration and order, which do not change a trial's work.
HOW_LONG = ("trials", "until_pct", "max_trials", "budget_s", "engines")


class Workload(Value):
    """The work that every variant does. `trials` counts rounds, each with one trial per variant. With `until_pct` it is
    the minimum, and `max_trials` the maximum."""

    model_config = AS_WRITTEN
    prompts: str = Field("chat", min_length=1, description="a built-in set, or a .jsonl, .txt or .json file")
    prompt_tokens: int = Field(128, ge=1, le=1_000_000, description="exact length of every prompt, in tokens")
    new_tokens: int = Field(64, ge=1, le=1_000_000, description="tokens to generate; EOS is suppressed")
    trials: int = Field(
        5,
        ge=1,
        le=10_000,
        title="Rounds",
        description="rounds; no verdict before round 4; the fewest where until is set",
    )
    temperature: float = Field(0.0, ge=0, le=10, description="0 is greedy")
    top_k: int = Field(0, ge=0, description="0 is off")
    top_p: float = Field(1.0, gt=0, le=1, description="1 is off")
    concurrency: int = Field(
        1, ge=1, le=256, description="requests at once; without batching they are served one after the other"
    )
    requests: int = Field(
        0,
        ge=0,
        le=10_000,
        title="Requests per trial",
        description="0 is as many as the concurrency",
        json_schema_extra={"zero": "as many as at once"},
    )
    arrival: Literal["closed", "poisson"] = Field(
        "closed",
        title="Arrivals",
        description="closed: whoever has an answer asks again at once; poisson: at random times, answered or not",
        json_schema_extra={"words": {"closed": "when answered", "poisson": "at random times"}},
    )
    rate: float = Field(
        1.0,
        gt=0,
        le=10_000,
        title="Arrival rate",
        description="requests per second, where arrivals are poisson",
        json_schema_extra={"unit": "req/s", "only": {"arrival": "poisson"}},
    )
    seed: int = Field(7, ge=0, lt=2**32, description="order of variants, choice of prompts, arrivals, sampling")
    until_pct: float = Field(
        0.0,
        ge=0,
        le=50,
        title="Until ± %",
        description="go on until every 95 % interval is at most this much to either side; 0 is off: `trials` rounds",
        json_schema_extra={"zero": "not set"},
    )
    max_trials: int = Field(
        200, ge=1, le=10_000, title="At most rounds", description="where until is set: the run ends after as many"
    )
    budget_s: float = Field(
        0.0,
        ge=0,
        title="Budget",
        description="seconds of measuring: no round begins that would likely end later; 0 is no limit",
        json_schema_extra={"unit": "s", "zero": "no limit"},
    )
    engines: Literal["auto", "together", "reload", "sequence"] = Field(
        "auto",
        title="Engines",
        description="auto: all at once if they fit in memory, else one by one; reload: one at a time, loaded anew for "
        "each trial; sequence: one at a time, the baseline before and after all others",
    )

    def trial(self) -> Workload:
        """Return the work of a trial only: duration and order have their defaults."""
        return self.model_copy(update={name: type(self).model_fields[name].default for name in HOW_LONG})

    @model_validator(mode="after")
    def _room_for_rounds(self) -> Workload:
        if self.until_pct and self.max_trials < self.trials:
            raise ValueError(f"max_trials is {self.max_trials}, below the {self.trials} rounds that trials asks for")
        return self

    @property
    def request_count(self) -> int:
        """The number of requests in one trial."""
        return self.requests or self.concurrency

    @property
    def most_rounds(self) -> int:
        """The number of rounds after which a run ends in any case."""
        return self.max_trials if self.until_pct else self.trials
