"""Every text of the window is there in every language, and compiled; and no text goes past the translators.

`make translations` mends what the first tests find, but for the translating.
"""

import ast
import re
import shutil
from collections import Counter

import pytest
from PySide6.QtCore import QTranslator

from tests.tools.translations import ROOT, TRANSLATIONS, WINDOW, code_files, compile_ts, entries, texts, update

FILES = sorted(TRANSLATIONS.glob("*.ts"))
PLACEHOLDER = re.compile(r"\{[^{}]*\}")

# What shows its first argument to the user.
SHOWS = {
    "setText", "setToolTip", "setWindowTitle", "setPlaceholderText", "setAccessibleName", "setAccessibleDescription",
    "setWhatsThis", "setStatusTip", "setTitle", "setInformativeText", "setSuffix", "setPrefix", "setSpecialValueText",
    "setTabText", "setLabel", "setLabelText", "set_label", "set_value", "set_hint", "setPlainText", "showMessage",
    "addAction", "addItem", "addItems", "addTab", "addMenu", "addButton", "addRow", "addSection",
    "QLabel", "QPushButton", "QToolButton", "QAction", "QCheckBox", "QRadioButton", "QGroupBox", "QMenu", "QToolBar",
    "button", "label", "caption", "heading", "Button", "PrimaryButton", "Elided", "Meter", "Field", "Dialog",
}  # fmt: skip
SAID = {"emit": ("notice",), "offer": ("notice",)}  # what shows all of its arguments, of what
# Names, units and keys: the same in every language.
SAME = {"Dyno", "CSV", "JSON", "HTML", "PNG", "SVG", "GiB", "tok/s", "TTFT", "ITL", "KV", "CPU", "GPU", "RAM"}


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_every_text_is_translated_with_its_placeholders(file):
    for entry in entries(file):
        where = f"{entry.context}: {entry.text!r}"
        assert entry.state == "", f"{where} is {entry.state}: run `make translations` and translate it in {file.name}"
        assert entry.translation.strip(), f"{where} has no translation"
        lost, there = (Counter(PLACEHOLDER.findall(t)) for t in (entry.text, entry.translation))
        assert set(lost) == set(there), f"{where}: placeholders of {entry.translation!r}"


def test_the_compiled_file_is_that_of_its_source(tmp_path):
    fresh, there = tmp_path / "fresh.qm", QTranslator()
    compile_ts(WINDOW, fresh)
    assert there.load(str(WINDOW.with_suffix(".qm"))), f"{WINDOW.stem}.qm is missing: run `make translations`"
    assert WINDOW.with_suffix(".qm").read_bytes() == fresh.read_bytes(), "it is older: run `make translations`"


def test_the_file_has_the_texts_of_the_code_and_no_others():
    found = texts()
    assert not found.faults
    assert {(e.context, e.text) for e in entries(WINDOW)} == set(found.messages), "run `make translations`"


def test_a_new_text_is_found_unfinished(tmp_path):
    file = tmp_path / "dyno_zh_CN.ts"
    shutil.copy(WINDOW, file)
    messages = [*texts().messages, ("Centre", 'A new "text" of {n}:\n\\ …')]
    update(messages, file)
    (new,) = [e for e in entries(file) if e.state]
    assert (new.text, new.state) == (messages[-1][1], "unfinished")


def shown(node):
    """The texts that an expression puts before the user, but for those of translators."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            for part in parts:
                if isinstance(part, ast.Constant):
                    yield part.value
        case ast.IfExp(body=one, orelse=other):
            yield from shown(one)
            yield from shown(other)
        case ast.BinOp(left=one, right=other) | ast.BoolOp(values=[one, other]):
            yield from shown(one)
            yield from shown(other)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from shown(part)


def words_of(text):
    return [w for w in re.findall(r"[A-Za-z][A-Za-z/]+", text) if w not in SAME]


@pytest.mark.parametrize("file", code_files(), ids=lambda f: f.stem)
def test_no_text_goes_past_the_translators(file):
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        said = node.args if _says(node.func) else node.args[:1] if name in SHOWS else []
        for argument in said[1:] if name == "emit" else said:
            for text in shown(argument):
                assert not words_of(text), f"{file.relative_to(ROOT)}:{node.lineno}: {text!r} needs self.tr(…)"


def _says(function):
    """Whether this is `….notice.emit` or the like."""
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Attribute)
        and function.value.attr in SAID.get(function.attr, ())
    )
