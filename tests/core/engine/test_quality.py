"""Formulas of quality against cases that were computed by hand, and against a few plain lines in float64."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pydantic import ValidationError

from core.protocol import events
from core.quality import distribution_metrics, evaluation_text
from core.spec.gate import Gate

LOGITS = arrays(np.float64, (3, 6), elements=st.floats(-30, 30))


def plain_kld(base: list[float], other: list[float]) -> float:
    """Of two lists of logits, with no help but math."""
    p = [math.exp(x) for x in base]
    q = [math.exp(x) for x in other]
    p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
    return math.fsum(a * math.log(a / b) for a, b in zip(p, q, strict=True))


def test_a_divergence_by_hand():
    # base: 1/2, 1/4, 1/4; other: 1/4, 1/2, 1/4. KLD = 1/2 ln 2 + 1/4 ln 1/2 + 0 = 1/4 ln 2
    base, other = np.log([[0.5, 0.25, 0.25]]), np.log([[0.25, 0.5, 0.25]])
    assert distribution_metrics.kld(base, other)[0] == pytest.approx(math.log(2) / 4, rel=1e-12)
    assert distribution_metrics.log_loss(other, [1])[0] == pytest.approx(math.log(2))


def test_a_token_without_probability():
    base, other = np.array([[0.0, -np.inf]]), np.log([[0.5, 0.5]])
    assert distribution_metrics.kld(base, other)[0] == pytest.approx(math.log(2))  # 0 ln 0 is 0
    assert distribution_metrics.kld(other, base)[0] == np.inf


@given(LOGITS, LOGITS)
def test_divergence_is_that_of_the_plain_computation(a, b):
    found = distribution_metrics.kld(distribution_metrics.log_softmax(a), distribution_metrics.log_softmax(b))
    for row, x, y in zip(found, a.tolist(), b.tolist(), strict=True):
        assert row >= 0
        assert row == pytest.approx(plain_kld(x, y), rel=1e-9, abs=1e-12)


@given(LOGITS)
def test_a_distribution_does_not_diverge_from_itself(a):
    lp = distribution_metrics.log_softmax(a)
    assert np.exp(lp).sum(axis=-1) == pytest.approx(1)
    assert distribution_metrics.kld(lp, lp).tolist() == [0, 0, 0]
    rounded = distribution_metrics.log_softmax(lp.astype(np.float16))  # as the reference is stored
    assert (distribution_metrics.kld(rounded, lp) < 1e-4).all()


def test_sums_of_chunks_by_hand():
    # two chunks of 4 and 2 tokens; loss 6 and 3 nats against 4 and 2 of the baseline
    found = distribution_metrics.figures((4, 2), (0.4, 0.2), (4, 1), (6.0, 3.0), (4.0, 2.0))
    assert found is not None
    assert found.tokens == 6
    assert found.kld_mean == pytest.approx(0.1)
    assert found.same_top_pct == pytest.approx(100 * 5 / 6)
    assert found.perplexity == pytest.approx(math.exp(1.5))
    assert found.ppl_ratio == pytest.approx(math.exp(0.5))
    assert (found.kld_se, found.ppl_ratio_low, found.ppl_ratio_high) == (None, None, None)  # two chunks say nothing
    assert distribution_metrics.figures((), (), (), (), ()) is None


def test_the_standard_error_is_that_of_a_mean_of_chunks():
    rng = np.random.default_rng(0)
    sums = rng.gamma(2, 0.3, 400)
    found = distribution_metrics.figures((64,) * 400, tuple(sums), (60,) * 400, tuple(sums + 100), (100.0,) * 400)
    assert found is not None
    assert found.kld_se == pytest.approx(sums.std(ddof=1) / 64 / 20, rel=0.05)
    half = 1.96 * found.kld_se  # the log-loss differs from the baseline's by the same sums
    assert math.log(found.ppl_ratio_low) == pytest.approx(found.kld_mean - half, rel=0.03)
    assert math.log(found.ppl_ratio_high) == pytest.approx(found.kld_mean + half, rel=0.03)


def test_what_makes_a_passage_hard_cancels():
    """Pairing: chunks of very different loss, and a variant that is always 1 % worse."""
    base = tuple(np.linspace(10, 400, 40))
    found = distribution_metrics.figures((64,) * 40, (0.1,) * 40, (64,) * 40, tuple(x + 0.64 for x in base), base)
    assert found is not None
    assert found.ppl_ratio_low == pytest.approx(math.exp(0.01))
    assert found.ppl_ratio_high == pytest.approx(math.exp(0.01))


@pytest.mark.parametrize(("n", "p99", "p999"), [(458, False, False), (459, True, False), (20_000, True, True)])
def test_percentiles_need_observations(n, p99, p999):
    values = np.arange(n) / n
    assert (distribution_metrics.percentile(values, 99) is not None) == p99
    assert (distribution_metrics.percentile(values, 99.9) is not None) == p999
    if p99:
        assert distribution_metrics.percentile(values, 99) == pytest.approx(0.99, abs=0.003)


def test_the_histogram_counts_every_token():
    counts = distribution_metrics.histogram([0, 1e-9, 1e-4, 0.5, 1e3])
    assert sum(counts) == 5
    assert (counts[0], counts[-1]) == (2, 1)
    assert len(counts) == len(distribution_metrics.HISTOGRAM_EDGES) - 1


@pytest.mark.parametrize(
    ("figures", "colour"),
    [
        ((0.0, 100.0, 1.0), "green"),
        ((0.00999, 97.0, 1.01), "green"),
        ((0.01, 97.0, 1.01), "amber"),  # below, not at
        ((0.001, 96.99, 1.01), "amber"),
        ((0.001, 99.0, 1.0101), "amber"),
        ((0.0499, 92.0, 1.05), "amber"),
        ((0.05, 99.0, 1.0), "red"),
        ((0.001, 91.9, 1.0), "red"),
        ((0.001, 99.0, 1.051), "red"),
        ((None, 99.0, 1.0), ""),
        ((0.001, None, 1.0), ""),
        ((0.001, 99.0, None), ""),
    ],
)
def test_edges_of_the_gate(figures, colour):
    assert Gate().colour(*figures) == colour


def test_the_gate_can_be_edited_and_not_turned_round():
    assert Gate(kld_green=0.2, kld_amber=0.3).colour(0.1, 99.0, 1.0) == "green"
    for wrong in ({"kld_green": 0.06}, {"same_top_amber": 98.0}, {"ppl_green": 1.2}, {"kld_green": -1.0}):
        with pytest.raises(ValidationError):
            Gate(**wrong)


def test_the_built_in_text_is_long_enough():
    prose = evaluation_text.text("prose")
    assert len(prose.encode()) > 140_000  # some 33,000 tokens of the demo model
    assert len(set(prose.split("\n\n"))) == len(prose.split("\n\n"))  # no passage twice
    assert evaluation_text.text("prose", 1000) == prose[:1000]


def test_texts_that_cannot_be_used(tmp_path):
    for name, data, word in (
        ("x.pdf", b"x", "not a .txt file"),
        ("none.txt", None, "cannot be read"),
        ("latin.txt", b"caf\xe9 au lait", "not UTF-8"),
        ("empty.txt", b" \n", "holds no text"),
    ):
        if data is not None:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(evaluation_text.TextError, match=word) as caught:
            evaluation_text.text(str(tmp_path / name))
        assert str(caught.value).startswith("quality.text: ")
    own = tmp_path / "own.txt"
    own.write_text("\ufeffMy own words.", "utf-8")
    assert evaluation_text.text(str(own)) == "My own words."


@pytest.mark.parametrize(
    "columns",
    [
        {"chunk_nll": [1.0]},
        {"chunk_kld": [1.0]},
        {"chunk_same_top": [1, 2, 3]},
        {"chunk_tokens": [0, 4]},
        {"chunk_base_nll": []},
    ],
)
def test_sums_that_cannot_be_are_no_event(columns):
    whole = {
        "role": "compare", "window": 8, "vocabulary": 9, "chunk_tokens": [4, 4], "chunk_nll": [1.0, 2.0],
        "chunk_base_nll": [1.0, 2.0], "chunk_kld": [0.1, 0.2], "chunk_same_top": [4, 3],
    }  # fmt: skip
    assert events.decode(events.Quality.model_validate(whole).line()).chunk_kld == [0.1, 0.2]
    with pytest.raises(ValidationError):
        events.Quality.model_validate({**whole, **columns})
