"""Garbage is collected where nothing stands still for it."""

import gc
import weakref

import pytest
from PySide6.QtCore import Qt

from app.base.gc_scheduler import MOST, GcScheduler
from app.widgets.sortable_model import Arranged


class Ring:
    """Holds itself: only a collection ends it."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def collecting(qapp):
    found = GcScheduler()
    gc.freeze()  # what the test runner holds
    yield found
    found.close()
    gc.unfreeze()


def test_cycles_live_until_the_event_loop_looks(collecting):
    assert not gc.isenabled()
    known = weakref.ref(Ring())
    data = [[number] for number in range(MOST // 2)]
    assert known() is not None
    collecting.look()
    assert known() is None
    assert len(data) == MOST // 2


@pytest.mark.parametrize("at_once", [True, False])
def test_what_has_grown_large_is_looked_at_no_more(collecting, at_once):
    frozen = gc.get_freeze_count()
    data = [[number] for number in range(MOST + 1000)]
    if not at_once:
        gc.collect()
    known = weakref.ref(Ring())
    collecting.look()
    assert gc.get_freeze_count() >= frozen + len(data)
    assert known() is not None
    collecting.everything()
    assert known() is None


def test_a_run_or_a_test_without_a_window_collects_as_before(qapp):
    was = gc.isenabled()
    GcScheduler().close()
    assert gc.isenabled() == was


class Lines(Arranged[float]):
    def identity(self, line):
        return line

    def key(self, line, column):
        return line or None

    def columnCount(self, parent=None):
        return 1


def test_sorting_makes_hardly_any_objects(qapp):
    model = Lines()
    model.set_lines((37.0 * i) % 5000 for i in range(5000))
    most = []
    keys = model.key
    model.key = lambda line, column: most.append(gc.get_count()[0]) or keys(line, column)
    gc.disable()
    before = gc.get_count()[0]
    model.sort(0, Qt.SortOrder.DescendingOrder)
    assert max(*most, gc.get_count()[0]) - before < 100
    gc.enable()
    assert model.shown == [*map(float, range(4999, 0, -1)), 0.0]
