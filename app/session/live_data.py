"""The data of the live view, folded from the event stream: series, phase bands and figures of the tiles. Times are
seconds since the run began."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.session.time_series import RingBuffer
from core.protocol import events
from core.results.memory_timeline import STACK, Timeline

WINDOW_S = 0.25  # of the throughput plot
BETWEEN_S = 2.0  # shown between two sessions of a run
KEPT_TEXT = 4000  # characters of output
PERCENTILE_OVER = 50_000  # newest latencies that the tiles look at: sorting a million would stall the window
QUIET = ("idle", "gone", "start")  # phases that get no band


@dataclass
class PhaseBand:
    """One phase of one variant on the time axis; `end` is None while it lasts."""

    variant: str
    phase: events.PhaseName
    start: float
    end: float | None = None
    round: int | None = None


@dataclass
class Track:
    """The series of one variant: latencies in ms, rates in tok/s, memory in GiB. `warm_*` is never counted."""

    itl: RingBuffer = field(default_factory=lambda: RingBuffer(2**20))
    ttft: RingBuffer = field(default_factory=lambda: RingBuffer(2**14))
    rate: RingBuffer = field(default_factory=lambda: RingBuffer(2**16))
    warm_itl: RingBuffer = field(default_factory=lambda: RingBuffer(2**14))
    warm_rate: RingBuffer = field(default_factory=lambda: RingBuffer(2**12))
    process: RingBuffer = field(default_factory=lambda: RingBuffer(2**16))
    allocated: RingBuffer = field(default_factory=lambda: RingBuffer(2**16))
    # What the memory is made of, from the bottom: each ring is the top of its part, GiB.
    levels: tuple[RingBuffer, RingBuffer, RingBuffer] = field(
        default_factory=lambda: (RingBuffer(2**16), RingBuffer(2**16), RingBuffer(2**16))
    )
    on_device: bool = False  # the name of the third part: activations on a device, else the rest of the process
    memory: Timeline = field(default_factory=Timeline)
    waited: bool = False  # since the newest point of the levels
    text: str = ""
    text_of: int = 0  # the request that it answers: the newest one
    ended: bool = False  # the text is of a trial that is over
    stamps: dict[int, float] = field(default_factory=dict)  # newest stamp of each request of the present trial
    first: float | None = None  # first and last stamp of the present trial, of whichever request
    last: float | None = None
    decoded: int = 0  # tokens after the first stamp
    window: int = 0  # the throughput window that is being filled
    window_tokens: int = 0
    window_from: float = 0.0

    def begin(self) -> None:
        """Begin a trial or a pass of the warm-up."""
        self.decoded, self.first, self.last = 0, None, None
        self.window, self.window_tokens = 0, 0
        self.stamps.clear()

    def decode_rate(self) -> float | None:
        """Return tokens after the first stamp ÷ (last − first) of the present or latest trial, in tok/s."""
        if self.first is None or self.last is None or self.last <= self.first:
            return None
        return self.decoded / (self.last - self.first)

    def itl_percentile(self, p: float, least: int) -> float | None:
        """Return a percentile of the measured inter-token latencies in ms; None below `least` observations."""
        _, y = self.itl.view()
        return float(np.percentile(y[-PERCENTILE_OVER:], p)) if len(y) >= least else None


class LiveData:
    """Folds every event by `add`, which only appends to ring buffers."""

    def __init__(self) -> None:
        self.tracks: dict[str, Track] = {}
        self.bands: list[PhaseBand] = []
        self.current: str | None = None
        self.now = 0.0  # time of the newest event
        self._zero: int | None = None
        self._first_stamps: dict[tuple[str, int, int], int] = {}
        self._open: dict[str, PhaseBand] = {}

    def seconds(self, t_ns: int) -> float:
        """Return the seconds since the run began."""
        return (t_ns - (self._zero or 0)) / 1e9

    def fold(self, event: events.Event) -> None:
        if self._zero is None:
            self._zero = event.t_ns
        if isinstance(event, events.Resumed):  # a new session, perhaps on another day: the gap is not drawn
            self.end()
            self._zero = event.t_ns - int((self.now + BETWEEN_S) * 1e9)
        self.now = max(self.now, self.seconds(event.t_ns))
        if isinstance(event, events.Finished):
            self.end()
        if event.variant is None:
            return
        track = self.tracks.get(event.variant)
        if track is None:  # its rings are large, so none is made in vain
            track = self.tracks[event.variant] = Track()
        match event:
            case events.Phase():
                self._phase(event, track)
            case events.Progress():
                open_band = self._open.get(event.variant)
                if open_band is not None and open_band.phase == "warmup":
                    self._flush(track, warm=True)
                    track.begin()  # passes of a warm-up are not joined
            case events.Steps():
                self._steps(event, track)
            case events.Text():
                if track.ended or event.request > track.text_of:
                    track.text, track.text_of, track.ended = "", event.request, False
                if event.request == track.text_of:
                    track.text = (track.text + event.text)[-KEPT_TEXT:]
            case events.Loaded():
                track.memory.fold(event)
            case events.Sample():
                self._sample(event, track)
                self._parts(event, track)
            case events.TrialDone():
                self._flush_short(track)
                track.memory.fold(event)
                self._trial(event, track)
            case events.Failed():
                self._close(event.variant, self.seconds(event.t_ns))

    def end(self) -> None:
        """Close the open bands at the end of the run."""
        for variant in [*self._open]:
            self._close(variant, self.now)

    def _phase(self, event: events.Phase, track: Track) -> None:
        assert event.variant is not None
        now = self.seconds(event.t_ns)
        self._close(event.variant, now)
        track.begin()
        track.ended = True
        if event.phase in QUIET:
            track.waited = True
            for ring in track.levels:
                if len(ring):
                    ring.gap(now)  # areas of engines that wait would hide that of the one at work
            return
        self.current = event.variant
        band = PhaseBand(event.variant, event.phase, now, None, event.round)
        self.bands.append(band)
        self._open[event.variant] = band

    def _close(self, variant: str, now: float) -> None:
        band = self._open.pop(variant, None)
        if band is not None:
            band.end = now

    def _steps(self, event: events.Steps, track: Track) -> None:
        """Append latencies from stamp to stamp of one request, and the rate of all requests together."""
        assert event.variant is not None
        if not event.at_ns:
            return
        t = (np.asarray(event.at_ns, dtype=np.int64) - (self._zero or 0)) / 1e9
        n = np.maximum(np.asarray(event.tokens, dtype=np.int64), 1)
        self.now = max(self.now, float(t[-1]))
        warm = event.round is None
        if event.round is not None:
            self._first_stamps.setdefault((event.variant, event.round, event.request), event.at_ns[0])
        before = track.stamps.get(event.request, float(t[0]))
        fresh = event.request not in track.stamps
        track.stamps[event.request] = float(t[-1])
        # Batches of several requests overlap by some ms; on the time axis, nothing steps back.
        drawn = t if track.last is None else np.maximum(t, track.last)
        gaps = (t - np.concatenate([[before], t[:-1]])) * 1e3
        counted = slice(1, None) if fresh else slice(None)
        (track.warm_itl if warm else track.itl).append(
            np.repeat(drawn[counted], n[counted]), np.repeat((gaps / n)[counted], n[counted])
        )
        if track.first is None or track.last is None:
            track.first = track.last = track.window_from = float(t[0])
            (track.warm_rate if warm else track.rate).gap(float(t[0]))
            drawn, n = drawn[1:], n[1:]
        if len(drawn):
            track.decoded += int(n.sum())
            self._windows(track, drawn, n, warm)
            track.last = float(drawn[-1])

    def _windows(self, track: Track, t: np.ndarray, n: np.ndarray, warm: bool) -> None:
        """Append the rate of each full window: its tokens ÷ the time from the last stamp before it to its own last
        stamp, so that a window that splits a step does not look slow."""
        assert track.first is not None
        # A stamp on the edge belongs to the window that ends there; stamps are floats, hence the tolerance.
        places = np.ceil((t - track.first) / WINDOW_S - 1e-6).astype(np.int64) - 1
        if places[0] == places[-1] == track.window:  # most often: stamps never step back
            track.window_tokens += int(n.sum())
            track.last = float(t[-1])
            return
        for place in np.unique(places):
            if place != track.window:
                self._flush(track, warm)
                track.window = int(place)
            inside = places == place
            track.window_tokens += int(n[inside].sum())
            track.last = float(t[inside][-1])

    def _flush_short(self, track: Track) -> None:
        """Close the first window of a trial that ended before it was full; otherwise a fast engine would have
        no rate."""
        if track.window == 0 and track.window_tokens and track.last is not None and track.last > track.window_from:
            track.rate.add(track.window_from, track.window_tokens / (track.last - track.window_from))
            self._flush(track, warm=False)

    def _flush(self, track: Track, warm: bool) -> None:
        """Close the window being filled."""
        if track.last is None or not track.window_tokens or track.last <= track.window_from:
            return
        rate = track.window_tokens / (track.last - track.window_from)
        (track.warm_rate if warm else track.rate).add(track.last, rate)
        track.window_from, track.window_tokens = track.last, 0

    def _sample(self, event: events.Sample, track: Track) -> None:
        if event.phase in QUIET:
            return
        now = self.seconds(event.t_ns)
        for ring, count in ((track.process, event.process_bytes), (track.allocated, event.allocated_bytes)):
            if count is not None:
                t, _ = ring.view()
                if len(t) and now - t[-1] > 2.0:
                    ring.gap(now)
                ring.add(now, count / 2**30)

    def _parts(self, event: events.Sample, track: Track) -> None:
        """Append the stacked memory parts of `core.results.memory_timeline`; none before the model is loaded."""
        track.memory.fold(event)
        point = track.memory.points.pop()  # the rings keep the drawn points
        track.on_device = "allocated" in point.bytes
        names = STACK["device" if track.on_device else "host"]
        if event.phase in QUIET or names[2] not in point.bytes:
            return
        now, top = self.seconds(event.t_ns), 0.0
        for name, ring in zip(names, track.levels, strict=True):
            t, _ = ring.view()
            if len(t) and (track.waited or now - t[-1] > 2.0):
                ring.gap(now)
            top += point.bytes.get(name, 0) / 2**30
            ring.add(now, top)
        track.waited = False

    def _trial(self, event: events.TrialDone, track: Track) -> None:
        assert event.variant is not None
        self._flush(track, warm=False)
        track.ended = True
        if not track.text:
            track.text = event.text[-KEPT_TEXT:]
        for request in event.requests:
            first = self._first_stamps.pop((event.variant, event.round, request.request), None)
            if first is not None and request.status == "ok":
                track.ttft.add(self.seconds(first), (first - request.arrival_ns) / 1e6)
