"""Weights are read before they are mapped, and what is in the page cache is not read again."""

import os
from pathlib import Path

import pytest

from core.engine.load import page_cache


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, size in enumerate((5 << 20, 33 << 20, 0, 7)):
        (tmp_path / f"{number}.safetensors").write_bytes(bytes(size))
    (tmp_path / "tokenizer.json").write_bytes(b"other")
    return tmp_path


def read(folder: Path, monkeypatch: pytest.MonkeyPatch, cached: bool) -> tuple[int, list[tuple[float, float]]]:
    """Return the number of bytes read, and what was reported."""
    monkeypatch.setattr(page_cache, "is_cached", lambda *_: cached)
    counts, told = list[int](), list[tuple[float, float]]()
    real = page_cache.read_chunk
    monkeypatch.setattr(page_cache, "read_chunk", lambda *part: counts.append(real(*part)))
    page_cache.read_ahead(folder, (38 << 20) + 7, lambda done, total: told.append((done, total)))
    return sum(counts), told


@pytest.mark.parametrize("cached", [False, True])
def test_all_weights_are_read_unless_they_are_there(folder: Path, monkeypatch: pytest.MonkeyPatch, cached: bool):
    count, told = read(folder, monkeypatch, cached)
    assert count == (0 if cached else (38 << 20) + 7)
    assert told[-1] == ((38 << 20) + 7, (38 << 20) + 7)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_what_was_written_just_now_is_cached_if_the_system_tells(folder: Path, monkeypatch: pytest.MonkeyPatch):
    with (folder / "1.safetensors").open("rb") as file:
        found = page_cache.is_cached(file.fileno(), 0, 33 << 20)
        assert found or not hasattr(os, "RWF_NOWAIT") or not page_cache.is_cached(file.fileno(), 0, 1)
        monkeypatch.delattr(os, "RWF_NOWAIT", raising=False)
        assert not page_cache.is_cached(file.fileno(), 0, 1)
