"""Declares a column of comparison.csv: title, unit, formula and source, beside the field that holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import Field
from pydantic.fields import FieldInfo

STAMPS = "step stamps (perf_counter_ns) of all counted trials"
REQUESTS = "arrival, dispatch and end of every request, and its step stamps"
ROUNDS = "core.results.ratio_statistics, over the rounds that both variants finished"
LOADED = "the loaded model, told by its engine"
SAMPLES = "samples of the engine's process at 5 Hz, and at the beginning and the end of each trial"
SCHEDULER = "counters of the batching strategy"
SETTINGS = "the experiment"
BREAKDOWN = "the engine's clock around each part, apart from the measured loop"
ANSWERS = "greedy answers of this variant and of the baseline to the same prompts, each to its natural end"
SUITE = "answers to the regression suite, held against its checks"
QUALITY = "log-probabilities of this variant and of the baseline, on the same tokens"
COUNTERS = "RAPL (cpu: packages, dram) and NVML (gpu), for the whole machine; see energy_source"
ROOFLINE = "step stamps, the loaded model's tensors, and bandwidth and peak measured on this machine"
MODEL = "step stamps, and the tensors of the loaded model and its cache"
PROBE = "the engine's probe of its machine"


@dataclass(frozen=True)
class Meaning:
    """The definition of a column. `unit` is "" for counts, ratios and words. `source` names what the number is read
    from or defined by."""

    title: str
    unit: str
    formula: str
    source: str = ""


def column(default: Any, title: str, unit: str, formula: str, source: str, compared: bool = True) -> Any:
    """Return the pydantic field of a column; a default of `...` makes it required. `compared` tells whether a
    difference from the baseline is meaningful: it is not for a ratio to the baseline, nor for a column that measures
    nothing."""
    extra: dict[str, Any] = {"unit": unit, "source": source, "compared": compared}
    return Field(default, title=title, description=formula, json_schema_extra=extra)


def meaning(field: FieldInfo) -> Meaning:
    """Return the definition of a column from its field."""
    extra = field.json_schema_extra
    assert isinstance(extra, dict)
    return Meaning(field.title or "", str(extra["unit"]), field.description or "", str(extra["source"]))


def compared(field: FieldInfo) -> bool:
    """Return whether the column's difference from the baseline is meaningful."""
    extra = field.json_schema_extra
    return isinstance(extra, dict) and bool(extra["compared"])
