"""A variant with a strategy of another version of Dyno: it is shown everywhere, and nothing stumbles over it."""

import pytest

from app.editor.sweep_dialog import SweepDialog
from app.text.recipe_text import strategy_words
from core.feasibility.compatibility import reason_against
from core.feasibility.memory_estimate import memory_estimate
from core.model.finder import resolve
from core.spec.demo_experiment import experiment
from core.spec.experiment import parse
from core.spec.variant import REGISTRY, SLOTS, UnknownStrategy

DEMO = resolve(experiment().model)
KINDS = [kind for kinds in REGISTRY.values() for kind in kinds.values()]


def with_unknown(slot, method):
    return parse({"variant": [{"name": "a"}, {"name": "b", slot: {"method": method, "zap": 3}}]}, lenient=True)


@pytest.mark.parametrize("slot", SLOTS)
def test_no_strategy_stumbles_over_one_that_is_not_known(slot):
    """Also where its method is known and a parameter is not."""
    for method in ("from_the_future", next(iter(REGISTRY[slot]))):
        found = with_unknown(slot, method)
        variant = found.variants[1]
        chosen = getattr(variant, slot)
        assert isinstance(chosen, UnknownStrategy)
        assert chosen.slot == slot
        assert chosen.key not in REGISTRY[slot]
        assert REGISTRY[slot].get(chosen.key) is None
        assert "unknown" in strategy_words(chosen)
        assert memory_estimate(DEMO, variant, found.workload, "fp32").total > 0
        for kind in KINDS:
            kind.model_construct().conflicts(variant, DEMO, found.workload)


def test_the_window_shows_it_and_says_why_it_cannot_run(still_window):
    window, session = still_window, still_window.session
    session.open_experiment(with_unknown("quantization", "from_the_future"))
    session.select("b")
    window.variants.editor.refresh()
    row = window.variants.editor.rows["quantization"]
    assert "from_the_future" in row.combo.currentText()
    assert "no quantization strategy" in row._problem.text()
    assert "GiB" in window.variants.memory.text.text()
    assert "no quantization strategy" in reason_against(
        session.variant(),
        session.variant().quantization,
        session.facts,
        session.experiment.workload,
        session.environment,
    )
    dialog = SweepDialog(session, window)
    assert dialog.slot.currentData() in SLOTS
    dialog.reject()
