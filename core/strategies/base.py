"""What a strategy is. Knows parameters, hooks and the registry; knows no torch and no particular strategy.

A strategy is one class: its fields are its parameters (the form, validation, JSON, command line and
documentation are derived from them), its hooks do the work inside the engine process, its `receipt` proves
that the work was done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from core.model import Value

if TYPE_CHECKING:
    from core.engine.runtime import Runtime
    from core.environment import Environment
    from core.facts import ModelFacts
    from core.footprint import Footprint
    from core.kernels.decoders import Decoder
    from core.receipt import Receipt
    from core.script import Script
    from core.spec import Variant, Workload

#: A variant holds at most one strategy per slot. Transforms run in this order.
SLOTS = (
    "precision",
    "pruning",
    "quantization",
    "attention",
    "fusion",
    "compilation",
    "kv_cache",
    "prefix_cache",
    "speculation",
    "batching",
    "parallelism",
)

REGISTRY: dict[str, dict[str, type[Strategy]]] = {slot: {} for slot in SLOTS}


class Need(Value):
    """A package of the engine's Python, the oldest version that will do, and who says so."""

    package: str
    least: str  # empty: any
    source: str


class Unsuitable(ValueError):
    """Raised by a hook: the strategy cannot work on the model as it was loaded; the message says why."""


class Strategy(Value):
    """One choice for one slot; subclasses set the class variables and override the hooks they need."""

    slot: ClassVar[str]
    key: ClassVar[str]  # the method's name in files
    title: ClassVar[str]  # what a person reads
    summary: ClassVar[str]  # one sentence: what it does and when it pays
    pays: ClassVar[str] = ""  # when it pays ...
    pays_not: ClassVar[str] = ""  # ... and when it does not; figures are others' measurements, with their machine
    source: ClassVar[str] = ""  # paper or documentation
    exact: ClassVar[bool] = False  # greedy output in fp32 equals the baseline's, token for token
    paths: ClassVar[tuple[str, ...]] = ()  # parameters that may be files, relative to the experiment's own
    presets: ClassVar[tuple[str, ...]] = ()  # those of them that may also be the name of a preset
    needs: ClassVar[tuple[Need, ...]] = ()  # packages beside those that every engine has

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if isinstance(cls.__dict__.get("key"), str):
            REGISTRY[cls.slot][cls.key] = cls

    # -- before anything is loaded: reasons in words, empty where there are none ---------------------------
    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        """Why this cannot work on that machine ("needs CUDA"), or an empty string."""
        return ""

    def unavailable_as_set(self, environment: Environment) -> str:
        """The same with these parameters, where only some of them need more than the strategy itself."""
        return self.unavailable(environment)

    @classmethod
    def caveat(cls, environment: Environment) -> str:
        """Why this works on that machine, but not as it is meant to ("no AVX-512-BF16: …"), or an empty string."""
        return ""

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        """Why this cannot work in that variant, on that model, under that workload."""
        return []

    def lacks(self) -> str:
        """What has to be filled in first, where a parameter has no default that works, or an empty string. It is one
        of the conflicts, and the one that is no reason not to choose this."""
        return ""

    def is_name(self, parameter: str) -> bool:
        """Whether what a parameter among `paths` says is no path: the name of a preset, whose files end in .json."""
        return parameter in self.presets and not getattr(self, parameter).endswith(".json")

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        """The model's sizes with this, from those without it: memory is estimated from them before loading."""
        return size

    # -- in the engine ------------------------------------------------------------------------------------
    def misfits(self, outline: Any) -> list[str]:
        """Why this cannot work on a model with such layers, asked before its weights are read. `outline` is the model
        on torch's meta device, this strategy's own to change: layers, shapes and configuration, no weights."""
        return []

    def load(self, options: dict[str, Any]) -> None:
        """Change the keyword arguments of `from_pretrained` (for example `dtype`)."""

    def transform(self, runtime: Runtime) -> None:
        """Change `runtime.model` in place, after loading."""

    @property
    def changes_model(self) -> bool:
        """Whether it has a `transform` of its own."""
        return type(self).transform is not Strategy.transform

    def decoder(self, inner: Decoder, runtime: Runtime) -> Decoder:
        """Set a part of the decode loop's decoder (`inner`, which it gives back), wrap it, or replace it."""
        return inner

    def receipt(self, runtime: Runtime) -> Receipt:
        """What is really in effect, read from the loaded model, never from the request."""
        raise NotImplementedError

    # -- without Dyno -------------------------------------------------------------------------------------
    def script(self, out: Script) -> None:
        """Add to a script for transformers what has the same effect there, or say why nothing has."""
        out.cannot(self, "transformers has no setting for it")

    # -- words --------------------------------------------------------------------------------------------
    def label(self) -> str:
        """The choice and the parameters that differ from their defaults: `int4 g32`."""
        changed = [
            f"{name}={getattr(self, name)}"
            for name, field in type(self).model_fields.items()
            if getattr(self, name) != field.default
        ]
        return " ".join([self.key, *changed])

    def dump(self) -> dict[str, Any]:
        """As in a file: `{"method": …, parameter: …}`."""
        return {"method": self.key, **self.model_dump(mode="json")}


class UnknownStrategy(Strategy):
    """A choice from a file of another version of Dyno: it is shown, and cannot be run."""

    title: ClassVar[str] = "unknown"
    summary: ClassVar[str] = "This version of Dyno does not have this strategy."
    where: str
    method: str
    parameters: dict[str, Any]

    @property
    def slot(self) -> str:  # type: ignore[override]
        return self.where

    @property
    def key(self) -> str:  # type: ignore[override]
        """None that is known: a known method may be here for the sake of its parameters, and has none of them."""
        return self.label()

    def __hash__(self) -> int:
        return hash((self.where, self.method))  # what the file says of parameters may hold lists and tables

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        return [f"this version of Dyno has no {self.where} strategy {self.method!r} with these parameters"]

    def label(self) -> str:
        return f"{self.method} (unknown)"

    def dump(self) -> dict[str, Any]:
        return {"method": self.method, **self.parameters}


def listed(lines: list[str]) -> list[str]:
    """The first 20 lines for a receipt, and how many more there are."""
    return lines[:20] + ([f"… and {len(lines) - 20} more"] if len(lines) > 20 else [])
