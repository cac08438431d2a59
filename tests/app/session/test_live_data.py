"""Rings, decimation and the fold from events to series, with values worked out by hand."""

import numpy as np
import pytest

from app.live.live_curves import log_ms
from app.session.live_data import LiveData
from app.session.time_series import RingBuffer, decimate
from core.protocol import events

SECOND = 1_000_000_000


def phase(t: float, name: str = "trial", variant: str = "B", number: int | None = 0) -> events.Phase:
    return events.Phase(t_ns=int(t * SECOND), variant=variant, phase=name, round=number)


def steps(times: list[float], tokens: list[int] | None = None, number: int | None = 0) -> events.Steps:
    at = [int(t * SECOND) for t in times]
    return events.Steps(t_ns=at[-1], variant="B", round=number, at_ns=at, tokens=tokens or [1] * len(at))


def done(arrival: float, end: float) -> events.TrialDone:
    times = events.RequestTimes(
        arrival_ns=int(arrival * SECOND),
        dispatch_ns=int(arrival * SECOND),
        end_ns=int(end * SECOND),
        prompt_tokens=8,
        new_tokens=4,
    )
    return events.TrialDone(
        t_ns=int(end * SECOND),
        variant="B",
        round=0,
        requests=[times],
        requested_tokens=4,
        prompt_ids=[],
        token_ids=[],
        text="",
    )


def fold(*stream: events.Event) -> LiveData:
    data = LiveData()
    data.fold(phase(0, "start", number=None))
    for event in stream:
        data.fold(event)
    return data


def test_a_ring_keeps_the_newest_points_contiguously():
    ring = RingBuffer(4)
    for i in range(11):
        ring.add(float(i), 10.0 * i)
    t, y = ring.view()
    assert t.tolist() == [7, 8, 9, 10]
    assert y.tolist() == [70, 80, 90, 100]
    assert len(ring) == 4


def test_a_ring_takes_more_than_it_holds_at_once():
    ring = RingBuffer(3)
    ring.append(np.arange(10.0), np.arange(10.0))
    assert ring.view()[0].tolist() == [7, 8, 9]


def test_between_brings_one_neighbour_on_each_side():
    ring = RingBuffer(10)
    ring.append(np.arange(10.0), np.arange(10.0))
    assert ring.between(3.5, 5.5)[0].tolist() == [3, 4, 5, 6]


def test_nearest_is_none_where_there_is_nothing_or_a_gap():
    ring = RingBuffer(10)
    ring.append(np.array([0.0, 1.0]), np.array([5.0, 6.0]))
    ring.gap(9.0)
    assert ring.nearest(0.9, within=0.5) == 6.0
    assert ring.nearest(5.0, within=0.5) is None
    assert ring.nearest(9.0, within=0.5) is None


def test_decimation_keeps_the_spike_and_the_gap():
    t = np.arange(100_000) / 1000
    y = np.ones(100_000, dtype=np.float32)
    y[54_321] = 99
    y[80_000] = np.nan
    x, out = decimate(t, y, 200)
    assert len(x) <= 600
    assert np.nanmax(out) == 99
    assert np.isnan(out).sum() == 1
    assert (np.diff(x) >= 0).all()


def test_decimation_leaves_few_points_alone():
    t, y = np.arange(5.0), np.arange(5.0)
    assert decimate(t, y, 100)[1] is y


def test_first_stamp_is_no_latency_and_steps_of_several_tokens_share_theirs():
    data = fold(phase(1), steps([1.5]), steps([1.6, 1.9], [1, 3]))
    t, y = data.tracks["B"].itl.view()
    assert y.tolist() == pytest.approx([100, 100, 100, 100])
    assert t.tolist() == pytest.approx([1.6, 1.9, 1.9, 1.9])


def test_decode_rate_excludes_the_first_stamp():
    data = fold(phase(1), steps([2.0, 2.5, 3.0], [4, 1, 3]))
    assert data.tracks["B"].decode_rate() == pytest.approx(4.0)


def test_ttft_is_from_the_scheduled_arrival():
    data = fold(phase(1), steps([1.25, 1.35]), done(arrival=1.0, end=1.4))
    t, y = data.tracks["B"].ttft.view()
    assert (t.tolist(), y.tolist()) == ([pytest.approx(1.25)], [pytest.approx(250)])


def test_the_gap_between_two_trials_is_no_latency():
    first = [1 + 0.1 * i for i in range(5)]
    second = [9 + 0.1 * i for i in range(5)]
    data = fold(phase(1), steps(first), phase(8, number=1), steps(second, number=1))
    assert len(data.tracks["B"].itl) == 8
    assert data.tracks["B"].itl.view()[1].max() == pytest.approx(100)


def test_throughput_windows_hold_the_rate_of_a_steady_stream():
    data = fold(phase(1), steps([1 + i / 40 for i in range(81)]), done(1, 3.0))
    _, y = data.tracks["B"].rate.view()
    rates = y[~np.isnan(y)]
    assert len(rates) == 8
    assert rates.tolist() == pytest.approx([40] * 8, rel=1e-3)


def test_windows_are_the_same_however_the_steps_are_batched():
    times = [1 + i / 40 for i in range(81)]
    whole = fold(phase(1), steps(times), done(1, 3.0))
    single = fold(phase(1), *[steps([t]) for t in times], done(1, 3.0))
    np.testing.assert_allclose(whole.tracks["B"].rate.view()[1], single.tracks["B"].rate.view()[1])


def test_warm_up_is_kept_apart():
    data = fold(phase(1, "warmup", number=None), steps([1.1, 1.2, 1.3], number=None))
    track = data.tracks["B"]
    assert len(track.itl) == len(track.rate) == 0
    assert len(track.warm_itl) == 2


def test_a_gap_of_zero_does_not_break_the_logarithm():
    data = fold(phase(1), steps([1.0, 1.1, 1.1, 1.2]))
    assert 0 in data.tracks["B"].itl.view()[1]
    assert np.isfinite(log_ms(data.tracks["B"].itl.view())[1]).all()


def test_idle_engines_draw_no_memory_and_a_pause_breaks_the_line():
    def sample(t: float, name: str) -> events.Sample:
        return events.Sample(t_ns=int(t * SECOND), variant="B", phase=name, process_bytes=2**30)

    data = fold(sample(1, "trial"), sample(1.2, "idle"), sample(9, "trial"))
    _, y = data.tracks["B"].process.view()
    assert y[~np.isnan(y)].tolist() == [1, 1]
    assert np.isnan(y).sum() == 2
    assert len(data.tracks["B"].allocated) == 0


def test_bands_end_where_the_next_phase_begins_and_at_a_failure():
    failed = events.Failed(t_ns=5 * SECOND, variant="B", message="no")
    data = fold(phase(1, "load", number=None), phase(3), failed)
    assert [(b.phase, b.start, b.end) for b in data.bands] == [("load", 1, 3), ("trial", 3, 5)]


def of_request(number: int, times: list[float]) -> events.Steps:
    return steps(times).model_copy(update={"request": number})


def test_latencies_run_within_a_request_and_the_rate_over_all():
    data = fold(
        phase(1),
        of_request(0, [2.0, 2.1, 2.2]),
        of_request(1, [2.05, 2.15, 2.25]),  # at the same time, and arriving later
        of_request(0, [2.3, 2.4]),
        of_request(2, [3.0, 3.2]),  # after a wait: its first stamp is no latency either
    )
    track = data.tracks["B"]
    t, y = track.itl.view()
    assert y.tolist() == pytest.approx([100, 100, 100, 100, 100, 100, 200])
    assert (np.diff(t) >= 0).all()
    assert track.decode_rate() == pytest.approx(9 / 1.2)  # ten tokens, less the first


def test_the_text_is_that_of_one_request_the_newest():
    def text(request, words):
        return events.Text(t_ns=2 * SECOND, variant="B", round=0, request=request, text=words)

    data = fold(phase(1), text(0, "one "), text(1, "two "), text(0, "more "), text(1, "words"))
    assert data.tracks["B"].text == "two words"
    data.fold(phase(3))
    data.fold(text(0, "again"))
    assert data.tracks["B"].text == "again"


def test_memory_is_stacked_by_name():
    """Weights are known once the model is loaded, the cache after a trial; the rest is the difference."""
    data = LiveData()
    loaded = {"load_s": 1.0, "weights_bytes_before": 2**29, "parameters": 1, "device": "cpu", "dtype": "fp32"}
    sample = {"variant": "B", "process_bytes": 2**30}
    data.fold(events.Sample(t_ns=0, phase="load", **sample))
    assert len(data.tracks["B"].levels[0]) == 0
    data.fold(events.Loaded(t_ns=SECOND, variant="B", weights_bytes=2**29, fingerprint="f", **loaded))
    data.fold(events.Sample(t_ns=SECOND, phase="trial", **sample))
    data.fold(events.Sample(t_ns=2 * SECOND, phase="trial", kv_bytes=2**28, **sample))
    tops = [ring.view()[1].tolist() for ring in data.tracks["B"].levels]
    assert tops == [[0.5, 0.5], [0.5, 0.75], [1.0, 1.0]]
    assert not data.tracks["B"].on_device
    data.fold(events.Sample(t_ns=3 * SECOND, phase="trial", allocated_bytes=2**29 + 2**28, kv_bytes=2**27, **sample))
    assert data.tracks["B"].on_device
    assert [ring.view()[1][-1] for ring in data.tracks["B"].levels] == [0.5, 0.625, 0.75]
    assert data.tracks["B"].memory.points == []  # the rings keep them


def test_the_stack_ends_where_the_engine_waits():
    data = LiveData()
    loaded = {"load_s": 1.0, "weights_bytes_before": 2**29, "parameters": 1, "device": "cpu", "dtype": "fp32"}
    data.fold(events.Loaded(t_ns=0, variant="B", weights_bytes=2**29, fingerprint="f", **loaded))
    data.fold(events.Phase(t_ns=0, variant="B", phase="trial", round=0))
    data.fold(events.Sample(t_ns=SECOND, variant="B", phase="trial", process_bytes=2**30))
    data.fold(events.Phase(t_ns=2 * SECOND, variant="B", phase="idle"))
    t, y = data.tracks["B"].levels[2].view()
    assert t.tolist() == [1.0, 1.0, 2.0]
    assert y[0] == 1.0
    assert np.isnan(y[1:]).all()
    data.fold(events.Phase(t_ns=3 * SECOND, variant="B", phase="trial", round=1))
    data.fold(events.Sample(t_ns=4 * SECOND, variant="B", phase="trial", process_bytes=2**30))
    t, y = data.tracks["B"].levels[2].view()
    assert t.tolist()[-2:] == [4.0, 4.0]  # it begins again where the engine does, and does not rise to it
    assert np.isnan(y[-2])
