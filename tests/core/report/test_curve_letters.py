"""Letters of curves: beside their own in a free place, else where they cover least; none is left out."""

import numpy as np

from core.report import curve_labels

AREA, SIZE, GAP = (0.0, 100.0, 0.0, 1.0), (6.0, 0.1), 1.0


def bundle(count: int, apart: float) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Rising curves beside each other."""
    shares = np.linspace(0, 1, 50)
    return {n: (20 + apart * n + 40 * shares, shares) for n in range(count)}


def test_every_curve_has_its_letter_in_a_crowd_too():
    found = curve_labels.places(bundle(6, 2.0), AREA, SIZE, GAP)
    assert set(found) == set(range(6))  # less apart than a letter is wide
    boxes = [(x, x + SIZE[0], y - SIZE[1] / 2, y + SIZE[1] / 2) for x, y in found.values()]
    assert not any(curve_labels._meet(a, b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_where_there_is_room_no_letter_lies_on_a_curve():
    curves = bundle(3, 15.0)
    found = curve_labels.places(curves, AREA, SIZE, GAP)
    assert set(found) == {0, 1, 2}
    for x, y in found.values():
        box = x, x + SIZE[0], y - SIZE[1] / 2, y + SIZE[1] / 2
        assert not any(curve_labels._runs(curve, box) for curve in curves.values())
