"""What core says is found in its source, all of it and nothing else; `test_translations` sees that it is translated."""

import ast
import re

from core.spec.variant import REGISTRY
from tests.tools import core_strings
from tests.tools.core_strings import CORE, template, texts
from tests.tools.translations import entries


def test_every_text_of_core_is_in_the_file_and_no_other() -> None:
    assert {e.text for e in entries(CORE)} == set(texts()), "run `make translations`"


def test_translations_are_written_as_chinese_is() -> None:
    for entry in entries(CORE):
        if re.search("[\u4e00-\u9fff]", entry.translation):
            assert not re.search(r"\d %|[\u4e00-\u9fff][,;:!?]", entry.translation), entry


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
