"""Strategies and variants; a variant has at most one strategy per slot.

A strategy is one class: its fields are its parameters (form, validation, JSON, command line and documentation follow
from them), its hooks do the work inside the engine process, and its `receipt` proves that the work was done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
)

from core.base.value import Value
from core.base.visible_text import look, unseen, visible

if TYPE_CHECKING:
    from core.machine.environment import Environment
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.model.receipt import Receipt
    from core.spec.loaded_model import Decoder, LoadedModel
    from core.spec.script_builder import Script
    from core.spec.workload import Workload

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


class Registry(Mapping[str, "dict[str, type[Strategy]]"]):
    """The strategies of each slot by key, found when a slot is first read: `core.strategies` imports its files, and
    each class registers itself."""

    def __init__(self) -> None:
        self._kinds: dict[str, dict[str, type[Strategy]]] = {slot: {} for slot in SLOTS}

    def enter(self, kind: type[Strategy]) -> None:
        """Register a class under its slot and key."""
        self._kinds[kind.slot][kind.key] = kind

    def __getitem__(self, slot: str) -> dict[str, type[Strategy]]:
        import_module("core.strategies")
        return self._kinds[slot]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


REGISTRY = Registry()


class Need(Value):
    """A package that the engine's Python needs, its oldest sufficient version, and the source of that requirement."""

    package: str
    least: str  # empty: any
    source: str


class Unsuitable(ValueError):
    """Raised by a hook: the strategy cannot work on the loaded model; the message says why."""


class Strategy(Value):
    """One choice for one slot. Subclasses set the class variables and override the hooks they need."""

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
    moves_layers: ClassVar[bool] = (
        False  # its transform takes a model on the host, and moves layer by layer to the card
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if isinstance(cls.__dict__.get("key"), str):
            REGISTRY.enter(cls)

    # -- before anything is loaded: reasons in words, empty where there are none ---------------------------
    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        """Return why the strategy cannot work on that machine ("needs CUDA"), or an empty string."""
        return ""

    def unavailable_as_set(self, environment: Environment) -> str:
        """Return why it cannot work there with these parameters, if they need more than the strategy itself."""
        return self.unavailable(environment)

    @classmethod
    def caveat(cls, environment: Environment) -> str:
        """Return why it works on that machine only poorly ("no AVX-512-BF16: …"), or an empty string."""
        return ""

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        """Return why it cannot work in that variant, on that model, under that workload."""
        return []

    def lacks(self) -> str:
        """Return which required parameter is still empty, or an empty string. It counts as a conflict, but not as a
        reason against choosing the strategy."""
        return ""

    def is_name(self, parameter: str) -> bool:
        """Return whether the value of a `paths` parameter is a preset's name and no path (files of presets end in
        .json)."""
        return parameter in self.presets and not getattr(self, parameter).endswith(".json")

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        """Return the model's sizes with this strategy, given those without it; memory is estimated from them before
        loading."""
        return size

    # -- in the engine ------------------------------------------------------------------------------------
    def misfits(self, outline: Any) -> list[str]:
        """Return why it cannot work on a model with such layers, before weights are read. `outline` is the model on
        torch's meta device, a copy that this strategy may change: layers, shapes and config, no weights."""
        return []

    def load(self, options: dict[str, Any]) -> None:
        """Change the keyword arguments of `from_pretrained` (for example `dtype`)."""

    def transform(self, runtime: LoadedModel) -> None:
        """Change `runtime.model` in place after loading."""

    @property
    def changes_model(self) -> bool:
        """Whether the strategy has a `transform` of its own."""
        return type(self).transform is not Strategy.transform

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        """Set a part of the decoder `inner` and return it, or return a decoder that wraps or replaces it."""
        return inner

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return what is in effect, read from the loaded model and never from the request."""
        raise NotImplementedError

    # -- without Dyno -------------------------------------------------------------------------------------
    def script(self, out: Script) -> None:
        """Add the equivalent code to a script for transformers, or say why there is none."""
        out.cannot(self, "transformers has no setting for it")

    def runs_on_host(self) -> bool:
        """Return whether a model that was loaded with it runs on the host as well as on a card."""
        return True

    # -- words --------------------------------------------------------------------------------------------
    def label(self) -> str:
        """Return the choice and its non-default parameters: `int4 g32`."""
        changed = [
            f"{name}={getattr(self, name)}"
            for name, field in type(self).model_fields.items()
            if getattr(self, name) != field.default
        ]
        return " ".join([self.key, *changed])

    def dump(self) -> dict[str, Any]:
        """Return the choice as in a file: `{"method": …, parameter: …}`."""
        return {"method": self.key, **self.model_dump(mode="json")}


class UnknownStrategy(Strategy):
    """A choice from a file of another version of Dyno; it is shown and cannot run."""

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
        """A key that no strategy has: a known method with unknown parameters may end up here."""
        return self.label()

    def __hash__(self) -> int:
        return hash((self.where, self.method))  # what the file says of parameters may hold lists and tables

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        return [f"this version of Dyno has no {self.where} strategy {self.method!r} with these parameters"]

    def label(self) -> str:
        return f"{self.method} (unknown)"

    def dump(self) -> dict[str, Any]:
        return {"method": self.method, **self.parameters}


def _slot(name: str) -> Any:
    """Return the annotated type of one slot: `{"method": …, parameters}` in files, a `Strategy` in memory."""

    def parse(value: Any, info: ValidationInfo) -> Any:
        if value is None or isinstance(value, Strategy):
            return value
        if isinstance(value, str):
            value = {"method": value}
        if not isinstance(value, dict) or not isinstance(value.get("method"), str):
            raise ValueError('expected { method = "…", parameters }')
        parameters = {k: v for k, v in value.items() if k != "method"}
        lenient = bool(info.context and info.context.get("lenient"))
        kind = REGISTRY[name].get(value["method"])
        if kind is None:
            if lenient:
                return UnknownStrategy(where=name, method=value["method"], parameters=parameters)
            known = ", ".join(REGISTRY[name]) or "none in this version"
            raise ValueError(f"there is no method {value['method']!r}; allowed: {known}")
        try:
            return kind.model_validate(parameters, strict=True)
        except ValidationError:
            if lenient:
                return UnknownStrategy(where=name, method=value["method"], parameters=parameters)
            raise

    return Annotated[
        SerializeAsAny[Strategy] | None,
        BeforeValidator(parse),
        PlainSerializer(lambda s: s.dump() if s is not None else None),
    ]


def _readable_name(name: str, info: ValidationInfo) -> str:
    """Return the name, checked to be distinguishable by its visible characters; a file that is only shown keeps the
    names in its events."""
    if info.context and info.context.get("lenient"):
        return name
    if unseen(name):
        raise ValueError(f"a name may not hold control characters: {visible(name, keep='')}")
    if not look(name):
        raise ValueError("a name may not be blank")
    return name.strip()


class Variant(Value):
    """A model with its active strategies, at most one per slot."""

    name: Annotated[str, AfterValidator(_readable_name)] = Field(min_length=1, max_length=80)
    precision: _slot("precision") = None  # type: ignore[valid-type]
    pruning: _slot("pruning") = None  # type: ignore[valid-type]
    quantization: _slot("quantization") = None  # type: ignore[valid-type]
    attention: _slot("attention") = None  # type: ignore[valid-type]
    fusion: _slot("fusion") = None  # type: ignore[valid-type]
    compilation: _slot("compilation") = None  # type: ignore[valid-type]
    kv_cache: _slot("kv_cache") = None  # type: ignore[valid-type]
    prefix_cache: _slot("prefix_cache") = None  # type: ignore[valid-type]
    speculation: _slot("speculation") = None  # type: ignore[valid-type]
    batching: _slot("batching") = None  # type: ignore[valid-type]
    parallelism: _slot("parallelism") = None  # type: ignore[valid-type]

    def strategies(self) -> Iterator[Strategy]:
        """Yield the active strategies in the order of their transforms."""
        for slot in SLOTS:
            strategy = getattr(self, slot)
            if strategy is not None:
                yield strategy

    def recipe(self) -> str:
        """Return one line: `int8_weight_only · prompt_lookup draft_tokens=5`, or `as loaded`."""
        return " · ".join(s.label() for s in self.strategies()) or "as loaded"

    def renamed(self, name: str) -> Variant:
        """Return the variant under another name. Raises ValidationError."""
        return self.model_copy(update={"name": Variant(name=name).name})

    def dump(self) -> dict[str, Any]:
        """Return the variant as in a file, with set slots only."""
        return self.model_dump(mode="json", exclude_none=True)
