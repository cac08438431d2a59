"""Decides whether runs may be put side by side: the same model, the same workload, and environments in which numbers
mean the same."""

from __future__ import annotations

from collections.abc import Sequence

from core.results.results import Results
from core.spec.workload import HOW_LONG


def unlike(first: Results, other: Results) -> list[str]:
    """Return the differences between two runs, one line each; empty if their figures can be compared."""
    looked_at = (_model, _workload, _prompts, _quality, _environment)
    return [line for look in looked_at for line in look(first, other)]


def fingerprint(results: Results) -> str | None:
    """Return the fingerprint of the model, from the first variant that was loaded; None before a load."""
    return next((v.loaded.fingerprint for v in results.variants.values() if v.loaded is not None), None)


def _model(first: Results, other: Results) -> list[str]:
    a, b = fingerprint(first), fingerprint(other)
    if a == b:
        return []
    sources = [r.experiment.model.source if r.experiment else "" for r in (first, other)]
    return [f"model: {_short(a)} ({sources[0]}) → {_short(b)} ({sources[1]})"]


def _workload(first: Results, other: Results) -> list[str]:
    if first.experiment is None or other.experiment is None:
        return ["workload: not known"]
    a, b = first.experiment.workload, other.experiment.workload
    names = [name for name in type(a).model_fields if name not in HOW_LONG]
    return [f"workload.{n}: {getattr(a, n)} → {getattr(b, n)}" for n in names if getattr(a, n) != getattr(b, n)]


def _prompts(first: Results, other: Results) -> list[str]:
    """Return the differences between the prompts. Token ids from the journals are compared, since a file of the same
    name may have changed."""
    a, b = _ids(first), _ids(other)
    rounds = [n for n in a if n in b and a[n] != b[n]]
    return [f"prompts: the token ids of round {rounds[0] + 1} are others"] if rounds else []


def _quality(first: Results, other: Results) -> list[str]:
    """Return the differences in how quality was judged. A run without quality has no figures to misread."""
    a, b = (r.experiment.quality if r.experiment else None for r in (first, other))
    if a is None or b is None:
        return []
    lines = [
        f"quality.{n}: {getattr(a, n)} → {getattr(b, n)}"
        for n in type(a).model_fields
        if getattr(a, n) != getattr(b, n)
    ]
    texts = [_text(results) for results in (first, other)]
    if not lines and all(texts) and texts[0] != texts[1]:  # a file of the same name may hold another text by now
        lines.append("quality: the token ids of the text are others")
    return lines


def _text(results: Results) -> str:
    """Return the digest of the text that quality was judged on; empty if the journal has none."""
    told = (state.quality.text_sha256 for state in results.variants.values() if state.quality is not None)
    return next(filter(None, told), "")


def _ids(results: Results) -> dict[int, list[list[int]]]:
    """Return the token ids of all requests of each round."""
    return {
        t.round: [t.done.prompt_ids, *(other.prompt_ids for other in t.done.others)]
        for state in results.variants.values()
        for t in state.trials
    }


def _environment(first: Results, other: Results) -> list[str]:
    if first.environment is None or other.environment is None:
        return ["environment: not recorded, so it cannot be compared"]
    lines = first.environment.differences(other.environment)
    dyno = [r.started.dyno_version if r.started else "" for r in (first, other)]
    if dyno[0] != dyno[1] and not any(line.startswith("dyno: ") for line in lines):
        lines.append(f"dyno: {dyno[0]} → {dyno[1]}")
    return lines


def _short(fingerprint_: str | None) -> str:
    return f"{fingerprint_[:12]}…" if fingerprint_ else "never loaded"


def labels(folders: Sequence[str]) -> list[str]:
    """Return a label for each run: A to Z, then numbers."""
    return [chr(ord("A") + i) if i < 26 else str(i + 1) for i in range(len(folders))]
