"""Finds workload and quality settings that will spoil results or be refused, before a load. Each limit is shown beside
its field and by `dyno check`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from core.base.value import Value
from core.quality.distribution_metrics import MIN_CHUNKS
from core.results.ratio_statistics import MIN_ROUNDS_UNTIL
from core.spec import built_in
from core.spec.experiment import Experiment, QualitySettings
from core.spec.workload import Workload

BYTES = 4  # of a token of prose, about


class Limit(Value):
    """A setting beyond a limit. `field` is its name in files, `quality.tokens`. `refused` means that an engine will
    refuse it."""

    field: str
    text: str
    refused: bool = False


def limits(experiment: Experiment, context: int | None = None) -> list[Limit]:
    """Return all limits that the experiment exceeds; with the model's `context` length, those of the context too."""
    found = [*_of_workload(experiment.workload, context)]
    if experiment.quality is not None:
        found += _of_quality(experiment.quality, experiment.workload, context)
    return found


def few_chunks(quality: QualitySettings) -> str:
    """Return a sentence if the text has too few tokens for an interval, with the number that suffices; else an empty
    string."""
    scored = quality.window // 2
    chunks = -(-quality.tokens // scored)
    if chunks >= MIN_CHUNKS:
        return ""
    return (
        f"{chunks} chunks of text are too few for an interval, which takes {MIN_CHUNKS}: set tokens to "
        f"{MIN_CHUNKS * scored} or more, or a shorter window"
    )


def _of_workload(work: Workload, context: int | None) -> Iterator[Limit]:
    tokens = work.prompt_tokens + work.new_tokens
    if context is not None and tokens > context:
        words = f"{tokens} prompt and new tokens are beyond the model's context of {context} tokens"
        yield Limit(field="workload.prompt_tokens", text=words, refused=True)
    if work.new_tokens == 1 and work.concurrency == 1 and work.arrival == "closed":
        words = "with one new token there is no decode rate, by which variants are compared"
        yield Limit(field="workload.new_tokens", text=words)
    if work.until_pct and work.max_trials < MIN_ROUNDS_UNTIL:
        words = f"precision is not looked at before round {MIN_ROUNDS_UNTIL}: allow as many rounds"
        yield Limit(field="workload.max_trials", text=words)


def _of_quality(quality: QualitySettings, work: Workload, context: int | None) -> Iterator[Limit]:
    if words := few_chunks(quality):
        yield Limit(field="quality.tokens", text=words)
    needed, size = quality.window - quality.window // 2 + quality.tokens, _bytes(quality.text)
    if size is not None and needed > size / BYTES:
        words = (
            f"the text has some {size // BYTES:,} tokens, and {needed:,} are needed: give a longer one, or set tokens "
            "lower"
        )
        yield Limit(field="quality.tokens", text=words)
    if context is None:
        return
    if quality.window > context:
        words = f"a window of {quality.window} tokens is beyond the model's context of {context} tokens"
        yield Limit(field="quality.window", text=words, refused=True)
    if quality.prompts and work.prompt_tokens + quality.answer_tokens > context:
        words = (
            f"a prompt of {work.prompt_tokens} tokens and an answer of {quality.answer_tokens} are beyond the model's "
            f"context of {context} tokens"
        )
        yield Limit(field="quality.answer_tokens", text=words, refused=True)


def _bytes(text: str) -> int | None:
    """Return the size of a text file in bytes; None if it does not exist."""
    if text in built_in.texts():
        return len((files("resources") / "evaluation" / f"{text}.txt").read_bytes())
    try:
        return os.path.getsize(text) if Path(text).is_file() else None
    except (OSError, ValueError):
        return None
