"""The window's dictionary of numbers is that of the command line, and its figures are those of
`core.report.peer_benchmarks`."""

from PySide6.QtWidgets import QWidget

from app.help.formulas_dialog import NAMES, FormulasDialog
from app.inspector.inspector import measured_facts
from app.text.event_text import line
from core.analysis.compare import compare
from core.base import formatting
from core.base.nonbreaking import tied
from core.protocol import events
from core.report import column_dictionary, peer_benchmarks
from tests.app.streams import Stream, fresh


def column(dialog: FormulasDialog, number: int) -> list[str]:
    return [dialog.table.item(row, number).text() for row in range(dialog.table.rowCount())]


def test_every_column_is_there_with_its_formula(qtbot):
    dialog = FormulasDialog()
    qtbot.addWidget(dialog)
    listed = column_dictionary.columns()
    assert column(dialog, 1) == [c.name for c in listed]
    assert column(dialog, 3) == [tied(c.formula) for c in listed]
    assert dialog.table.item(0, 0).toolTip() == listed[0].source


def test_figures_as_other_benchmarks_define_them(qtbot, qapp):
    session = fresh(qapp)
    session.feed(Stream())
    name, state = next(iter(session.results.variants.items()))
    dialog = FormulasDialog(None, name, state.trials)
    qtbot.addWidget(dialog)
    assert set(NAMES) == set(peer_benchmarks.PEERS)
    for peer in NAMES:
        dialog.choice.setCurrentIndex(dialog.choice.findData(peer))
        expected = peer_benchmarks.figures(peer, [t for t in state.trials if t.ok])
        assert column(dialog, 0) == [f.name for f in expected]
        assert column(dialog, 1) == [formatting.number(f.value) for f in expected]
        assert dialog.note.text() == name
    assert expected[0].value is not None


def test_without_a_trial_a_benchmark_has_no_figure(qtbot):
    dialog = FormulasDialog(None, "a", ())
    qtbot.addWidget(dialog)
    dialog.choice.setCurrentIndex(dialog.choice.findData("vllm"))
    assert set(column(dialog, 1)) == {"—"}
    assert dialog.note.text() == "nothing was measured yet"


def test_the_inspector_shows_the_estimate_and_the_energy(qtbot, qapp):
    session = fresh(qapp)
    session.feed(Stream())
    view = QWidget()
    qtbot.addWidget(view)
    row = compare(session.results).variants[0]
    facts = dict(measured_facts(view, row, None))
    assert not {"Estimated peak", "Energy"} & set(facts)  # neither was told
    known = {"estimate_bytes": 2**30, "estimate_error_pct": -7.4, "j_per_token": 1.25, "energy_source": "cpu + dram"}
    facts = dict(measured_facts(view, row.model_copy(update=known), None))
    assert facts["Estimated peak"] == "1.00 GiB (−7 %)"
    spread = known | {"estimate_least_bytes": 900 << 20, "estimate_most_bytes": 2**30 + (1 << 28)}
    facts = dict(measured_facts(view, row.model_copy(update=spread), None))
    assert facts["Estimated peak"] == "1.00 GiB (0.879–1.25 GiB, −7 %)"
    assert facts["Energy"] == "1.25 J/token (cpu + dram)"


def test_the_log_says_what_an_engines_end_gave_back(qapp):
    ended = events.Unloaded(variant="a", held_bytes=2**30, returned_bytes=2**29, noise_bytes=2**19)
    level, text = line(ended)
    assert level == "info"
    assert text == "Engine ended: 1.00 GiB held, 0.500 GiB more were free afterwards (±512 KiB by themselves)"
