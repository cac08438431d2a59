"""The engine's loop on the demo model: against `generate`, and the price of its own instruments.

All of it in one process with one model, alternating, so that the machine's drift hits both sides alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging as transformers_logging

from core.engine.serve.live_stream import Live
from core.engine.serve.loop import run_pass
from core.kernels.decoding.decoders import base_decoder
from core.kernels.decoding.sampling import Sampler
from core.model.source import ModelSource
from core.prompts import run_prompts
from core.protocol.commands import ConvertCommand
from core.protocol.engine_pool import EnginePool
from core.protocol.events import Event
from tests.bench import Figure, paired, spread

ROUNDS, PROMPT, NEW = 9, 64, 32


def figures() -> list[Figure]:
    torch.set_num_threads(1)  # immune to neighbours: two threads wait for each other whenever one is disturbed
    transformers_logging.disable_progress_bar()
    folder = demo_folder()
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    texts = run_prompts.texts("chat")
    ids = [tokenizer(t).input_ids[:PROMPT] for t in texts[: ROUNDS + 1]]
    eos = sorted({model.config.eos_token_id, tokenizer.eos_token_id})
    decoder, sampler = base_decoder(model), Sampler(0.0, 0, 1.0, 7, eos)

    def loop(i: int) -> list[int]:
        return run_pass(decoder, ids[i], NEW, sampler, lambda done: None).ids

    def generate(i: int) -> list[int]:
        prompt = torch.tensor([ids[i]])
        with torch.inference_mode():
            out = model.generate(
                prompt,
                attention_mask=torch.ones_like(prompt),
                max_new_tokens=NEW,
                min_new_tokens=NEW,
                do_sample=False,
                pad_token_id=eos[0],
            )
        return out[0, len(ids[i]) :].tolist()

    def bare(i: int) -> list[int]:
        found = [decoder.start(ids[i], NEW, sampler)]
        while len(found) < NEW:
            found.extend(decoder.step())
        return found

    def instrumented(i: int) -> list[int]:
        live = Live(_Sink(), tokenizer, i)  # type: ignore[arg-type]
        done = run_pass(decoder, ids[i], NEW, sampler, live)
        live.end()
        return done.ids

    mine, theirs = _alternate(loop, generate)
    with_clock, without = _alternate(instrumented, bare)
    return [
        paired("plain loop, bf16, one thread", "transformers generate", theirs, mine),
        paired("time of a step with stamps, events and text", "the same loop without", with_clock, without),
        _sampling(),
    ]


class _Sink:
    """Encodes events as the engine's channel does, and drops them."""

    def send(self, event: Event) -> None:
        event.line()


def _alternate(a: Callable[[int], list[int]], b: Callable[[int], list[int]]) -> tuple[list[float], list[float]]:
    """Seconds of both, on the same prompt in each round, the order turned from round to round."""
    times: tuple[list[float], list[float]] = ([], [])
    assert a(0) == b(0), "the two loops disagree"  # this is the warm-up too
    for i in range(1, ROUNDS + 1):
        for which in (0, 1) if i % 2 else (1, 0):
            begin = time.perf_counter()
            (a, b)[which](i)
            times[which].append(time.perf_counter() - begin)
    return times


def _sampling() -> Figure:
    """What the sampler's thread takes of one core, in per cent: one sample, five times a second."""
    from core.engine.machine.sampler import PERIOD_S, Sampling

    class Nowhere:
        phase = "trial"

    sampling = Sampling(Nowhere())  # type: ignore[arg-type]
    costs = []
    for _ in range(50):
        begin = time.perf_counter()
        sampling.sample().line()
        costs.append(100 * (time.perf_counter() - begin) / PERIOD_S)
    return spread("sampling of memory and CPU at 5 Hz", costs, "one core", "%")


def demo_folder() -> Path:
    """The converted demo model, made by an engine if it is not there."""
    import queue

    from core.base.folders import cache_folder

    pool = EnginePool()
    inbox: queue.SimpleQueue = queue.SimpleQueue()
    engine, _ = pool.obtain("convert", inbox)
    engine.send(ConvertCommand(model=ModelSource(source="demo")))
    while True:
        _, event = inbox.get()
        if event.t_ns and getattr(event, "event", "gone") in ("done", "failed", "gone"):
            break
    pool.close()
    return next(p.parent for p in sorted((cache_folder() / "models").glob("*/config.json")))
