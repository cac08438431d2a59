"""Whatever a log holds, no table has a negative number, a NaN or a division by zero: property tests from raw stamps
through `Results` to the exported files."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis import verdict_text
from core.analysis.compare import compare
from core.protocol import events
from core.report import table_export
from core.results.memory_timeline import timeline
from core.results.results import Results
from tests.core import build

#: The only columns that may be below 0: an estimate may be too small.
SIGNED = {"estimate_error_pct"}
SIZES = st.none() | st.integers(0, 2**40)

requests = st.lists(
    st.tuples(
        st.integers(0, 10**10),  # arrival
        st.integers(0, 10**9),  # wait
        st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 9)), max_size=8),  # gap, tokens
        st.integers(0, 10**6),  # from the last token to the end
        st.sampled_from(["ok", "ok", "ok", "failed", "cancelled"]),
        st.booleans(),  # whether the journal lost its steps
    ),
    max_size=4,
)
trials = st.fixed_dictionaries(
    {
        "requests": requests,
        "concurrency": st.integers(1, 8),
        "arrival": st.sampled_from(["closed", "poisson"]),
        "drafted": st.integers(0, 9),
        "verify_steps": st.integers(0, 9),
        "kv_bytes": SIZES,
        "energy": st.dictionaries(st.sampled_from(["cpu", "dram", "gpu"]), st.floats(0, 1e6), max_size=3),
        "samples": st.lists(st.tuples(SIZES, SIZES, SIZES, SIZES, SIZES), max_size=3),
    }
)
logs = st.lists(st.tuples(st.sampled_from(["a", "b"]), trials), max_size=12)
endings = st.sampled_from(["ok", "stopped", "cancelled", "failed", None])


def told(log: list[tuple[str, dict[str, Any]]], ending: str | None, workload: dict[str, Any]) -> list[events.Event]:
    """The log as a stream of events; every variant's n-th trial is that of round n."""
    stream: list[events.Event] = [build.started(["a", "b"], 6, **workload)]
    stream += [e for name in "ab" for e in (build.loaded(name), build.receipts(name))]
    rounds = {"a": 0, "b": 0}
    for name, trial in log:
        number, rounds[name] = rounds[name], rounds[name] + 1
        stream.append(events.Phase(variant=name, phase="trial", round=number))
        times = []
        for i, (arrival, wait, steps, tail, status, lost) in enumerate(trial["requests"]):
            at = [arrival + wait + sum(gap for gap, _ in steps[: k + 1]) for k in range(len(steps))]
            tokens = [n for _, n in steps]
            if at and not lost:
                stream.append(events.Steps(variant=name, round=number, request=i, at_ns=at, tokens=tokens))
            end = (at[-1] if at else arrival + wait) + tail
            times.append(
                events.RequestTimes(
                    request=i, arrival_ns=arrival, dispatch_ns=arrival + wait, end_ns=end, prompt_tokens=3,
                    new_tokens=sum(tokens), status=status,
                )
            )  # fmt: skip
        for process, pss, allocated, weights, kv in trial["samples"]:
            stream.append(
                events.Sample(
                    variant=name, phase="trial", process_bytes=process, pss_bytes=pss, allocated_bytes=allocated,
                    weights_bytes=weights, kv_bytes=kv,
                )
            )  # fmt: skip
        stream.append(
            events.TrialDone(
                variant=name, round=number, requests=times, requested_tokens=sum(r.new_tokens for r in times),
                prompt_ids=[], token_ids=[], text="", accepted=0,
                **{k: trial[k] for k in ("concurrency", "arrival", "drafted", "verify_steps", "kv_bytes", "energy")},
            )
        )  # fmt: skip
    if ending is not None:
        stream.append(events.Finished(status=ending, rounds=min(rounds.values())))  # type: ignore[arg-type]
    return stream


@settings(max_examples=40, deadline=None)
@given(logs, endings, st.sampled_from([{}, {"concurrency": 4}, {"concurrency": 4, "arrival": "poisson", "rate": 2.0}]))
def test_every_number_of_every_table_is_none_or_not_negative(
    log: list[tuple[str, dict[str, Any]]], ending: str | None, workload: dict[str, Any]
) -> None:
    results = Results("run")
    for event in told(log, ending, workload):
        results.fold(event)
        if isinstance(event, events.TrialDone):
            sound(table_export.comparison_table(compare(results)))  # live, after every trial
    results.interrupted = ending is None
    comparison = compare(results)
    sound(table_export.comparison_table(comparison))
    sound(table_export.trials_table(results))
    for row in csv.DictReader(io.StringIO(table_export.tsv(comparison)), delimiter="\t"):
        assert not {"nan", "inf", "-inf"} & {str(cell).lower() for cell in row.values()}
    json.dumps([row.model_dump(mode="json") for row in comparison.variants], allow_nan=False)
    assert verdict_text.answer(comparison)


def sound(table: list[dict[str, Any]]) -> None:
    for row in table:
        for name, value in row.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            assert math.isfinite(value), (name, value)
            assert value >= 0 or name in SIGNED, (name, value)


@settings(max_examples=40, deadline=None)
@given(logs)
def test_no_part_of_a_memory_timeline_is_negative(log: list[tuple[str, dict[str, Any]]]) -> None:
    stream = told(log, "ok", {})
    for name in "ab":
        found = timeline(stream, name)
        values = [*found.peaks.values(), *(b for point in found.points for b in point.bytes.values())]
        assert all(value >= 0 for value in values)


KNOWN = ("load_s", "speed_ratio", "temperature", "top_p")  # of the load, of the baseline to itself, as asked for


def test_a_trial_of_which_nothing_arrived_has_no_figures() -> None:
    empty = {"requests": [(5, 0, [], 0, "ok", False)], "concurrency": 1, "arrival": "closed", "drafted": 0,
             "verify_steps": 0, "kv_bytes": None, "energy": {}, "samples": []}  # fmt: skip
    results = Results("run")
    for event in told([("a", empty), ("b", empty)], "ok", {}):
        results.fold(event)
    for row in table_export.comparison_table(compare(results)):
        known = {k for k, v in row.items() if isinstance(v, float) and k not in KNOWN}
        assert known == set(), known
