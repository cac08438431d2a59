"""Where a model comes from, and what its user allowed."""

from __future__ import annotations

from pydantic import (
    ConfigDict,
    Field,
)

from core.base.value import Value

#: A number or a switch is what it is written as: `"2"`, `true` and `2.0` are no count, and `"yes"` is no switch.
AS_WRITTEN = ConfigDict(strict=True)


class ModelSource(Value):
    """Where a model comes from. Unpickling and remote code are allowed for this one model only."""

    model_config = AS_WRITTEN
    source: str = Field("demo", min_length=1, description='"demo", a folder, a .gguf file, or a hub id')
    revision: str | None = Field(None, description="commit or branch of a hub id")
    allow_pickle: bool = Field(False, description="load pickled weights: they can run code")
    trust_remote_code: bool = Field(False, description="run Python files that come with the model")
