"""What the bars of peak memory are made of."""

from core.analysis.comparison_row import Row
from core.analysis.memory_split import split


def row(**figures) -> Row:
    return Row(experiment="run", model="m", variant="a", recipe="as loaded", status="ok", trials=1, **figures)


def test_the_parts_are_the_peak_and_nothing_without_one():
    assert split(row(weights_bytes=60, kv_bytes=10, peak_process_bytes=100)) == [60, 10, 30]
    assert split(row(weights_bytes=60)) == [0, 0, 0]  # loaded, and never measured: weights alone are no peak
    assert split(row(weights_bytes=60, kv_bytes=50, peak_allocated_bytes=80)) == [60, 20, 0]
    assert split(row(weights_bytes=90, kv_bytes=5, peak_process_bytes=80)) == [80, 0, 0]  # files that are mapped
