"""Builds a Python script: strategies add to it, so that transformers alone does what a recipe says."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from core.base.visible_text import visible
from core.model.facts import ModelFacts

MATERIALIZE = (
    "it is work on the weights: write them with `dyno preset materialize NAME DIR`, and export again with --model DIR"
)
HELPERS = Path(__file__).parents[1] / "kernels"


class Choice(Protocol):
    """A strategy as a script names it."""

    @property
    def slot(self) -> str: ...

    def label(self) -> str: ...


class Code(str):
    """Text that is Python already. Everything else put into a script is written as a literal."""

    __slots__ = ()


def expression(value: Any) -> str:
    """Return a value as Python text: code unchanged; a string, number, list or None as a literal."""
    if isinstance(value, Code):
        return value
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(expression, value)) + "]"
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)  # no character of a name can end the literal, the line or the file
    raise TypeError(f"{type(value).__name__} has no literal")


def call(name: str, *positional: Any, **named: Any) -> Code:
    """Return the call `name(positional, named=…)` on one line."""
    arguments = [*map(expression, positional), *(f"{key}={expression(value)}" for key, value in named.items())]
    return Code(f"{name}({', '.join(arguments)})")


def comment(text: str, indent: str = "") -> str:
    """Return one comment line; characters that could end it are escaped."""
    return f"{indent}# {visible(text, keep='')}".rstrip()


class Script:
    """A script in parts: arguments of `from_pretrained`, lines before and after it, arguments of `generate`. `model` is
    the variable of the model in those lines. `facts` are the model's, if known."""

    def __init__(self, facts: ModelFacts | None, dtype: str, model: str = "model") -> None:
        self.facts = facts
        self.model = model
        self.imports: set[str] = set()
        self.definitions: dict[str, str] = {}  # name: source, at the top of the script
        self.before: list[str] = []
        self.load: dict[str, Any] = {"dtype": Code(f"torch.{dtype}")}
        self.after: list[str] = []
        self.also: list[str] = []  # variables beside the model and the tokenizer that generating needs
        self.generate: dict[str, Any] = {}
        self.missing: list[tuple[str, str]] = []  # strategy, why
        self.notes: list[str] = []

    @property
    def dtype(self) -> str:
        """torch's name of the weights' data type: float32."""
        return expression(self.load["dtype"]).removeprefix("torch.")

    def cannot(self, strategy: Choice, why: str) -> None:
        """Record that the script omits a strategy, and why; its head says so."""
        self.missing.append((f"{strategy.slot} {strategy.label()}", why))

    def note(self, text: str) -> None:
        """Add a note for the reader about what the script does."""
        if text not in self.notes:
            self.notes.append(text)

    def use(self, *imports: str) -> None:
        """Add lines such as `import torch`, each once."""
        self.imports.update(imports)

    def define(self, file: str, *names: str) -> None:
        """Copy functions and classes from a file of `core/kernels`, which need torch and nothing of Dyno."""
        source = (HELPERS / file).read_text("utf-8")
        found = {n.name: n for n in ast.parse(source).body if isinstance(n, ast.ClassDef | ast.FunctionDef)}
        for name in names:
            text = ast.get_source_segment(source, found[name])
            assert text is not None
            decorators = [f"@{ast.get_source_segment(source, d)}\n" for d in found[name].decorator_list]
            self.definitions[name] = "".join(decorators) + text
        self.use("import torch", "from torch import Tensor, nn")

    def every_linear(self) -> None:
        """Define `linears(model, alone)`, which yields the layers that a quantization replaces."""
        self.use("from fnmatch import fnmatchcase", "from torch import Tensor, nn", "import torch")
        self.use("from transformers.pytorch_utils import Conv1D")
        self.define("base/surgery.py", "_is_plain", "_multiplies")
        self.definitions["linears"] = _LINEARS

    def beside(self, model: str) -> Script:
        """Return a script for a second model in the same file, which shares imports, definitions and notes."""
        other = Script(self.facts, self.dtype, model)
        other.imports, other.definitions = self.imports, self.definitions
        other.notes, other.missing = self.notes, self.missing
        return other

    def loading(self, source: str, between: Iterable[str] = ()) -> list[str]:
        """Return the lines that load the model and change it. `source` is a name or a path, as code."""
        arguments = {"device_map": Code('{"": device}'), **self.load}
        return [
            *self.before,
            f"{self.model} = AutoModelForCausalLM.from_pretrained(",
            f"    {source},",
            *(f"    {name}={expression(value)}," for name, value in arguments.items()),
            ").eval()",
            *between,
            *self.after,
        ]


_LINEARS = '''\
def linears(model, alone):
    """Every layer that is replaced, by name: not the output head, and none that fits a pattern of `alone`."""
    head = model.get_output_embeddings()
    for name, module in list(model.named_modules()):
        if module is head or any(fnmatchcase(name, pattern) for pattern in alone):
            continue
        if type(module) is nn.Linear:
            yield name, module
        elif isinstance(module, nn.Linear):  # of a class of its own, such as Falcon's: it may be no more than a Linear
            if _is_plain(module) and _multiplies(module):
                yield name, module
        elif isinstance(module, Conv1D):  # GPT-2 has its weights the other way round
            linear = nn.Linear(*module.weight.shape, device="meta")
            linear.weight = nn.Parameter(module.weight.detach().T.contiguous(), requires_grad=False)
            linear.bias = nn.Parameter(module.bias.detach(), requires_grad=False)
            yield name, linear'''
