"""The base class of every value that crosses a process boundary or is written to disk."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable, validated record that is written as JSON. Unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, allow_inf_nan=False)
