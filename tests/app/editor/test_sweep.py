"""The dialog of a sweep: what it proposes, shows and makes."""

import pytest

from app.editor.sweep_dialog import SweepDialog, proposal
from app.editor.variants_dock import VariantsDock
from core.spec.variant import REGISTRY
from tests.app.conftest import experiment

pytestmark = pytest.mark.demo


@pytest.fixture
def dialog(qtbot, session):
    session.open_experiment(experiment())
    session.select("int4")
    made = SweepDialog(session)
    qtbot.addWidget(made)
    return made


def lines(dialog):
    return [dialog.preview.item(row).text() for row in range(dialog.preview.count())]


def choose(box, data):
    box.setCurrentIndex(box.findData(data))


def test_it_begins_with_what_the_variant_changes(dialog):
    assert (dialog.slot.currentData(), dialog.method.currentData()) == ("quantization", "int4_weight_only")
    choose(dialog.parameter, "group_size")
    assert dialog.values.text() == "32, 64, 128, 256"
    assert lines(dialog)[0] == "32: it is there already: int4"
    assert lines(dialog)[1] == "int4, group_size 64"
    assert lines(dialog)[2].startswith("128: ")  # a layer of the demo model is 576 wide
    assert dialog.add.text() == "Add 1 variant"


def test_a_sweep_is_one_step_and_refusals_say_why(dialog, session):
    choose(dialog.parameter, "group_size")
    dialog.values.setText("64, 100")
    assert "100: " in lines(dialog)[1]
    assert dialog.add.text() == "Add 1 variant"
    dialog.values.setText("64..")
    assert "a number is missing" in dialog.fault.text()
    assert not dialog.add.isEnabled()
    choose(dialog.parameter, "skip_first")
    dialog.values.setText("1..2")
    before = session.experiment
    dialog.accept()
    assert [v.name for v in session.experiment.variants] == [
        "baseline", "int8", "int4", "int4, skip_first 1", "int4, skip_first 2",
    ]  # fmt: skip
    assert session.selected == "int4, skip_first 1"
    session.undo()
    assert session.experiment == before


def test_every_parameter_can_be_chosen(dialog):
    for slot in range(dialog.slot.count()):
        dialog.slot.setCurrentIndex(slot)
        for method in range(dialog.method.count()):
            dialog.method.setCurrentIndex(method)
            kind = REGISTRY[dialog.slot.currentData()][dialog.method.currentData()]
            assert [dialog.parameter.itemData(i) for i in range(dialog.parameter.count())] == list(kind.model_fields)
    fields = REGISTRY["speculation"]["prompt_lookup"].model_fields
    assert proposal(fields["draft_tokens"]) == "2, 5, 10"
    assert proposal(fields["adaptive"]) == "true, false"


def test_the_menu_of_a_variant_has_it(qtbot, session):
    dock = VariantsDock(session)
    qtbot.addWidget(dock)
    assert not dock.variant_actions.sweep.isEnabled()
    session.open_experiment(experiment())
    dock.variant_actions.sweep.trigger()
    assert dock.window().findChild(SweepDialog) is not None
