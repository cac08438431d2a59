"""Ways of batching on the demo model: the rate of all users together and of each, at 1 to 16 requests at once.

`python -m tests.bench.batching` prints the table. All in one process with one model, in turns, so that the
machine's drift hits all alike; one thread, as in `tests.bench.decode`. One by one, the number of users changes
nothing but the wait, so that way is measured with four requests at most.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence

import torch
from rich.console import Console
from rich.table import Table
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging as transformers_logging

from core.engine.machine.probe import probe
from core.engine.serve.serve import Served, serve
from core.kernels.batching.continuous_batching import ContinuousBatchServer
from core.kernels.batching.serving import BatchServer, OneByOne, ServedRequest
from core.kernels.batching.static_batch import StaticBatch
from core.kernels.caches import caches
from core.kernels.decoding.decoders import base_decoder
from core.kernels.decoding.sampling import Sampler
from core.prompts import run_prompts
from tests.bench import Figure, paired
from tests.bench.decode import demo_folder

WIDTHS = (1, 2, 4, 8, 16)
ROUNDS, PROMPT, NEW, BUDGET = 3, 32, 8, 128
WAYS = ("single", "static", "continuous")
#: Prompt and answer of requests that differ: what static batches wait for.
MIXED = [(16, 20), (48, 4), (24, 12), (64, 6), (32, 16), (20, 4), (40, 8), (16, 24), (56, 4), (24, 10)]
MIXED_WIDTH = 4
SINGLE = 4

Measured = dict[str, list[tuple[float, float]]]  # way -> aggregate and per-user tok/s of each round


class Bench:
    def __init__(self) -> None:
        torch.set_num_threads(1)
        transformers_logging.disable_progress_bar()
        folder = demo_folder()
        self.dtype = torch.bfloat16 if probe().native_bf16 else torch.float32
        self.model = AutoModelForCausalLM.from_pretrained(folder, dtype=self.dtype).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.deck = run_prompts.Deck("chat", 7)

    def jobs(self, shapes: Sequence[tuple[int, int]], first: int) -> list[ServedRequest]:
        found = []
        for i, (length, new) in enumerate(shapes):
            prompt = self.deck[first + i]
            ids = self.tokenizer(f"{prompt.text}\n\n{prompt.filler}").input_ids[:length]
            found.append(ServedRequest(i, ids, new, Sampler()))
        return found

    def server(self, way: str, width: int) -> BatchServer:
        if way == "single":
            return OneByOne(base_decoder(self.model))
        if way == "static":
            return StaticBatch(self.model, caches.dynamic(self.model), width)
        return ContinuousBatchServer(self.model, width, BUDGET)

    def measure(self, shapes: Sequence[tuple[int, int]], width: int) -> Measured:
        """`width` users who ask again as soon as they are answered, until all shapes are done."""
        servers = {way: self.server(way, width) for way in WAYS}
        found: Measured = {way: [] for way in WAYS}
        for way in WAYS:  # warm-up
            serve(servers[way], self.jobs([(PROMPT, 2)] * width, 0), [0.0] * width, lambda done: None)
        for number in range(ROUNDS):
            jobs = self.jobs(shapes, number * len(shapes))
            offsets = [0.0 if i < width else None for i in range(len(jobs))]
            answers = set()
            for way in WAYS if number % 2 else WAYS[::-1]:
                count = min(SINGLE, len(jobs)) if way == "single" else len(jobs)
                served = serve(servers[way], jobs[:count], offsets[:count], lambda done: None)
                found[way].append(rates(served))
                answers.add(str([done.ids for done in served.passes][:SINGLE]))
            assert len(answers) == 1 or self.dtype != torch.float32, "the ways of batching disagree"
        return found


def rates(served: Served) -> tuple[float, float]:
    """Aggregate rate, and the median of the requests' decode rates, tok/s."""
    passes = served.passes
    window = max(done.end_ns for done in passes) - min(done.arrival_ns for done in passes)
    each = [(len(done.ids) - 1) * 1e9 / (done.at_ns[-1] - done.at_ns[0]) for done in passes]
    return sum(len(done.ids) for done in passes) * 1e9 / window, statistics.median(each)


def measured() -> dict[str, Measured]:
    bench = Bench()
    found = {}
    for width in WIDTHS:
        print(f"batching: {width} at once …", file=sys.stderr, flush=True)
        found[f"{width} at once"] = bench.measure([(PROMPT, NEW)] * width, width)
    print("batching: mixed lengths …", file=sys.stderr, flush=True)
    found[f"{MIXED_WIDTH} at once, mixed lengths"] = bench.measure(MIXED, MIXED_WIDTH)
    return found


def figures() -> list[Figure]:
    return [
        paired(f"{way}, {name}: {what}", "single", *([r[part] for r in ways[w]] for w in (way, "single")))
        for name, ways in measured().items()
        for way in WAYS[1:]
        for part, what in enumerate(("rate of all users together", "rate of each user"))
    ]


def main() -> None:
    table = Table("", *(f"{way}: together | each" for way in WAYS), box=None)
    for name, ways in measured().items():
        cells = []
        for way in WAYS:
            together, each = (statistics.median(r[part] for r in ways[way]) for part in (0, 1))
            cells.append(f"{together:6.1f} | {each:5.1f}")
        table.add_row(name, *cells)
    Console(width=120).print("tok/s, medians of the rounds", table)


if __name__ == "__main__":
    main()
