"""Which results are on screen: those of the model that is open, and the ones of before a step away."""

import pytest

from app.files.whose_bar import WhoseBar
from app.session.session import Session
from app.session.shown_results import Shown
from core.model.finder import resolve
from core.model.source import ModelSource
from core.protocol import events
from core.results import variant_letters
from core.results.journal import Journal, open_results
from core.spec import demo_experiment
from tests.app.conftest import Answering, engine_command, light
from tests.app.streams import THREE, Stream

pytestmark = pytest.mark.demo


@pytest.fixture
def session(qapp):
    light(qapp)
    session = Session(Answering(engine_command()))
    yield session
    session.close()


@pytest.fixture
def bar(session, qtbot):
    bar = WhoseBar(session)
    qtbot.addWidget(bar)
    return bar


@pytest.fixture
def second(tmp_path):
    """Another model."""
    path = tmp_path / "second.gguf"
    path.symlink_to(resolve(ModelSource()).path)
    return ModelSource(source=str(path))


def written(folder, stream, **settings):
    journal = Journal(folder)
    for event in stream:
        if isinstance(event, events.Started):
            event = event.model_copy(update={"settings": settings})
        journal.write(event)
    journal.close()
    return folder


def test_results_step_aside_for_another_model_and_come_back_with_it(session, bar, second, tmp_path):
    session.open_results(written(tmp_path / "run", Stream(rounds=4)))
    results, curves = session.results, session.curves
    assert bar.isHidden()
    session.open_model(second)
    assert session.results is None
    assert session.curves is None
    assert not session.begun
    assert bar.text.text() == "Nothing is measured with second.gguf yet."
    bar.ways[0].click()
    assert bar.ways[0].text() == "Back to the results of Demo model"
    assert session.results is results
    assert session.curves is curves
    assert session.experiment.model == ModelSource()
    session.undo()  # the other model is open again, without results
    assert session.experiment.model == second
    assert session.results is None
    session.open_model(ModelSource())
    assert session.results is results
    assert session.is_measured("int8 weights")


def test_results_without_a_draft_are_no_results_of_what_is_opened_next(session, second, tmp_path):
    session.open_results(written(tmp_path / "run", Stream(rounds=4)))
    session.undo()
    assert session.experiment is None
    assert session.results is None
    session.open_model(second)
    assert session.results is None


def test_results_of_edited_settings_say_so(session, bar, tmp_path):
    session.open_results(written(tmp_path / "run", Stream(rounds=4)))
    variant = session.variant("int8 weights")
    session.edit_variant("int8 weights", variant.model_copy(update={"quantization": None}))
    assert session.edited == ["int8 weights"]
    assert bar.text.text().startswith("Edited since it was measured: int8 weights.")
    bar.ways[0].click()
    assert session.edited == []
    assert bar.isHidden()
    work = session.experiment.workload.model_copy(update={"new_tokens": 9})
    session.edit(session.experiment.model_copy(update={"workload": work}))
    assert len(session.edited) == 3
    assert bar.text.text().startswith("The settings were changed since")
    session.undo()
    work = session.experiment.workload.model_copy(update={"trials": 99})  # how many rounds changes no figure
    session.edit(session.experiment.model_copy(update={"workload": work}))
    assert session.edited == []


def test_a_shorter_run_offers_the_longer_one_of_before(session, bar, tmp_path):
    session.open_results(written(tmp_path / "long", Stream(rounds=6)))
    whole = session.results
    session.open_results(written(tmp_path / "short", Stream(rounds=6, until=(2, 0, 3))))
    assert session.results.interrupted
    assert bar.text.text() == "This run has 2 whole rounds, the results before have 6."
    bar.ways[0].click()
    assert session.results is whole
    assert bar.isHidden()


def test_letters_are_those_that_the_run_had(session, tmp_path):
    session.open_results(written(tmp_path / "run", Stream(rounds=4), letters=[0, 4, 2]))
    assert [session.index_of(v.name) for v in THREE] == [0, 4, 2]
    session.open_results(written(tmp_path / "other", Stream(rounds=4)))  # of a version that noted none
    assert [session.index_of(v.name) for v in THREE] == [0, 1, 2]
    session.open_results(written(tmp_path / "broken", Stream(rounds=4), letters=[0, -1, 2]))
    assert [session.index_of(v.name) for v in THREE] == [0, 1, 2]


def test_a_guest_has_letters_of_its_own_and_leaves_the_draft_alone(session, bar, tmp_path):
    session.open_results(written(tmp_path / "run", Stream(rounds=4)))
    mine = session.results
    draft = session.experiment
    folder = written(tmp_path / "guest", Stream(variants=(THREE[0], THREE[2]), rounds=4))
    session.back(Shown(open_results(folder), folder, None, 'Verification of the preset "int4"'))
    assert session.experiment == draft
    assert session.index_of("int4 weights") == 1
    assert session.draft_index("int4 weights") == 2
    assert not session.is_measured("int4 weights")
    assert bar.text.text() == 'Verification of the preset "int4". Your variants stay as they are.'
    assert [w.text() for w in bar.ways if not w.isHidden()] == ["Back to your results", "Take these variants"]
    bar.ways[0].click()
    assert session.results is mine
    assert session.index_of("int4 weights") == 2


def test_the_same_variant_wears_the_same_letter_in_a_run_beside(tmp_path):
    one = open_results(written(tmp_path / "one", Stream(rounds=4), letters=[0, 1, 2]))
    two = open_results(written(tmp_path / "two", Stream(variants=(THREE[0], THREE[2]), rounds=4)))
    worn = variant_letters.recorded(one)
    assert variant_letters.beside(one, worn, two) == {"bf16 baseline": 0, "int4 weights": 2}
    assert variant_letters.beside(two, variant_letters.recorded(two), one) == {
        "bf16 baseline": 0, "int8 weights": 2, "int4 weights": 1,
    }  # fmt: skip


def test_what_a_run_notes_is_a_place_for_each_variant():
    experiment = demo_experiment.experiment()
    assert variant_letters.of_run(experiment, {}) == [0, 1, 2]
    assert variant_letters.of_run(experiment, {"baseline": 0, "int8 weights": 4, "int4 weights": 2}) == [0, 4, 2]
    assert variant_letters.of_run(experiment, {"int4 weights": 1}) == [0, 2, 1]
