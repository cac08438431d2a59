"""The events of a run: the one stream that the window, the command line, the journal and the tests read. Every time is
`time.perf_counter_ns()` on the clock of the process that drives the run (an engine adds its offset). `decode` reads one
line; `Event.line` writes one."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, model_validator

from core.base.value import Value
from core.machine import machine_roof as machine
from core.machine.environment import Environment
from core.model.receipt import JsonValue, Receipt
from core.model.step_anatomy import Anatomy

PhaseName = Literal["start", "convert", "load", "transform", "warmup", "trial", "quality", "answer", "idle", "gone"]
TurnsMode = Literal["together", "reload", "sequence"]  # `core.run.engine_sharing`
EndReason = Literal["", "rounds", "precise", "budget", "cap"]  # `core.run.stopping_rule`; empty: before its end
FailureKind = Literal["failed", "out_of_memory", "refused", "died", "cancelled"]
AnswersPurpose = Literal["divergence", "suite"]
#: 64 bits: the range of counters and clocks, and of arithmetic.
Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
#: Bytes and counts: non-negative, so that a corrupted value is rejected.
Size = Annotated[int, Field(ge=0, lt=2**63)]
#: Of one forward pass: every token of it is drawn and counted, so a garbled count would take all the memory there is.
MOST_TOKENS = 1_000_000
#: ns. Sums and differences of a few of them still have 64 bits; it is a clock that has run for 36 years.
Stamp = Annotated[int, Field(gt=-(2**60), lt=2**60)]


#: The slot of the receipt about what the strategies of a variant claim together: the plain decoder's tokens.
EXACTNESS = "exactness"


class _Event(Value):
    t_ns: Stamp = Field(default_factory=time.perf_counter_ns)
    variant: str | None = None  # the variant it is about; None: about the run as a whole

    def line(self) -> str:
        """Return one line of JSON without the line break."""
        return self.model_dump_json()


class Started(_Event):
    """A run begins. `schedule[r]` is the order of the variants in round r."""

    event: Literal["started"] = "started"
    schema_version: Whole
    dyno_version: str
    created: str  # ISO 8601, UTC
    experiment: dict[str, Any]
    schedule: list[list[str]]
    settings: dict[str, JsonValue] = {}  # live rate of the window, engine command


class Resumed(_Event):
    """A finished, stopped or interrupted run continues in a new session, with newly loaded engines unless a `Log` says
    that one was still warm. `experiment` and `schedule` are those of the whole run, all rounds included. `variants`
    take part in `rounds` new rounds from number `first_round` on, with the set's prompts from number `first_prompt` on.
    """

    event: Literal["resumed"] = "resumed"
    dyno_version: str
    created: str  # ISO 8601, UTC
    experiment: dict[str, Any]
    schedule: list[list[str]]
    variants: list[str]
    first_round: Whole
    rounds: Size
    first_prompt: Whole
    judged: list[str] = []  # variants whose quality is judged again; earlier quality no longer counts
    settings: dict[str, JsonValue] = {}


class Paused(_Event):
    """The run waits between two rounds on request, with its engines loaded; with `over` it goes on."""

    event: Literal["paused"] = "paused"
    over: bool = False


class Hello(_Event):
    """An engine answers for the first time. `now_ns` is its own clock, for the offset."""

    event: Literal["hello"] = "hello"
    pid: Whole
    python: str
    dyno_version: str
    now_ns: Stamp


class Env(_Event):
    event: Literal["env"] = "env"
    environment: Environment


class Machine(_Event):
    """The machine's limits, measured or from the cache."""

    event: Literal["machine"] = "machine"
    machine: machine.MachineRoof


class Counted(_Event):
    """The tokens of texts, and those that the chat template adds."""

    event: Literal["counted"] = "counted"
    tokens: list[Whole]
    template: Whole


class Phase(_Event):
    """The engine enters a phase, which lasts until the next one. Only `trial` is measured."""

    event: Literal["phase"] = "phase"
    phase: PhaseName
    round: Whole | None = None
    detail: str = ""


class Progress(_Event):
    """The progress of the present phase: bytes of weights, passes of the warm-up."""

    event: Literal["progress"] = "progress"
    done: float
    total: float | None = None
    unit: str = ""
    detail: str = ""


class Estimate(_Event):
    """The memory that the variant will likely need, before it is loaded: peaks while measured and while loading.
    `where` is the device, or "this machine"."""

    event: Literal["estimate"] = "estimate"
    needed_bytes: Size
    loading_bytes: Size
    free_bytes: Size
    where: str


class Turns(_Event):
    """How the variants share the memory from now on, and why; without this event all are loaded together."""

    event: Literal["turns"] = "turns"
    mode: TurnsMode
    why: str = ""


class Loaded(_Event):
    """The model is loaded and ready for its warm-up. Bytes are those of the tensors' real storage."""

    event: Literal["loaded"] = "loaded"
    load_s: float
    weights_bytes: Size
    weights_bytes_before: Size
    parameters: Size
    device: str
    dtype: str
    fingerprint: str
    load_peak_bytes: Size | None = None
    notes: list[str] = []
    estimate: dict[str, Whole] = {}  # bytes by part, as they were estimated before loading
    estimate_least_bytes: Whole | None = None  # on the host, by what cannot be known beforehand ...
    estimate_most_bytes: Whole | None = None
    anatomy: Anatomy | None = None  # None where a step's bytes cannot be known
    source_type: str = ""  # what the weights were quantized to in their file, where they are dequantized here: Q4_1
    model_name: str = ""  # what the model calls itself, where `experiment.model` says "demo" or a path


class Warm(_Event):
    """The warm-up is over. `steady` is False if step times still drifted at the cap. `compared_s` is the time of the
    comparison with the plain decoder, which `warmup_s` excludes."""

    event: Literal["warm"] = "warm"
    warmup_s: float
    passes: Size
    steady: bool
    compared_s: float = 0.0


class Receipts(_Event):
    """The receipts: after loading, in the warm-up after the comparison with the plain decoder, and after the first
    trial. Later receipts replace earlier ones."""

    event: Literal["receipts"] = "receipts"
    receipts: list[Receipt]


class Steps(_Event):
    """Raw stamps of completed forward passes: `tokens[i]` tokens became known at `at_ns[i]`. A request's first stamp is
    its first token. `round` is None in a warm-up, which is drawn hollow and never counted."""

    event: Literal["steps"] = "steps"
    round: Whole | None
    request: Whole = 0
    at_ns: list[Stamp]
    tokens: list[Whole]

    @model_validator(mode="after")
    def _as_many(self) -> Steps:
        if len(self.at_ns) != len(self.tokens) or any(not 0 <= n <= MOST_TOKENS for n in self.tokens):
            raise ValueError("every step has one stamp and a number of tokens")
        return self


class Text(_Event):
    """Text generated since the last `Text`; detokenized outside the measured loop."""

    event: Literal["text"] = "text"
    round: Whole | None
    request: Whole = 0
    text: str


class Decision(_Event):
    """A decision of the engine itself: a fallback to plain decoding, another draft length."""

    event: Literal["decision"] = "decision"
    round: Whole | None = None
    what: str
    detail: str = ""


class Sample(_Event):
    """The state of the engine's process and the machine. Unreadable figures are None, never 0. CPU figures are in % of
    one core."""

    event: Literal["sample"] = "sample"
    phase: PhaseName
    process_bytes: Size | None = None  # resident set: its highest since the sample before, where the system tells it
    pss_bytes: Size | None = None  # proportional set: shared pages divided among their users
    swap_bytes: Size | None = None
    cpu_pct: float | None = None
    foreign_cpu_pct: float | None = None  # all other processes together
    steal_pct: float | None = None  # taken by the hypervisor, of all cores
    allocated_bytes: Size | None = None
    reserved_bytes: Size | None = None
    device_process_bytes: Size | None = None
    power_w: float | None = None
    clock_mhz: float | None = None
    temperature_c: float | None = None
    throttle: list[str] = []
    weights_bytes: Size | None = None  # real storage, a second model's included
    kv_bytes: Size | None = None  # as the engine saw its cache last: once a second while it decodes
    kv_host_bytes: Size | None = None  # of an engine on a card: the part of its cache that is on the host
    foreign_gpu_processes: Size | None = None  # that are no engines of this run


class RequestTimes(Value):
    """One request of a trial. Its steps are in the `Steps` events of the same round and number."""

    request: Whole = 0
    arrival_ns: Stamp  # scheduled
    dispatch_ns: Stamp
    end_ns: Stamp
    prompt_tokens: Size
    new_tokens: Size
    status: Literal["ok", "failed", "cancelled"] = "ok"


class Output(Value):
    """A request's prompt and its answer."""

    request: Whole
    prompt_ids: list[Whole]
    token_ids: list[Whole]
    text: str


class Breakdown(Value):
    """The parts of a request's time: means over the requests of a trial, in ms. Queue (arrival to dispatch), prefill
    (to the first token) and decode (to the last one) add up to the end-to-end time. `sample` is the part of prefill and
    decode that chooses tokens. Tokenize and detokenize are outside: prompts are tokenized before they arrive, and text
    is made between steps and after the end."""

    queue_ms: float
    prefill_ms: float
    decode_ms: float
    tokenize_ms: float | None = None
    sample_ms: float | None = None
    detokenize_ms: float | None = None


class Batching(Value):
    """The scheduler's work in a trial. Occupancy is the mean number of served requests over the steps."""

    slots: Size  # most requests that could be served at once
    steps: Size
    mean_occupancy: float
    prefill_chunks: Size
    widest_step: Size  # most tokens of one step
    longest_step_ms: float


class TrialDone(_Event):
    """One measured pass of one variant is over; all its `Steps` came before. Ids and text are those of the first
    request; `others` has the rest."""

    event: Literal["trial_done"] = "trial_done"
    round: Whole
    requests: list[RequestTimes]
    requested_tokens: Size
    prompt_ids: list[Whole]
    token_ids: list[Whole]
    text: str
    kv_bytes: Size | None = None
    drafted: Size = 0
    accepted: Size = 0
    verify_steps: Size = 0
    flags: list[str] = []
    concurrency: Size = 1
    arrival: Literal["closed", "poisson"] = "closed"
    others: list[Output] = []
    breakdown: Breakdown | None = None
    batching: Batching | None = None
    energy: dict[str, float] = {}  # J of the whole machine's cpu, dram, gpu during the trial; absent: not readable
    reused_tokens: Size = 0  # prompt tokens that came out of a prefix cache
    cut: Size = 0  # prompts whose own text had no room

    @property
    def after_first(self) -> int:
        """The tokens after the first one of each request, which decode steps made."""
        return sum(max(0, len(ids) - 1) for ids in (self.token_ids, *(o.token_ids for o in self.others)))


class Unloaded(_Event):
    """The engine has ended. Held is what it had in private memory just before (not of files), returned is how much more
    was free afterwards; `noise_bytes` is how much free memory moved by itself."""

    event: Literal["unloaded"] = "unloaded"
    held_bytes: Size
    returned_bytes: Size
    noise_bytes: Size
    on: Literal["host", "device"] = "host"


class Quality(_Event):
    """A variant's scores on the evaluation text. Sums are per chunk, in nats and tokens; a reference (the baseline) has
    its log-loss only. The histogram's bins are `core.quality.distribution_metrics.HISTOGRAM_EDGES`."""

    event: Literal["quality"] = "quality"
    role: Literal["reference", "compare"]
    window: Whole
    vocabulary: Size
    chunk_tokens: list[Whole]
    chunk_nll: list[float]
    chunk_base_nll: list[float] = []
    chunk_kld: list[float] = []
    chunk_same_top: list[Whole] = []
    kld_p99: float | None = None  # over tokens: from 459 on
    kld_p999: float | None = None  # from 20,000 on
    kld_histogram: list[Whole] = []
    text_sha256: str = ""  # of the token ids that were read; empty: an older version wrote it

    @model_validator(mode="after")
    def _as_many(self) -> Quality:
        columns: list[list[Any]] = [self.chunk_nll]
        if self.role == "compare":
            columns += [self.chunk_base_nll, self.chunk_kld, self.chunk_same_top]
        if any(len(column) != len(self.chunk_tokens) for column in columns) or any(n < 1 for n in self.chunk_tokens):
            raise ValueError("every chunk has its tokens and its sums")
        return self


class Answer(Value):
    """A greedy answer. `ended`: by an end-of-sequence token, its last id; otherwise it was cut at the cap."""

    token_ids: list[Whole]
    margins: list[float | None]  # best logit − second best, where each of the tokens was chosen; None: not finite
    text: str
    ended: bool

    @model_validator(mode="after")
    def _as_many(self) -> Answer:
        if len(self.token_ids) != len(self.margins):
            raise ValueError("every token has one margin")
        return self


class Answers(_Event):
    """The answers to the prompts of one command, in order. `prompts` holds the prompts or their beginnings; empty in
    older journals."""

    event: Literal["answers"] = "answers"
    purpose: AnswersPurpose
    answers: list[Answer]
    prompts: list[str] = []


class Reply(_Event):
    """An answer to a prompt that a user typed; a single answer is no measurement. `tokens[i]` tokens became known at
    `at_ns[i]`. `ended`: by an end-of-sequence token (the last id), by the cap, or by a stop."""

    event: Literal["reply"] = "reply"
    dispatch_ns: Stamp
    at_ns: list[Stamp]
    tokens: list[Whole]
    prompt_tokens: Whole
    token_ids: list[Whole]
    text: str
    ended: Literal["end", "cap", "stopped"]
    drafted: Whole = 0
    accepted: Whole = 0
    verify_steps: Whole = 0


class Checked(Value):
    """One answer checked against the suite. None means that it could not be judged; `why` gives the reason of every
    answer that did not pass."""

    name: str
    passed: bool | None
    why: str = ""


class SuiteDone(_Event):
    """A variant's answers to a regression suite were checked."""

    event: Literal["suite_done"] = "suite_done"
    suite: str
    checks: list[Checked]


class Interface(_Event):
    """What the model accepts and returns after all transforms. None and "" mean that it has none."""

    event: Literal["interface"] = "interface"
    inputs: list[str]  # names of forward's arguments
    logits_shape: list[Whole]  # for two rows of four tokens
    logits_dtype: str
    vocabulary: Size  # ids that the configuration has
    tokens: Size  # that the tokenizer knows
    special_tokens: dict[str, JsonValue]
    chat_template: str = ""  # SHA-256
    max_length: Whole | None = None
    generation: dict[str, JsonValue] = {}  # what differs from the library's defaults


class Log(_Event):
    event: Literal["log"] = "log"
    level: Literal["info", "warning", "error"] = "info"
    text: str


class Failed(_Event):
    """What went wrong, with its figures and the way out; `detail` is for the log only. `phase` is set if only that
    phase's results are lost."""

    event: Literal["failed"] = "failed"
    kind: FailureKind = "failed"
    message: str
    hint: str = ""
    detail: str = ""
    phase: Literal["quality"] | None = None


class Done(_Event):
    """An engine has carried out a command: the terminal event of each command that did not fail."""

    event: Literal["done"] = "done"
    command: str


class Finished(_Event):
    """The terminal event of a session; `rounds` are its own. `reason` says what ended a session that is ok."""

    event: Literal["finished"] = "finished"
    status: Literal["ok", "stopped", "cancelled", "failed"]
    rounds: Size
    message: str = ""
    reason: EndReason = ""


Event = (
    Started | Resumed | Paused | Hello | Env | Machine | Counted | Phase | Progress | Estimate | Turns | Loaded | Warm
    | Receipts | Steps | Text | Decision | Sample | TrialDone | Unloaded | Quality | Answers | Reply | SuiteDone
    | Interface | Log | Failed | Done | Finished
)  # fmt: skip

_adapter: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])


def decode(line: str | bytes) -> Event:
    """Return the event in a line of the stream. Raises pydantic.ValidationError."""
    return _adapter.validate_json(line)
