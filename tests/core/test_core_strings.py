"""The translations of what core says are complete, and what Qt reads is made of them."""

import re

from core.strategies import REGISTRY
from tests import core_strings
from tests.core_strings import HOLE, TS, release, template, texts, translations


def test_every_text_of_core_is_translated_and_no_other() -> None:
    found, known = texts(), translations()
    assert not [text for text in found if not known.get(text)], "run python -m tests.core_strings, then translate"
    assert not [text for text in known if text not in found], "run python -m tests.core_strings"


def test_no_translation_loses_a_placeholder() -> None:
    for text, said in translations().items():
        assert sorted(HOLE.findall(text)) == sorted(HOLE.findall(said)), text


def test_translations_are_written_as_chinese_is() -> None:
    for text, said in translations().items():
        if re.search("[\u4e00-\u9fff]", said):
            assert not re.search(r"\d %|[\u4e00-\u9fff][,;:!?]", said), f"{text} → {said}"


def test_what_qt_reads_is_made_of_them(tmp_path) -> None:
    release(TS, tmp_path / "core.qm")
    assert (tmp_path / "core.qm").read_bytes() == TS.with_suffix(".qm").read_bytes()


def test_titles_descriptions_and_reasons_are_found() -> None:
    found = texts()
    for kinds in REGISTRY.values():
        for kind in kinds.values():
            assert kind.summary in found
            for field in kind.model_fields.values():
                assert not field.description or field.description in found
    assert "needs a CUDA GPU" in found  # returned
    assert "{variant} ran out of memory" in found  # made of a name
    assert "Choose another method for that slot." in found  # a constant


def test_names_numbers_and_alternatives_are_told_apart() -> None:
    import ast

    def of(code: str) -> str:
        node = ast.parse(code).body[0]
        assert isinstance(node, ast.Expr)
        assert isinstance(node.value, ast.JoinedStr)
        return template(node.value)

    assert of("f'{row.variant} is at {row.ratio:.2f} of {base.variant}'") == "{variant} is at {0} of {variant2}"
    assert of("f'{path}: cannot be read: {error}'") == "{path}: cannot be read: {0}"
    assert of("f'{len(names)} of {n} in {names[0] if names else 1}'") == "{0} of {1} in {2}"


def test_what_is_written_into_files_and_terminals_is_left_out() -> None:
    assert not any(place.startswith(core_strings.ELSEWHERE) for place in texts().values())
    assert not any("import " in text or "def " in text for text in texts())
