"""Quality with real engines on a tiny model: through a whole run, and cancelled in the middle of the reference."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.analysis.compare import compare
from core.base.folders import cache_folder
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.results.journal import open_results
from core.results.results import Results
from core.run.run import Run
from core.spec import experiment as spec
from tests.core.tiny import save_tiny

RECIPES = [
    {"name": "fp32", "precision": "fp32"},
    {"name": "int8", "precision": "fp32", "quantization": "int8_weight_only"},
]


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    opened = EnginePool()
    yield opened
    opened.close()


def experiment(folder: Path, **quality) -> spec.Experiment:
    work = {"prompt_tokens": 40, "new_tokens": 4, "trials": 1}
    return spec.parse({"model": {"source": str(folder)}, "workload": work, "quality": quality, "variant": RECIPES})


def test_a_run_with_quality_and_one_that_is_cancelled_in_it(pool, tmp_path):
    folder = save_tiny(tmp_path / "model")
    run = Run(experiment(folder, tokens=1024, window=64, prompts=3, answer_tokens=8), pool, tmp_path / "run")
    results = Results("run")
    for event in run:
        results.fold(event)
    assert results.finished.status == "ok"
    base, int8 = compare(results).variants
    assert (base.status, int8.status) == ("ok", "ok")
    assert (base.quality_status, base.quality_tokens) == ("reference", 1024)
    assert 1e-6 < int8.kld_mean < 0.1
    digests = {state.quality.text_sha256 for state in results.variants.values()}
    assert len(digests) == 1  # all read the same ids
    assert len(digests.pop()) == 64
    assert int8.same_top_pct > 80
    assert int8.kld_p99 > int8.kld_mean
    assert int8.ppl_ratio_low < int8.ppl_ratio < int8.ppl_ratio_high
    assert (base.suite_total, int8.suite_total, base.exact_match_pct) == (20, 20, None)
    assert int8.exact_match_pct is not None
    assert (base.interface_ok, int8.interface_ok, int8.interface) == (None, True, "")
    assert results.variants["int8"].memory.peak("process", "trial")
    assert list((cache_folder() / "quality").iterdir()) == []
    assert compare(open_results(tmp_path / "run")) == compare(results)
    line = results.variants["int8"].quality.line()
    assert len(line) < 10_000  # sums, no distributions

    # The engines are warm now. What they generate is what they generated before: quality left nothing behind.
    second = Run(experiment(folder, tokens=20_000, window=64), pool, tmp_path / "second")
    stopped, asked = Results("second"), 0.0
    for event in second:
        stopped.fold(event)
        if isinstance(event, events.Progress) and event.unit == "tokens" and not asked:
            assert len(list((cache_folder() / "quality").iterdir())) == 1
            asked = time.monotonic()
            second.cancel()
    assert time.monotonic() - asked < 2
    assert stopped.finished.status == "cancelled"
    assert [r.status for r in compare(stopped).variants] == ["ok"] * 2
    assert [r.quality_status for r in compare(stopped).variants] == ["cancelled"] * 2
    for name in ("fp32", "int8"):
        first, later = (r.variants[name].trials[0].done.token_ids for r in (results, stopped))
        assert first == later
    assert list((cache_folder() / "quality").iterdir()) == []
    assert len(pool.processes()) == 1  # the one at work was stopped
