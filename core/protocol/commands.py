"""What an engine can be told, as JSON lines on its stdin.

`hello` and `env` are answered at once; every one ends with one `Done` or `Failed`. End of input, or `exit`, ends the
engine in any phase.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from core.base.value import Value
from core.model.source import ModelSource
from core.protocol.events import AnswersPurpose
from core.spec.workload import Workload


class Prompt(Value):
    """What a user would send; `filler` is distinct text that extends it to the exact length. With its first `shared`
    characters another prompt of the run begins as well: they are cut first where the text is too long."""

    text: str
    filler: str = ""
    shared: int = Field(0, ge=0)


class HelloCommand(Value):
    command: Literal["hello"] = "hello"


class EnvCommand(Value):
    command: Literal["env"] = "env"


class MeasureCommand(Value):
    """Say what the machine can do: from the cache, or measured now if it is not there or `fresh` is set."""

    command: Literal["measure"] = "measure"
    fresh: bool = False


class CountCommand(Value):
    """Say how many tokens each text has, by the model's tokenizer; its weights are not loaded."""

    command: Literal["count"] = "count"
    model: ModelSource
    texts: list[str]


class ConvertCommand(Value):
    """Make the cached safetensors folder of a GGUF file, if it is not there yet."""

    command: Literal["convert"] = "convert"
    model: ModelSource


class LoadCommand(Value):
    """Load the model and apply the variant (as in a file). `clock_offset_ns` is added to all stamps."""

    command: Literal["load"] = "load"
    model: ModelSource
    variant: dict[str, Any]
    workload: Workload
    clock_offset_ns: int = 0


class MaterializeCommand(Value):
    """Load the model, prune and quantize it as the variant (as in a file) says, and write it as a new folder."""

    command: Literal["materialize"] = "materialize"
    model: ModelSource
    variant: dict[str, Any]
    workload: Workload
    out: str = Field(min_length=1)
    clock_offset_ns: int = 0


class WarmCommand(Value):
    """Run the workload's shape on throw-away prompts until step times are stationary; they are used in turn."""

    command: Literal["warm"] = "warm"
    prompts: list[Prompt] = Field(min_length=1)


class TrialCommand(Value):
    """Measure once. A workload of several requests a trial has the prompts after the first in `others`."""

    command: Literal["trial"] = "trial"
    round: int = Field(ge=0)
    prompt: Prompt
    others: list[Prompt] = []
    seed: int = 0


class QualityCommand(Value):
    """Put a text through the variant. The baseline writes its log-probabilities to a file on its own host, under the
    name `reference`, and the others compare theirs with it, on the same tokens. `text` is for the baseline only."""

    command: Literal["quality"] = "quality"
    role: Literal["reference", "compare"]
    reference: str = Field(pattern="^[0-9a-f]{8,64}$")
    tokens: int = Field(ge=1)  # scored
    window: int = Field(ge=2)
    text: str = ""


class ForgetCommand(Value):
    """Remove the file of a reference."""

    command: Literal["forget"] = "forget"
    reference: str = Field(pattern="^[0-9a-f]{8,64}$")


class AnswersCommand(Value):
    """Answer every prompt greedily, to its natural end or `max_tokens`. The texts go into the chat template at their
    own length; what is longer than `longest` tokens, template included, is cut. `shared`: of each text, as in
    `Prompt`; empty where nothing is known of it."""

    command: Literal["answers"] = "answers"
    purpose: AnswersPurpose
    prompts: list[str] = Field(min_length=1)
    shared: list[int] = []
    max_tokens: int = Field(ge=1)
    longest: int | None = Field(None, ge=1)


class AskCommand(Value):
    """Answer one prompt for somebody who waits for it, to its natural end, `max_tokens`, or a `stop`. The text goes
    into the chat template at its own length, or stands alone; nothing is measured."""

    command: Literal["ask"] = "ask"
    prompt: str
    max_tokens: int = Field(ge=1)
    template: bool = True
    temperature: float = Field(0.0, ge=0)
    seed: int = 0


class StopCommand(Value):
    """End the answer that is being given; it is kept as far as it came. Has no `Done` of its own."""

    command: Literal["stop"] = "stop"


class ExitCommand(Value):
    command: Literal["exit"] = "exit"


Command = (
    HelloCommand | EnvCommand | MeasureCommand | CountCommand | ConvertCommand | LoadCommand | MaterializeCommand
    | WarmCommand | TrialCommand | QualityCommand | ForgetCommand | AnswersCommand | AskCommand | StopCommand
    | ExitCommand
)  # fmt: skip
_adapter: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="command")])


def decode(line: str | bytes) -> Command:
    """Read one command. Raises pydantic.ValidationError."""
    return _adapter.validate_json(line)
