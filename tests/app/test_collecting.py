"""Garbage is not collected where the window would stand still for it."""

import gc

import pytest
from PySide6.QtCore import Qt

from app.arranged import Arranged
from app.collecting import NEVER, Collecting


@pytest.fixture(autouse=True)
def as_before():
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()


def test_old_objects_are_left_alone_until_all_is_there_and_from_then_on():
    usual, frozen, found = gc.get_threshold(), gc.get_freeze_count(), Collecting()
    found.hold()
    found.hold()
    found.release()
    assert gc.get_threshold() == (*usual[:2], NEVER)
    events = [[number] for number in range(1000)]
    found.release()
    assert gc.get_threshold() == usual
    assert gc.get_freeze_count() >= frozen + len(events)


class Lines(Arranged[float]):
    def identity(self, line):
        return line

    def key(self, line, column):
        return line or None

    def columnCount(self, parent=None):
        return 1


def test_sorting_makes_nothing_that_would_have_to_be_collected(qapp):
    model = Lines()
    model.set_lines((37.0 * i) % 5000 for i in range(5000))
    collections = []
    gc.collect()
    gc.callbacks.append(lambda phase, info: collections.append(info["generation"]))
    try:
        model.sort(0, Qt.SortOrder.DescendingOrder)
    finally:
        gc.callbacks.pop()
    assert collections == []
    assert model.shown == [*map(float, range(4999, 0, -1)), 0.0]
