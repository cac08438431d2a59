"""Synthetic event streams for tests and screenshots of the views. Every number here is invented: plausible,
and never a measurement."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal, Slot

from app.base.repaint_timer import RepaintTimer
from app.base.theme import theme
from app.session.draft import Draft
from app.session.jobs import Jobs
from app.session.live_data import LiveData
from app.session.run_progress import PhaseClock
from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof, RoofReading
from core.model import layer_map
from core.model.receipt import Receipt
from core.model.step_anatomy import Anatomy
from core.protocol import events
from core.quality import distribution_metrics as quality
from core.results.results import Results

GIB = 2**30
START_NS = 10**15

ENVIRONMENT = Environment(
    hostname="synthetic",
    platform="Linux 6.8",
    python="3.11.9",
    cpu="Synthetic CPU",
    cores=2,
    cpu_features=["avx2", "avx512f", "avx512_bf16"],
    ram_bytes=8 * GIB,
    ram_available_bytes=5 * GIB,
    threads=2,
    versions={"torch": "2.13.0", "transformers": "5.24.0", "bitsandbytes": "0.50.2"},
)


MACHINE = MachineRoof(
    device="Synthetic CPU",
    readings=[RoofReading(bytes=1 << 20, sum=60e9, gemv=55e9), RoofReading(bytes=1 << 28, sum=8.4e9, gemv=9e9)],
    peaks={"bf16": 900e9, "fp32": 450e9},
    operation_s=2e-6,
    measured="2026-11-30T13:59:00+00:00",
    seconds=6.2,
)


#: Linears of a layer.
PARTS = (
    "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj",
    "mlp.down_proj",
)  # fmt: skip
QUESTIONS = [
    "Why is the sky blue during the day, and why does it turn red in the evening?",
    "Explain to a child what becomes of sunlight on its way through the air.",
    "Which colours does white light consist of?\nName them in order.",
    "What would the sky look like without an atmosphere?",
]


@dataclass(frozen=True)
class Made:
    """One synthetic variant: its recipe and the figures that it is made to have."""

    name: str
    rate: float  # tok/s
    weights: int
    recipe: dict = field(default_factory=dict)
    fails: str = ""  # "load", "warmup" or "trial": where it runs out of memory
    matches: bool = True
    drafts: bool = False
    kld: float = 0.0  # mean divergence from the baseline, nats per token


THREE = (
    Made("bf16 baseline", 24.0, int(0.25 * GIB)),
    Made("int8 weights", 38.0, int(0.13 * GIB), {"quantization": {"method": "int8_weight_only"}}, kld=0.0021),
    Made("int4 weights", 55.0, int(0.11 * GIB), {"quantization": {"method": "int4_weight_only"}}, kld=0.041),
)


def anatomy(made: Made) -> Anatomy:
    """Parts of a small Llama whose weights take as many bytes as the variant's."""
    return Anatomy(
        layers=30,
        hidden=576,
        heads=9,
        kv_heads=3,
        head_dim=64,
        element_bytes=2,
        body_bytes=round(0.8 * made.weights),
        head_bytes=round(0.2 * made.weights),
        embedding_bytes=56_623_104,
        embedding_row_bytes=1152,
        matrix_weights=134_479_872,
        head_weights=28_311_552,
        windows=[0] * 30,
        computes_in="bf16",
        operations=1000,
    )


def _linears(kind: str) -> dict[str, str]:
    """Every Linear of the small Llama with its class; `kind` is that of all but the head, "" leaves them as loaded."""
    done = f"{kind.capitalize()}Linear"
    return {**{f"model.layers.{n}.{part}": done for n in range(30) for part in PARTS}, "lm_head": "Linear"}


def hash_of(word: str) -> int:
    """A token id of a word, the same in every process."""
    return int.from_bytes(word.encode()[:3], "big")


class Stream:
    """Iterate it for the events of a whole run, or of a part of one (`until_round`, `until_token`)."""

    def __init__(
        self,
        variants: tuple[Made, ...] = THREE,
        rounds: int = 8,
        tokens: int = 64,
        noise: float = 0.03,
        until: tuple[int, int, int] | None = None,
        seed: int = 7,
        quality: bool = False,
        judged: int | None = None,
        roof: bool = False,
        prompts: bool = True,
    ) -> None:
        """`until = (round, place, token)` ends the stream there, without `Finished`; `judged` does so while quality is
        judged, when as many variants have been."""
        self.variants = {v.name: v for v in variants}
        self.rounds, self.tokens, self.noise, self.until = rounds, tokens, noise, until
        self.roof, self.prompts = roof, prompts  # older journals have no prompts beside the answers
        self.quality, self.judged = quality or judged is not None, judged
        self.random = random.Random(seed)
        self.schedule = [self.random.sample(list(self.variants), len(variants)) for _ in range(rounds)]
        self.ns = START_NS

    def after(self, seconds: float) -> int:
        self.ns += int(seconds * 1e9)
        return self.ns

    def experiment(self) -> dict:
        return {
            "model": {"source": "demo"},
            "workload": {"prompts": "chat", "new_tokens": self.tokens, "trials": self.rounds},
            **({"quality": {"tokens": 1024, "window": 64}} if self.quality else {}),
            "variant": [{"name": v.name, **v.recipe} for v in self.variants.values()],
        }

    def __iter__(self) -> Iterator[events.Event]:
        yield events.Started(
            t_ns=self.ns,
            schema_version=1,
            dyno_version="0.1.0",
            created="2026-11-30T14:00:00+00:00",
            experiment=self.experiment(),
            schedule=self.schedule,
        )
        yield events.Env(t_ns=self.after(0.1), environment=ENVIRONMENT)
        if self.roof:
            yield events.Machine(t_ns=self.after(0.1), machine=MACHINE)
        alive = []
        for made in self.variants.values():
            yield from self.prepare(made)
            if made.fails not in ("load", "warmup"):
                alive.append(made.name)
        for number, order in enumerate(self.schedule):
            for place, name in enumerate(n for n in order if n in alive):
                cut = self.until[2] if self.until and self.until[:2] == (number, place) else None
                yield from self.trial(self.variants[name], number, cut)
                if cut is not None:
                    return
                if self.variants[name].fails == "trial":
                    alive.remove(name)
        for place, name in enumerate(alive if self.quality else ()):
            yield from self.judge(self.variants[name], place == 0, place == self.judged)
            if place == self.judged:
                return
        for name in alive if self.quality and self.judged is None else ():
            yield from self.answer(self.variants[name])
        yield events.Finished(t_ns=self.after(0.1), status="ok", rounds=self.rounds)

    def answer(self, made: Made) -> Iterator[events.Event]:
        """Four answers that part from the baseline's the sooner the more the variant diverges, and a suite of three."""
        said = "Sunlight looks white, but it is a mix of all colours; the short waves are scattered most".split()
        other = "smaller ones bounce off the air, and so the sky looks blue by day and red at dusk".split()
        yield events.Phase(t_ns=self.after(0.1), variant=made.name, phase="quality")

        def one(number: int) -> events.Answer:
            keep = len(said) if made.kld < 0.005 * number else 3 * number + 2
            text = [*said[:keep], *(other if keep < len(said) else [])]
            return events.Answer(
                token_ids=[hash_of(word) for word in text],
                margins=[0.4 + 0.1 * (i % 7) for i in range(len(text))],
                text=" ".join(text),
                ended=False,
            )

        for purpose in ("divergence", "suite"):
            answers = [one(n) for n in ((1, 2, 3, 4) if purpose == "divergence" else (2, 4, 9))]
            asked = QUESTIONS[: len(answers)] if self.prompts else []
            yield events.Answers(
                t_ns=self.after(0.4), variant=made.name, purpose=purpose, answers=answers, prompts=asked
            )
        lost = made.kld > 0.01
        checks = [
            events.Checked(name="colours", passed=not lost, why="does not contain 'colours'" if lost else ""),
            events.Checked(name="a number", passed=False, why="there is no number in it"),
            events.Checked(name="the sky", passed=True),
        ]
        yield events.SuiteDone(t_ns=self.after(0.01), variant=made.name, suite="basic", checks=checks)
        yield events.Phase(t_ns=self.after(0.01), variant=made.name, phase="idle")

    def judge(self, made: Made, reference: bool, cut: bool = False) -> Iterator[events.Event]:
        """The quality phase of one variant: 32 chunks of 32 tokens."""
        yield events.Phase(t_ns=self.after(0.1), variant=made.name, phase="quality")
        for done in (256, 512, 1024):
            yield events.Progress(t_ns=self.after(0.5), variant=made.name, done=done, total=1024, unit="tokens")
            if cut:
                return
        dice = random.Random(made.name)
        tokens = [made.kld * dice.lognormvariate(-0.7, 1.2) for _ in range(1024)]
        scale = made.kld / (sum(tokens) / 1024) if made.kld else 0.0
        chunks = [[scale * t for t in tokens[i : i + 32]] for i in range(0, 1024, 32)]
        base = [32 * dice.gauss(3.1, 0.4) for _ in chunks]
        flips = [sum(dice.random() < 1.6 * made.kld for _ in range(32)) for _ in chunks]
        yield events.Quality(
            t_ns=self.after(0.01),
            variant=made.name,
            role="reference" if reference else "compare",
            window=64,
            vocabulary=49_152,
            chunk_tokens=[32 for _ in chunks],
            chunk_nll=base if reference else [b + 0.5 * sum(c) for b, c in zip(base, chunks, strict=True)],
            chunk_base_nll=[] if reference else base,
            chunk_kld=[] if reference else [sum(c) for c in chunks],
            chunk_same_top=[] if reference else [32 - f for f in flips],
            kld_p99=None if reference else sorted(t for c in chunks for t in c)[1013],
            kld_histogram=[] if reference else quality.histogram([t for c in chunks for t in c]),
        )
        yield events.Phase(t_ns=self.after(0.01), variant=made.name, phase="idle")

    def prepare(self, made: Made) -> Iterator[events.Event]:
        name = made.name
        yield events.Hello(
            t_ns=self.after(0.3), variant=name, pid=4000, python="3.11.9", dyno_version="0.1.0", now_ns=0
        )
        yield events.Phase(t_ns=self.after(0.1), variant=name, phase="load")
        for done in (0.3, 0.7, 1.0):
            bytes_done = done * made.weights
            yield self.sample(made, "load", 0.5)
            yield events.Progress(t_ns=self.ns, variant=name, done=bytes_done, total=made.weights, unit="bytes")
        if made.fails == "load":
            yield self.out_of_memory(made, "Out of memory while loading")
            return
        yield events.Loaded(
            t_ns=self.after(0.2),
            variant=name,
            load_s=1.9,
            weights_bytes=made.weights,
            weights_bytes_before=int(0.25 * GIB),
            parameters=134_515_008,
            device="cpu",
            dtype="bfloat16",
            fingerprint="9c41e07d",
            anatomy=anatomy(made) if self.roof else None,
        )
        yield events.Receipts(t_ns=self.ns, variant=name, receipts=self.receipts(made))
        yield events.Phase(t_ns=self.after(0.05), variant=name, phase="warmup")
        yield self.sample(made, "warmup", 0.1)
        if made.fails == "warmup":
            yield self.out_of_memory(made, "Out of memory in warm-up")
            return
        for passed in range(2):
            yield from self.steps(made, None, 16)
            yield events.Progress(t_ns=self.ns, variant=name, done=passed + 1, total=10, unit="passes")
        yield events.Warm(t_ns=self.after(0.01), variant=name, warmup_s=1.4, passes=2, steady=True)
        yield events.Phase(t_ns=self.after(0.01), variant=name, phase="idle")

    def trial(self, made: Made, number: int, cut: int | None = None) -> Iterator[events.Event]:
        arrival = self.after(0.05)
        yield events.Phase(t_ns=arrival, variant=made.name, phase="trial", round=number)
        yield self.sample(made, "trial", 0.09)
        if made.fails == "trial":
            yield self.out_of_memory(made, "Out of memory while measuring")
            return
        decided = False
        words = " ".join(["a queue in front of the replicas absorbs short bursts"] * 8).split()
        for step in self.steps(made, number, self.tokens if cut is None else cut):
            yield step
            if made.drafts and not decided:
                decided = True
                yield events.Decision(
                    t_ns=step.at_ns[-1], variant=made.name, round=number, what="draft length 3",
                    detail="2 of 5 tokens were accepted",
                )  # fmt: skip
            yield events.Text(
                t_ns=self.ns, variant=made.name, round=number, text=" ".join(words[: len(step.at_ns)]) + " "
            )
            yield self.sample(made, "trial", 0)
        if cut is not None:
            return
        yield events.TrialDone(
            t_ns=self.after(0.005),
            variant=made.name,
            round=number,
            requests=[
                events.RequestTimes(
                    arrival_ns=arrival,
                    dispatch_ns=arrival + 10_000,
                    end_ns=self.ns,
                    prompt_tokens=128,
                    new_tokens=self.tokens,
                )
            ],
            requested_tokens=self.tokens,
            prompt_ids=[1, 2, 3],
            token_ids=list(range(self.tokens)),
            text="a queue in front of the replicas absorbs short bursts",
            kv_bytes=192 * 23040,
            drafted=100 if made.drafts else 0,
            accepted=41 if made.drafts else 0,
            verify_steps=20 if made.drafts else 0,
        )
        yield events.Phase(t_ns=self.after(0.01), variant=made.name, phase="idle")

    def steps(self, made: Made, number: int | None, count: int) -> Iterator[events.Steps]:
        """`count` tokens in batches of a tenth of a second."""
        speed = made.rate * (1 + self.random.gauss(0, self.noise))
        batch: list[int] = []
        tokens: list[int] = []
        token = 0
        while token < count:
            gap = 1 / speed * (1 + abs(self.random.gauss(0, 0.05)))
            batch.append(self.after(2.5 / speed if token == 0 else gap))
            several = self.random.choice((1, 1, 2, 3, 5)) if made.drafts and token else 1
            tokens.append(min(several, count - token))
            token += tokens[-1]
            if len(batch) >= made.rate / 10 or token == count:
                yield events.Steps(t_ns=self.ns, variant=made.name, round=number, at_ns=batch, tokens=tokens)
                batch, tokens = [], []

    def sample(self, made: Made, phase: events.PhaseName, wait: float) -> events.Sample:
        return events.Sample(
            t_ns=self.after(wait),
            variant=made.name,
            phase=phase,
            process_bytes=int(0.45 * GIB) + made.weights,
            cpu_pct=190.0,
            foreign_cpu_pct=3.0,
        )

    def receipts(self, made: Made) -> list[Receipt]:
        result = [
            Receipt(slot="precision", requested="as loaded", effective="bf16", matches=True),
        ]
        if "int" in made.name:
            kind = made.name.split()[0]
            result.append(
                Receipt(
                    slot="quantization",
                    requested=f"{kind}, all Linear layers",
                    effective=f"{kind}: 210 of 210" if made.matches else "unchanged: 0 of 210",
                    matches=made.matches,
                    detail={
                        "layers": 210 if made.matches else 0,
                        "weights_bytes": made.weights,
                        "kernel": f"_weight_{kind}pack_mm",
                        "left_out": ["lm_head"],
                        "layer_map": layer_map.lines(_linears(kind if made.matches else "")),
                    },
                )
            )
        return result

    def out_of_memory(self, made: Made, where: str) -> events.Failed:
        return events.Failed(
            t_ns=self.after(0.2),
            variant=made.name,
            kind="out_of_memory",
            message=f"{where}: needed 1.16 GiB, 0.71 GiB was free",
            hint="Use int8 weights, or fewer prompt tokens",
            detail="Traceback (most recent call last):\n  MemoryError",
        )


FAILED = (*THREE, Made("16k prompt", 20.0, int(0.25 * GIB), fails="warmup"))
MISMATCH = (*THREE[:2], replace(THREE[2], rate=24.2, weights=int(0.25 * GIB), matches=False))


class Puppet(QObject):
    """Stands in for the session: the same signals and attributes, fed by hand instead of by an engine."""

    experiment_changed = Signal()
    selection_changed = Signal()
    event_received = Signal(object)
    run_started = Signal()
    run_finished = Signal()
    results_changed = Signal()
    environment_changed = Signal()
    notice = Signal(str, str)
    wrote = Signal(object)
    tick = Signal()

    insert = Draft.insert

    def __init__(self) -> None:
        super().__init__()
        self.experiment = None
        self.results: Results | None = None
        self.curves: LiveData | None = None
        self.edited: list[str] = []
        self.guest = ""
        self.selected = ""
        self.environment = ENVIRONMENT
        self.facts = None
        self.running = self.stopping = self.cancelling = self.measuring = self.judging = self.can_judge = False
        self.jobs = Jobs(self)
        self.checks = self.runs = 0  # how often quality, and a run, were asked for
        self.live_hz = 10.0
        self.pausing = False
        self.pace = RepaintTimer(self)
        self.pace.stop()  # tests tick
        self.clock = PhaseClock()
        self.event_received.connect(self._told)

    @Slot(object)
    def _told(self, event) -> None:
        self.clock.fold(event)

    @property
    def begun(self) -> bool:
        return self.results is not None and self.results.started is not None

    @property
    def selected_result(self) -> str:
        return self.selected

    def index_of(self, name: str) -> int:
        names = [v.name for v in self.experiment.variants] if self.experiment else []
        return names.index(name) if name in names else 0

    @Slot(str)
    def select(self, name: str) -> None:
        self.selected = name
        self.selection_changed.emit()

    @Slot()
    def check_quality(self) -> None:
        self.checks += 1

    def set_quality(self, quality) -> None:
        self.edit(self.experiment.model_copy(update={"quality": quality}))

    @Slot()
    def run(self) -> None:
        self.runs += 1

    def edit(self, experiment) -> None:
        self.experiment = experiment
        self.experiment_changed.emit()

    def feed(self, stream, live: bool = True) -> None:
        """Play a stream; `live` sends every event, as a run does, else it is opened as a whole."""
        for event in stream:
            if isinstance(event, events.Started):
                self.results = Results("synthetic")
                self.results.fold(event)
                self.experiment = self.results.experiment
                self.selected = self.experiment.variants[-1].name
                self.running = True
                if live:
                    self.experiment_changed.emit()
                    self.run_started.emit()
                self.curves = None if live else LiveData()
            else:
                self.results.fold(event)
            if self.curves is not None:
                self.curves.fold(event)
            if live:
                self.event_received.emit(event)
            if isinstance(event, events.Finished):
                self.running = False
                if live:
                    self.run_finished.emit()
        if not live:
            self.running = False
            self.experiment_changed.emit()
            self.results_changed.emit()


def fresh(qapp) -> Puppet:
    """A session for one test, in the light theme. Widgets of former tests go first: without an event loop
    nobody deletes them, and a change of theme would restyle them all."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if theme.name != "light" or not qapp.styleSheet():
        theme.apply(qapp, "light")
    return Puppet()
