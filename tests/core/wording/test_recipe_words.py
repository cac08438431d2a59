"""A recipe in words: titles instead of keys, in both languages."""

import re

import pytest

from core.base.formatting import share
from core.spec.variant import REGISTRY, SLOTS, Variant
from core.wording.environment_text import field_title
from core.wording.recipe_text import SLOT_MEANS, SLOT_TITLES, recipe, slot_title, small, strategy
from core.wording.translation import ENGLISH, language
from tests.tools.core_strings import texts

CHINESE = language("zh_CN")


def variant(**slots: object) -> Variant:
    return Variant.model_validate({"name": "mine", **slots})


@pytest.mark.parametrize(
    ("slots", "english", "chinese"),
    [
        ({}, "as loaded", "原样加载"),
        ({"quantization": "int8_weight_only"}, "int8 weights", "int8 权重"),
        ({"quantization": {"method": "int8_weight_only", "head": "keep"}},
         "int8 weights, head kept", "int8 权重，输出头保留"),
        ({"quantization": {"method": "int4_weight_only", "group_size": 64}, "speculation": "prompt_lookup"},
         "int4 weights, group size 64 · Prompt lookup", "int4 权重，组大小 64 · 提示词查找"),
        ({"speculation": {"method": "self_draft", "quantization": "nf4", "adaptive": False}},
         "Self draft, adaptive off, quantization NF4", "自草稿，自适应关，量化 NF4"),
    ],
)  # fmt: skip
def test_titles_and_what_differs_from_the_defaults(slots: dict, english: str, chinese: str) -> None:
    assert recipe(variant(**slots)) == english
    assert recipe(variant(**slots), CHINESE) == chinese


def test_what_differs_between_set_ups_has_a_title() -> None:
    named = ("model", "cpu", "python", "prompts", "some_field")
    assert [field_title(name) for name in named] == ["Model", "Processor", "Python", "Prompts", "Some field"]
    assert [field_title(name, CHINESE) for name in named[:4]] == ["模型", "处理器", "Python", "提示词"]


def test_every_choice_has_words_without_keys() -> None:
    for kinds in REGISTRY.values():
        for kind in kinds.values():
            assert "_" not in strategy(kind())
    assert set(SLOT_TITLES) == set(SLOT_MEANS) == set(SLOTS)
    assert slot_title("magic") == "magic"
    assert [small(slot_title(slot, ENGLISH)) for slot in ("quantization", "kv_cache")] == ["quantization", "KV cache"]


def test_sentences_name_strategies_and_parameters_as_forms_do() -> None:
    """Keys are for files: a sentence that the window shows has none, but for an example of a file."""
    keys = {*SLOTS} | {key for kinds in REGISTRY.values() for key in kinds}
    keys |= {name for kinds in REGISTRY.values() for kind in kinds.values() for name in kind.model_fields}
    named = re.compile(rf"\b({'|'.join(key for key in keys if '_' in key)})\b")
    assert [text for text in texts() if named.search(text) and '= "' not in text] == []


@pytest.mark.parametrize(
    ("pct", "said"), [(0, "0 %"), (0.3, "under 1 %"), (22.4, "22 %"), (99.7, "over 99 %"), (100, "100 %")]
)
def test_a_share_is_neither_nothing_nor_all_where_it_is_not(pct: float, said: str) -> None:
    assert share(pct) == said
