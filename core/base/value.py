"""The base of every value that crosses a process or lands on disk."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable record: validated, written as JSON, unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, allow_inf_nan=False)
