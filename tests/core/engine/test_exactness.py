"""A variant that calls itself exact is held against the plain decoder: what is wrong is found without knowing the
model, rounding is not called a fault, and the comparison costs a few steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from core.engine.base.runtime import Runtime
from core.engine.load import changed_answers
from core.engine.load.load import receipts
from core.engine.serve import exactness
from core.kernels.base.outline import outline
from core.kernels.batching.static_batch import StaticBatch
from core.kernels.caches import caches
from core.kernels.caches.prefix_store import PrefixStore
from core.kernels.checks import exactness as traces
from core.kernels.checks.exactness import Budget, Trace, TraceDifference, distance, first_difference, follow
from core.kernels.decoding.decoders import Plain, Recompute, base_decoder
from core.kernels.decoding.sampling import Sampler
from core.kernels.speculation.speculative import Speculative
from core.model.receipt import Receipt
from core.protocol import events
from core.spec.variant import Unsuitable, Variant
from core.spec.workload import Workload
from tests.core.kernels.test_strategies import load
from tests.core.tiny import KINDS, save_tiny, tiny_model, tiny_tokenizer
from tests.zoo.models import config, make

POOL = list(b"the cat sat on the mat; the dog sat on the rug, and both of them were happy about all of it. ")
PAIR = {"method": "static", "batch_size": 2}
EXACT: list[dict[str, Any]] = [
    {"kv_cache": "static"},
    {"kv_cache": {"method": "static", "bucket": 64}},
    {"kv_cache": "none"},
    {"attention": "eager"},
    {"attention": {"method": "sdpa", "backend": "math"}},
    {"speculation": "prompt_lookup"},
    {"speculation": "prompt_lookup", "kv_cache": "static"},
    {"batching": PAIR},
    {"batching": {"method": "continuous", "slots": 2, "token_budget": 24}},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


@pytest.fixture(scope="module")
def sliding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("gemma3"), "gemma3")


@pytest.fixture(autouse=True)
def attention_switches() -> Iterator[None]:
    """`sdpa` sets switches of the process; an engine has one variant, a test process has many."""
    yield
    for name in ("flash", "math", "mem_efficient", "cudnn"):
        getattr(torch.backends.cuda, f"enable_{name}_sdp")(True)


def check(runtime: Runtime, prefill_s: float = 0.0) -> Receipt:
    found = exactness.check(runtime, POOL, prefill_s)
    assert found is not None
    return found


def of_zoo(kind: str, tmp_path: Path, **slots: Any) -> Runtime:
    """As the engine has it, with a model of the zoo."""
    model = make(kind)
    model.save_pretrained(tmp_path)
    tiny_tokenizer().save_pretrained(tmp_path)
    return load(tmp_path, **slots)


# -- what is right -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slots", EXACT, ids=str)
def test_exact_variants_are_found_exact(folder: Path, sliding: Path, slots: dict[str, Any]) -> None:
    for model in (folder, sliding):
        proof = check(load(model, **slots))
        assert (proof.matches, proof.effective) == (True, "8 + 24 tokens as the plain decoder")


def test_reused_prefixes_are_compared_and_the_store_is_left_as_it_was(folder: Path) -> None:
    runtime = load(folder, prefix_cache="prefix_reuse")
    assert runtime.plain is not None
    store = runtime.plain.prefixes
    reused = []
    restore = PrefixStore.restore

    def watched(self: PrefixStore, prompt: list[int], cache: Any) -> int:
        reused.append(restore(self, prompt, cache))
        return reused[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PrefixStore, "restore", watched)
        assert check(runtime).matches
    assert reused[1::2] == [7, 127]  # all but the last token of either prompt
    assert runtime.plain.prefixes is store
    assert isinstance(store, PrefixStore)
    assert store.requests == 0


def test_speculation_is_left_as_it_was(folder: Path) -> None:
    runtime = load(folder, speculation="prompt_lookup")
    decoder = runtime.decoder
    assert isinstance(decoder, Speculative)
    before = decoder.drafter, decoder.pace
    assert check(runtime).matches
    assert (decoder.drafter, decoder.pace) == before
    assert 0 < decoder.accepted < decoder.drafted  # both ways were gone


@pytest.mark.parametrize("method", ["int8_weight_only", "nf4"])
def test_quantized_weights_are_compared_with_themselves(folder: Path, method: str) -> None:
    assert check(load(folder, quantization=method, kv_cache="static")).matches


def test_nothing_is_claimed_where_nothing_decodes_differently_or_something_is_inexact(folder: Path) -> None:
    assert exactness.check(load(folder), POOL) is None
    assert exactness.check(load(folder, quantization="int8_weight_only"), POOL) is None
    assert exactness.check(load(folder, kv_cache="quantized", attention="eager"), POOL) is None


# -- what is wrong -------------------------------------------------------------------------------------------


def wrong(runtime: Runtime) -> str:
    proof = check(runtime)
    assert not proof.matches
    assert proof.requested == "the tokens of the plain decoder"
    return proof.effective


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_speculation_that_does_not_roll_back_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch, precision: str
) -> None:
    monkeypatch.setattr(Plain, "rollback", lambda self, n: None)
    words = wrong(load(folder, precision=precision, speculation="prompt_lookup"))
    assert "at token" in words
    assert "rounding allows" in words


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_cache_that_loses_a_position_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch, precision: str) -> None:
    runtime = load(folder, precision=precision, kv_cache="static")
    assert runtime.plain is not None
    right = runtime.plain.feed

    def forgets(tokens: list[int], keep: int) -> Tensor:
        logits = right(tokens, keep)
        for layer in runtime.plain.cache.layers:  # type: ignore[union-attr]
            layer.values[..., 3, :] = 0.0
        return logits

    monkeypatch.setattr(runtime.plain, "feed", forgets)
    words = wrong(runtime)
    # The first token comes from the prompt alone.
    assert "token 2 of prompt 1" in words


def test_a_store_that_mixes_up_positions_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = PrefixStore.keep

    def mixes(self: PrefixStore, prompt: list[int], cache: Any) -> None:
        right(self, prompt, cache)
        kept = self._kept[tuple(prompt)]
        kept.rows = {i: (keys.roll(1, -2), values) for i, (keys, values) in kept.rows.items()}

    monkeypatch.setattr(PrefixStore, "keep", mixes)
    assert "token 1 of prompt 1" in wrong(load(folder, prefix_cache="prefix_reuse"))


def test_a_batch_whose_shorter_row_sees_its_padding_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = StaticBatch._forward

    def unmasked(self: StaticBatch, ids: Tensor, positions: Tensor) -> Tensor:
        self._mask = None
        return right(self, ids, positions)

    runtime = load(folder, batching=PAIR)
    monkeypatch.setattr(StaticBatch, "_forward", unmasked)
    assert "of prompt 1" in wrong(runtime)
    assert getattr(load(folder, batching=PAIR).server, "even", False)  # seen while loading, and padded no more


def test_a_batch_that_fails_on_prompts_of_unequal_length_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: StaticBatch, ids: Tensor, positions: Tensor) -> Tensor:
        raise RuntimeError("The size of tensor a (80) must match the size of tensor b (56)\nmore")

    runtime = load(folder, batching=PAIR)
    monkeypatch.setattr(StaticBatch, "_forward", fails)
    assert wrong(runtime).startswith("fails on prompts of 8 and 128 tokens: The size of tensor a")


def test_a_window_that_is_kept_too_short_is_found_where_it_slides(
    sliding: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = load(sliding, kv_cache="static")
    assert runtime.plain is not None
    right = runtime.plain.make_cache

    def short(length: int, rows: int = 1) -> Any:
        cache = right(length, rows)
        for layer in cache.layers:
            if getattr(layer, "is_sliding", False):
                layer.max_cache_len = 8
        return cache

    runtime.plain.make_cache = short
    assert wrong(runtime)


def test_attention_that_is_not_what_transformers_chooses_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eager attention scales ALiBi's bias in Falcon, sdpa does not; it is refused before, unless that is overlooked."""
    monkeypatch.setattr("core.kernels.checks.agreement.eager_is_sdpa", lambda model: True)
    assert "prompt 1" in wrong(of_zoo("falcon_alibi", tmp_path, attention="eager"))


def test_a_fused_layer_that_answers_with_another_part_is_found(folder: Path) -> None:
    runtime = load(folder, fusion="fused_projections")
    before = changed_answers.answers(load(folder).model)
    changed_answers.note_change(runtime, before)
    assert check(runtime).matches
    with torch.no_grad():
        runtime.model.model.layers[1].self_attn.q_proj.fused.linear.weight.mul_(1.05)
    changed_answers.note_change(runtime, before)
    assert wrong(runtime).startswith("the changed model's logits differ by ")


def test_the_receipt_is_among_the_others_and_denies_a_verdict(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plain, "rollback", lambda self, n: None)
    runtime = load(folder, speculation="prompt_lookup")
    runtime.exactness = check(runtime)
    (own,) = [r for r in receipts(runtime) if r.slot == events.EXACTNESS]
    assert not own.matches
    assert {"prompt", "token", "margin", "allowed", "seconds"} <= set(own.detail)


def test_a_difference_that_another_text_does_not_show_is_rounding_in_bf16_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where rounding sends one token to another expert."""
    for precision, matches in (("bf16", True), ("fp32", False)):
        runtime = load(folder, precision=precision, kv_cache="static")
        assert runtime.plain is not None
        right = runtime.plain.feed
        texts: list[int] = []

        def once(tokens: list[int], keep: int, right: Any = right, texts: list[int] = texts) -> Tensor:
            logits = right(tokens, keep)
            texts.append(len(tokens))
            return logits.flip(-1) if len(texts) == 5 else logits

        monkeypatch.setattr(runtime.plain, "feed", once)
        assert check(runtime).matches is matches


# -- refused beforehand --------------------------------------------------------------------------------------


def misfits(kind: str, **slots: Any) -> str:
    ((slot, method),) = slots.items()
    variant = Variant.model_validate({"name": "v", slot: method})
    return "; ".join(getattr(variant, slot).misfits(outline(config(kind))))


@pytest.mark.parametrize("method", ["quantized", "sliding_window"])
def test_a_cache_that_keeps_no_past_has_nothing_to_quantize_or_forget(method: str) -> None:
    for kind in ("mistral", "phi3_win", "starcoder2_win"):
        assert "every layer keeps a window of its own already" in misfits(kind, kv_cache=method)
    for kind in ("mamba", "falcon_h1", "recurrent_gemma"):
        assert misfits(kind, kv_cache=method)
    for kind in ("llama", "gemma2", "qwen3_next", "lfm2", "deepseek_v3"):
        assert misfits(kind, kv_cache=method) == ""


def test_attention_that_a_model_does_not_have_is_the_choice_s_fault() -> None:
    words = misfits("gpt_oss", attention="sdpa")
    assert words.startswith("it has no sdpa attention (it has eager")
    assert words.endswith("the model is fine, the choice is not")
    assert misfits("llama", attention="sdpa") == misfits("gpt_oss", attention="eager") == ""
    assert "flex_attention" in misfits("rwkv", attention="flex_attention")


def test_a_static_cache_is_refused_where_logits_are_others_with_it(tmp_path: Path) -> None:
    model = make("gpt_neo")
    fault = traces.cache_fault(model, caches.static(model), torch.float32, 96)
    assert fault.startswith("its logits are others with it (apart by ")
    assert traces.cache_fault(model, caches.dynamic(model), torch.float32, 96) == ""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traces, "cache_fault", lambda *_: fault)
        with pytest.raises(Unsuitable, match="KV cache: LlamaForCausalLM cannot use a static cache: its logits are"):
            load(save_tiny(tmp_path / "llama"), kv_cache="static")
    assert check(of_zoo("qwen3_next", tmp_path, kv_cache="static")).matches


def test_what_a_forward_pass_cannot_do_with_is_refused(tmp_path: Path) -> None:
    words = "FalconForCausalLM cannot use a {}: its forward pass fails"
    with pytest.raises(Unsuitable, match=words.format("static cache")):
        of_zoo("falcon_alibi", tmp_path, kv_cache="static")
    with pytest.raises(Unsuitable, match=words.format("window")):
        of_zoo("falcon_alibi", tmp_path, kv_cache="sliding_window")
    for slots in ({"batching": PAIR}, {"kv_cache": "static"}, {"kv_cache": "static", "batching": PAIR}):
        assert check(of_zoo("bloom", tmp_path, **slots)).matches


def test_memory_that_runs_out_in_a_trial_run_is_no_fault_of_the_model() -> None:
    def full(length: int, rows: int = 1) -> Any:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    with pytest.raises(RuntimeError, match="allocate"):
        traces.runs_on(tiny_model("llama"), full)


# -- rounding ------------------------------------------------------------------------------------------------


def row(*logits: float) -> Tensor:
    """A spread of 100 logits from -2 to 2, the first ones replaced."""
    spread = torch.linspace(-2, 2, 100)
    spread[: len(logits)] = torch.tensor(logits)
    return spread


def test_a_near_tie_in_bf16_is_rounding_and_in_fp32_is_not() -> None:
    one, other = Trace([0], [row(4.0, 3.96875)]), Trace([1], [row(3.96875, 4.0)])
    near = first_difference(one, other, torch.bfloat16)
    assert near is not None
    assert near.is_rounding
    clear = first_difference(one, other, torch.float32)
    assert clear is not None
    assert not clear.is_rounding
    assert clear.margin == pytest.approx(0.03125)


def test_a_near_tie_excuses_no_other_logits() -> None:
    other = Trace([1], [row(3.96875, 4.0).flip(0).roll(2)])
    found = first_difference(Trace([0], [row(4.0, 3.96875)]), other, torch.bfloat16)
    assert found is not None
    assert not found.is_rounding


def test_logits_that_are_wrong_are_found_though_the_token_is_right() -> None:
    found = first_difference(Trace([0], [row(9.0)]), Trace([0], [row(9.0) * 1.01]), torch.float32)
    assert found is not None
    assert (found.same_token, found.is_rounding) == (True, False)
    assert first_difference(Trace([0], [row(9.0)]), Trace([0], [row(9.0) * 1.01]), torch.bfloat16) is None


def test_no_numbers_are_no_rounding() -> None:
    found = first_difference(Trace([0], [row(9.0)]), Trace([0], [row(9.0, float("nan"))]), torch.bfloat16)
    assert found is not None
    assert not found.is_rounding
    forbidden = row(9.0, float("-inf"))
    assert distance(forbidden, forbidden.clone()) == 0.0


@pytest.mark.parametrize("kind", [*KINDS, "mixtral"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_rounding_stays_well_within_its_figure(kind: str, dtype: torch.dtype) -> None:
    """Ways that are the same on paper: with a cache and without, by sdpa and by eager attention."""
    model = tiny_model(kind).to(dtype)
    prompt = POOL[:40]
    plain = follow(base_decoder(model), prompt, 8, 8)
    model.set_attn_implementation("eager")
    allowed = traces.ROUNDING[dtype] * min(float(r.std()) for r in plain.rows)
    for decoder in (base_decoder(model), Recompute(model, base_decoder(model).make_cache)):
        other = follow(decoder, prompt, 8, 8)
        same = next((i for i, pair in enumerate(zip(plain.ids, other.ids, strict=True)) if pair[0] != pair[1]), 7)
        apart = [distance(*pair) for pair in zip(plain.rows[: same + 1], other.rows[: same + 1], strict=True)]
        assert max(apart) < allowed / 2


@pytest.mark.parametrize(
    ("slots", "dtype"),
    [
        ({}, torch.float32),
        ({"precision": "bf16"}, torch.bfloat16),
        ({"quantization": "int8_weight_only"}, torch.bfloat16),  # its kernels compute in bf16 inside
    ],
)
def test_the_figure_is_that_of_what_products_are_rounded_to(
    folder: Path, slots: dict[str, Any], dtype: torch.dtype
) -> None:
    assert load(folder, **slots).rounding == dtype


# -- prompts and cost ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("switches", "asked", "found"),
    [
        ([], (128, 32), (8, 128)),
        ([], (3, 32), (3, 3)),
        ([4096], (128, 32), (8, 128)),  # never reached
        ([16], (128, 32), (12, 128)),  # passed in the prompt: the first passes it in its answer
        ([140], (128, 32), (8, 128)),  # passed in the answer
        ([158], (128, 32), (8, 136)),
        ([300], (128, 512), (8, 288)),
        ([16, 300], (128, 512), (12, 288)),
    ],
)
def test_prompts_pass_the_switches_of_the_workload(
    switches: list[int], asked: tuple[int, int], found: tuple[int, int]
) -> None:
    assert exactness.lengths(*asked, switches) == found


def test_switches_are_read_from_the_config() -> None:
    assert exactness.switches(tiny_model("gemma2").config) == [16]
    assert exactness.switches(tiny_model("llama").config) == []
    assert exactness.switches(make("deepseek_v32").config) == [make("deepseek_v32").config.index_topk]
    longrope = {"rope_type": "longrope", "original_max_position_embeddings": 64}
    long = tiny_model("llama").config
    long.rope_parameters = {"rope_theta": 1e4, **longrope}
    assert exactness.switches(long) == [64]


class Slow:
    """A decoder that takes two seconds a step on the clock that the budget reads."""

    def __init__(self, inner: Any, tick: Callable[[], None]) -> None:
        self._inner, self._tick = inner, tick

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def start(self, prompt: list[int], new_tokens: int, sampler: Sampler) -> int:
        self._tick()
        return self._inner.start(prompt, new_tokens, sampler)

    def step(self) -> list[int]:
        self._tick()
        return self._inner.step()


def test_a_slow_model_is_compared_for_a_few_tokens(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def tick() -> None:
        now[0] += 2.0

    plain = exactness.base_decoder
    monkeypatch.setattr(exactness, "base_decoder", lambda model: Slow(plain(model), tick))
    runtime = load(folder, kv_cache="static")
    runtime.decoder = Slow(runtime.decoder, tick)
    proof = check(runtime)
    assert proof.matches
    assert proof.effective == "4 + 4 tokens as the plain decoder"
    assert proof.detail["seconds"] == 2 * 2 * exactness.LEAST * 2.0


def test_a_prompt_that_takes_too_long_is_cut(folder: Path) -> None:
    runtime = load(folder, kv_cache="static")
    proof = check(runtime, prefill_s=16.0)
    assert proof.detail["prompt_tokens"] == [8, 32]
    assert proof.detail["left_out"] == "prompts beyond 32 tokens were left out: they take too long"
    assert check(runtime, prefill_s=1.0).detail["prompt_tokens"] == [8, 128]


def test_one_new_token_is_compared(folder: Path) -> None:
    runtime = load(folder, kv_cache="static")
    runtime.workload = Workload(prompt_tokens=8, new_tokens=1)
    assert check(runtime).effective == "1 + 1 tokens as the plain decoder"


def test_a_budget_is_for_the_whole() -> None:
    assert Budget(1000.0, 4).share(0.5)(10)
    assert not Budget(0.0, 4).share(0.5)(4)
    assert Budget(0.0, 4).share(0.5)(3)


# -- files ---------------------------------------------------------------------------------------------------


def test_journals_of_older_versions_open() -> None:
    old = events.decode('{"t_ns":1,"event":"warm","warmup_s":1.5,"passes":2,"steady":true}')
    assert isinstance(old, events.Warm)
    assert old.compared_s == 0.0


def test_a_difference_says_whether_it_is_rounding() -> None:
    assert TraceDifference(1, 0.1, 0.2).is_rounding
    assert not TraceDifference(1, 0.3, 0.2).is_rounding
    assert not TraceDifference(1, float("nan"), 0.2).is_rounding
