"""The outcome of a run so far: folds the event stream, live or replayed, into variants and trials. The same code serves
the window, the command line and a reopened journal."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof
from core.model.receipt import Receipt
from core.protocol import events
from core.results import metrics
from core.results.memory_timeline import Timeline
from core.results.ratio_statistics import MARGIN, MIN_ROUNDS
from core.results.trials import Quantity, Trial, assemble, rounds_kept
from core.spec import experiment
from core.spec.variant import Variant


@dataclass
class VariantState:
    """The state of one variant. `phase` is its engine's present phase."""

    name: str
    phase: events.PhaseName | None = None
    round: int | None = None
    progress: events.Progress | None = None
    hello: events.Hello | None = None
    loaded: events.Loaded | None = None
    warm: events.Warm | None = None
    failed: events.Failed | None = None
    quality: events.Quality | None = None
    quality_failed: events.Failed | None = None  # in the quality phase: its trials stand
    receipts: list[Receipt] = field(default_factory=list)
    interface: events.Interface | None = None
    answers: dict[events.AnswersPurpose, events.Answers] = field(default_factory=dict)
    suite: events.SuiteDone | None = None
    trials: list[Trial] = field(default_factory=list)
    last_sample: events.Sample | None = None
    memory: Timeline = field(default_factory=Timeline)
    unloaded: events.Unloaded | None = None
    tokens: int = 0  # of the present trial
    looks: int = 0  # times that rounds were added to it after its ratio was known
    looked: bool = False  # rounds are to be added so, and none of them is there yet
    status_before: str = ""  # at the end of the session before: it stands as long as the present one adds nothing
    #: Of trials, by what was asked for and the round, as far as it was asked for (`core.results.pairing`).
    figures: dict[tuple[Quantity, int], float | None] = field(default_factory=dict)
    _steps: list[events.Steps] = field(default_factory=list)

    @property
    def receipt_ok(self) -> bool | None:
        return all(r.matches for r in self.receipts) if self.receipts else None

    def _proven(self, new: list[Receipt]) -> list[Receipt]:
        """Return new receipts merged with earlier proof. A model that was loaded again outside the trials (to judge its
        quality) has proved nothing: what trials and the comparison with the plain decoder showed stands, except for new
        mismatches."""
        if not self.trials or self.phase not in ("start", "convert", "load", "transform"):
            return new
        now = {receipt.slot: receipt for receipt in new}
        kept = [now[r.slot] if r.slot in now and not now[r.slot].matches else r for r in self.receipts]
        before = {receipt.slot for receipt in kept}
        return kept + [receipt for receipt in new if receipt.slot not in before]

    def _with_fault(self, new: list[Receipt]) -> list[Receipt]:
        """Return receipts that keep an earlier session's difference from the plain decoder, which another text may not
        meet."""
        fault = next((r for r in self.receipts if r.slot == events.EXACTNESS and not r.matches), None)
        return new if fault is None else [*(r for r in new if r.slot != events.EXACTNESS), fault]

    def forget_quality(self) -> None:
        """Forget the quality figures before quality is judged again."""
        self.quality = self.quality_failed = self.suite = None
        self.answers.clear()

    def fold(self, event: events.Event) -> None:
        self.memory.fold(event)
        match event:
            case events.Phase():
                self.phase, self.round, self.progress = event.phase, event.round, None
                self._steps, self.tokens = [], 0
            case events.Progress():
                self.progress = event
            case events.Hello():
                self.hello = event
            case events.Loaded():
                self.loaded = event
            case events.Warm():
                self.warm = event
            case events.Receipts():
                self.receipts = self._with_fault(self._proven(event.receipts))
            case events.Steps():
                self.tokens += sum(event.tokens)
                if event.round is not None:
                    self._steps.append(event)
            case events.Sample():
                self.last_sample = event
            case events.Unloaded():
                self.unloaded = event
            case events.TrialDone():
                if all(t.round != event.round for t in self.trials):  # a journal may tell it twice
                    self.trials.append(assemble(event, [s for s in self._steps if s.round == event.round]))
                    self.looks, self.looked = self.looks + self.looked, False
                self._steps = []
            case events.Quality():
                self.quality = event
            case events.Failed(phase="quality"):
                self.quality_failed = event
            case events.Interface():
                self.interface = event
            case events.Answers():
                self.answers[event.purpose] = event
            case events.SuiteDone():
                self.suite = event
            case events.Failed():
                self.failed = event


class Results:
    """The results of a run. `fold` takes every event; `variants` and `current` may be read at any time, and
    `core.analysis.compare` compares."""

    def __init__(self, run_id: str = "", margin: float = MARGIN) -> None:
        self.run_id = run_id.encode("utf-8", "replace").decode()  # a folder's name may be any bytes
        self.margin = margin
        self.started: events.Started | None = None
        self.experiment: experiment.Experiment | None = None
        self.environment: Environment | None = None
        self.machine: MachineRoof | None = None
        self.finished: events.Finished | None = None
        self.failed: events.Failed | None = None  # of the run as a whole
        self.turns: events.TurnsMode = "together"  # how the variants share the memory
        self.variants: dict[str, VariantState] = {}
        self.current: str | None = None  # the variant whose engine works now
        self.log: list[events.Log | events.Failed | events.Decision] = []
        self.interrupted = False  # set when a journal ends without its terminal event
        self.resumed: events.Resumed | None = None  # the present session, where it is not the first
        self.sessions = 1
        self.partial = False  # only the first rounds of a journal were read
        self._waits = False
        #: From the first arrival to the last end of each stretch of trials that no pause and no new session divides.
        self.stretches: list[tuple[int, int]] = []
        #: Numbers of rounds that a session began and that no other one finishes.
        self.cut_off: set[int] = set()
        self._stretch_over = True
        self._newest_ns = self._shift_ns = 0

    def fold(self, event: events.Event) -> None:
        """Fold one event. Cheap: figures are computed when the results are compared."""
        event = self._in_order(event)
        match event:
            case events.Started():
                self.started = event
                self.experiment = experiment.parse(event.experiment, lenient=True)
                self.variants = {v.name: VariantState(v.name) for v in self.experiment.variants}
            case events.Resumed():
                self._resume(event)
            case events.Paused():
                self._waits, self._stretch_over = not event.over, True
            case events.Env():
                self.environment = event.environment
            case events.Machine():
                self.machine = event.machine
            case events.Turns():
                self.turns = event.mode
            case events.Finished():
                self.finished, self.current, self._waits = event, None, False
            case events.Log() | events.Decision():
                self.log.append(event)
            case events.Failed():
                self.log.append(event)
        if event.variant is None:
            if isinstance(event, events.Failed):
                self.failed = event
            return
        state = self.variants.get(event.variant)
        if state is not None:
            state.fold(event)
            if isinstance(event, events.TrialDone) and event.requests:
                self._stretch(metrics.window_ns(state.trials[-1]))
            if isinstance(event, events.Phase):
                self.current = event.variant if event.phase not in ("idle", "gone") else None

    @property
    def paused(self) -> bool:
        """Whether the run waits between two rounds; False for a run that was interrupted there."""
        return self._waits and not self.interrupted

    def _resume(self, event: events.Resumed) -> None:
        """Begin a new session: states stay, and a failed variant that takes part again is no longer failed."""
        for state in self.variants.values():
            state.status_before = self.status_of(state)
        self._look(event)
        self._cut(event.first_round - 1)
        self.resumed, self.experiment = event, experiment.parse(event.experiment, lenient=True)
        self.finished = self.failed = None
        self.interrupted, self._waits, self._stretch_over = False, False, True
        self.sessions += 1
        for name in event.variants:
            if name in self.variants:
                self.variants[name].failed = None
        for name in event.judged:
            if name in self.variants:
                self.variants[name].forget_quality()

    def _cut(self, last: int) -> None:
        """Note the last round before a new session if it is incomplete. A variant that had failed completes none."""
        order = self.schedule[last] if 0 <= last < len(self.schedule) else []
        states = [self.variants[name] for name in order if name in self.variants]
        alive = [s for s in states if s.failed is None or s.failed.kind == "cancelled"]
        if any(all(t.round != last for t in s.trials) for s in alive):
            self.cut_off.add(last)

    def round_number(self, place: int) -> int | None:
        """Return a round's number as shown, from 1; None for an incomplete round."""
        return None if place in self.cut_off else place + 1 - sum(cut < place for cut in self.cut_off)

    def _look(self, event: events.Resumed) -> None:
        """Note a look for each variant with a verdict: rounds beyond the planned ones are added because of the outcome.
        The rest of a stopped or interrupted run was planned before."""
        if self.experiment is None:
            return
        over = self.finished is not None and self.finished.status == "ok"
        if not event.rounds or not (over or self.rounds_done + event.rounds > self.experiment.workload.most_rounds):
            return
        for state in self.variants.values():
            if state.name in event.variants and len(state.trials) >= MIN_ROUNDS:
                state.looked = True  # counted with the first round that is added: until then nothing new was seen

    def _in_order(self, event: events.Event) -> events.Event:
        """Return the event with its time after all earlier ones: after a restart of the machine its clock
        begins anew."""
        if isinstance(event, events.Resumed):
            self._shift_ns = max(0, self._newest_ns - event.t_ns)
        if self._shift_ns and isinstance(event, events.Sample | events.TrialDone):
            event = event.model_copy(update={"t_ns": event.t_ns + self._shift_ns})
        self._newest_ns = max(self._newest_ns, event.t_ns)
        return event

    def _stretch(self, window: tuple[int, int]) -> None:
        if self._stretch_over:
            self.stretches.append(window)
            self._stretch_over = False
        start, end = self.stretches[-1]
        self.stretches[-1] = min(start, window[0]), max(end, window[1])

    @property
    def schedule(self) -> list[list[str]]:
        """The order of the variants in each round, of all sessions."""
        return self.resumed.schedule if self.resumed is not None else self.started.schedule if self.started else []

    @property
    def began_at(self) -> tuple[str, int] | None:
        """The beginning of the present session: ISO 8601 in UTC, and its stamp."""
        began = self.resumed or self.started
        return (began.created, began.t_ns) if began is not None else None

    def takes_part(self, state: VariantState) -> bool:
        """Return whether the present session measures a variant."""
        return state.failed is None and (self.resumed is None or state.name in self.resumed.variants)

    def session_rounds(self, state: VariantState) -> int:
        """Return the number of a variant's trials in the present session."""
        first = self.resumed.first_round if self.resumed is not None else 0
        return sum(t.round >= first for t in state.trials)

    @property
    def rounds_done(self) -> int:
        """The number of rounds in which every variant that has not failed finished its trial."""
        states = self.variants.values()
        return rounds_kept(
            [len(v.trials) for v in states if v.failed is None], [len(v.trials) for v in states if v.failed is not None]
        )

    @property
    def began(self) -> bool:
        """Whether any engine was started: a run that could not write its beginning has no result."""
        return self.failed is None or any(v.phase is not None for v in self.variants.values())

    @property
    def _over(self) -> bool:
        return self.finished is not None or self.interrupted

    def status_of(self, state: VariantState) -> str:
        """Return ok, failed, out_of_memory, cancelled or refused; queued or running before the end."""
        if state.failed is not None:
            return "failed" if state.failed.kind == "died" else state.failed.kind
        if state.trials and not any(t.ok for t in state.trials) and self._over:
            return "failed"
        if self._over and self.resumed is not None and not self.session_rounds(state) and state.status_before == "ok":
            return "ok"
        if self.finished is not None and self.finished.status in ("ok", "stopped") and state.trials:
            return "ok"
        if self._over:
            complete = self.experiment is not None and len(state.trials) >= self.experiment.workload.most_rounds
            return "ok" if complete else "cancelled"
        return "running" if state.phase is not None else "queued"

    def machine_of(self, variant: Variant) -> MachineRoof | None:
        """Return the machine's limits if the variant ran on that device; else None."""
        return None if variant.parallelism is not None else self.machine
