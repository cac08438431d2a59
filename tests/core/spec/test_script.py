"""A preset as a script: it runs without Dyno, and where the strategy is exact it gives the engine's tokens."""

from __future__ import annotations

import ast
import functools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from core.engine.load.load import load
from core.kernels.decoding.sampling import Sampler
from core.machine.environment import Environment
from core.model.receipt import Receipt
from core.model.source import ModelSource
from core.presets import preset_script
from core.presets.preset import Preset, PresetError
from core.presets.preset_script import build
from core.protocol.commands import LoadCommand
from core.spec.script_builder import Code, Script, call, comment, expression
from core.spec.variant import REGISTRY, SLOTS, Variant
from core.spec.workload import Workload
from tests.core.engine.test_materialize import HERE, Recorder, write
from tests.core.engine.test_materialize import read as read_folder
from tests.core.tiny import EOS, save_tiny

PROMPT = list(b"the cat sat on the mat; the cat sat on the ")
NEW = 12

#: Every expressible choice that a CPU can run, with the slots that it needs beside it.
EXPRESSIBLE: dict[str, dict[str, Any]] = {
    "precision fp32": {"precision": "fp32"},
    "precision bf16": {"precision": "bf16"},
    "precision fp16": {"precision": "fp16"},
    "attention eager": {"attention": "eager"},
    "attention sdpa": {"attention": {"method": "sdpa", "backend": "math"}},
    "kv_cache none": {"kv_cache": "none"},
    "kv_cache dynamic": {"kv_cache": "dynamic"},
    "kv_cache static": {"kv_cache": "static"},
    "quantization int8_weight_only": {"quantization": {"method": "int8_weight_only", "skip_last": 1}},
    "quantization int4_weight_only": {"quantization": {"method": "int4_weight_only", "skip": "*.down_proj"}},
    "quantization nf4": {"quantization": {"method": "nf4", "skip_first": 1}},
    "quantization fp4": {"quantization": {"method": "fp4", "head": "int8"}},
    "quantization llm_int8": {"quantization": "llm_int8"},
    "quantization int8_dynamic": {"quantization": {"method": "int8_dynamic", "head": "same"}},
    "speculation prompt_lookup": {"speculation": {"method": "prompt_lookup", "adaptive": False}},
    "speculation draft_model": {"speculation": {"method": "draft_model", "model": "DRAFT"}},
    "speculation self_draft": {"speculation": {"method": "self_draft", "quantization": "int8_weight_only"}},
    "speculation early_exit": {"speculation": {"method": "early_exit", "share": 0.5}},
    "batching single": {"batching": "single"},
}
#: Those that need a GPU, a compiler that takes a minute, or several processes: their scripts are only read.
ELSEWHERE: dict[str, dict[str, Any]] = {
    "precision fp32_bf16_matmul": {"precision": "fp32_bf16_matmul"},
    "precision tf32": {"precision": "tf32"},
    "attention flash_attention_2": {"attention": "flash_attention_2"},
    "attention flash_attention_3": {"attention": "flash_attention_3"},
    "attention flex_attention": {"attention": "flex_attention"},
    "compilation torch_compile": {"compilation": "torch_compile", "kv_cache": "static"},
    "kv_cache offloaded": {"kv_cache": "offloaded"},
    "quantization fp8_weight_only": {"quantization": "fp8_weight_only"},
    "quantization fp8_dynamic": {"quantization": "fp8_dynamic"},
    "parallelism device_map": {"parallelism": "device_map"},
}
INEXPRESSIBLE = {
    "pruning": {"expert_drop", "heads", "layer_drop", "magnitude", "mlp_width", "sparsegpt", "wanda"},
    "quantization": {"gptq"},
    "fusion": {"fused_projections"},
    "compilation": {"cuda_graphs"},
    "kv_cache": {"quantized", "sliding_window"},
    "prefix_cache": {"prefix_reuse"},
    "batching": {"static", "continuous"},
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(autouse=True)
def _switches() -> Iterator[None]:
    """A script sets switches of the whole process, which other tests share."""
    names = ("flash", "math", "mem_efficient", "cudnn")
    before = {name: getattr(torch.backends.cuda, f"{name}_sdp_enabled")() for name in names}
    precision = torch.get_float32_matmul_precision()
    yield
    for name, on in before.items():
        getattr(torch.backends.cuda, f"enable_{name}_sdp")(on)
    torch.set_float32_matmul_precision(precision)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("models") / "llama")


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("models") / "draft", seed=1)


def preset(model: Path | str, name: str = "v", source: dict[str, Any] | None = None, **slots: Any) -> Preset:
    slots = {"precision": "fp32", **slots}
    return Preset(
        name=name,
        created="2026-11-30T09:00:00+00:00",
        model=ModelSource(source=str(model), **(source or {})),
        fingerprint="f" * 64,
        variant=Variant.model_validate({"name": "v", **slots}),
        baseline=Variant(name="baseline"),
        workload=Workload(prompt_tokens=len(PROMPT), new_tokens=NEW),
        environment=Environment(cpu="x", versions={"torch": "2.13.0"}),
    )


def engine(model: Path, **slots: Any) -> list[int]:
    """The tokens of the engine itself."""
    return _engine(model, json.dumps(slots))


@functools.cache
def _engine(model: Path, text: str) -> list[int]:
    slots = json.loads(text)
    command = LoadCommand(
        model=ModelSource(source=str(model)),
        variant={"name": "v", "precision": "fp32", **slots},
        workload=Workload(prompt_tokens=len(PROMPT), new_tokens=NEW),
    )
    here = HERE.model_copy(update={"versions": {**HERE.versions, "torchao": "0.18.0"}})
    runtime = load(command, here, Recorder(), None)  # type: ignore[arg-type]
    decoder = runtime.decoder
    assert decoder is not None
    tokens = [decoder.start(PROMPT, NEW, Sampler(forbidden=[EOS]))]
    while len(tokens) < NEW:
        tokens += decoder.step()
    return tokens


def run(text: str) -> list[int]:
    """What the script itself would do, with the engine's prompt and without an end of text."""
    names: dict[str, Any] = {"__name__": "preset"}
    exec(compile(text, "preset.py", "exec"), names)
    tokenizer, model, *others = names["load"]()
    model.generation_config.eos_token_id = None
    model.generation_config.suppress_tokens = [EOS]
    return names["generate"](tokenizer, model, *others, torch.tensor([PROMPT]), NEW)


def test_every_strategy_is_either_in_a_script_or_says_why_not() -> None:
    for slot in SLOTS:
        for key in REGISTRY[slot]:
            name = f"{slot} {key}"
            assert (name in EXPRESSIBLE) + (name in ELSEWHERE) + (key in INEXPRESSIBLE.get(slot, ())) == 1, name


@pytest.mark.parametrize("name", EXPRESSIBLE)
def test_the_script_gives_the_tokens_of_the_engine(model: Path, draft: Path, name: str) -> None:
    slots = {k: {**v, "model": str(draft)} if "DRAFT" in str(v) else v for k, v in EXPRESSIBLE[name].items()}
    text, missing = build(preset(model, **slots))
    assert missing == []
    tokens = run(text)
    assert len(tokens) == NEW
    slot, key = name.split()
    exact = REGISTRY[slot][key].exact
    same_arithmetic = slot in (
        "precision",
        "quantization",
    )  # the same layers, though their output is not the baseline's
    if exact or same_arithmetic:
        assert tokens == engine(model, **slots)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_scripts_for_other_machines_say_what_they_should(model: Path, name: str) -> None:
    text, missing = build(preset(model, **ELSEWHERE[name]))
    assert missing == []
    wanted = {
        "fp32_bf16_matmul": 'set_float32_matmul_precision("medium")', "tf32": 'set_float32_matmul_precision("high")',
        "flash_attention_2": 'attn_implementation="flash_attention_2"', "offloaded": 'cache_implementation="offloaded"',
        "flash_attention_3": 'attn_implementation="flash_attention_3"', "device_map": 'device_map="balanced"',
        "flex_attention": 'attn_implementation="flex_attention"',
        "torch_compile": 'torch.compile(model.forward, mode="default", dynamic=False)',
        "fp8_weight_only": "Float8WeightOnlyConfig(set_inductor_config=False)",
        "fp8_dynamic": "Float8DynamicActivationFloat8WeightConfig(granularity=PerRow(), set_inductor_config=False)",
    }[name.split()[1]]  # fmt: skip
    assert wanted in text.replace("'", '"')
    assert ('"": device' in text) == (name.split()[0] != "parallelism")


@pytest.mark.parametrize(
    "name", ["compilation torch_compile", "precision tf32", "precision fp32_bf16_matmul", "parallelism device_map"]
)
def test_they_run_here_as_far_as_they_can(model: Path, name: str) -> None:
    """Uncompiled, on one device, and with products in whatever this processor has: the tokens stay those of fp32."""
    text, _ = build(preset(model, **ELSEWHERE[name]))
    with torch.compiler.set_stance("force_eager"):
        tokens = run(text)
    assert len(tokens) == NEW
    if "precision" not in name:
        assert tokens == engine(model)


@pytest.mark.parametrize(("slot", "key"), [(s, k) for s, keys in INEXPRESSIBLE.items() for k in sorted(keys)])
def test_what_no_script_can_do_is_said_in_it(model: Path, slot: str, key: str) -> None:
    text, missing = build(preset(model, **{slot: key}))
    (line,) = missing
    assert line.startswith(f"{slot} {key}")
    assert "NOT in this script:" in text
    assert line[:40] in text
    assert run(text) == engine(model)  # all the rest is there


def test_speculation_on_a_static_cache_says_that_it_has_a_dynamic_one(model: Path) -> None:
    text, missing = build(preset(model, kv_cache="static", speculation="prompt_lookup"))
    assert "dynamic cache only" in missing[0]
    assert run(text) == engine(model)


def test_a_draft_that_is_made_by_surgery_is_not_expressible(model: Path) -> None:
    _, missing = build(preset(model, speculation={"method": "self_draft", "drop": 0.5}))
    assert "materialize it" in missing[0]


@pytest.mark.parametrize(
    ("kind", "quantization"),
    [
        ("gpt2", {"method": "int8_weight_only", "skip_last": 1}),
        ("gpt2", {"method": "int8_dynamic", "skip_first": 1}),
        ("qwen3", {"method": "nf4"}),
        ("gemma3", {"method": "int4_weight_only"}),
    ],
)
def test_models_that_are_built_otherwise(tmp_path: Path, kind: str, quantization: dict[str, Any]) -> None:
    """GPT-2's layers are no Linears; Qwen3 normalizes its heads; Gemma 3 has a cache that slides."""
    folder = save_tiny(tmp_path / kind, kind)
    text, missing = build(preset(folder, quantization=quantization))
    assert missing == []
    assert run(text) == engine(folder, quantization=quantization)


def test_a_recipe_of_several_parts(model: Path) -> None:
    slots = {
        "quantization": "int8_weight_only",
        "attention": "eager",
        "speculation": {"method": "prompt_lookup", "draft_tokens": 3},
    }
    text, missing = build(preset(model, **slots))
    assert missing == []
    assert run(text) == engine(model, **slots)


# -- models -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "slots",
    [
        {"pruning": {"method": "layer_drop", "layers": 1, "calibration_tokens": 64}},
        {"pruning": {"method": "magnitude", "ratio": 0.25}},
        {"quantization": {"method": "nf4"}},
    ],
)
def test_a_materialized_model_needs_no_work_in_the_script(model: Path, tmp_path: Path, slots: dict[str, Any]) -> None:
    folder = tmp_path / "made"
    written = write(model, folder, **slots)
    stored = preset(model, **slots).model_copy(update={"fingerprint": written.fingerprint})
    text, missing = build(stored, folder)
    assert missing == []
    assert f"MODEL = {str(folder)!r}" in text
    runtime, _ = read_folder(folder, **slots)
    assert runtime.decoder is not None
    tokens = [runtime.decoder.start(PROMPT, NEW, Sampler(forbidden=[EOS]))]
    while len(tokens) < NEW:
        tokens += runtime.decoder.step()
    assert run(text) == tokens


def test_a_folder_that_only_dyno_loads_is_refused(model: Path, tmp_path: Path) -> None:
    write(save_tiny(tmp_path / "gpt2", "gpt2"), tmp_path / "made", quantization="int8_weight_only")
    with pytest.raises(PresetError, match="only Dyno loads"):
        build(preset(model, quantization="int8_weight_only"), tmp_path / "made")


def test_weights_that_transformers_would_take_for_others_are_refused(tmp_path: Path) -> None:
    from tests.core import packers
    from tests.core.kernels.test_packed import GPTQ, int8_rows, packer

    packers.save_packed(tmp_path / "int8", "llama", int8_rows, None)
    with pytest.raises(PresetError, match="transformers would take the codes of these weights"):
        build(preset(tmp_path / "int8"), None)
    pack = packer(4, 32, False, lambda g: packers.gptq(g, 4))
    packers.save_packed(tmp_path / "gptq", "llama", pack, GPTQ)
    text, _ = build(preset(tmp_path / "gptq"), None)
    assert "transformers needs gptqmodel and optimum for these weights" in " ".join(text.replace("#", "").split())


def test_a_folder_that_was_made_otherwise_is_refused(model: Path, tmp_path: Path) -> None:
    written = write(model, tmp_path / "made", pruning={"method": "magnitude", "ratio": 0.25})
    other = preset(model, pruning={"method": "magnitude", "ratio": 0.5})
    with pytest.raises(PresetError, match="have been through"):
        build(other, tmp_path / "made")
    same = preset(model, pruning={"method": "magnitude", "ratio": 0.25})
    with pytest.raises(PresetError, match="another model"):
        build(same, tmp_path / "made")
    build(same.model_copy(update={"fingerprint": written.fingerprint}), tmp_path / "made")
    with pytest.raises(PresetError, match="no such folder"):
        build(same, tmp_path / "absent")


def test_a_hub_model_keeps_its_name_and_revision() -> None:
    text, _ = build(preset("some-one/a-model", source={"revision": "main"}))
    assert "MODEL = 'some-one/a-model'" in text
    assert "the model was not found where this was written" in text
    assert "revision='main'" in text


def test_consents_are_written_only_where_they_were_given(model: Path) -> None:
    text, _ = build(preset(model))
    assert "trust_remote_code" not in text
    assert "use_safetensors=True" in text
    text, _ = build(preset(model, source={"trust_remote_code": True, "allow_pickle": True}))
    assert text.count("trust_remote_code=True") == 2
    assert "use_safetensors" not in text


def test_the_default_precision_is_the_one_that_was_measured(model: Path) -> None:
    from tests.core.presets.test_verification import row

    bare = preset(model, precision=None)
    assert "dtype=torch.float32" in build(bare)[0]  # of a processor without bf16
    measured = bare.model_copy(update={"row": row(dtype="bf16")})
    assert "dtype=torch.bfloat16" in build(measured)[0]


def test_sampling_goes_along(model: Path) -> None:
    hot = preset(model)
    hot = hot.model_copy(update={"workload": hot.workload.model_copy(update={"temperature": 0.7, "top_k": 5})})
    text, _ = build(hot)
    assert "do_sample=True" in text
    assert "temperature=0.7" in text
    assert "top_k=5" in text


# -- text that must not become code -------------------------------------------------------------------------

NASTY = [
    'x"; import os; os._exit(9); "',
    "x'''\nimport os\nos._exit(9)\n'''",
    "x\\",
    "x\rimport os; os._exit(9)",
    "x\u2028import os; os._exit(9)",
    "x\x0cimport os\x00",
    "{__import__('os')._exit(9)}",
    "%s # \u202e",
    "\ud800",
]


@pytest.mark.parametrize("name", NASTY[:-1])  # no preset can hold the last
def test_no_name_becomes_code(name: str) -> None:
    """A model, a name, a note and a draft of that name are strings and comments, and read back as themselves."""
    nasty = preset(name, name="v", speculation={"method": "draft_model", "model": name, "other_tokenizer": "re-encode"})
    nasty = nasty.model_copy(update={"name": name, "note": name})
    text, _ = build(nasty)
    tree = ast.parse(text)
    found = next(n for n in tree.body if isinstance(n, ast.Assign))
    assert ast.literal_eval(found.value) == name
    top = [type(n).__name__ for n in tree.body]
    plain = ast.parse(
        build(preset("m", speculation={"method": "draft_model", "model": "d", "other_tokenizer": "re-encode"}))[0]
    )
    assert top == [type(n).__name__ for n in plain.body]
    assert len(list(ast.walk(tree))) == len(list(ast.walk(plain)))


@pytest.mark.parametrize("value", [*NASTY, None, True, 3, 0.25, ["a'b", 'c"d']])
def test_expressions_read_back_as_themselves(value: Any) -> None:
    assert ast.literal_eval(expression(value)) == value
    if isinstance(value, str):
        assert len(comment(value).splitlines()) == 1
        assert ast.parse(comment(value)).body == []


def test_only_what_has_a_literal_is_written() -> None:
    with pytest.raises(TypeError):
        expression(Receipt(slot="x", requested="x", effective="x", matches=True))
    assert call("f", Code("x"), "y", z=[1]) == "f(x, 'y', z=[1])"


def test_definitions_are_those_of_the_engine_and_need_nothing_of_dyno() -> None:
    out = Script(None, "float32")
    REGISTRY["quantization"]["int4_weight_only"]().script(out)
    source = "\n\n".join(out.definitions.values())
    assert "core." not in source
    names: dict[str, Any] = {}
    exec("from __future__ import annotations\n" + "\n".join(sorted(out.imports)) + "\n" + source, names)
    from core.kernels.weights.linears import Int4Linear

    linear = torch.nn.Linear(64, 32, bias=False)
    x = torch.randn(2, 64)
    assert torch.equal(names["Int4Linear"].from_linear(linear, 32)(x), Int4Linear.from_linear(linear, 32)(x))


def test_the_script_runs_by_itself_without_dyno(model: Path, tmp_path: Path) -> None:
    """In a process that cannot import Dyno, from the command line as a user would."""
    text, _ = build(preset(model, quantization="int8_weight_only"))
    file = tmp_path / "preset.py"
    file.write_text(text, "utf-8")
    blocked = (
        "import runpy, sys; sys.modules['core'] = None; sys.argv = sys.argv[1:]; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", blocked, str(file), "hello", "--new-tokens", "3"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert preset_script.__file__  # this process has Dyno; that one did not
