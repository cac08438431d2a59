"""Drafts of every kind against the target's own greedy text, and the pace that decides how many to guess."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from core.engine.load.draft_model import preset_slots
from core.kernels.base import memory
from core.kernels.decoding.sampling import Sampler
from core.kernels.speculation.draft_length import EVERY, PROBE, AdaptiveDraftLength
from core.kernels.speculation.drafters import ModelDrafter, ReencodedDrafter, first_layers, vocabulary_difference
from core.kernels.speculation.speculative import DraftTokens, Speculative
from core.model.model_error import ModelError
from core.spec.variant import Unsuitable, Variant
from core.spec.workload import Workload
from tests.core.kernels.test_strategies import NEW, load, receipt, trial
from tests.core.tiny import KINDS, save_tiny, tiny_model, tiny_tokenizer


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


def drafting(runtime: Any) -> Speculative:
    assert isinstance(runtime.decoder, Speculative)
    return runtime.decoder


# -- drafts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cache", ["dynamic", "static"])
def test_early_exit_is_exact_and_shares_the_weights(tmp_path: Path, kind: str, cache: str) -> None:
    source = save_tiny(tmp_path, kind)
    runtime = load(source, speculation={"method": "early_exit", "share": 0.5, "adaptive": False}, kv_cache=cache)
    assert trial(runtime) == trial(load(source))
    proof = runtime.variant.speculation.receipt(runtime)
    assert proof.matches, proof
    assert "first 2 of 4 layers" in proof.effective
    assert proof.detail["draft_layers"] == 2
    drafter = drafting(runtime).drafter
    assert isinstance(drafter, ModelDrafter)
    own = {p.data_ptr() for p in runtime.model.parameters()}
    assert {p.data_ptr() for p in drafter.model.parameters()} <= own
    assert runtime.model.config.num_hidden_layers == 4


@pytest.mark.parametrize(
    "method",
    [
        {"quantization": "int8_weight_only"},
        {"quantization": "int4_weight_only", "drop": 0.3},
        {"quantization": "none", "drop": 0.5},
    ],
    ids=str,
)
def test_a_copy_of_the_target_drafts(folder: Path, method: dict[str, Any]) -> None:
    runtime = load(folder, speculation={"method": "self_draft", "adaptive": False, "draft_tokens": 3, **method})
    assert trial(runtime) == trial(load(folder))
    proof = receipt(runtime)
    assert proof.matches, proof
    weights = proof.detail["draft_weights_bytes"]
    assert isinstance(weights, int)
    assert weights < runtime.weights_bytes_before
    assert runtime.draft_bytes == weights
    drafter = drafting(runtime).drafter
    assert memory.unmap(drafter.model) == 0  # nothing of the file is kept for the sake of a norm
    if method["quantization"] == "int8_weight_only":  # nearly the target itself
        assert drafting(runtime).accepted > 0.5 * drafting(runtime).drafted


def test_a_copy_that_is_not_as_asked_for_is_seen(folder: Path) -> None:
    runtime = load(folder, speculation={"method": "self_draft", "quantization": "int8_weight_only"})
    assert receipt(runtime).matches
    drafter = drafting(runtime).drafter
    assert isinstance(drafter, ModelDrafter)
    drafter.fault = "int8: 0 of 28 Linear layers"
    assert not receipt(runtime).matches
    assert receipt(runtime).detail["fault"] == drafter.fault


def test_a_preset_drafts(folder: Path, tmp_path: Path) -> None:
    preset = tmp_path / "light.json"
    preset.write_text(json.dumps({"variant": {"name": "x", "quantization": {"method": "int8_weight_only"}}}))
    runtime = load(folder, speculation={"method": "self_draft", "preset": str(preset)})
    assert "int8_weight_only" in receipt(runtime).effective
    assert trial(runtime) == trial(load(folder))
    with pytest.raises(ModelError, match="cannot be read"):
        load(folder, speculation={"method": "self_draft", "preset": "no such one"})
    preset.write_text("[]")
    with pytest.raises(ModelError, match="not a preset"):
        load(folder, speculation={"method": "self_draft", "preset": str(preset)})


def test_the_newest_version_of_a_preset_drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNO_DATA", str(tmp_path))
    (tmp_path / "presets").mkdir()
    for stem, method in (("a", "nf4"), ("a@2", "int8_weight_only"), ("a@10", "int4_weight_only"), ("a@x", "fp4")):
        text = json.dumps({"variant": {"name": "a", "quantization": {"method": method}}})
        (tmp_path / "presets" / f"{stem}.json").write_text(text)
    found = {name: preset_slots(name)["quantization"]["method"] for name in ("a", "a@1", "a@2", "a@10")}
    assert found == {"a": "int4_weight_only", "a@1": "nf4", "a@2": "int8_weight_only", "a@10": "int4_weight_only"}
    (tmp_path / "presets" / "a-b.json").write_text((tmp_path / "presets" / "a.json").read_text())
    assert preset_slots("a + b")["quantization"]["method"] == "nf4"  # a name as it was given, not as files have it


def test_another_model_drafts(folder: Path, tmp_path: Path) -> None:
    other = save_tiny(tmp_path, seed=3)
    runtime = load(folder, speculation={"method": "draft_model", "model": str(other), "adaptive": False})
    assert trial(runtime) == trial(load(folder))
    proof = receipt(runtime)
    assert proof.matches
    assert proof.detail["draft_device"] == "cpu"
    assert proof.detail["drafted"] == drafting(runtime).drafted > 0


class Drawn:
    """A decoder that notes what it is fed, and whose next token is a given one."""

    reach = 99

    def __init__(self, width: int, likely: int) -> None:
        self.logits = torch.zeros(1, width).index_fill_(1, torch.tensor(likely), 9.0)
        self.fed: list[int] = []

    def begin(self, length: int) -> None: ...
    def rollback(self, count: int) -> None: ...

    def feed(self, tokens: list[int], rows: int) -> torch.Tensor:
        self.fed += tokens
        return self.logits


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_embeddings_that_are_padded_to_other_sizes(temperature: float) -> None:
    """Ids that the draft lacks are fed as another, and ids that the target lacks are never guessed."""
    draft = tiny_model("llama")
    rows = draft.get_input_embeddings().num_embeddings
    sampler = Sampler(temperature=temperature)
    drafter = ModelDrafter(draft, "draft", ids=rows + 100)
    drafter.decoder = Drawn(rows, 5)
    drafter.start([1, rows, 3, rows + 99], 20, sampler)
    assert drafter.decoder.fed == [1, 0, 3, 0]
    drafter.propose([1, rows, 3, rows + 99, 4], 2)
    assert drafter.decoder.fed[4:] in (
        [4, token] for token in range(rows)
    )  # what was fed is known by what it stood for
    narrow = ModelDrafter(draft, "draft", ids=300)
    narrow.decoder = Drawn(rows, 310)
    narrow.start([1], 20, sampler)
    assert all(token < 300 for token in narrow.propose([1, 2], 9).tokens)


@pytest.mark.parametrize("sizes", [(384, 320), (320, 384)])
def test_a_draft_of_another_width_runs_to_its_end(tmp_path: Path, sizes: tuple[int, int]) -> None:
    folders = [save_tiny(tmp_path / str(n), seed=n, vocab_size=size) for n, size in enumerate(sizes)]
    draft = {"method": "draft_model", "model": str(folders[1]), "adaptive": False}
    runtime = load(folders[0], speculation=draft)
    assert trial(runtime) == trial(load(folders[0]))
    decoder = drafting(runtime)
    found = [decoder.start([1, 2, 3], 200, Sampler(temperature=9.0))]
    while len(found) < 200:
        found += decoder.step()
    assert max(found) < sizes[0]
    assert (max(found) >= 320) == (sizes[0] == 384)  # what is padding for the draft was generated
    assert decoder.drafted > 0


def test_a_word_that_the_target_has_no_id_for_is_not_guessed() -> None:
    class Words:
        def encode(self, text: str, add_special_tokens: bool = False) -> list[int]:
            return [1, 2, 700, 3] if text == "guess" else [9]

        def decode(self, ids: list[int]) -> str:
            return "xguess"[:1] if len(ids) < 2 else "xguess"

    class Inner:
        def propose(self, context: list[int], k: int) -> DraftTokens:
            return DraftTokens([5])

    drafter = ReencodedDrafter(Inner(), Words(), Words(), ids=700)  # type: ignore[arg-type]
    assert drafter.propose([4], 4).tokens == [1, 2]


def test_another_tokenizer_is_named_and_may_be_re_encoded(folder: Path, tmp_path: Path) -> None:
    other = save_tiny(tmp_path)
    text = (other / "tokenizer.json").read_text("utf-8")
    data = json.loads(text)
    vocab = data["model"]["vocab"]
    first, second = (next(t for t, i in vocab.items() if i == n) for n in (97, 98))
    vocab[first], vocab[second] = 98, 97
    (other / "tokenizer.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(Unsuitable, match="id 97 is 'a' for the model and 'b' for the draft"):
        load(folder, speculation={"method": "draft_model", "model": str(other)})
    runtime = load(
        folder,
        speculation={
            "method": "draft_model", "model": str(other), "other_tokenizer": "re-encode", "adaptive": False,
        },
    )  # fmt: skip
    assert isinstance(drafting(runtime).drafter, ReencodedDrafter)
    assert trial(runtime) == trial(load(folder))
    assert "re-encoded" in receipt(runtime).effective


def test_a_draft_that_is_missing_or_pointless_is_refused(folder: Path) -> None:
    def reasons(**method: Any) -> list[str]:
        variant = Variant.model_validate({"name": "v", "speculation": method})
        return variant.speculation.conflicts(variant, None, Workload())

    assert "name the draft model" in reasons(method="draft_model")[0]
    assert "the target itself" in reasons(method="self_draft", quantization="none")[0]
    assert reasons(method="self_draft") == []
    with pytest.raises(ModelError, match="no such"):
        load(folder, speculation={"method": "draft_model", "model": "/no/such/folder"})


def test_drafts_outside_the_loop_are_seen(folder: Path) -> None:
    for method in ("early_exit", "self_draft", "prompt_lookup"):
        assert not receipt(load(folder, decode=False, speculation=method)).matches
    runtime = load(folder, speculation="early_exit")
    runtime.variant = Variant.model_validate({"name": "v", "speculation": "prompt_lookup"})
    assert not receipt(runtime).matches  # another drafter than the one that was asked for


def test_vocabularies_are_compared_id_by_id() -> None:
    assert vocabulary_difference(tiny_tokenizer(), tiny_tokenizer(chat_template=False)) == ""


def test_a_cut_model_computes_what_its_layers_give() -> None:
    model = tiny_model("llama")
    ids = torch.tensor([[5, 6, 7]])
    with torch.inference_mode():
        hidden = model(ids, output_hidden_states=True).hidden_states[2]
        expected = model.lm_head(model.model.norm(hidden))
        assert torch.allclose(first_layers(model, 2)(ids).logits, expected, atol=1e-5)


# -- the pace -----------------------------------------------------------------------------------------------


def play(
    pace: AdaptiveDraftLength, passes: int, agrees: float, draft_s: float, step_s: dict[int, float], seed: int = 0
) -> list[int]:
    """Feed made-up passes: every guess is right with probability `agrees`; the lengths that were chosen."""
    generator = torch.Generator().manual_seed(seed)
    lengths = []
    for now in range(passes):
        k = pace.draft_tokens
        lengths.append(k)
        right = 0
        while right < k and float(torch.rand((), generator=generator)) < agrees:
            right += 1
        pace.note(k, right, k * draft_s, step_s[k + 1], now)
    return lengths


FLAT = dict.fromkeys(range(1, 10), 1.0)  # verification is free
STEEP = {m: float(m) for m in range(1, 10)}  # it costs as much as decoding


def test_good_guesses_go_on() -> None:
    pace = AdaptiveDraftLength(8)
    lengths = play(pace, 200, 0.9, 0.02, FLAT)
    assert lengths[-1] >= 6
    assert not any(c.what == "plain decoding" for c in pace.changes)
    predicted = pace.predicted(4)
    assert predicted is not None
    alpha = pace.acceptance
    assert alpha == pytest.approx(0.9, abs=0.1)
    expected = (1 - alpha**5) / (1 - alpha) / (4 * 0.02 + 1.0)
    assert predicted == pytest.approx(expected, rel=1e-6)


def test_bad_guesses_fall_back_and_are_tried_again() -> None:
    pace = AdaptiveDraftLength(5)
    lengths = play(pace, 400, 0.1, 0.3, STEEP)
    words = [c.what for c in pace.changes]
    assert "plain decoding" in words
    stopped = lengths.index(0, 3)
    assert stopped <= 3 + 4 * EVERY  # twice in a row below, so not at the first decision
    assert stopped >= 2 * EVERY
    assert lengths[stopped : stopped + PROBE] == [0] * PROBE
    assert words.count("speculation probes") >= 3
    assert max(lengths[stopped + PROBE + 1 :]) > 0
    assert "speculation resumes" not in words


def test_it_resumes_when_guesses_become_right() -> None:
    pace = AdaptiveDraftLength(4)
    play(pace, 60, 0.0, 0.3, FLAT)
    assert pace.draft_tokens == 0
    play(pace, 300, 1.0, 0.05, FLAT)
    assert any(c.what == "speculation resumes" for c in pace.changes)
    assert pace.draft_tokens > 0
    assert all(c.detail for c in pace.changes)


def test_expensive_guesses_are_kept_few() -> None:
    pace = AdaptiveDraftLength(8)
    play(pace, 400, 0.6, 0.1, {m: 1 + 0.25 * (m - 1) for m in range(1, 10)})
    assert 1 <= pace.draft_tokens <= 4 or any(c.what == "plain decoding" for c in pace.changes)
    assert any("draft length 8 →" in c.what for c in pace.changes)


def test_what_is_fed_again_is_part_of_the_price() -> None:
    """A pass that carries tokens for the second time is wider, and no plain step is measured by it."""
    step_s = {m: 1 + 0.1 * (m - 1) for m in range(1, 16)}
    free, dear = AdaptiveDraftLength(4), AdaptiveDraftLength(4)
    for pace, again in ((free, 0), (dear, 6)):
        for now in range(40):
            drafted = 4 if now >= 3 else 0
            extra = again if now >= 3 else 0
            pace.note(drafted, drafted // 2, 0.0, step_s[drafted + 1 + extra], now, extra)
        pace.note(0, 0, 0.0, step_s[1 + again], 40, again)  # what waits after a rejection goes with a plain step too
        assert pace._step_s[1] == pytest.approx(1.0)
    found = free.predicted(4), dear.predicted(4)
    assert found[0] is not None
    assert found[1] is not None
    assert found[0] / found[1] == pytest.approx(step_s[11] / step_s[5], rel=0.1)


def test_nothing_is_predicted_from_nothing() -> None:
    pace = AdaptiveDraftLength(5)
    assert pace.predicted(3) is None
    assert pace.acceptance is None
    assert pace.draft_tokens == 0  # the plain step is measured first
    for _ in range(100):
        pace.note(0, 0, 0.0, 1.0, 0)
    assert pace.changes == []
    assert pace.draft_tokens == 5  # a lookup that found nothing is no reason to stop looking


def test_a_pace_does_not_change_the_tokens(folder: Path) -> None:
    plain = trial(load(folder))
    for method in ({"method": "prompt_lookup"}, {"method": "early_exit", "share": 0.25}):
        runtime = load(folder, speculation=method)
        for _ in range(6):
            assert trial(runtime) == plain
        pace = drafting(runtime).pace
        assert pace is not None
        assert pace.passes > NEW
