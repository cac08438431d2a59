"""A text through a variant's own decode path, against one plain forward pass; what a quality command makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.engine.base.failures import Refused
from core.engine.serve import quality as judging
from core.engine.serve.quality import Windows, judge
from core.kernels.caches import caches
from core.kernels.decoding.teacher_forcing import forced_logits
from core.protocol import events
from core.protocol.commands import QualityCommand
from core.quality import distribution_metrics
from tests.core.kernels.test_strategies import load
from tests.core.tiny import BOS, save_tiny, tiny_tokenizer

TEXT = "It is a truth universally acknowledged, that a single man must be in want of a wife. " * 3
IDS = list(TEXT.encode())


class Sink:
    """A channel that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def enter(self, phase: str) -> None:
        self.sent.append(events.Phase(phase=phase))  # type: ignore[arg-type]

    def send(self, event: events.Event) -> None:
        self.sent.append(event)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path))
    return tmp_path / "quality"


def told(runtime: Any, role: str, tokens: int = 96, window: int = 32, text: str = TEXT) -> events.Quality:
    sink = Sink()
    command = QualityCommand(role=role, reference="0123456789ab", tokens=tokens, window=window, text=text)  # type: ignore[arg-type]
    judge(runtime, command, sink)  # type: ignore[arg-type]
    assert sink.sent[0].phase == "quality"
    progress = [e.done for e in sink.sent if isinstance(e, events.Progress)]
    assert progress == sorted(progress)
    assert progress[-1] == tokens
    return sink.sent[-1]


def straight(model: Any, context: list[int], scored: list[int]) -> torch.Tensor:
    """The logits of one plain forward pass."""
    with torch.inference_mode():
        ids = torch.tensor([context + scored])
        return model(ids, use_cache=False).logits[0, len(context) - 1 : -1]


@pytest.mark.parametrize(
    "slots",
    [
        {},
        {"kv_cache": "static"},
        {"kv_cache": "none"},
        {"kv_cache": {"method": "quantized", "format": "int8", "window": 512}},
        {"fusion": "fused_projections"},
        {"prefix_cache": "prefix_reuse"},
        {"speculation": "prompt_lookup"},
        {"speculation": "prompt_lookup", "kv_cache": "static"},
        {"batching": "continuous"},
    ],
    ids=str,
)
def test_exact_variants_say_what_one_forward_pass_says(folder: Path, slots: dict[str, Any]) -> None:
    runtime = load(folder, **slots)
    assert runtime.plain is not None
    found = torch.cat(list(forced_logits(runtime.plain, IDS[:20], IDS[20:51])))
    torch.testing.assert_close(found, straight(runtime.model, IDS[:20], IDS[20:51]), rtol=1e-4, atol=1e-4)


def test_a_cache_that_forgets_is_seen_token_by_token(folder: Path) -> None:
    """The second token after a pass sees the quantized first: what decoding does, and a wide pass would not."""
    slots = {"kv_cache": {"method": "quantized", "format": "int4", "window": 0, "block": 1}}
    runtime = load(folder, **slots)
    decoder = runtime.plain
    assert decoder is not None
    found = torch.cat(list(forced_logits(decoder, IDS[:20], IDS[20:40])))
    with torch.inference_mode():
        decoder.begin(40)
        single = [decoder.feed(IDS[:20], 1), *(decoder.feed([i], 1) for i in IDS[20:39])]
    torch.testing.assert_close(found, torch.cat(single))
    exact = straight(runtime.model, IDS[:20], IDS[20:40])
    assert (found - exact).abs().max() > 1e-2


def test_a_compiled_step_takes_part(folder: Path) -> None:
    runtime = load(folder, kv_cache="static")
    decoder, steps = runtime.plain, []
    assert decoder is not None

    name, _ = caches.forward_arguments(decoder.model)

    def one(ids: torch.Tensor, places: torch.Tensor, cache: Any) -> torch.Tensor:
        assert int(places) == int(cache.get_seq_length())
        steps.append(int(ids))
        return decoder.model(ids, **{name: cache}, use_cache=True).logits[0, -1:]

    decoder.forward_one = one
    found = torch.cat(list(forced_logits(decoder, IDS[:20], IDS[20:40])))
    assert steps == IDS[20:39]
    assert len(found) == 20


def test_no_text_is_kept_for_later_prompts(folder: Path) -> None:
    runtime = load(folder, prefix_cache="prefix_reuse")
    decoder = runtime.plain
    assert decoder is not None
    store = decoder.prefixes
    assert store is not None
    told(runtime, "reference")
    assert decoder.prefixes is store
    decoder.begin(64)
    assert store.restore(IDS[:40], decoder.cache) == 0


def test_windows_by_hand() -> None:
    found = list(Windows(list(range(100)), [BOS], tokens=10, window=8))
    assert found == [
        ([BOS, 0, 1, 2, 3], [4, 5, 6, 7]),
        ([BOS, 4, 5, 6, 7], [8, 9, 10, 11]),
        ([BOS, 8, 9, 10, 11], [12, 13]),
    ]
    assert Windows.needed(10, 8) == 14


def test_the_baseline_against_itself(folder: Path, cache: Path) -> None:
    runtime = load(folder)
    reference = told(runtime, "reference")
    assert runtime.plain is not None
    losses = [
        sum(float(part.sum()) for part in judging.log_losses(runtime.plain, context, scored))
        for context, scored in Windows(IDS, [], tokens=96, window=32)
    ]
    assert reference.chunk_nll == pytest.approx(losses)
    assert (reference.role, sum(reference.chunk_tokens), reference.vocabulary) == ("reference", 96, 320)
    (file,) = cache.iterdir()
    assert file.stat().st_size > 96 * 320 * 2
    same = told(load(folder), "compare")
    assert same.chunk_same_top == same.chunk_tokens == [16] * 6
    assert max(same.chunk_kld) / 16 < 1e-5  # what fp16 leaves
    assert same.chunk_nll == pytest.approx(same.chunk_base_nll, rel=1e-9)
    judging.forget("0123456789ab")
    assert list(cache.iterdir()) == []


def test_quantized_weights_against_an_independent_computation(folder: Path) -> None:
    told(load(folder), "reference")
    runtime = load(folder, quantization="int8_weight_only")
    found = told(runtime, "compare")
    base = load(folder).model.double()
    expected_kld, expected_loss = [], []
    for start in range(0, 96, 16):
        context, scored = IDS[start : start + 16], IDS[start + 16 : start + 32]
        p = straight(base, context, scored).log_softmax(-1)
        q = straight(runtime.model, context, scored).double().log_softmax(-1)
        expected_kld.append(float((p.exp() * (p - q)).sum()))
        expected_loss.append(-float(q.gather(1, torch.tensor(scored)[:, None]).sum()))
    assert found.chunk_kld == pytest.approx(expected_kld, rel=0.02, abs=1e-4)
    assert found.chunk_nll == pytest.approx(expected_loss, rel=1e-4)
    assert 0 < sum(found.chunk_kld) / 96 < 0.1
    figures = distribution_metrics.figures(
        tuple(found.chunk_tokens), tuple(found.chunk_kld), tuple(found.chunk_same_top), tuple(found.chunk_nll),
        tuple(found.chunk_base_nll),
    )  # fmt: skip
    assert figures is not None
    assert figures.same_top_pct > 80


def test_a_text_that_is_too_short(folder: Path, cache: Path) -> None:
    with pytest.raises(Refused, match="has 50 tokens, and 112 are needed") as caught:
        told(load(folder), "reference", text=TEXT[:50])
    assert "quality.tokens to at most 34" in caught.value.hint
    with pytest.raises(Refused) as caught:
        told(load(folder), "reference", text="short")
    assert caught.value.hint == "Give a longer text."
    assert not cache.exists() or not list(cache.iterdir())


def test_another_vocabulary_is_refused(folder: Path, tmp_path: Path) -> None:
    told(load(folder), "reference")
    other = load(folder)
    other.model.resize_token_embeddings(328)
    with pytest.raises(Refused, match="328 tokens and the baseline's 320"):
        told(other, "compare")


def test_a_reference_that_is_not_there(folder: Path) -> None:
    with pytest.raises(Refused, match="are not in") as caught:
        told(load(folder), "compare")
    assert "DYNO_CACHE" in caught.value.hint


def test_logits_that_are_not_numbers_end_it_and_the_file(folder: Path, cache: Path) -> None:
    runtime = load(folder)
    runtime.model.lm_head.weight.data.fill_(float("nan"))
    with pytest.raises(Refused, match="not finite"):
        told(runtime, "reference")
    assert list(cache.iterdir()) == []


def test_a_disk_that_is_too_small(folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 1000}))
    with pytest.raises(Refused, match="are free in"):
        told(load(folder), "reference")
    assert list(cache.iterdir()) == []


def test_what_killed_engines_left_is_swept(folder: Path, cache: Path) -> None:
    cache.mkdir(parents=True)
    gone, mine, strange = (cache / f"{n}.logprobs" for n in ("aa-999999999", "bb-1", "cc"))
    for path in (gone, mine, strange):
        path.write_bytes(b"x")
    told(load(folder), "reference")
    assert not gone.exists()
    assert mine.exists()
    assert strange.exists()


def test_a_window_beyond_the_context(folder: Path) -> None:
    runtime = load(folder)
    runtime.facts = runtime.facts.model_copy(update={"context": 24})
    with pytest.raises(Refused, match="context of 24") as caught:
        told(runtime, "reference")
    assert "at most 24" in caught.value.hint


def test_a_beginning_of_the_tokenizer_precedes_every_window(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "beginning", lambda tokenizer: [BOS])
    runtime = load(folder)
    found = told(runtime, "reference")
    q = straight(runtime.model, [BOS, *IDS[:16]], IDS[16:32]).double().log_softmax(-1)
    assert found.chunk_nll[0] == pytest.approx(-float(q[np.arange(16), IDS[16:32]].sum()), rel=1e-4)
    assert len(told(runtime, "compare").chunk_kld) == 6
    assert tiny_tokenizer().encode("It") == IDS[:2]
