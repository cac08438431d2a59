"""Advice as a variant: every rule that is named exists, and so does what it tries."""

import pytest

from core.analysis.advice_rules import RULES
from core.analysis.advice_variants import TRIES, variant_for
from core.analysis.comparison_row import Advice
from core.spec.experiment import parse


def piece(rule: str) -> Advice:
    return Advice(rule=rule, bottleneck="speed", binds=True, what="", because="")


def test_the_rules_exist() -> None:
    assert set(TRIES) <= {rule.name for rule in RULES}


@pytest.mark.parametrize("rule", TRIES)
def test_the_variant_is_the_baseline_and_what_the_rule_names(rule: str) -> None:
    experiment = parse({"variant": [{"name": "base", "precision": "fp32"}]})
    found = variant_for(piece(rule), experiment)
    assert found is not None
    assert found.dump() == {
        "name": found.name,
        "precision": {"method": "fp32"},
        **{slot: getattr(found, slot).dump() for slot in TRIES[rule]},
    }
    assert [getattr(found, slot).key for slot in TRIES[rule]] == list(TRIES[rule].values())


def test_what_is_there_already_is_not_made_again() -> None:
    experiment = parse({"variant": [{"name": "a"}, {"name": "b", "quantization": "int8_weight_only"}]})
    assert variant_for(piece("fewer bytes"), experiment) is None


def test_two_variants_in_one() -> None:
    """With what the baseline has not; under a name that is free."""
    experiment = parse({"variant": [
        {"name": "base", "precision": "fp32", "attention": "eager"},
        {"name": "b", "precision": "fp32", "attention": "eager", "quantization": "int8_weight_only"},
        {"name": "c", "precision": "fp32", "attention": "eager", "speculation": "prompt_lookup"},
        {"name": "int8 weight only + prompt lookup", "precision": "fp32"},
    ]})  # fmt: skip
    both = piece("combine").model_copy(update={"joins": ["b", "c"]})
    found = variant_for(both, experiment)
    assert found is not None
    assert found.dump() == {
        "name": "int8 weight only + prompt lookup 2",
        "precision": {"method": "fp32"},
        "attention": {"method": "eager"},
        "quantization": experiment.variants[1].quantization.dump(),
        "speculation": experiment.variants[2].speculation.dump(),
    }
    assert variant_for(both.model_copy(update={"joins": ["b", "gone"]}), experiment) is None
    again = experiment.model_copy(update={"variants": (*experiment.variants, found)})
    assert variant_for(both, again) is None


def test_advice_to_leave_something_makes_nothing() -> None:
    assert variant_for(piece("speculation goes"), parse({"variant": [{"name": "a"}]})) is None
