"""The environment check: what it says of machines that lack something, and that it says nothing of a good one."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from core.feasibility.environment_check import NEEDS, check, older
from core.machine.environment import Device, Environment
from core.spec.experiment import parse
from core.spec.variant import REGISTRY

VERSIONS = {
    "torch": "2.13.0+cpu", "transformers": "5.24.0", "accelerate": "1.15.0", "safetensors": "0.6.2",
    "gguf": "0.17.1", "bitsandbytes": "0.50.2", "torchao": "0.18.0",
}  # fmt: skip
GOOD = Environment(
    cpu="x", cores=8, threads=8, cpu_features=["avx2", "avx512f", "avx512_bf16", "avx512_vnni"],
    cpu_capability="AVX512", versions=VERSIONS, compiler="/usr/bin/g++",
)  # fmt: skip


def experiment(source: str = "a/model", **slots):
    return parse({"model": {"source": source}, "variant": [{"name": "baseline"}, {"name": "v", **slots}]})


def lines(environment: Environment, **slots) -> list[tuple[str, str]]:
    return [(f.level, f.about) for f in check(environment, experiment(**slots))]


def without(*names: str, **changed: str) -> Environment:
    kept = {k: v for k, v in VERSIONS.items() if k not in names}
    return GOOD.model_copy(update={"versions": {**kept, **changed}})


def test_a_good_machine_is_not_talked_about() -> None:
    for slots in ({}, {"quantization": "nf4"}, {"quantization": "int8_dynamic"}, {"precision": "bf16"}):
        assert lines(GOOD, **slots) == []


def test_what_is_missing_names_the_strategy_and_its_variants() -> None:
    (found,) = check(without("bitsandbytes"), experiment(quantization="nf4"))
    assert (found.level, found.about, found.variants) == ("missing", "quantization nf4", ["v"])
    assert "bitsandbytes is not installed" in found.text
    assert found.prevents


@pytest.mark.parametrize(
    ("package", "have", "least", "slots"),
    [
        ("bitsandbytes", "0.49.1", "0.50", {"quantization": "nf4"}),
        ("torchao", "0.14.0", "0.15.0", {"quantization": "int8_dynamic"}),
        ("torch", "2.9.1", "2.13", {}),
        ("transformers", "4.57.0", "5.20", {}),
    ],
)
def test_what_is_too_old_says_which_version_and_who_says_so(package, have, least, slots) -> None:
    (found,) = check(without(**{package: have}), experiment(**slots))
    assert found.level == "old"
    assert f"{package} {have} is older than {least} (" in found.text
    assert "pip install" in found.line()
    assert check(without(**{package: least}), experiment(**slots)) == []  # the least one will do


def test_only_what_the_experiment_uses_is_looked_at() -> None:
    bare = without("bitsandbytes", "torchao", "gguf")
    assert lines(bare) == []
    assert lines(bare, source="demo") == [("missing", "gguf")]
    assert {about for _, about in [(f.level, f.about) for f in check(bare)]} >= {
        "quantization nf4", "quantization int8_dynamic", "attention flash_attention_2"
    }  # fmt: skip


def test_what_works_but_slowly() -> None:
    old = GOOD.model_copy(update={"cpu_features": ["avx2"], "cpu_capability": "AVX2"})
    assert lines(old, precision="bf16") == [("slow", "precision bf16")]
    assert lines(old, quantization="nf4") == [("slow", "quantization nf4")]
    assert lines(old, quantization="int8_dynamic") == [("slow", "quantization int8_dynamic")]
    assert not any(f.prevents for f in check(old, experiment(quantization="nf4")))


def test_a_parameter_may_need_more_than_its_strategy() -> None:
    pruning = {"method": "magnitude", "pattern": "2:4", "kernel": "semi_structured"}
    assert lines(GOOD, pruning=pruning) == [("missing", "pruning magnitude")]
    assert lines(GOOD, pruning={"method": "magnitude"}) == []


@pytest.mark.parametrize(
    ("change", "about", "words"),
    [
        ({"governor": "powersave"}, "governor", "powersave"),
        ({"swap_used_bytes": 3 << 20}, "swap", "3 MiB"),
        ({"cores": 1, "threads": 1}, "cores", "one usable core"),
        ({"container_cpus": 1.5, "cores": 2, "threads": 2}, "container", "2 threads on 1.5 CPUs"),
        ({"cores": 4, "threads": 16}, "threads", "16 threads on 4"),
        ({"cpu_capability": "DEFAULT"}, "instruction set", "AVX2"),
        ({"nvidia_driver": "580.1"}, "GPU", "sees no GPU"),
    ],
)
def test_faults_of_the_machine_are_warnings(change, about, words) -> None:
    found = check(GOOD.model_copy(update=change), experiment())
    assert [(f.level, f.about) for f in found] == [("machine", about)]
    assert words in found[0].text
    assert found[0].hint
    assert not found[0].prevents


def test_a_gpu_that_torch_sees_is_no_fault() -> None:
    card = Device(name="H200", uuid="u", memory_bytes=1, capability="9.0")
    here = GOOD.model_copy(update={"nvidia_driver": "580.1", "devices": [card], "cpu_capability": "DEFAULT"})
    assert check(here, experiment(precision="bf16")) == []


def test_the_worst_comes_first() -> None:
    bad = without("torchao", torch="2.0").model_copy(update={"cpu_features": [], "governor": "powersave"})
    found = check(bad, experiment(quantization="int8_dynamic", precision="bf16"))
    assert [f.level for f in found] == ["missing", "old", "slow", "machine"]


def test_versions() -> None:
    assert older("2.9.0", "2.13")
    assert not older("2.13.0+cpu", "2.13")
    assert not older("2.14.0.dev20260101", "2.13")
    assert older("2.13.0rc1", "2.13")
    assert not older("main-build", "2.13")


def test_every_minimum_has_a_source_and_agrees_with_what_is_installed_for() -> None:
    """Those of pyproject.toml are the same as there; no strategy asks for less than that."""
    asked = {}
    for line in tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"][
        "dependencies"
    ]:
        requirement = Requirement(line)
        asked[requirement.name] = next((s.version for s in requirement.specifier if s.operator == ">="), "")
    needs = [*NEEDS, *(n for kinds in REGISTRY.values() for kind in kinds.values() for n in kind.needs)]
    assert {n.package for n in needs} >= {"torch", "transformers", "bitsandbytes", "torchao", "flash-attn"}
    for need in needs:
        assert need.source
        if need.source.startswith("pyproject.toml"):
            assert need.least == asked[need.package]
