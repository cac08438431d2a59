"""Every format on the experts of every mixture: how much of the weights it reaches, whether the experts still do what
their model's own forward does, and how far that is from the original. The shares go into build/experts.md."""

from __future__ import annotations

import copy
import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from core.kernels.base import surgery
from core.kernels.checks.anatomy import anatomy
from core.kernels.experts import experts
from core.kernels.experts.expert_products import dense_weight
from core.kernels.weights.linears import Int8Linear
from core.model.facts import ModelFacts
from core.model.finder import resolve
from core.model.source import ModelSource
from tests.core.kernels.test_experts import MIXTURES, PROMPT
from tests.core.tiny import save_tiny, tiny_tokenizer
from tests.core.transformed import conflicts, load, receipt, runtime_of, transformed
from tests.zoo.models import make

pytest.importorskip("torchao")

#: Largest relative error of what a layer's experts yield, by format: rounding to n steps of the range errs by range/(n
#: √12) a weight, and three products in a row (gate, up, down) add theirs up in squares. A row of 64 normal weights
#: spans ±2.5 σ: int8 errs by 0.6 % a product, 1 % with the activations' rounding to bf16 or int8; groups of 32 span
#: 4 σ: int4 by 8 %, NF4 by 9 %, FP4 by 12 %; fp8 has 3 bits of mantissa, 2.6 %. Twice √3 of that is allowed.
BOUNDS = {
    "int8_weight_only": 0.035,
    "int4_weight_only": 0.30,
    "nf4": 0.32,
    "fp4": 0.42,
    "llm_int8": 0.05,
    "int8_dynamic": 0.06,
    "fp8_weight_only": 0.10,
}
#: Why layers of these tiny models are left out: ranks and widths that are no multiples of 16, 32 or 64, and one whose
#: weight the model's own code multiplies.
REASONS = ("is not a multiple of", "needs multiples of", "reads its weight by itself")


@pytest.fixture(scope="module")
def table() -> Iterator[dict[str, dict[str, str]]]:
    """Lines of the table: the quantized share of all weights, embeddings and a head that is kept included."""
    found: dict[str, dict[str, str]] = {}
    yield found
    lines = ["| mixture | in experts | " + " | ".join(BOUNDS) + " |", "|---" * (len(BOUNDS) + 2) + "|"]
    for kind, row in found.items():
        lines.append(f"| {kind} | " + " | ".join(row.get(m, "") for m in ("in experts", *BOUNDS)) + " |")
    out = Path(__file__).parents[3] / "build" / "experts.md"
    out.parent.mkdir(exist_ok=True)
    out.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.parametrize(
    ("kind", "method"),
    [(kind, method) for kind in MIXTURES for method in BOUNDS if method != "fp4" or kind == "mixtral"],  # as NF4
)
def test_experts_are_quantized_and_do_what_they_did(kind: str, method: str, table: dict[str, dict[str, str]]) -> None:
    original = make(kind)
    model = copy.deepcopy(original)
    facts = ModelFacts(name=kind, kind="folder", path="")
    runtime = runtime_of(model, tiny_tokenizer(), facts, quantization={"method": method, "head": "keep"})
    total = sum(p.numel() for p in model.parameters())
    assert runtime.variant.quantization is not None
    runtime.variant.quantization.transform(runtime)
    proof = receipt(runtime, "quantization")

    share, left_out = proof.detail["quantized_share"], proof.detail["left_out"]
    assert isinstance(share, float)
    assert isinstance(left_out, list)
    row = table.setdefault(kind, {"in experts": f"{sum(s.weights() for s in experts.stacks(model)) / total:.0%}"})
    row[method] = f"{share:.0%}{'' if proof.matches else ' (left out: shapes)'}"
    stacks = experts.stacks(model)
    done = [s for s in stacks if s.parts and all(map(runtime.variant.quantization.is_done, s.parts.values()))]
    assert f"experts: {len(done)} of {len(stacks)} tensors" in proof.effective
    assert all(any(words in str(line) for words in REASONS) for line in left_out)
    assert proof.matches == (not left_out or "that cannot be quantized stay" in proof.effective)
    assert len(done) == len(stacks) or (kind == "jetmoe" and method in ("nf4", "fp4"))
    experts_done = sum(stack.weights() for stack in done)
    linears = sum(n * k for name, m in surgery.linear_like(model).items() if m in _quantized(model, runtime)
                  for n, k in [surgery.shape(m)])  # fmt: skip
    assert share == pytest.approx(linears / total)
    assert linears >= experts_done > 0.2 * total

    for name, found, args in _fed(model):
        whole = original.get_submodule(name)
        wanted = _forward(whole, args)
        assert 0 < _error(found, wanted) < BOUNDS[method], name
        # The same with the weights as they are now: what differs is the kernel's own rounding.
        module = copy.deepcopy(whole)
        for stack in stacks:
            if stack.module is model.get_submodule(name):
                dense = torch.stack([dense_weight(m, torch.float32, found.device) for m in stack.parts.values()])
                dense = dense.mT if stack.transposed else dense
                module.register_parameter(stack.attribute, nn.Parameter(dense.float().contiguous()))
        near = {"llm_int8": 0.03, "int8_dynamic": 0.03}.get(method, 0.012)
        assert _error(found, _forward(module, args)) < near, name


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("method", [*BOUNDS, "fp8_dynamic"])
@pytest.mark.parametrize("kind", ["mixtral", "gpt_oss", "llama4_text"])
def test_experts_on_a_gpu(kind: str, method: str) -> None:
    original = make(kind).to("cuda", torch.bfloat16)
    model = copy.deepcopy(original)
    facts = ModelFacts(name=kind, kind="folder", path="")
    runtime = runtime_of(model, tiny_tokenizer(), facts, quantization={"method": method, "head": "keep"})
    runtime.variant.quantization.transform(runtime)  # type: ignore[union-attr]
    assert receipt(runtime, "quantization").matches
    for name, found, args in _fed(model):
        bound = BOUNDS.get(method, 0.12) + 0.02  # the original rounds to bf16 too
        assert 0 < _error(found.float(), _forward(original.get_submodule(name), args).float()) < bound, name


def _quantized(model: Any, runtime: Any) -> set[Any]:
    return {m for m in surgery.linear_like(model).values() if runtime.variant.quantization.is_done(m)}


def _fed(model: Any) -> list[tuple[str, Tensor, tuple[Any, ...]]]:
    """Name, output and arguments of every module with experts that are quantized, as the model calls it."""
    seen: list[tuple[str, Tensor, tuple[Any, ...]]] = []
    for stack in {s.module: s for s in experts.stacks(model) if s.parts}.values():
        name = stack.name.rpartition(".")[0]
        stack.module.register_forward_hook(
            lambda _, args, kwargs, out, name=name: seen.append((name, out, (*args, *kwargs.values()))),
            with_kwargs=True,
        )
    with torch.no_grad():
        model(PROMPT.to(model.device), use_cache=False)
    assert seen
    return seen


@torch.no_grad()
def _forward(module: Any, args: tuple[Any, ...]) -> Tensor:
    return module(*args)


def _error(found: Tensor, wanted: Tensor) -> float:
    return float((found - wanted).norm() / wanted.norm())


# -- what is left alone, and why --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "done", "alone"),
    [
        ({"skip": "*.experts"}, 0, 8),
        ({"skip": "*.down_proj"}, 4, 4),
        ({"skip_first": 1, "skip_last": 1}, 4, 12),
        ({"skip": "*.self_attn.*"}, 8, 16),
    ],
    ids=str,
)
def test_experts_are_left_alone_as_asked_for(tmp_path: Path, parameters: dict[str, Any], done: int, alone: int) -> None:
    folder = save_tiny(tmp_path, "mixtral")
    method = "int4_weight_only" if done else "int8_weight_only"
    runtime = transformed(folder, quantization={"method": method, **parameters})
    proof = receipt(runtime, "quantization")
    assert proof.matches, proof
    assert f"experts: {done} of 8 tensors" in proof.effective
    assert f"{alone} left alone, as asked for" in proof.effective
    original = load(folder).model
    for stack in experts.stacks(runtime.model):
        if not stack.parts:  # one tensor again, for the grouped products
            assert torch.equal(stack.tensor, original.get_parameter(stack.name))  # type: ignore[arg-type]


def test_a_pattern_that_no_expert_matches_is_seen(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, "mixtral")
    proof = receipt(transformed(folder, quantization={"method": "nf4", "skip": "*.experts.w1"}), "quantization")
    assert not proof.matches
    assert proof.detail["left_out"] == ["skip: no layer is named '*.experts.w1'"]


def test_routers_stay_as_they_are_and_small_gates_withhold_no_verdict() -> None:
    """JetMoE's router is a Linear, and so is the gate with one output of Qwen2-MoE's shared expert."""
    for kind, router in (("jetmoe", "mlp.router.layer"), ("gemma4_moe", "router.proj")):
        model = make(kind)
        runtime = runtime_of(model, tiny_tokenizer(), ModelFacts(name=kind, kind="folder", path=""), quantization="nf4")
        runtime.variant.quantization.transform(runtime)  # type: ignore[union-attr]
        assert type(model.get_submodule(f"model.layers.0.{router}")) is nn.Linear
    model = make("qwen2_moe")
    slots = {"quantization": "int4_weight_only"}
    runtime = runtime_of(model, tiny_tokenizer(), ModelFacts(name="qwen2", kind="folder", path=""), **slots)
    runtime.variant.quantization.transform(runtime)  # type: ignore[union-attr]
    proof = receipt(runtime, "quantization")
    assert proof.matches
    assert "28 of 32 Linear layers; experts: 8 of 8 tensors" in proof.effective
    assert "4 that cannot be quantized stay, 0.0" in proof.effective
    assert "mlp.shared_expert_gate: N = 1 is not a multiple of 16" in str(proof.detail["left_out"])


def test_weights_that_are_neither_linears_nor_experts_withhold_the_verdict() -> None:
    """As DBRX has its experts: in two dimensions, all of them one below the other."""
    model = make("mixtral")
    for layer in model.model.layers:
        e = layer.mlp.experts
        e.up = nn.Parameter(e.gate_up_proj.detach().flatten(0, 1))
        e.down = nn.Parameter(e.down_proj.detach().flatten(0, 1))
        del e.gate_up_proj, e.down_proj
        e.forward = lambda x, index, weights: x
    runtime = runtime_of(
        model, tiny_tokenizer(), ModelFacts(name="m", kind="folder", path=""), quantization="int8_weight_only"
    )
    runtime.variant.quantization.transform(runtime)  # type: ignore[union-attr]
    proof = receipt(runtime, "quantization")
    assert "16 of 16 Linear layers" in proof.effective
    assert not proof.matches
    assert "89% of the weights are neither in Linear layers nor experts" in str(proof.detail["left_out"])


def test_an_expert_that_a_calibration_does_not_reach_is_rounded_and_named(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, "mixtral")
    few = {"method": "gptq", "calibration_tokens": 32, "sequence": 16}
    runtime = transformed(folder, quantization=few)
    proof = receipt(runtime, "quantization")
    assert proof.matches
    assert "experts: 8 of 8 tensors" in proof.effective
    unmet = proof.detail["unmet"]
    assert isinstance(unmet, list)
    assert unmet
    assert f"{len(unmet)} matrices of experts that no calibration token reached: rounded to nearest" in proof.effective
    rounded = transformed(folder, quantization="int4_weight_only").model.get_submodule(str(unmet[0]))
    assert torch.equal(runtime.model.get_submodule(str(unmet[0])).packed, rounded.packed)


def test_groups_that_do_not_fit_an_experts_inputs_are_refused_before_loading(tmp_path: Path) -> None:
    folder = tmp_path / "qwen3"
    make("qwen3_moe").save_pretrained(folder)
    facts = resolve(ModelSource(source=str(folder)))
    assert (facts.expert_intermediate, facts.expert_parameters) == (64, 4 * 4 * 3 * 64 * 64)
    wide = facts.model_copy(update={"hidden": 512, "head_dim": 128, "expert_intermediate": 1408})
    slots = {"quantization": {"method": "int4_weight_only", "group_size": 256}}
    assert conflicts("quantization", wide.model_copy(update={"intermediate": 512}), **slots) == [
        "experts' down: 1408 inputs are not a multiple of the group of 256; a group size of 32 or 64 or 128 fits"
    ]
    graphs = {"quantization": "int8_weight_only", "compilation": "cuda_graphs", "kv_cache": "static"}
    assert "looked up on the host" in str(conflicts("compilation", facts, **graphs))
    assert not conflicts("compilation", facts, compilation="cuda_graphs", kv_cache="static")


def test_the_experts_of_one_projection_at_most_are_there_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    model = make("mixtral")
    whole = sum(stack.tensor.nbytes for stack in experts.stacks(model) if isinstance(stack.tensor, Tensor))
    largest = max(stack.tensor.nbytes for stack in experts.stacks(model) if isinstance(stack.tensor, Tensor))
    make_int8, plain = Int8Linear.from_linear.__func__, []  # type: ignore[attr-defined]

    def watched(cls: Any, linear: Any) -> Any:
        found = {
            t.untyped_storage().data_ptr(): t.untyped_storage().nbytes()
            for t in gc.get_objects()
            if type(t) is nn.Parameter and t.dtype == torch.float32 and t.data_ptr() in addresses
        }
        plain.append(sum(found.values()))
        return make_int8(cls, linear)

    experts.split(model)
    addresses = {m.weight.data_ptr() for stack in experts.stacks(model) for m in stack.parts.values()}
    experts.join(model)
    facts = ModelFacts(name="m", kind="folder", path="")
    runtime = runtime_of(model, tiny_tokenizer(), facts, quantization={"method": "int8_weight_only", "head": "keep"})
    monkeypatch.setattr(Int8Linear, "from_linear", classmethod(watched))
    runtime.variant.quantization.transform(runtime)  # type: ignore[union-attr]
    assert plain[0] == whole
    assert plain[-1] <= largest
    assert experts.stacks(model)[0].parts


# -- what follows from it ---------------------------------------------------------------------------------------------


def test_the_map_of_layers_has_a_line_for_each_projection_of_experts(tmp_path: Path) -> None:
    proof = receipt(transformed(save_tiny(tmp_path, "mixtral"), quantization="int8_weight_only"), "quantization")
    assert "mlp.experts.gate_up_proj: 0-3 Int8Linear" in proof.detail["layer_map"]  # type: ignore[operator]


@pytest.mark.parametrize("kind", ["mixtral", "gpt_oss", "jetmoe", "llama4_text", "deepseek_v3"])
def test_a_step_reads_the_quantized_bytes_of_the_experts_that_it_meets(kind: str) -> None:
    before = anatomy(make(kind), torch.float32, eager=False)
    model = make(kind)
    runtime = runtime_of(
        model, tiny_tokenizer(), ModelFacts(name=kind, kind="folder", path=""), quantization="int8_weight_only"
    )
    runtime.variant.quantization.transform(runtime)  # type: ignore[union-attr]
    after = anatomy(model, torch.float32, eager=False)
    assert before is not None
    assert after is not None
    assert (after.experts, after.experts_per_token) == (before.experts, before.experts_per_token) == (4, 2)
    assert (after.matrix_weights, after.expert_weights) == (before.matrix_weights, before.expert_weights)
    assert after.expert_bytes < 0.3 * before.expert_bytes  # fp32 biases and scales are beside the codes
    assert after.weights_read_by(1) < 0.3 * before.weights_read_by(1) + after.head_bytes
    assert after.computes_in == "bf16"


@pytest.mark.parametrize("kind", MIXTURES)
def test_a_token_meets_as_many_experts_as_are_counted(kind: str) -> None:
    model = make(kind)
    counted = anatomy(model, torch.float32, eager=False)
    assert counted is not None
    experts.split(model)
    met: dict[str, int] = {stack.name: 0 for stack in experts.stacks(model)}
    for stack in experts.stacks(model):
        for part in stack.parts.values():
            part.register_forward_pre_hook(lambda *_, name=stack.name: met.update({name: met[name] + 1}))
    with torch.no_grad():
        model(PROMPT[:, :1], use_cache=False)
    assert set(met.values()) == {counted.experts_per_token}
    weights = sum(stack.weights() for stack in experts.stacks(model))
    assert counted.expert_weights == weights
    assert counted.experts == max(stack.experts for stack in experts.stacks(model))


def test_a_shortened_model_shares_its_quantized_experts(tmp_path: Path) -> None:
    """As early exit and a draft of the first layers have them."""
    from core.kernels.speculation.drafters import first_layers

    runtime = transformed(save_tiny(tmp_path, "mixtral"), quantization="int8_weight_only")
    draft = first_layers(runtime.model, 2)
    mine, its = experts.stacks(runtime.model)[0], experts.stacks(draft)[0]
    assert len(experts.stacks(draft)) == 4
    for name, part in its.parts.items():
        assert part is not mine.parts[name]
        assert part.weight.data_ptr() == mine.parts[name].weight.data_ptr()
    with torch.no_grad():
        assert draft(PROMPT, use_cache=False).logits.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])  # transformers has two grouped products
@pytest.mark.parametrize("kind", ["mixtral", "gpt_oss"])
def test_a_compiled_step_has_no_break_and_no_experts_of_another_step(kind: str, dtype: torch.dtype) -> None:
    """Which experts are met must not become a part of the graph: other tokens meet others."""
    model = make(kind).to(dtype)
    runtime = runtime_of(
        model, tiny_tokenizer(), ModelFacts(name=kind, kind="folder", path=""), quantization="int8_weight_only"
    )
    runtime.variant.quantization.transform(runtime)  # type: ignore[union-attr]
    block = experts.stacks(model)[0].module
    compiled = torch.compile(block, backend="aot_eager", fullgraph=True)
    weights = torch.tensor([[0.75, 0.25]], dtype=dtype)
    for met in ([0, 1], [2, 3], [3, 0]):
        x = torch.randn(1, 64, generator=torch.Generator().manual_seed(met[0])).to(dtype)
        with torch.no_grad():
            args = (x, torch.tensor([met]), weights)
            torch.testing.assert_close(compiled(*args), block(*args), rtol=1e-2, atol=1e-2)
            assert not torch.allclose(block(*args), block(x, torch.tensor([[1, 2]]), weights), rtol=0.05, atol=0.05)
