"""One model under one variant, on the path that an engine takes: load, trials, receipts.

Cells: `=` the tokens are those of generate(), as claimed · `ok` runs, receipts match (nothing is claimed of the tokens)
· `R` refused while loading, for a reason of `REASONS` · `M` a receipt does not match · `r!` refused in other words ·
`F` failed · `X` called exact, and the tokens differ.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch

from core.engine.base.failures import failure
from core.engine.load import load as loading
from core.engine.load.cache_facts import with_cache
from core.engine.load.load import load, receipts
from core.engine.load.strategy_fit import running
from core.engine.machine.probe import probe
from core.engine.serve import trial as trials
from core.engine.serve.trial import run_trial
from core.model.receipt import Receipt
from core.model.source import ModelSource
from core.protocol import events
from core.protocol.commands import LoadCommand, Prompt, TrialCommand
from core.spec.variant import Variant
from core.spec.workload import Workload
from tests.core.tiny import tiny_tokenizer
from tests.zoo import models

GOOD = ("=", "ok", "R")
NEW = 16
#: Beyond the window of the models that slide, with a stretch that a lookup can guess from, and one that begins like it.
PROMPTS = (
    "one two three, one two three, one two th",
    "one two three, one two four; and so on: ",
)
LENGTH = len(PROMPTS[0])


def _on(slot: str, method: str, **parameters: Any) -> dict[str, Any]:
    return {slot: {"method": method, **parameters}}


_SERVED = {"concurrency": 2, "requests": 3}
_INT8, _INT4 = _on("quantization", "int8_weight_only"), _on("quantization", "int4_weight_only")
_STATIC, _LOOKUP = _on("kv_cache", "static", bucket=16), _on("speculation", "prompt_lookup")
#: Slots of each column, and what its workload has beside the lengths.
COLUMNS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "base": ({}, {}),
    "bf16": (_on("precision", "bf16"), {}),
    "int8": (_INT8, {}),
    "int4": (_INT4, {}),
    "nf4": (_on("quantization", "nf4"), {}),
    "llm8": (_on("quantization", "llm_int8"), {}),
    "gptq": (_on("quantization", "gptq", calibration_tokens=128, sequence=64), {}),
    "i8dyn": (_on("quantization", "int8_dynamic"), {}),
    "magn": (_on("pruning", "magnitude"), {}),
    "wanda": (_on("pruning", "wanda", calibration_tokens=128, sequence=64), {}),
    "sgpt": (_on("pruning", "sparsegpt", calibration_tokens=128, sequence=64), {}),
    "ldrop": (_on("pruning", "layer_drop", layers=1, calibration_tokens=64), {}),
    "ldppl": (_on("pruning", "layer_drop", layers=1, by="perplexity", calibration_tokens=64), {}),
    "mlp": (_on("pruning", "mlp_width", multiple=32, calibration_tokens=64), {}),
    "heads": (_on("pruning", "heads", ratio=0.5, calibration_tokens=64), {}),
    "xdrop": (_on("pruning", "expert_drop", calibration_tokens=64), {}),
    "kvst": (_STATIC, {}),
    "kvq": (_on("kv_cache", "quantized", window=8, block=8), {}),
    "kvno": (_on("kv_cache", "none"), {}),
    "kvwin": (_on("kv_cache", "sliding_window", window=16), {}),
    "look": (_LOOKUP, {}),
    "st+lk": ({**_STATIC, **_LOOKUP}, {}),
    "selfd": (_on("speculation", "self_draft", quantization="int8_weight_only"), {}),
    "early": (_on("speculation", "early_exit"), {}),
    "fused": (_on("fusion", "fused_projections"), {}),
    "prefx": (_on("prefix_cache", "prefix_reuse"), {}),
    "eager": (_on("attention", "eager"), {}),
    "cont": (_on("batching", "continuous", token_budget=24), _SERVED),
    "sbat": (_on("batching", "static"), _SERVED),
    "c+i8": ({**_on("batching", "continuous", token_budget=24), **_INT8}, _SERVED),
}

#: Why a strategy may refuse a model, or Dyno all of it. What only says that something failed is not among them.
REASONS = tuple(
    re.compile(pattern)
    for pattern in (
        # layers that cannot become narrower, or fewer
        r"no setting of its configuration decides how wide its MLPs are",
        r"layer \d+ has no MLP of its own that is as wide as \w+ says",
        r"its MLPs are not all as wide as \w+ says",
        r"layer \d+ feeds them to .* and .*, not to one projection",
        r"holds its experts in one tensor",
        r"works on all of a layer's parts together, so none can go alone",
        r"it has no attention heads",
        r"its heads share a fixed width",
        r"layer \d+ has no output projection that becomes narrower with fewer attention heads",
        r"transformers loads no \w+ with num_attention_heads = ",
        r"changes from \[.*\] to \[.*\], in more than one dimension",
        r"with fewer of them, its layers do not fit each other",
        r"compute something else than with these parts at zero",
        r"the model has 1 KV head, and that one must stay",
        r"channels, in multiples of \d+, is all of them",
        r"layers (that would be left|of this model know each other|can be taken out)",
        r"no configuration of this kind of model describes",
        r"the model is no mixture of experts: every token meets all of its weights",
        r"it has no experts that are slices of one tensor",
        r"its layers have \[.*\] experts, its configuration \d+",
        r"how many experts a token meets is not said where it is looked for",
        r"would be \d+ long, not \d+: not one for each expert",
        r"with fewer experts, its layers do not fit each other",
        r"without these experts it computes something else",
        r"a token meets \d+ of \d+ experts: \d+ of them cannot be what is left",
        # layers that cannot be joined
        r"this model has no separate projections; they may be fused already",
        # caches
        r"every layer keeps a window of its own already",
        r"no layer keeps the keys and values of all positions and nothing else",
        r"cannot use a (static cache|window): its (logits are others|forward pass fails)",
        r"past \d+ tokens its attention picks those that an index of \d+ heads scores highest",
        r"what is guessed wrong cannot be taken back",
        r"several tokens at once, after others, do not come out as they do one by one",
        r"the kernels of this model for several tokens compute otherwise than those for one",
        r"this model keeps its state in its layers",
        r"its layers keep more than keys and values",
        r"layers with a sliding window, which do not keep the beginning of a prompt",
        r"a prompt cannot go on from the state of an earlier one",
        # several requests in one pass
        r"computes attention in a way of its own, which cannot be split by rows",
        r"hands nothing on to its attention",
        r"its rotary embedding (has other factors|is that of the longest context|depends on the longest)",
        r"its layers of \w+ keep a state that is not a row of keys and values",
        r"cannot (use|take) padding",
        r"its layers share keys and values",
        r"does not compute a request beside another as it does alone",
        # calibration
        r"changes the hidden states between its layers",
        # attention
        r"it has no \w+ attention \(it has eager",
        r"computes other logits with eager attention than with sdpa",
        # models of which none of this can be measured
        r"takes no cache \(an argument cache or past_key_values\)",
        r"does not run on the caches that transformers makes for its layers",
    )
)


@dataclass(frozen=True)
class Cell:
    mark: str
    why: str = ""


class Recorder:
    """What an engine would send, kept."""

    phase = "idle"

    def __init__(self) -> None:
        self.sent: list[events.Event] = []

    def send(self, event: events.Event) -> None:
        self.sent.append(event)

    def enter(self, phase: Any, round: int | None = None, detail: str = "") -> None:
        self.phase = phase

    def log(self, text: str, level: Any = "info") -> None: ...


@cache
def environment() -> Any:
    return probe()


class Zoo:
    """Models as folders under `root`, and what generate() makes of their prompts."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._expected: dict[tuple[str, tuple[int, ...]], list[int]] = {}

    def folder(self, kind: str) -> Path:
        folder = self.root / kind
        if not folder.exists():
            models.make(kind).save_pretrained(folder)
            tiny_tokenizer(chat_template=False).save_pretrained(folder)
        return folder

    def expected(self, kind: str, prompt: list[int]) -> list[int]:
        """The ids that generate() finds."""
        key = (kind, tuple(prompt))
        if key not in self._expected:
            ids = torch.tensor([prompt])
            out = models.made(kind).generate(
                ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=NEW, min_new_tokens=NEW
            )
            self._expected[key] = out[0, len(prompt) :].tolist()
        return self._expected[key]

    def cell(self, kind: str, column: str) -> Cell:
        """Load and run one variant. Never raises."""
        slots, shape = COLUMNS[column]
        variant = {"name": "v", "precision": {"method": "fp32"}, **slots}
        workload = Workload(prompt_tokens=LENGTH, new_tokens=NEW, **shape)
        command = LoadCommand(model=ModelSource(source=str(self.folder(kind))), variant=variant, workload=workload)
        channel, doing = Recorder(), "loading the model"
        try:
            with _once_a_model():
                runtime = load(command, environment(), channel, None)  # type: ignore[arg-type]
            doing = "warming up"
            with _quick_trials(), running(runtime.model, runtime.variant):
                for number in range(1 if shape else len(PROMPTS)):
                    first, *others = [Prompt(text=PROMPTS[(number + i) % 2]) for i in range(workload.request_count)]
                    order = TrialCommand(round=number, prompt=first, others=others)
                    run_trial(runtime, order, channel, None, steady=True)  # type: ignore[arg-type]
            proofs = receipts(runtime)
        except Exception as error:
            return _refused(failure(error, doing), doing)
        off = "; ".join(f"{p.slot}: {p.effective} {p.detail.get('left_out', '')}" for p in proofs if not _fits(p))
        done = [e for e in channel.sent if isinstance(e, events.TrialDone)]
        texts = [(d.prompt_ids, d.token_ids) for d in done] + [
            (o.prompt_ids, o.token_ids) for d in done for o in d.others
        ]
        read = Variant.model_validate(variant)
        exact = all(s.exact or s.slot == "precision" for s in read.strategies()) and column != "bf16"
        if exact and any(self.expected(kind, prompt) != ids for prompt, ids in texts):
            return Cell("X", "the tokens are not those of generate()" + (f"; {off}" if off else ""))
        if off:
            return Cell("M", off)
        return Cell("=" if exact else "ok")


def _fits(proof: Receipt) -> bool:
    """Whether a receipt matches, but for layers so small that the kernel of this processor, and not of others, takes no
    such shape."""
    left_out = proof.detail.get("left_out") or []
    small = isinstance(left_out, list) and all("the CPU kernel needs" in str(line) for line in left_out)
    return proof.matches or (bool(left_out) and small)


def _refused(ending: events.Failed, doing: str) -> Cell:
    why = f"{doing}: {ending.message}"
    if ending.kind != "refused":
        last = ending.detail.strip().splitlines()[-3:] if ending.detail else []
        return Cell("F", f"{why} [{' | '.join(line.strip() for line in last)}]")
    return Cell("R" if any(reason.search(why) for reason in REASONS) else "r!", why)


@cache
def _cache_facts(facts: Any, source: ModelSource) -> Any:
    return with_cache(facts, source)


@contextlib.contextmanager
def _once_a_model() -> Iterator[None]:
    """Loading, with what the model's outline says of its cache asked once for all variants: a third of the time."""
    loading.with_cache = _cache_facts
    try:
        yield
    finally:
        loading.with_cache = with_cache


@contextlib.contextmanager
def _quick_trials() -> Iterator[None]:
    """Trials without the collections of garbage around them, which take longer than these trials."""
    before = trials._no_garbage_collection
    trials._no_garbage_collection = contextlib.nullcontext
    try:
        yield
    finally:
        trials._no_garbage_collection = before
