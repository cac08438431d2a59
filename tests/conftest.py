"""Shared by all tests: folders of their own, and one conversion of the demo model for the whole session."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Threads that wait for each other make a two-core machine with one busy neighbour ten times slower.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# Measuring the machine takes seconds, and every test that runs an engine has a cache of its own.
os.environ.setdefault("DYNO_MACHINE", str(ROOT / "tests" / "machine.json"))


@pytest.fixture(scope="session")
def demo_cache():
    """The cache folder with the converted demo model; kept in build/ between sessions."""
    before = os.environ.get("DYNO_CACHE")
    os.environ["DYNO_CACHE"] = str(ROOT / "build" / "test-cache")
    yield ROOT / "build" / "test-cache"
    if before is None:
        del os.environ["DYNO_CACHE"]
    else:
        os.environ["DYNO_CACHE"] = before


def pytest_collection_modifyitems(items):
    """What needs a GPU is skipped, with the reason, where there is none."""
    gpu = [item for item in items if item.get_closest_marker("gpu")]
    if gpu:
        import torch

        if not torch.cuda.is_available():
            for item in gpu:
                item.add_marker(pytest.mark.skip(reason="needs a CUDA device"))
