"""Forms follow the declarations: editors, bounds, faults in place; the recipe editor gives reasons."""

from typing import Literal

import pytest
from pydantic import Field
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox

from app.editor.strategy_editor import RecipeEditor, SlotRow
from app.shell.top_bar import WORKLOAD_FIELDS
from app.widgets.model_form import Form
from core.base.value import Value
from core.machine.environment import Environment
from core.spec.gate import Gate
from core.spec.variant import REGISTRY
from core.spec.workload import Workload
from tests.app.conftest import experiment


class Sample(Value):
    count: int = Field(5, ge=1, lt=65, title="Draft tokens", description="tokens proposed")
    ratio: float = Field(0.5, gt=0, le=1)
    on: bool = True
    size: Literal[32, 64] = 32
    name: str = Field("a", min_length=1)
    note: str | None = None


@pytest.fixture
def form(qtbot):
    form = Form(Sample())
    qtbot.addWidget(form)
    return form


def test_every_type_has_its_editor(form):
    kinds = {name: type(e.widget) for name, e in form.editors.items()}
    assert issubclass(kinds.pop("ratio"), QDoubleSpinBox)
    assert form.editors["ratio"].widget.text() == "0.5"
    assert kinds == {
        "count": QSpinBox,
        "on": QCheckBox,
        "size": QComboBox,
        "name": QLineEdit,
        "note": QLineEdit,
    }
    spin = form.editors["count"].widget
    assert (spin.minimum(), spin.maximum()) == (1, 64)
    assert spin.accessibleName() == "Draft tokens"
    assert spin.toolTip() == "tokens proposed"
    real = form.editors["ratio"].widget
    assert 0 < real.minimum() < 0.01
    assert real.maximum() == 1.0


def test_how_requests_come_can_be_edited(qtbot):
    form = Form(Workload(), WORKLOAD_FIELDS)
    qtbot.addWidget(form)
    entered = {"concurrency": 8, "requests": 40, "rate": 2.5}
    for name, value in entered.items():
        form.editors[name].widget.setValue(value)
    box = form.editors["arrival"].widget
    box.setCurrentIndex(box.findData("poisson"))
    assert form.value == Workload(arrival="poisson", **entered)


def test_an_edit_is_one_signal_with_a_valid_value(qtbot, form):
    with qtbot.waitSignal(form.changed) as caught:
        form.editors["count"].widget.setValue(7)
    assert caught.args[0] == Sample(count=7)
    with qtbot.waitSignal(form.changed) as caught:
        form.editors["size"].widget.setCurrentIndex(1)
    assert caught.args[0] == Sample(count=7, size=64)
    with qtbot.assertNotEmitted(form.changed):
        form.fill(Sample())


def test_a_fault_is_said_in_place_and_the_last_valid_value_stays(qtbot, form):
    line = form.editors["name"].widget
    line.clear()
    with qtbot.assertNotEmitted(form.changed):
        line.editingFinished.emit()
    assert form.value.name == "a"
    assert "Name" in form._problem.text()
    assert line.property("invalid") is True
    line.setText("b")
    with qtbot.waitSignal(form.changed):
        line.editingFinished.emit()
    assert form._problem.isHidden()


def test_every_strategy_has_a_form_that_round_trips(qtbot):
    kinds = [kind for slot in REGISTRY.values() for kind in slot.values() if kind.model_fields]
    assert kinds
    for kind in kinds:
        form = Form(kind())
        qtbot.addWidget(form)
        assert {n: e.value() for n, e in form.editors.items()} == kind().model_dump()


def test_the_workload_form_round_trips(qtbot):
    form = Form(Workload(prompt_tokens=7, temperature=0.7, seed=3), suggestions={"prompts": ["chat", "code"]})
    qtbot.addWidget(form)
    assert {n: e.value() for n, e in form.editors.items()} == form.value.model_dump()
    box = form.editors["prompts"].widget
    with qtbot.waitSignal(form.changed) as caught:
        box.setEditText("code")
        box.lineEdit().editingFinished.emit()
    assert caught.args[0].prompts == "code"


def test_what_a_control_cannot_hold_is_shown_as_well_as_it_can_and_stays(qtbot):
    odd = Workload(seed=4_000_000_000, top_k=10**12, top_p=1e-9, budget_s=1e12, rate=1234.5678)
    form = Form(odd)
    qtbot.addWidget(form)
    assert form.editors["seed"].widget.text() == "4000000000"
    assert form.editors["rate"].widget.text().startswith("1234.5678")
    form.editors["trials"].widget.setValue(9)
    assert form.value == odd.model_copy(update={"trials": 9})
    form.editors["seed"].widget.setValue(3_000_000_001)
    assert form.value.seed == 3_000_000_001
    assert type(form.value.seed) is int


def test_a_small_limit_is_itself(qtbot):
    form = Form(Gate(kld_green=0.0005))
    qtbot.addWidget(form)
    assert form.editors["kld_green"].widget.text() == "0.0005"


@pytest.mark.parametrize(("system", "typed"), [("de_DE", "0,25"), ("de_DE", "0.25"), ("en_US", "0.25")])
def test_a_point_is_a_point_on_every_system(qtbot, monkeypatch, system, typed):
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(system))
    before = QLocale()
    QLocale.setDefault(QLocale(system))
    try:
        form = Form(Workload(temperature=0.7))
    finally:
        QLocale.setDefault(before)
    qtbot.addWidget(form)
    temperature, top_p = form.editors["temperature"].widget, form.editors["top_p"].widget
    qtbot.keyClick(temperature, Qt.Key.Key_Return)
    assert (temperature.text(), form.value.temperature) == ("0.7", 0.7)
    top_p.selectAll()
    qtbot.keyClicks(top_p, typed)
    qtbot.keyClick(top_p, Qt.Key.Key_Return)
    assert (top_p.text(), form.value.top_p) == ("0.25", 0.25)


# -- the recipe editor -------------------------------------------------------------------------------------
@pytest.fixture
def editor(qtbot, session):
    session.open_experiment(experiment())
    session.select("int8")
    editor = RecipeEditor(session)
    qtbot.addWidget(editor)
    editor.resize(288, 600)
    editor.show()
    return editor


def options(combo):
    model = combo.model()
    return {model.item(i).data(Qt.ItemDataRole.UserRole): model.item(i) for i in range(model.rowCount())}


def choose(qtbot, row, key):
    index = row.combo.findData(key)
    row.combo.setCurrentIndex(index)
    row.combo.activated.emit(index)


@pytest.mark.demo
def test_choosing_a_strategy_shows_its_form_and_undo_takes_it_back(qtbot, session, editor):
    row = editor.rows["speculation"]
    choose(qtbot, row, "prompt_lookup")
    assert session.variant("int8").speculation.key == "prompt_lookup"
    assert row.form is not None
    row.form.editors["draft_tokens"].widget.setValue(9)
    assert session.variant("int8").speculation.draft_tokens == 9
    session.undo()
    assert session.variant("int8").speculation.draft_tokens == 5
    assert row.form.editors["draft_tokens"].widget.value() == 5
    session.undo()
    assert session.variant("int8").speculation is None
    assert row.form is None


@pytest.mark.demo
def test_what_differs_from_a_is_marked_and_can_be_reset(session, editor):
    row = editor.rows["quantization"]
    assert row._dot.shown
    assert row.combo.property("changed") is True
    assert not editor.rows["precision"]._dot.shown
    row._reset.trigger()
    assert session.variant("int8").quantization is None
    assert not row._dot.shown


@pytest.mark.demo
def test_a_choice_that_cannot_work_is_disabled_with_its_reason(qtbot, session, editor):
    session.machine.environment = Environment(cores=2, versions={"torch": "2.13.0"})  # without bitsandbytes
    session.environment_changed.emit()
    found = options(editor.rows["quantization"].combo)
    assert not found["nf4"].isEnabled()
    assert "bitsandbytes" in found["nf4"].text()
    assert "not installed" in found["nf4"].text()
    assert found["int4_weight_only"].isEnabled()
    session.machine.environment = Environment(cores=2, versions={"torch": "2.13.0", "bitsandbytes": "0.50.2"})
    session.environment_changed.emit()
    assert options(editor.rows["quantization"].combo)["nf4"].isEnabled()


@pytest.mark.demo
def test_what_only_lacks_a_value_can_be_chosen_and_then_asks_for_it(qtbot, session, editor):
    row = editor.rows["speculation"]
    assert options(row.combo)["draft_model"].isEnabled()  # its field is there only once it has been chosen
    choose(qtbot, row, "draft_model")
    assert session.variant("int8").speculation.key == "draft_model"
    assert row._problem.isVisibleTo(row)
    assert "draft model" in row._problem.text()
    field = row.form.editors["model"].widget
    field.setText("/models/small")
    field.editingFinished.emit()
    assert session.variant("int8").speculation.model == "/models/small"
    assert not row._problem.isVisibleTo(row)


@pytest.mark.demo
def test_a_conflict_of_the_present_choice_is_said_below_it(qtbot, session, editor):
    session.select("int4")
    candidates = options(editor.rows["pruning"].combo)
    assert not candidates["magnitude"].isEnabled()  # a mask does not survive re-quantization to int4
    assert len(candidates["magnitude"].text()) > len(REGISTRY["pruning"]["magnitude"].title)
    variant = session.variant("int4").model_copy(update={"pruning": REGISTRY["pruning"]["magnitude"]()})
    session.edit_variant("int4", variant)
    row = editor.rows["pruning"]
    assert row.combo.currentData() == "magnitude"
    assert row._problem.text()
    assert not row._problem.isHidden()


@pytest.mark.demo
def test_the_recipe_is_filled_once_an_edit_and_only_locked_by_a_run(qtbot, window, monkeypatch):
    """Filling a dozen lists takes as long as a repaint: it was done twice an edit, and once more at Run."""
    session, filled = window.session, []
    session.open_experiment(experiment())
    show = SlotRow.show_variant
    monkeypatch.setattr(SlotRow, "show_variant", lambda row, *given: (filled.append(row.slot), show(row, *given)))
    session.edit_variant("int8", session.variant("int8").model_copy(update={"quantization": None}))
    rows = window.variants.editor.rows
    assert sorted(filled) == sorted(rows)
    session.run_started.emit()
    assert sorted(filled) == sorted(rows)


def test_a_figure_has_its_unit_and_none_its_words(qtbot):
    form = Form(Workload(), ("budget_s", "until_pct", "rate"))
    qtbot.addWidget(form)
    budget = form.editors["budget_s"].widget
    assert budget.text() == "no limit"
    assert form.editors["until_pct"].widget.text() == "not set"
    assert form.editors["rate"].widget.text() == "1\u00a0req/s"
    budget.selectAll()
    qtbot.keyClicks(budget, "300")
    qtbot.keyClick(budget, Qt.Key.Key_Return)
    assert budget.text() == "300\u00a0s"
    assert form.value.budget_s == 300


def test_no_figure_stands_for_words_and_what_has_no_effect_is_locked(qtbot):
    form = Form(Workload(), WORKLOAD_FIELDS)
    qtbot.addWidget(form)
    arrival, rate, requests = (form.editors[name].widget for name in ("arrival", "rate", "requests"))
    assert requests.text() == "as many as at once"
    assert [arrival.itemText(i) for i in range(arrival.count())] == ["when answered", "at random times"]
    assert not rate.isEnabled()
    assert "only where Arrivals is: at random times" in rate.toolTip()
    arrival.setCurrentIndex(arrival.findData("poisson"))
    assert form.value.arrival == "poisson"
    assert rate.isEnabled()
    assert "only where" not in rate.toolTip()
    form.fill(Workload(requests=3))
    assert not rate.isEnabled()
    assert requests.text() == "3"
    for strategy, name in (("continuous", "slots"), ("static", "batch_size")):
        other = Form(REGISTRY["batching"][strategy]())
        qtbot.addWidget(other)
        assert other.editors[name].widget.text() == "as many as at once"
