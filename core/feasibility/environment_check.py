"""Checks a machine against an experiment before a load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from packaging.version import InvalidVersion, Version

from core.base.value import Value
from core.feasibility.card_pitfalls import pitfalls
from core.feasibility.context_limits import limits
from core.machine.environment import Environment
from core.spec.experiment import Experiment
from core.spec.variant import REGISTRY, SLOTS, Need, Strategy, Variant

#: missing and old: it will not work, or was never tested so. slow: it works, not as it is meant to. workload: a limit
#: of what is asked. machine: it touches every number.
Level = Literal["missing", "old", "slow", "workload", "machine"]

_PYPROJECT = "pyproject.toml: the oldest version that Dyno is tested with"
#: Packages that every engine needs.
NEEDS = (
    Need(package="torch", least="2.13", source=_PYPROJECT),
    Need(package="transformers", least="5.20", source=_PYPROJECT),
    Need(package="accelerate", least="1.1.0", source="transformers 5.24, ACCELERATE_MIN_VERSION"),
    Need(package="safetensors", least="", source="pyproject.toml"),
)
GGUF = Need(package="gguf", least="0.10.0", source="transformers 5.24, GGUF_MIN_VERSION")
FEW_CORES = 2
_LEVELS: dict[Level, str] = {
    "missing": "cannot run here",
    "old": "too old",
    "slow": "works, but slowly",
    "workload": "this experiment",
    "machine": "this machine",
}


class Finding(Value):
    """One obstacle or warning. `about` is a strategy's key, a package or a part of the machine. `variants` names the
    variants concerned; empty means all."""

    level: Level
    about: str
    text: str
    hint: str = ""
    variants: list[str] = []

    @property
    def prevents(self) -> bool:
        """Whether the finding prevents a requested strategy from working reliably."""
        return self.level in ("missing", "old")

    def line(self) -> str:
        """Return the finding as one line: `too old: torch: torch 2.9.1 is older than 2.13 (…). Run pip install -U torch
        in the engine's Python.`"""
        whose = f" ({', '.join(self.variants)})" if self.variants else ""
        return f"{_LEVELS[self.level]}: {self.about}{whose}: {self.text}" + (f". {self.hint}" if self.hint else "")


def check(environment: Environment, experiment: Experiment | None = None, context: int | None = None) -> list[Finding]:
    """Return all findings, the worst first: for the experiment's strategies and its model with context length
    `context`, or for every strategy if there is no experiment."""
    needs = [*NEEDS]
    if experiment is not None and (experiment.model.source == "demo" or experiment.model.source.endswith(".gguf")):
        needs.append(GGUF)
    found = [f for need in needs if (f := _need(environment, need, need.package))]
    found += _of_strategies(environment, list(experiment.variants) if experiment else None)
    if experiment is not None:
        found += [
            Finding(level="missing" if one.refused else "workload", about=one.field, text=one.text)
            for one in limits(experiment, context)
        ]
    found += _machine(environment)
    order: list[Level] = ["missing", "old", "slow", "workload", "machine"]
    return sorted(found, key=lambda f: order.index(f.level))


def _of_strategies(environment: Environment, variants: list[Variant] | None) -> Iterator[Finding]:
    """Yield one finding per strategy, with the variants that use it."""
    if variants is None:
        for slot in SLOTS:
            for kind in REGISTRY[slot].values():
                yield from _strategy(environment, kind, kind.unavailable(environment), [])
        return
    users: dict[tuple[str, str, str], tuple[type[Strategy], list[str]]] = {}
    for variant in variants:
        for strategy in variant.strategies():
            key = (strategy.slot, strategy.key, strategy.unavailable_as_set(environment))
            users.setdefault(key, (type(strategy), []))[1].append(variant.name)
    for (_, _, reason), (kind, names) in users.items():
        yield from _strategy(environment, kind, reason, names)


def _strategy(environment: Environment, kind: type[Strategy], reason: str, variants: list[str]) -> Iterator[Finding]:
    about = f"{kind.slot} {kind.key}"
    if reason:
        yield Finding(level="missing", about=about, text=reason, variants=variants)
        return
    for need in kind.needs:
        if finding := _need(environment, need, about):
            yield finding.model_copy(update={"variants": variants})
    if caveat := kind.caveat(environment):
        yield Finding(level="slow", about=about, text=caveat, variants=variants)


def _need(environment: Environment, need: Need, about: str) -> Finding | None:
    have = environment.versions.get(need.package)
    hint = f"Run pip install -U {need.package} in the engine's Python."
    if have is None:
        words = f"{need.package} is not installed"
        return Finding(level="missing", about=about, text=words, hint=hint)
    if need.least and older(have, need.least):
        words = f"{need.package} {have} is older than {need.least} ({need.source})"
        return Finding(level="old", about=about, text=words, hint=hint)
    return None


def older(have: str, least: str) -> bool:
    """Return whether the version `have` precedes `least`. A version in an unknown notation counts as new enough."""
    try:
        return Version(have) < Version(least)
    except InvalidVersion:
        return False


def _machine(environment: Environment) -> Iterable[Finding]:
    """Return the findings about the machine that concern every number."""
    e = environment

    def say(about: str, text: str, hint: str) -> Finding:
        return Finding(level="machine", about=about, text=text, hint=hint)

    if e.unusable_card:
        yield say(
            "GPU",
            f"{e.unusable_card}: engines compute on the CPU",
            "Install a build of torch for this card, or measure on the CPU knowingly.",
        )
    elif e.nvidia_driver and not e.devices:
        yield say(
            "GPU",
            f"NVIDIA driver {e.nvidia_driver} is installed, and torch {e.versions.get('torch', '')} sees no GPU",
            "Install a CUDA build of torch for this driver, or measure on the CPU knowingly.",
        )
    for device in e.devices:
        for text, hint in pitfalls(device):
            yield say(device.name, text, hint)
    if e.governor == "powersave":
        yield say(
            "governor",
            "the CPU's governor is powersave: the clock follows the load, so short trials run at changing clocks",
            "Run sudo cpupower frequency-set -g performance.",
        )
    if e.swap_used_bytes:
        yield say(
            "swap",
            f"{e.swap_used_bytes / 2**20:,.0f} MiB of swap are in use: pages that come back from a disk stop a step",
            "Close what needs the memory, or choose a smaller model.",
        )
    if e.cores < FEW_CORES:
        yield say(
            "cores",
            "one usable core: the engine shares it with Dyno and with everything else",
            "Allow this process more cores, or expect wide intervals.",
        )
    if e.container_cpus and e.threads > e.container_cpus:
        yield say(
            "container",
            f"{e.threads} threads on {e.container_cpus:g} CPUs of the container: the system stops it when its share "
            "of a period is used up, in the middle of a step",
            f"Raise the limit, or set OMP_NUM_THREADS={max(1, int(e.container_cpus))}.",
        )
    if e.threads > e.cores:
        yield say(
            "threads",
            f"{e.threads} threads on {e.cores} usable cores wait for each other at every barrier",
            f"Set OMP_NUM_THREADS={e.cores}.",
        )
    if e.cpu_capability == "DEFAULT" and not e.devices:
        yield say(
            "instruction set",
            "torch uses its kernels without AVX2: many times slower than the same CPU could be",
            "Unset ATEN_CPU_CAPABILITY; on a virtual machine, let the guest see the host's CPU.",
        )
