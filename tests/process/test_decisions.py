"""What the decode loop does by itself reaches the log: a real engine with a draft that cannot pay, and one that
compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.protocol import events
from tests.core.tiny import save_tiny
from tests.process.engine_child import Child, load, trial, warm

OFFSET = 10**15


def test_a_fallback_is_an_event_with_its_reason(tmp_path: Path) -> None:
    """Half of a random model never agrees with the whole, and costs half of it."""
    variant = {"precision": "fp32", "speculation": {"method": "early_exit", "share": 0.5}}
    with Child(tmp_path / "cache") as child:
        child.tell(load(save_tiny(tmp_path / "llama"), variant, OFFSET, new_tokens=64))
        child.tell(warm())
        first = child.tell(trial(0))
        child.tell(trial(1))
        decisions = [e for e in child.seen if isinstance(e, events.Decision)]
    words = [d.what for d in decisions]
    assert "plain decoding" in words
    fallback = decisions[words.index("plain decoding")]
    assert "predicted 0." in fallback.detail
    assert "acceptance" in fallback.detail
    assert fallback.round is None  # the warm-up taught it, before anything was measured
    assert fallback.t_ns > OFFSET  # on the clock of the run, when it was taken
    ended = next(e for e in child.seen if isinstance(e, events.Warm))
    assert fallback.t_ns < ended.t_ns
    done = next(e for e in first if isinstance(e, events.TrialDone))
    assert done.drafted < 32  # it decoded plainly but for a probe
    assert done.flags == [f for f in done.flags if "compil" not in f]


@pytest.mark.long
def test_a_compiled_step_is_warm_before_it_is_measured_and_cached(tmp_path: Path) -> None:
    variant = {"precision": "fp32", "compilation": "torch_compile", "kv_cache": "static"}
    model = save_tiny(tmp_path / "llama", num_hidden_layers=1)  # layers are unrolled, and compiled one by one
    for _ in range(2):  # the second engine finds what the first one compiled
        with Child(tmp_path / "cache") as child:
            child.tell(load(model, variant))
            child.tell(warm())
            done = next(e for e in child.tell(trial(0)) if isinstance(e, events.TrialDone))
            assert not any("compil" in flag for flag in done.flags)
            compiled = [e for e in child.seen if isinstance(e, events.Decision) and e.what == "compiled"]
            assert [e.round for e in compiled] == [None]  # once, in the warm-up
            proof = [e for e in child.seen if isinstance(e, events.Receipts)][-1].receipts
            found = next(r for r in proof if r.slot == "compilation")
            assert found.matches, found
    assert any((tmp_path / "cache" / "inductor").iterdir())
