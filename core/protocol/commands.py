"""The commands to an engine, as JSON lines on its stdin. `hello` and `env` are answered at once. Each command ends with
one `Done` or `Failed`. `exit` or the end of the input ends the engine in any phase."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from core.base.value import Value
from core.model.source import ModelSource
from core.protocol.events import AnswersPurpose
from core.spec.workload import Workload


class Prompt(Value):
    """A user's prompt; `filler` is distinct text that extends it to the exact length. Another prompt of the run shares
    its first `shared` characters, which are cut first if the text is too long."""

    text: str
    filler: str = ""
    shared: int = Field(0, ge=0)


class HelloCommand(Value):
    command: Literal["hello"] = "hello"


class EnvCommand(Value):
    command: Literal["env"] = "env"


class MeasureCommand(Value):
    """Report the machine's limits from the cache, measured now if they are missing or `fresh` is set."""

    command: Literal["measure"] = "measure"
    fresh: bool = False


class CountCommand(Value):
    """Count the tokens of each text with the model's tokenizer, without loading weights."""

    command: Literal["count"] = "count"
    model: ModelSource
    texts: list[str]


class ConvertCommand(Value):
    """Convert a GGUF file into its cached safetensors folder, unless that exists."""

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
    """Run the workload's shape on throw-away prompts, used in turn, until step times are stationary."""

    command: Literal["warm"] = "warm"
    prompts: list[Prompt] = Field(min_length=1)


class TrialCommand(Value):
    """Measure one trial. `others` holds the prompts after the first, for a workload of several requests per trial."""

    command: Literal["trial"] = "trial"
    round: int = Field(ge=0)
    prompt: Prompt
    others: list[Prompt] = []
    seed: int = 0


class QualityCommand(Value):
    """Score a text with the variant. The baseline writes its log-probabilities to a file on its host under the name
    `reference`; the others compare theirs with it on the same tokens. `text` is for the baseline only."""

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
    """Answer every prompt greedily, to its natural end or `max_tokens`. Texts go into the chat template at their own
    length, cut to `longest` tokens with the template. `shared` is as in `Prompt`, per text; empty if unknown."""

    command: Literal["answers"] = "answers"
    purpose: AnswersPurpose
    prompts: list[str] = Field(min_length=1)
    shared: list[int] = []
    max_tokens: int = Field(ge=1)
    longest: int | None = Field(None, ge=1)


class AskCommand(Value):
    """Answer one prompt for a waiting user, to its natural end, `max_tokens`, or a `stop`. The text goes into the chat
    template at its own length, or stands alone. Nothing is measured."""

    command: Literal["ask"] = "ask"
    prompt: str
    max_tokens: int = Field(ge=1)
    template: bool = True
    temperature: float = Field(0.0, ge=0)
    seed: int = 0


class StopCommand(Value):
    """End the running answer and keep what it has so far. Has no `Done` of its own."""

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
    """Return the command in a line. Raises pydantic.ValidationError."""
    return _adapter.validate_json(line)
