"""`make translations`: brings the translations of the window's texts up to date with the code, and compiles them.

    python -m tests.tools.translations           every text of app/ and core/ into the .ts files, then the window's .qm
    file python -m tests.tools.translations --compile only the .qm file

Texts are read here rather than by lupdate, which knows `self.tr` and takes no notice of where `view.tr` or a helper of
a module looks a text up at run time. Merging them into a .ts file is lupdate's work, compiling it lrelease's.
New texts are "unfinished" until somebody translates them, in the file itself or in Qt Linguist.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import PySide6

from tests.tools import core_strings

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "app"
TRANSLATIONS = ROOT / "resources" / "translations"
WINDOW = TRANSLATIONS / "dyno_zh_CN.ts"  # of app/; those of core/ have a file and a collector of their own

Message = tuple[str, str]  # context, text in English


@dataclass
class Texts:
    """The texts in the code: `messages` in order, and what cannot be translated, with its place."""

    messages: list[Message] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def code_files() -> list[Path]:
    return sorted(APP.rglob("*.py"))


def texts() -> Texts:
    """Return every text of the window with the context in which Qt looks it up."""
    found = Texts()
    for file in code_files():
        _Reader(file, found).read()
    found.messages = list(dict.fromkeys(found.messages))
    return found


class _Reader(ast.NodeVisitor):
    """Reads one file. `self.tr` looks a text up under its class and its bases up to QObject. Texts of `view.tr`, whose
    class is unknown here, belong to QObject."""

    def __init__(self, file: Path, found: Texts) -> None:
        self.file, self.found = file, found
        self.classes: list[str] = []
        self.functions: list[ast.FunctionDef] = []
        self.helpers: dict[str, str] = {}

    def read(self) -> None:
        tree = ast.parse(self.file.read_text("utf-8"))
        self.helpers = dict(_helpers(tree))
        self.visit(tree)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.classes.append(node.name)
        self.generic_visit(node)
        self.classes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in [*node.args.defaults, *node.args.kw_defaults]:  # evaluated once, at import
            if default is not None:
                self.visit(default)
        self.functions.append(node)
        for part in node.body:
            self.visit(part)
        self.functions.pop()

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        name, owner = _name(node.func)
        if name == "tr" and owner:
            self._keep(node, self.classes[-1] if owner == "self" and self.classes else "QObject", 0)
        elif name == "tr":
            self._keep(node, "QObject", 0)
        elif not owner and name in self.helpers and not self._inside(name):
            self._keep(node, self.helpers[name], 0)
        elif name == "QT_TRANSLATE_NOOP" or (name == "translate" and owner == "QCoreApplication"):
            if any(self._inside(helper) for helper in self.helpers):
                return
            context = _literal(node.args[0])
            if context is None:
                self._complain(node, "its context is no literal")
            else:
                self._keep(node, context, 1)

    def _inside(self, name: str) -> bool:
        return any(f.name == name for f in self.functions)

    def _keep(self, node: ast.Call, context: str, place: int) -> None:
        text = _literal(node.args[place]) if len(node.args) > place else None
        if text is None:
            self._complain(node, "the text is no literal")
            return
        if not self.functions and _name(node.func)[0] != "QT_TRANSLATE_NOOP":
            self._complain(node, "it is translated at import, before the language is known")
        elif any(
            _name(d.func if isinstance(d, ast.Call) else d)[0] == "cache"
            for f in self.functions
            for d in f.decorator_list
        ):
            self._complain(node, "a cache would keep it in the language of the first call")
        self.found.messages.append((context, text))

    def _complain(self, node: ast.AST, what: str) -> None:
        line = getattr(node, "lineno", 0)
        self.found.faults.append(f"{self.file.relative_to(ROOT)}:{line}: {what}")


def _name(function: ast.expr) -> tuple[str, str]:
    """Return the name of the called function and of its owner, "" without one."""
    if isinstance(function, ast.Name):
        return function.id, ""
    if isinstance(function, ast.Attribute):
        return function.attr, function.value.id if isinstance(function.value, ast.Name) else "?"
    return "", ""


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _helpers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield a module's functions that only translate their argument, with their context."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and len(node.args.args) == 1 and isinstance(node.body[-1], ast.Return):
            call = node.body[-1].value
            if isinstance(call, ast.Call) and _name(call.func) == ("translate", "QCoreApplication"):
                context = _literal(call.args[0])
                if context is not None and isinstance(call.args[1], ast.Name):
                    yield node.name, context


# -- .ts and .qm -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Entry:
    """One message of a .ts file; `state` is "", "unfinished", "obsolete" or "vanished"."""

    context: str
    text: str
    translation: str
    state: str


def entries(file: Path) -> list[Entry]:
    """Return the messages of a .ts file."""
    made = []
    for context in ElementTree.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            made.append(
                Entry(
                    context.findtext("name", ""),
                    message.findtext("source", ""),
                    translation.text or "",
                    translation.get("type", ""),
                )
            )
    return made


def update(messages: list[Message], file: Path) -> None:
    """Update a .ts file: new texts are added, missing ones removed, similar ones suggested."""
    with tempfile.TemporaryDirectory() as folder:
        digest = Path(folder) / "texts.cpp"  # lupdate reads C++ best
        lines = (f"QCoreApplication::translate({_quoted(c)}, {_quoted(t)});" for c, t in messages)
        digest.write_text("\n".join(lines), "utf-8")
        _run(
            "lupdate", str(digest), "-ts", str(file), "-no-obsolete", "-locations", "none", "-silent",
            "-source-language", "en", "-target-language", "zh_CN",
        )  # fmt: skip


def compile_ts(file: Path, out: Path) -> None:
    """Write the .qm file of a .ts file; unfinished texts stay English."""
    _run("lrelease", str(file), "-qm", str(out), "-nounfinished", "-silent")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _run(tool: str, *arguments: str) -> None:
    folder = Path(PySide6.__file__).parent
    found = next(p for p in (folder / tool, folder / f"{tool}.exe", folder / "Qt" / "libexec" / tool) if p.exists())
    subprocess.run([str(found), *arguments], check=True)


def main(arguments: list[str]) -> int:
    if "--compile" not in arguments:
        found = texts()
        if found.faults:
            print("\n".join(found.faults), file=sys.stderr)
            return 1
        update(found.messages, WINDOW)
        update([("core", text) for text in core_strings.texts()], core_strings.CORE)
    compile_ts(WINDOW, WINDOW.with_suffix(".qm"))  # core reads its own as it is
    for file in sorted(TRANSLATIONS.glob("*.ts")):
        made = entries(file)
        left = [e for e in made if e.state == "unfinished"]
        print(f"{file.name}: {len(made)} texts, {len(left)} to translate")
        for entry in left:
            print(f"  {entry.context}: {entry.text!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
