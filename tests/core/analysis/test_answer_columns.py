"""Columns that come from answers, suites and interfaces, folded from events."""

from core.analysis.compare import compare
from core.protocol import events
from core.protocol.events import Answer, Answers, Checked, Interface, SuiteDone
from core.report import table_export
from core.results.results import Results
from tests.core.build import loaded, run, trial
from tests.core.engine.test_interface import BASE


def fold(*more: events.Event, dtype: str = "fp32", slots: dict | None = None):
    """Two variants after a whole run, and what came after the rounds."""
    results = Results("r")
    for event in run([1.0] * 4):
        if isinstance(event, events.Started) and slots:
            other = {**event.experiment["variant"][1], **slots}
            changed = {**event.experiment, "variant": [event.experiment["variant"][0], other]}
            event = event.model_copy(update={"experiment": changed})
        if isinstance(event, events.Loaded):
            event = loaded(event.variant or "", dtype=dtype)
        results.fold(event)
    for event in more:
        results.fold(event)
    return compare(results).variants


def said(name: str, *ids: list[int]) -> Answers:
    answers = [Answer(token_ids=i, margins=[0.25] * len(i), text="", ended=False) for i in ids]
    return Answers(variant=name, purpose="divergence", answers=answers)


def checked(name: str, *passed: bool | None) -> SuiteDone:
    checks = [Checked(name=f"c{i}", passed=p) for i, p in enumerate(passed)]
    return SuiteDone(variant=name, suite="s", checks=checks)


def test_nothing_is_known_without_the_events():
    for row in fold():
        assert (row.exact_match_pct, row.first_divergence, row.suite_total, row.interface_ok) == (None,) * 4
        assert row.interface == ""


def test_an_exact_strategy_that_answers_otherwise_is_flagged():
    lookup = {"speculation": {"method": "prompt_lookup"}}
    parted = (said("a", [1, 2, 3], [4]), said("b", [1, 2, 9], [4]))
    _, row = fold(*parted, slots=lookup)
    assert (row.exact_match_pct, row.first_divergence, row.divergence_margin) == (50, 2, 0.25)
    assert row.flags.startswith("not exact: 1 of 2 answers differ")
    _, row = fold(*parted, slots=lookup, dtype="bf16")
    assert row.flags.startswith("not lossless in bf16: 1 of 2 answers differ")
    _, row = fold(*parted, slots={"quantization": {"method": "int8_weight_only"}})
    assert (row.exact_match_pct, row.flags) == (50, "")


def test_the_flag_stands_beside_those_of_the_trials():
    noisy = list(trial("b", 4, 10, flags=["swap in use"]))
    _, row = fold(*noisy, said("a", [1]), said("b", [2]), slots={"speculation": {"method": "prompt_lookup"}})
    first, second = row.flags.split("; ")
    assert first.startswith("not exact")
    assert second.startswith("swap in use")


def test_flips_leave_out_what_could_not_be_judged():
    base, row = fold(checked("a", True, True, False, None, True), checked("b", True, False, True, True, None))
    assert (base.suite_passed, base.suite_total, base.suite_lost) == (3, 4, None)
    assert (row.suite_passed, row.suite_total, row.suite_lost, row.suite_gained) == (3, 4, 1, 1)


def told(name: str, **changes) -> Interface:
    return BASE.model_copy(update={"variant": name, **changes})


def test_a_vocabulary_that_differs_is_a_line_in_the_row_and_in_the_json(tmp_path):
    base, row = fold(told("a"), told("b", vocabulary=300))
    assert (base.interface_ok, base.interface) == (None, "")
    assert (row.interface_ok, row.interface) == (False, "vocabulary size: 320 → 300")
    assert "interface_ok" in table_export.COMPARISON_COLUMNS


def test_the_same_interface_is_known_to_be_the_same():
    _, row = fold(told("a"), told("b"))
    assert (row.interface_ok, row.interface) == (True, "")
