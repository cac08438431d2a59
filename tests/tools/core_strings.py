"""The texts of core that the window or the report may show, as templates; `make translations` brings them into their
.ts file.

Core speaks English; `core/wording/translation.py` knows its texts again by these, for the window and the report.

What counts as such a text is decided here, by these rules:

* a string literal or f-string with a space and a word in small letters, anywhere in core, is one;
* so is a single word where a text is known to stand: titles (`title=`, `title:`, the first of a `Meaning`), tables of
  words (dicts of modules in capitals), alternatives inside of an f-string or to a text, and the label that a form makes
  of a field without a title, or the inspector of a key of a receipt's `detail`;
* not: docstrings, assertions, keys, names and patterns that code compares with, citations (`source`), the names of
  rules, and what the modules and functions below write into the terminal or into files, which are English always.

A placeholder is `{0}`, `{1}`, … where it may hold a text of core itself, and has a name (`{variant}`, `{path}`) where
it holds a name that somebody gave, which is never translated, or the title (`{title}`) of a strategy.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
CORE = ROOT / "resources" / "translations" / "core_zh_CN.ts"


#: They write to the terminal or into files, or their texts are data.
ELSEWHERE = tuple(
    """
    __main__.py cli/ report/report_style.py report/table_export.py report/html_builder.py spec/script_builder.py
    presets/preset_script.py protocol/events.py protocol/commands.py model/materialized_note.py
    kernels/weights/calibration_text.py results/metrics.py
    """.split()
)
#: Functions whose strings are code or data; so are those that get a `Script` to write.
CODE = {"extra_repr", "__getitem__"}
#: Functions that make receipts, or a part of one.
PROOF = re.compile("detail|receipt|proof|lost")
#: Calls whose strings are patterns, names, keys, or meant for programs.
MATCHING = set(
    """
    compile search match fullmatch sub findall startswith endswith removeprefix removesuffix split replace partition
    strip lstrip rstrip join get getattr import_module getLogger print warn add_argument add_parser Literal TypeVar
    Rule AdviceRule Need cannot AssertionError NotImplementedError
    """.split()
)
#: Single words are texts as the values of these.
TITLES = {"title", "description", "summary", "text", "hint", "message", "doing"}
#: How a placeholder is called that holds a name somebody gave, by the words of its expression.
NAMES = {
    "variant": "variant", "variants": "variant", "names": "variant", "name": "name", "loaded": "variant",
    "path": "path", "folder": "path", "file": "path", "out": "path", "parent": "path", "index": "path",
    "config": "path", "models": "path", "plugin": "name", "title": "title",
}  # fmt: skip
#: Letters that a template must have: one that says less would be found in any text.
LEAST = 3
_WORD = re.compile(r"[a-z]{3}|\b(is|of|no|on|at|in|to|by)\b")
_CODE = re.compile(r"[_./*-]|^$")  # a key or the name of a file
HOLE = re.compile(r"\{(?:\d+|[a-z]+\d*)\}")
EDGES = " ,;:·\n"


@cache
def texts() -> dict[str, str]:
    """Return every template, and its place in core."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "core").rglob("*.py")):
        inside = path.relative_to(ROOT / "core").as_posix()
        if inside.startswith(ELSEWHERE):
            continue
        for text in _Module(ast.parse(path.read_text("utf-8"))).found:
            found.setdefault(text, inside)
    for text in VALUES + FOREIGN:
        found.setdefault(text, "pydantic and the system")
    return found


class _Module(ast.NodeVisitor):
    """Collects the texts of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: list[str] = []
        self._single = False  # whether a single word is a text here
        self._table = False  # whether this is a table in capitals
        self.visit(tree)

    # -- what is no text -----------------------------------------------------------------------------------
    def visit_Assert(self, node: ast.Assert) -> None: ...
    def visit_Compare(self, node: ast.Compare) -> None: ...
    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if PROOF.search(node.name):
            for part in ast.walk(node):
                self._keys(part)
        written = any(ast.unparse(a.annotation) == "Script" for a in node.args.args if a.annotation is not None)
        if node.name not in CODE and not written:
            for part in node.body:
                self.visit(part)

    def visit_arg(self, node: ast.arg) -> None: ...

    # -- where single words are texts ----------------------------------------------------------------------
    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Collect class variables, and fields: one without a title is labelled by its name."""
        name = node.target.id if isinstance(node.target, ast.Name) else ""
        if isinstance(node.value, ast.Call) and _called(node.value) == "Field":
            if not any(k.arg == "title" for k in node.value.keywords):
                self._add(_label(name), single=True)
            self.visit(node.value)
        elif node.value is not None and name != "source":
            if name.isupper():
                self.visit_Assign(ast.Assign([node.target], node.value))
            else:
                self._within(node.value, name in TITLES)

    def visit_Assign(self, node: ast.Assign) -> None:
        name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
        if not name.startswith("_QUESTION") and name != "style":
            self._table, before = name.isupper(), self._table
            self.visit(node.value)
            self._table = before

    def visit_Dict(self, node: ast.Dict) -> None:
        for value in node.values:
            self._within(value, self._table and isinstance(value, ast.Constant))

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in ("source", "slot", "name", "style", "class_", "content"):
            self._within(node.value, node.arg in TITLES)

    def _keys(self, node: ast.AST) -> None:
        """Collect the keys of a receipt's detail, which the inspector shows."""
        keys = node.keys if isinstance(node, ast.Dict) else []
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            keys = [node.slice]
        for key in keys:
            for word in (key.body, key.orelse) if isinstance(key, ast.IfExp) else (key,):
                if isinstance(word, ast.Constant) and isinstance(word.value, str):
                    self._add(_label(word.value.replace("_bytes", "")).replace("Kv", "KV"), single=True)

    def visit_Call(self, node: ast.Call) -> None:
        name = _called(node)
        if name in MATCHING:
            self.visit(node.func)
            return
        self.visit(node.func)
        for number, argument in enumerate(node.args):
            self._within(argument, (name in ("Meaning", "say") and number == 0) or (name == "column" and number == 1))
        for keyword in node.keywords:
            self.visit(keyword)

    # -- the texts -----------------------------------------------------------------------------------------
    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._add(template(node), single=True)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                alternatives = isinstance(part.value, ast.IfExp | ast.BoolOp)
                self._within(part.value, alternatives)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        either = [part for part in (node.body, node.orelse) if isinstance(part, ast.Constant)]
        phrase = len(either) == 2 and any(" " in str(part.value) for part in either)
        self._within(node.body, phrase or self._single)
        self._within(node.orelse, phrase or self._single)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._add(node.value, self._single)

    def _within(self, node: ast.AST, single: bool) -> None:
        before, self._single = self._single, single
        self.visit(node)
        self._single = before

    def _add(self, text: str, single: bool = False) -> None:
        text = text.strip(EDGES)
        bare = HOLE.sub("", text)
        if bare != text and sum(map(str.isalpha, bare)) < LEAST:
            return
        if _WORD.search(bare) and (" " in text or (single and not _CODE.search(bare))) and "\n" not in text:
            self.found.append(text)


def template(node: ast.JoinedStr) -> str:
    """Return the template of an f-string, `{variant} ran out of memory`."""
    text, names, number = "", [], 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            text += part.value
            continue
        assert isinstance(part, ast.FormattedValue)
        name = _name(part.value)
        if name:
            names.append(name)
            count = names.count(name)
            text += f"{{{name}{count if count > 1 else ''}}}"
        else:
            text += f"{{{number}}}"
            number += 1
    return text


def _name(node: ast.expr) -> str:
    """Return the placeholder's name for an expression that holds a name given by a user, or ""."""
    if isinstance(node, ast.Name) and node.id in ("base", "bounds"):
        return node.id
    if any(isinstance(part, ast.IfExp | ast.BoolOp) for part in ast.walk(node)):
        return ""
    if isinstance(node, ast.Call) and _called(node) not in (
        "join",
        "visible",
        "repr",
        "_short",
        "str",
        "next",
        "sorted",
    ):
        return ""
    words = [part.attr if isinstance(part, ast.Attribute) else part.id
             for part in ast.walk(node) if isinstance(part, ast.Attribute | ast.Name)]  # fmt: skip
    if "error" in words or "strerror" in words:
        return ""
    return next((NAMES[word] for word in words if word in NAMES), "")


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


#: Values of fields that stand in sentences.
VALUES = (
    "kv cache", "{0} tensors", "Calibration sha256", "Sequences", "Draft device", "Draft layers", "Draft weights",
    "int8 activations and weights", "fp8 activations and weights",
    *"""
    green amber red ok stopped runtime activations faster slower undecided withheld unpaired kernel launch compute
    together reload sequence default
    """.split(),
)  # fmt: skip
#: What core passes on: faults of fields, as pydantic says them, and of files, as the system does.
FOREIGN = (
    "Value error, {0}",
    "Field required",
    "Input should be greater than {0}",
    "Input should be greater than or equal to {0}",
    "Input should be less than {0}",
    "Input should be less than or equal to {0}",
    "Input should be a multiple of {0}",
    "Input should be a finite number",
    "Input should be a valid string",
    "String should have at least {0} character",
    "String should have at least {0} characters",
    "String should have at most {0} character",
    "String should have at most {0} characters",
    "Input should be a valid dictionary",
    "Input should be a valid list",
    "Input should be a valid boolean",
    "Input should be a valid boolean, unable to interpret input",
    "Input should be a valid integer",
    "Input should be a valid integer, unable to parse string as an integer",
    "Input should be a valid integer, got a number with a fractional part",
    "Input should be a valid number",
    "Input should be a valid number, unable to parse string as a number",
    "Input should be {0}",
    "No such file or directory",
    "Permission denied",
    "Operation not permitted",
    "Is a directory",
    "Not a directory",
    "No space left on device",
    "Read-only file system",
    "File exists",
    "File name too long",
    "Exec format error",
    "Input/output error",
)
