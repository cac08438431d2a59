"""Compares the variant's distribution over a text with the baseline's.

A window of `window` tokens slides by half its length. Its first half is unscored context, so that every scored token
has at least that much before it. One window is one chunk of the statistics. Speculation and batching keep the target's
distribution, so the text runs through the decoder inside them.

The reference file holds the token ids, then a record per scored token: log-loss, top token and all log-probabilities as
fp16 (an error of 1e-5 nats; renormalized when read). Memory stays at one forward pass and one chunk.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import psutil

from core.base.folders import cache_folder
from core.engine.base.failures import Refused
from core.engine.base.prompt_framing import beginning, check_ids
from core.engine.base.runtime import Runtime
from core.kernels.base.surgery import embedding_rows
from core.kernels.decoding.decoders import Plain
from core.kernels.decoding.teacher_forcing import forced_logits
from core.protocol.commands import QualityCommand
from core.protocol.engine_channel import Channel
from core.protocol.events import Progress, Quality
from core.quality import distribution_metrics

PROGRESS_S = 0.1
STALE_S = 24 * 3600.0
_SUFFIX = ".logprobs"


def judge(runtime: Runtime, command: QualityCommand, channel: Channel) -> None:
    """Write the reference or compare with it; sends `Progress` and one `Quality`. Raises Refused, OSError."""
    channel.enter("quality")
    if runtime.plain is None:
        raise Refused("this decoder cannot be fed a given text", "Leave quality out for this variant.")
    if command.role == "reference":
        _write_reference(runtime, command, channel)
    else:
        _compare(runtime, command, channel)


def forget(reference: str) -> None:
    """Remove a reference from this host, whichever process wrote it."""
    for path in _folder().glob(f"{reference}-*{_SUFFIX}"):
        with contextlib.suppress(OSError):
            path.unlink()


def sweep() -> None:
    """Remove references of killed engines: those whose writer is gone, and those older than a day."""
    for path in _folder().glob(f"*{_SUFFIX}"):
        with contextlib.suppress(OSError, ValueError):
            writer = int(path.name.removesuffix(_SUFFIX).rpartition("-")[2])
            if not psutil.pid_exists(writer) or time.time() - path.stat().st_mtime > STALE_S:
                path.unlink()


class Windows:
    """The scored places of a text: windows of `window` tokens, whose first half is context."""

    def __init__(self, ids: list[int], head: list[int], tokens: int, window: int) -> None:
        self.ids, self.head, self.tokens, self.window = ids, head, tokens, window
        self.stride = window // 2

    @staticmethod
    def needed(tokens: int, window: int) -> int:
        """Return the tokens of text needed for `tokens` scored ones."""
        return window - window // 2 + tokens

    def __iter__(self) -> Iterator[tuple[list[int], list[int]]]:
        """Yield (context, scored tokens) of each chunk; all but the last score `stride` tokens."""
        first = self.window - self.stride
        for start in range(0, self.tokens, self.stride):
            scored = self.ids[first + start : first + min(start + self.stride, self.tokens)]
            yield self.head + self.ids[start : first + start], scored


def chunk_log_probabilities(decoder: Plain, context: list[int], scored: list[int], room: int = 0) -> Iterator[Any]:
    """Yield log-probabilities [n, V] in float64 of the next n scored tokens, pass by pass. Raises Refused."""
    for logits in forced_logits(decoder, context, scored, room):
        found = distribution_metrics.log_softmax(logits.float().cpu().numpy())
        if np.isnan(found).any():
            raise Refused("the logits are not finite", "Choose another precision or another method.")
        yield found


def log_losses(decoder: Plain, context: list[int], scored: list[int]) -> Iterator[Any]:
    """Yield −ln p [n] of the next n scored tokens, pass by pass. Raises Refused."""
    place = 0
    for found in chunk_log_probabilities(decoder, context, scored):
        yield distribution_metrics.log_loss(found, scored[place : place + len(found)])
        place += len(found)


def _write_reference(runtime: Runtime, command: QualityCommand, channel: Channel) -> None:
    sweep()
    decoder, head = _decoder(runtime), beginning(runtime.tokenizer)
    windows = Windows(_ids(runtime, command), head, command.tokens, command.window)
    _check_context(runtime, len(head), command.window)
    sums = _Sums(channel, command)
    path = _folder() / f"{command.reference}-{os.getpid()}{_SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    vocabulary = 0
    try:
        with path.open("xb") as file:
            np.save(file, np.asarray([len(head), *head, *windows.ids], dtype=np.int64))
            for context, scored in windows:
                sums.begin()
                place = 0
                for found in chunk_log_probabilities(decoder, context, scored, _room(runtime)):
                    if not vocabulary:
                        vocabulary = found.shape[1]
                        _check_disk(path.parent, command.tokens * _record(vocabulary).itemsize)
                    records = np.empty(len(found), _record(vocabulary))
                    records["nll"] = distribution_metrics.log_loss(found, scored[place : place + len(found)])
                    records["top"] = found.argmax(axis=1)
                    with np.errstate(over="ignore"):  # below −65,504 it is −∞: no probability either way
                        records["logp"] = found
                    records.tofile(file)
                    sums.add(records["nll"])
                    place += len(found)
                sums.end(len(scored))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    channel.send(sums.event(vocabulary, windows.ids))


def _compare(runtime: Runtime, command: QualityCommand, channel: Channel) -> None:
    decoder, sums, vocabulary = _decoder(runtime), _Sums(channel, command), 0
    with _opened(command.reference) as file:
        stored = [int(i) for i in np.load(file)]
        head, ids = stored[1 : 1 + stored[0]], stored[1 + stored[0] :]
        size = os.fstat(file.fileno()).st_size - file.tell()
        _check_context(runtime, len(head), command.window)
        for context, scored in Windows(ids, head, command.tokens, command.window):
            sums.begin()
            place = 0
            for found in chunk_log_probabilities(decoder, context, scored, _room(runtime)):
                if not vocabulary:
                    vocabulary = found.shape[1]
                    _check_vocabulary(vocabulary, size, command.tokens)
                base = np.fromfile(file, _record(vocabulary), len(found))
                klds = distribution_metrics.kld(distribution_metrics.log_softmax(base["logp"]), found)
                same = found.argmax(axis=1) == base["top"]
                nll = distribution_metrics.log_loss(found, scored[place : place + len(found)])
                sums.add(nll, klds, same, base["nll"])
                place += len(found)
            sums.end(len(scored))
    channel.send(sums.event(vocabulary, ids))


class _Sums:
    """The sums of each chunk, and all KL divergences at 8 bytes a token."""

    def __init__(self, channel: Channel, command: QualityCommand) -> None:
        self._channel, self._command = channel, command
        self._told_at = 0.0
        self._kld: list[float] = []
        self._tokens: list[int] = []
        self._columns: dict[str, list[float]] = {"nll": [], "kld": [], "same": [], "base_nll": []}

    def begin(self) -> None:
        for column in self._columns.values():
            column.append(0.0)

    def add(self, nll: Any, kld: Any = (), same: Any = (), base_nll: Any = ()) -> None:
        for name, values in (("nll", nll), ("kld", kld), ("same", same), ("base_nll", base_nll)):
            self._columns[name][-1] += float(np.sum(values))
        self._kld.extend(float(k) for k in kld)

    def end(self, tokens: int) -> None:
        self._tokens.append(tokens)
        done, total = sum(self._tokens), self._command.tokens
        now = time.monotonic()
        if done >= total or now - self._told_at >= PROGRESS_S:
            self._told_at = now
            self._channel.send(Progress(done=done, total=total, unit="tokens", detail="quality"))

    def event(self, vocabulary: int, ids: list[int]) -> Quality:
        """Return the event. Raises Refused if a sum is infinite, which JSON cannot hold and no gate passes."""
        if not all(np.isfinite(self._columns[name]).all() for name in self._columns):
            raise Refused(
                "the variant gives no probability to tokens that the baseline expects: its divergence is infinite",
                "Choose another precision or another method.",
            )
        compared = bool(self._kld)
        return Quality(
            role="compare" if compared else "reference",
            window=self._command.window,
            vocabulary=vocabulary,
            chunk_tokens=self._tokens,
            chunk_nll=self._columns["nll"],
            chunk_base_nll=self._columns["base_nll"] if compared else [],
            chunk_kld=self._columns["kld"] if compared else [],
            chunk_same_top=[round(n) for n in self._columns["same"]] if compared else [],
            kld_p99=distribution_metrics.percentile(self._kld, 99),
            kld_p999=distribution_metrics.percentile(self._kld, 99.9),
            kld_histogram=distribution_metrics.histogram(self._kld) if compared else [],
            text_sha256=hashlib.sha256(np.asarray(ids, dtype="<i8").tobytes()).hexdigest(),
        )


def _decoder(runtime: Runtime) -> Plain:
    assert runtime.plain is not None
    return runtime.plain


def _room(runtime: Runtime) -> int:
    """Return the positions of a trial, so that a step compiled for them is reused."""
    return runtime.workload.prompt_tokens + runtime.workload.new_tokens


def _ids(runtime: Runtime, command: QualityCommand) -> list[int]:
    needed = Windows.needed(command.tokens, command.window)
    ids = list(runtime.tokenizer.encode(command.text, add_special_tokens=False))
    if len(ids) < needed:
        most = len(ids) - Windows.needed(0, command.window)
        way = f"Give a longer text, or set quality.tokens to at most {most}." if most > 0 else "Give a longer text."
        raise Refused(f"the evaluation text has {len(ids)} tokens, and {needed} are needed", way)
    check_ids(runtime.tokenizer, ids[:needed], embedding_rows(runtime.model))
    return ids[:needed]


def _check_context(runtime: Runtime, head: int, window: int) -> None:
    most = runtime.facts.context
    if most is not None and head + window > most:
        raise Refused(
            f"a window of {window} tokens is beyond the model's context of {most} tokens",
            f"Set quality.window to at most {(most - head) // 2 * 2}.",
        )


def _check_disk(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise Refused(
            f"the baseline's log-probabilities take {needed / 1e9:.2f} GB, {free / 1e9:.2f} GB are free in {folder}",
            "Set quality.tokens lower, or DYNO_CACHE to a folder with more room.",
        )


def _check_vocabulary(mine: int, stored_bytes: int, tokens: int) -> None:
    theirs = (stored_bytes // tokens - _record(0).itemsize) // 2
    if mine != theirs:
        raise Refused(
            f"the vocabulary has {mine:,} tokens and the baseline's {theirs:,}: their distributions cannot be compared",
            "Compare variants of one model.",
        )


def _record(vocabulary: int) -> np.dtype[Any]:
    return np.dtype([("nll", "<f8"), ("top", "<i4"), ("logp", "<f2", (vocabulary,))])


@contextlib.contextmanager
def _opened(reference: str) -> Iterator[IO[bytes]]:
    paths = list(_folder().glob(f"{reference}-*{_SUFFIX}"))
    if len(paths) != 1:
        raise Refused(
            f"the baseline's log-probabilities are not in {_folder()}",
            "All engines of a quality comparison must share one cache folder: set DYNO_CACHE.",
        )
    with paths[0].open("rb") as file:
        yield file


def _folder() -> Path:
    return cache_folder() / "quality"
