"""The token timeline: what is chosen, what stands in it, what it says."""

from dataclasses import replace
from itertools import pairwise

import pytest

from app.session.comparison_cache import comparison_of
from app.timeline.timeline_view import TimelineView
from core.base import formatting
from core.protocol import events
from core.results import metrics
from core.results.token_timeline import lanes
from tests.app.streams import FAILED, THREE, Stream, fresh

DRAFTS = (*THREE[:2], replace(THREE[1], name="lookup", drafts=True))


@pytest.fixture
def session(qapp):
    return fresh(qapp)


@pytest.fixture
def view(qtbot, session):
    view = TimelineView(session)
    qtbot.addWidget(view)
    view.resize(900, 760)
    view.show()
    return view


def test_before_a_trial_it_teaches(view, session):
    assert view._pages.currentWidget() is view._empty
    session.feed(Stream(until=(0, 0, 5)))
    session.tick.emit()
    assert view._pages.currentWidget() is view._empty


def test_the_newest_request_of_every_variant_on_one_axis(view, session):
    session.feed(Stream(variants=DRAFTS, rounds=3))
    session.tick.emit()
    assert [lane.variant for lane in view.strip.lanes] == ["bf16 baseline", "int8 weights", "lookup"]
    assert {lane.round for lane in view.strip.lanes} == {2}
    trial = session.results.variants["lookup"].trials[-1]
    lane = view.strip.lanes[-1]
    assert lane.ttft_ms == metrics.ttft_ms(trial.requests[0])
    assert lane.tokens == 64
    assert lane.accepted == 64 - 1 - lane.steps
    assert [m.what for m in lane.marks] == ["draft length 3"]
    assert view.answer.text().startswith("lookup: first token after")
    assert view.answer.text().endswith(f", {lane.accepted} of them drafted.")
    assert "Round 3 of 3" in view.method.text()


def test_another_round_and_one_variant(view, session):
    session.feed(Stream(variants=DRAFTS, rounds=3))
    session.tick.emit()
    view.round.setCurrentIndex(view.round.findData(0))
    view.variant.setCurrentIndex(view.variant.findData("int8 weights"))
    session.tick.emit()
    assert [(x.variant, x.round) for x in view.strip.lanes] == [("int8 weights", 0)]
    assert view.request.isHidden()  # there is one only
    session.results_changed.emit()  # what is chosen stays
    session.tick.emit()
    assert view.round.currentData() == 0
    assert [x.variant for x in view.strip.lanes] == ["int8 weights"]


def test_a_variant_without_a_trial_there_is_named(view, session):
    session.feed(Stream(variants=FAILED, rounds=2))
    session.tick.emit()
    assert len(view.strip.lanes) == 3
    assert view._left_out.text() == "Without a trial in this round: 16k prompt."


def test_the_pointer_reads_a_step_a_decision_and_the_prompt(view, session):
    session.feed(Stream(variants=DRAFTS, rounds=1))
    session.tick.emit()
    lane = view.strip.lanes[2]
    step = next(s for s in lane.spans if s.accepted)
    said = view.strip.read((step.start_ms + step.end_ms) / 2, 2.5)
    assert said.startswith(f"C   step {step.number} at ")
    assert f"{step.tokens} tokens, {step.accepted} of them drafted" in said
    assert view.strip.read(lane.marks[0].at_ms, 2.5).endswith("draft length 3: 2 of 5 tokens were accepted")
    prefill = next(s for s in lane.spans if s.kind == "prefill")
    assert "prompt and first token" in view.strip.read(prefill.start_ms + 1, 2.5)
    assert view.strip.read(-5.0, 2.5) == ""
    assert view.strip.read(1.0, 7.5) == ""


def test_latencies_stand_at_the_position_of_their_token(view, session):
    session.feed(Stream(variants=DRAFTS, rounds=1))
    session.tick.emit()
    data = view.positions.chart_data()
    mine = [(p, ms) for name, p, ms in zip(*data.columns, strict=True) if name == "lookup"]
    request = session.results.variants["lookup"].trials[0].requests[0]
    assert [ms for _, ms in mine] == metrics.itl_ms(request)
    assert [p for p, _ in mine] == list(range(2, 65))
    assert f"C {mine[3][1]:.1f}"[:4] in view.positions.read(float(mine[3][0]), 0.0)


def test_zoomed_out_far_more_steps_than_pixels_are_painted_by_the_pixel(view, session):
    session.feed(Stream(variants=(THREE[2],), rounds=1, tokens=6000))
    session.tick.emit()
    assert view.strip.lanes[0].steps == 5999
    picture = view.strip.grab().toImage()
    middle = view.strip.getViewBox().sceneBoundingRect().center()
    colours = {picture.pixelColor(int(middle.x()), y).name() for y in range(picture.height())}
    assert view.session.index_of("int4 weights") == 0
    assert len(colours) > 1
    view.strip.zoom(0.001)
    assert len(view.strip.item.bars[0].within(*view.strip.getViewBox().viewRange()[0])) < 20


def test_lanes_of_a_run_are_those_of_core(view, session):
    session.feed(Stream(variants=DRAFTS, rounds=2), live=False)
    session.tick.emit()
    assert view.strip.lanes == lanes(session.results, 1, 0)


# -- memory ----------------------------------------------------------------------------------------------
def test_memory_over_the_run_is_what_core_says(view, session):
    session.feed(Stream(variants=FAILED, rounds=2))
    view.page.setCurrentIndex(view.page.findData("memory"))
    session.tick.emit()
    assert list(view.memory.plots) == [made.name for made in FAILED]
    assert view.round.isHidden()
    plot = view.memory.plots["int8 weights"]
    memory = session.results.variants["int8 weights"].memory
    data = plot.chart_data()
    assert data.names[2:] == ("weights (GiB)", "KV (GiB)", "other (GiB)", "process (GiB)")
    assert len(data) == len(memory.points)
    tops = [area.yData for area in plot.areas]
    assert max(tops[-1]) == pytest.approx(max(p.bytes["process"] for p in memory.points) / 2**20)
    assert view.reading.text() == "MiB"
    assert all((low <= high + 1e-9).all() for low, high in pairwise(tops))
    row = comparison_of(session.results).variants[1]
    assert plot.heading(row) == f"peak {formatting.size(row.peak_process_bytes)}"
    assert view.answer.text() == "16k prompt needed 0.700 GiB at most, 0.250 GiB of it weights."


def test_memory_has_its_estimate_its_capacity_and_gaps_where_nothing_was_read(view, session):
    session.feed(Stream(rounds=2))
    view.page.setCurrentIndex(view.page.findData("memory"))
    session.tick.emit()
    plot = view.memory.plots["int8 weights"]
    row = comparison_of(session.results).variants[1].model_copy(update={"estimate_bytes": 2**29})
    memory, began = session.results.variants["int8 weights"].memory, session.results.started.t_ns
    plot.refresh(memory, began, row, 2**30)
    plot.draw_on(3 * 2**30, 30.0)
    assert plot.estimate.isVisible()
    assert plot.estimate.value() == 0.5
    assert plot.capacity.isVisible()
    plot.refresh(memory, began, row, 2**40)
    plot.draw_on(plot.most, 30.0)  # out of reach: a line would flatten all else
    assert not plot.capacity.isVisible()
    assert (plot.areas[-1].yData == 0).any()
    band = next(b for b in plot.phases.bands if b.phase == "trial")
    assert "B trial  weights 0.130 GiB" in plot.read((band.start + band.end) / 2, 0.1)
    assert plot.read(-100.0, 0.1) == ""


def test_what_loading_took_more_is_told(view, session):
    session.feed(Stream(rounds=1))
    view.page.setCurrentIndex(view.page.findData("memory"))
    session.tick.emit()
    plot, memory = view.memory.plots["int8 weights"], session.results.variants["int8 weights"].memory
    assert "loading" not in plot.heading(None)
    memory.fold(events.Sample(variant="int8 weights", phase="load", process_bytes=3 * 2**30))
    assert "loading 3.00 GiB" in plot.heading(None)
    view.refresh()
    assert view.reading.text() == "GiB"  # of all


def test_memory_of_one_variant_and_the_same_axes_for_all(view, session):
    session.feed(Stream(rounds=2))
    view.page.setCurrentIndex(view.page.findData("memory"))
    session.tick.emit()
    first, *others = view.memory.plots.values()
    heights = {plot.most for plot in view.memory.plots.values()}
    assert len(heights) == 3
    assert all(p.getViewBox().viewRange()[1] == first.getViewBox().viewRange()[1] for p in others)
    first.zoom(0.5)
    assert all(p.getViewBox().viewRange()[0] == first.getViewBox().viewRange()[0] for p in others)
    view.variant.setCurrentIndex(view.variant.findData("int4 weights"))
    session.tick.emit()
    assert list(view.memory.plots) == ["int4 weights"]


def test_a_zoom_of_one_memory_plot_holds_in_all(view, session):
    session.feed(Stream())
    view.page.setCurrentIndex(view.page.findData("memory"))
    view.refresh()
    first, second, *_ = view.memory.plots.values()
    whole = first.getViewBox().viewRange()[0]
    second.zoom(0.5)
    part = second.getViewBox().viewRange()[0]
    session.select("int8 weights")
    view.refresh()
    assert part != whole
    assert second.getViewBox().viewRange()[0] == pytest.approx(part)
    assert len(first.areas[0].xData) < len(first._seconds)
    first.reset_view()
    view.refresh()
    assert second.getViewBox().viewRange()[0] == pytest.approx(whole)


def several(requests: int = 4):
    """A run of two variants whose trials have so many requests at once, two served together."""
    from tests.core import build

    yield build.started(["a", "b"], 1, concurrency=requests)
    for name in ("a", "b"):
        yield build.loaded(name)
        yield events.Phase(variant=name, phase="trial", round=0)
        times = []
        for number in range(requests):
            begin = 100 * (number // 2)
            stamps = [int((begin + 20 + 10 * i) * 1e6) for i in range(5)]
            yield events.Steps(variant=name, round=0, request=number, at_ns=stamps, tokens=[1] * 5)
            times.append(
                events.RequestTimes(
                    request=number,
                    arrival_ns=0,
                    dispatch_ns=int(begin * 1e6),
                    end_ns=stamps[-1],
                    prompt_tokens=4,
                    new_tokens=5,
                )
            )
        yield events.TrialDone(
            variant=name, round=0, requests=times, requested_tokens=5 * requests, prompt_ids=[1], token_ids=[1] * 5,
            text="x", concurrency=requests,
        )  # fmt: skip
    yield events.Finished(status="ok", rounds=1)


def test_all_requests_of_a_round_stand_over_time(qtbot, view, session):
    session.feed(several())
    session.tick.emit()
    view.page.setCurrentIndex(view.page.findData("requests"))
    session.tick.emit()
    assert [lanes.variant for lanes in view.requests.lanes] == ["a", "b"]
    assert view.requests.lanes[0].slots == 2
    assert view.answer.text().startswith(f"{session.selected}: 4 requests in ")
    assert view.answer.text().endswith("at most 2 at once.")
    row = view.requests.item.rows[2]
    said = view.requests.read(150.0, row.top + 0.5)
    assert said.startswith("A   request 3, slot 1: waited 100 ms, first token 120 ms")
    assert len(view.requests.chart_data().columns[0]) == 8
    image = view.requests.grab().toImage()
    assert len({image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 5)}) > 4
    assert view.request.isHidden()


def test_one_request_a_round_has_no_such_page(view, session):
    session.feed(Stream(rounds=1))
    session.tick.emit()
    assert view.page.findData("requests") == -1
