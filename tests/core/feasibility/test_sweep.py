"""Sweeps: what a person writes, the variants that it makes, and those that cannot be."""

import pytest

from core.feasibility.sweep import sweep
from core.machine.environment import Environment
from core.spec.experiment import SpecError, parse, read_toml
from core.spec.value_ranges import MOST, RangeError, values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2, 4, 8", [2, 4, 8]),
        ("2..16 step 2", [2, 4, 6, 8, 10, 12, 14, 16]),
        ("0.1..0.5 step 0.1", [0.1, 0.2, 0.3, 0.4, 0.5]),
        ("1..3", [1, 2, 3]),
        ("1, 4..8 step 4, 1", [1, 4, 8]),
        ("-2..2 step 2", [-2, 0, 2]),
        ("0..1 step 0.5", [0.0, 0.5, 1.0]),
        ("true, false", [True, False]),
        ("1, true", [1, True]),
        ('"nf4", fp4', ["nf4", "fp4"]),
        ("1e-3, 2", [0.001, 2]),
        ("7..8 step 5", [7]),
    ],
)
def test_lists_and_ranges(text, expected):
    assert values(text) == expected
    assert [type(v) for v in values(text)] == [type(v) for v in expected]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no value is given"),
        (" , ", "no value is given"),
        ("2,,4", "part 2 is empty"),
        ("2..", "a number is missing"),
        ("a..b", "'a' is no number"),
        ("2..8 step 0", "must be above 0"),
        ("2..8 step", "needs a step"),
        ("0.1..0.5", "needs a step"),
        ("8..2", "ends below where it begins"),
        ("4 step 2", "needs a range before it"),
        (f"1..{MOST + 1}", f"more than {MOST} values"),
        ("0..1 step 1e-12", "more than"),
        ("nan..2", "'nan' is no number"),
    ],
)
def test_what_is_no_list_says_where_and_what_to_write(text, words):
    with pytest.raises(RangeError, match=words):
        values(text)


def experiment(*more):
    return parse({"variant": [{"name": "base"}, *more]})


def test_one_variant_a_value_and_reasons_for_the_others():
    lookup = {"name": "lookup", "speculation": {"method": "prompt_lookup", "draft_tokens": 4}}
    wanted = experiment(lookup)
    made = sweep(wanted, wanted.variants[1], "speculation", "prompt_lookup", "draft_tokens", [2, 4, -1, "x", 8])
    assert [s.variant.name if s.variant else None for s in made] == [
        "lookup, draft_tokens 2", None, None, None, "lookup, draft_tokens 8",
    ]  # fmt: skip
    assert made[1].refusal == "it is there already: lookup"
    assert "greater than or equal to" in made[2].refusal
    assert "integer" in made[3].refusal
    assert made[0].variant.speculation.draft_tokens == 2
    assert made[4].variant.speculation.dump() == {**wanted.variants[1].speculation.dump(), "draft_tokens": 8}


def test_from_another_variant_the_name_says_what_was_added():
    wanted = experiment({"name": "int8", "quantization": "int8_weight_only"})
    made = sweep(wanted, wanted.baseline, "speculation", "prompt_lookup", "draft_tokens", [2])
    assert made[0].variant.name.endswith(", draft_tokens 2")
    assert not made[0].variant.name.startswith("base")
    other = sweep(wanted, wanted.variants[1], "speculation", "prompt_lookup", "draft_tokens", [2])
    assert other[0].variant.name.startswith("int8 + ")
    assert other[0].variant.quantization == wanted.variants[1].quantization


def test_what_cannot_run_here_is_refused_with_its_reason():
    wanted = experiment()
    made = sweep(wanted, wanted.baseline, "attention", "flash_attention_2", "nothing", [1], environment=Environment())
    assert made[0].variant is None
    fp8 = sweep(wanted, wanted.baseline, "quantization", "gptq", "group_size", [64], environment=Environment())
    assert fp8[0].variant is not None or fp8[0].refusal


def test_a_sweep_in_a_file(tmp_path):
    path = tmp_path / "x.toml"
    text = """
[[variant]]
name = "base"
[[variant]]
name = "lookup"
speculation = "prompt_lookup"
sweep = {told}
"""
    for told in ('{ "speculation.draft_tokens" = "2..6 step 2" }', "{ speculation.draft_tokens = [2, 4, 6] }"):
        path.write_text(text.replace("{told}", told))
        found = read_toml(path).variants
        assert [v.name for v in found[1:]] == [f"lookup, draft_tokens {n}" for n in (2, 4, 6)]
        assert [v.speculation.draft_tokens for v in found[1:]] == [2, 4, 6]
    for told, words in (
        ('"2, 4"', "expected one parameter"),
        ('{ "kv_cache.window" = [1] }', "has to choose a method for kv_cache"),
        ('{ "speculation.draft_tokens" = "8..2" }', "ends below"),
        ('{ "speculation.draft_tokens" = [] }', "no value"),
        ('{ "speculation.zzz" = [1] }', "zzz"),
    ):
        path.write_text(text.replace("{told}", told))
        with pytest.raises(SpecError, match=words):
            read_toml(path)
    path.write_text('[[variant]]\nname = "base"\nprecision = "bf16"\nsweep = { "precision.x" = [1] }\n')
    with pytest.raises(SpecError, match="the first variant is the baseline"):
        read_toml(path)
