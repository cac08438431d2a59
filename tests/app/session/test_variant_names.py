"""What variants are called: by their recipe until somebody names them, and under one letter all the while."""

import pytest

from app.base.language import language
from app.editor.strategy_editor import RecipeEditor
from app.editor.variant_actions import VariantActions
from app.session.session import Session
from app.session.variant_letters import VariantLetters
from app.session.variant_names import by_recipe, follows, renamed
from core.spec import demo_experiment
from core.spec.experiment import parse
from core.spec.variant import REGISTRY, Variant
from tests.app.conftest import Answering, engine_command, light
from tests.app.session.test_showing import written
from tests.app.streams import Stream

pytestmark = pytest.mark.demo


def variant(name="variant", **slots) -> Variant:
    return Variant.model_validate({"name": name, **slots})


def kind(slot: str, key: str, **parameters):
    return REGISTRY[slot][key](**parameters)


@pytest.fixture
def session(qapp, qtbot):
    light(qapp)
    session = Session(Answering(engine_command()))
    session.open_experiment(demo_experiment.experiment())
    yield session
    session.close()


def names(session):
    return [v.name for v in session.experiment.variants]


def test_a_recipe_in_a_name_says_what_is_quantized():
    base = variant("baseline")
    assert by_recipe(variant(kv_cache={"method": "quantized", "format": "int8"}), base) == "KV cache int8"
    assert by_recipe(variant(kv_cache="static", speculation="prompt_lookup"), base) == "Static KV cache + Prompt lookup"
    assert by_recipe(
        variant(quantization="int4_weight_only", precision="bf16"), variant("baseline", precision="bf16")
    ) == ("int4 weights")
    assert by_recipe(variant(), base) == ""


def test_a_new_variant_takes_the_name_of_its_recipe_until_it_is_given_one(session, qtbot):
    editor = RecipeEditor(session)
    qtbot.addWidget(editor)
    VariantActions(session, editor).add.trigger()
    assert names(session)[3:] == ["variant"]
    editor._edited("speculation", kind("speculation", "prompt_lookup"))
    assert names(session)[3:] == ["Prompt lookup"]
    letter = session.index_of("Prompt lookup")
    editor._edited("kv_cache", kind("kv_cache", "quantized", format="int8"))
    assert names(session)[3:] == ["KV cache int8 + Prompt lookup"]
    assert session.index_of("KV cache int8 + Prompt lookup") == letter
    assert session.selected == "KV cache int8 + Prompt lookup"
    session.undo()
    assert names(session)[3:] == ["Prompt lookup"]
    session.edit_variant("Prompt lookup", session.variant("Prompt lookup").renamed("mine"))
    editor._edited("speculation", None)
    assert names(session)[3:] == ["mine"]


def test_a_name_that_is_taken_gets_a_number_and_still_follows(session):
    experiment = session.experiment
    before = variant("variant 2")
    after = before.model_copy(update={"quantization": kind("quantization", "int8_weight_only")})
    assert renamed(experiment, before, after).name == "int8 weights 2"
    again = renamed(experiment, before, after)
    assert follows(again, experiment.baseline)
    assert renamed(experiment, experiment.baseline, experiment.baseline.renamed("x")).name == "x"


def test_a_name_of_another_language_follows_too(qapp, session):
    language.apply(qapp, "zh_CN")
    try:
        assert follows(session.variant("int8 weights"), session.experiment.baseline)
        assert by_recipe(session.variant("int8 weights"), session.experiment.baseline) == "int8 权重"
    finally:
        language.apply(qapp, "en")


def test_a_renamed_variant_keeps_its_letter_and_its_results(session, tmp_path):
    session.open_results(written(tmp_path / "run", Stream(rounds=4)))
    worn = session.index_of("int8 weights")
    session.edit_variant("int8 weights", session.variant("int8 weights").renamed("mine"))
    assert session.index_of("mine") == session.index_of("int8 weights") == worn
    assert session.is_measured("mine")
    assert session.edited == []
    session.select("int8 weights")  # a click on the row of the table
    assert (session.selected, session.selected_result) == ("mine", "int8 weights")
    recipe = session.variant("mine").model_copy(update={"quantization": None})
    session.edit_variant("mine", recipe)
    assert session.edited == ["int8 weights"]
    session.undo()
    session.undo()
    assert session.is_measured("int8 weights")
    assert session.index_of("int8 weights") == worn
    taken = parse({"variant": [v.dump() for v in session.experiment.variants] + [{"name": "mine"}]})
    session.edit(taken)
    assert session.index_of("mine") not in (0, worn)


def test_letters_of_a_variant_that_was_renamed_twice_and_back():
    letters = VariantLetters()
    letters.assign(["a", "b", "c"], ["a", "b", "c"])
    for old, new in (("b", "x"), ("x", "y")):
        letters.rename(old, new, ["a", "b", "c"])
        letters.assign(["a", new, "c"], ["a", "b", "c"])
        assert letters.origin(new) == "b"
        assert [letters.of(n) for n in ("a", new, "b", "c")] == [0, 1, 1, 2]
    letters.rename("y", "b", ["a", "b", "c"])
    letters.assign(["a", "b", "c"], ["a", "b", "c"])
    assert letters.origin("b") == "b"
    assert [letters.of(n) for n in "abc"] == [0, 1, 2]
