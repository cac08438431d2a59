"""The options of the comparison: measure, reference variant, excluded trials."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.session.comparison_cache import comparison_of
from core.analysis import trial_exclusion as left_out
from core.analysis.comparison_row import Comparison
from core.analysis.measures import SPEED, measure
from core.analysis.trial_exclusion import TrialKey
from core.results.results import Results

_Kept = tuple[object, frozenset[TrialKey], Results, Comparison]


class CompareOptions(QObject):
    """The options; `reference` is a variant's name, empty for the baseline."""

    changed = Signal()
    refused = Signal(str)  # why something cannot be looked at so

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.by, self.reference = SPEED, ""
        self._without: WeakKeyDictionary[Results, frozenset[TrialKey]] = WeakKeyDictionary()
        self._kept: WeakKeyDictionary[Results, _Kept] = WeakKeyDictionary()

    def set_measure(self, key: str) -> None:
        if key != self.by.key:
            self.by = measure(key)
            self.changed.emit()

    def set_reference(self, name: str) -> None:
        if name != self.reference:
            self.reference = name
            self.changed.emit()

    def take_over(self, before: CompareOptions) -> None:
        """Copy measure, reference and excluded trials from another window's options."""
        self.by, self.reference = before.by, before.reference
        self._without, self._kept = before._without, before._kept
        self.changed.emit()

    # -- trials ----------------------------------------------------------------------------------------------
    def left_out(self, results: Results | None) -> frozenset[TrialKey]:
        """Return the excluded trials of a run."""
        return self._without.get(results, frozenset()) if results is not None else frozenset()

    def leave_out(self, results: Results, key: TrialKey, out: bool = True) -> bool:
        """Exclude a trial or include it again; return False if its variant would have none left."""
        before = self.left_out(results)
        if out and left_out.least(results, before, key):
            self.refused.emit(
                self.tr("{name} keeps its last trial: without it there is nothing to compare.").format(name=key[0])
            )
            return False
        self._without[results] = before | {key} if out else before - {key}
        self.changed.emit()
        return True

    def take_all_back(self) -> None:
        if self._without:
            self._without.clear()
            self.changed.emit()

    # -- what is seen ----------------------------------------------------------------------------------------
    def seen(self, results: Results | None) -> tuple[Results, Comparison] | None:
        """Return the results without excluded trials, and their comparison; None before a run."""
        whole, out = comparison_of(results), self.left_out(results)
        if results is None or whole is None:
            return None
        if not out:
            return results, whole
        kept = self._kept.get(results)
        if kept is None or kept[0] is not whole or kept[1] != out:
            rest = left_out.without(results, out)
            kept = (whole, out, rest, left_out.compared(results, out))
            self._kept[results] = kept
        return kept[2], kept[3]
