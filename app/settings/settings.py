"""The settings that survive a restart: geometry, theme, engine command, last experiment. `core.base.folders` says where
their file is, so that `DYNO_DATA` moves it too."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from core.base.files import held, is_folder, parse_json
from core.base.folders import data_folder
from core.model.source import ModelSource
from core.protocol.engine_command import split_command
from core.results.ratio_statistics import MARGIN
from core.spec.experiment import Experiment, SpecError, parse

RECENT = 8
TOLD = 100  # interrupted runs that were dismissed
PATIENCE_S = 2.0  # with another window that writes the same
MARGINS = (0.5, 25.0)  # per cent: what a margin of the verdict may be


class Settings:
    """Typed access to the settings; a value of the wrong type reads as its default."""

    def __init__(self, path: Path | None = None) -> None:
        self._store = QSettings(str(path or data_folder() / "settings.ini"), QSettings.Format.IniFormat)

    def _text(self, key: str, default: str = "") -> str:
        value = self._store.value(key, default)
        return value if isinstance(value, str) else default

    # -- choices -------------------------------------------------------------------------------------------
    @property
    def theme(self) -> str:
        return self._text("theme", "system")

    @theme.setter
    def theme(self, mode: str) -> None:
        self._store.setValue("theme", mode)

    @property
    def language(self) -> str:
        """ "system", "en" or "zh_CN"."""
        return self._text("language", "system")

    @language.setter
    def language(self, choice: str) -> None:
        self._store.setValue("language", choice)

    @property
    def engine_command(self) -> list[str]:
        """The words of the command that starts an engine; empty for the default."""
        return list(split_command(self.engine_text)) if self.engine_text else []

    @property
    def engine_text(self) -> str:
        return self._text("engine_command").strip()

    @engine_text.setter
    def engine_text(self, text: str) -> None:
        self._store.setValue("engine_command", text.strip())

    @property
    def runs_folder(self) -> Path | None:
        text = self._text("runs_folder")
        return Path(text) if text else None

    @runs_folder.setter
    def runs_folder(self, folder: Path | None) -> None:
        self._store.setValue("runs_folder", str(folder or ""))

    def folder(self, name: str) -> Path | None:
        """Return the user's folder for "presets" or "cache"; None for the platform's."""
        text = self._text(f"folders/{name}")
        return Path(text) if text else None

    def set_folder(self, name: str, folder: Path | None) -> None:
        self._store.setValue(f"folders/{name}", str(folder or ""))

    @property
    def threads(self) -> int:
        """The threads of an engine; 0 for its own choice."""
        return round(self._number("engine_threads", 0, 0, 1024))

    @threads.setter
    def threads(self, count: int) -> None:
        self._store.setValue("engine_threads", count)

    @property
    def margin_pct(self) -> float:
        """How far a ratio must be from 1 to be called faster or slower, in %."""
        return self._number("margin_pct", 100 * MARGIN, *MARGINS)

    @margin_pct.setter
    def margin_pct(self, pct: float) -> None:
        self._store.setValue("margin_pct", pct)

    @property
    def notify(self) -> bool:
        """Whether the end of a long run is announced while the window has no focus."""
        return self.flag("notify", default=True)

    @notify.setter
    def notify(self, on: bool) -> None:
        self.set_flag("notify", on)

    @property
    def line_patterns(self) -> bool:
        """Whether the lines of plots have dashes."""
        return self.flag("line_patterns", default=True)

    @line_patterns.setter
    def line_patterns(self, on: bool) -> None:
        self.set_flag("line_patterns", on)

    def flag(self, key: str, default: bool = False) -> bool:
        return self._text(key, "true" if default else "false") == "true"

    def set_flag(self, key: str, on: bool) -> None:
        self._store.setValue(key, "true" if on else "false")

    def _number(self, key: str, default: float, low: float, high: float) -> float:
        try:
            value = float(self._text(key) or str(self._store.value(key, default)))
        except ValueError:
            return default
        return value if low <= value <= high else default

    # -- where one was -------------------------------------------------------------------------------------
    def experiment(self) -> Experiment | None:
        """Return the last experiment; None without one, or if this version cannot read it."""
        text = self._text("experiment")
        if not text:
            return None
        try:
            return parse(parse_json(text), lenient=True)
        except (ValueError, SpecError):
            return None

    def keep_experiment(
        self, experiment: Experiment | None, excluded: Iterable[str] = (), letters: Mapping[str, int] | None = None
    ) -> None:
        self._store.setValue("letters", json.dumps(dict(letters or {})))
        self._store.setValue("experiment", json.dumps(experiment.dump()) if experiment else "")
        self._store.setValue("excluded", json.dumps(sorted(excluded)))

    def letters(self) -> dict[str, int]:
        """Return the index of each variant's letter."""
        try:
            kept = json.loads(self._text("letters", "{}"))
        except ValueError:
            return {}
        return {n: i for n, i in kept.items() if type(i) is int and i >= 0} if isinstance(kept, dict) else {}

    def excluded(self) -> list[str]:
        """Return the names of excluded variants."""
        return self._names("excluded")

    def _names(self, key: str) -> list[str]:
        try:
            names = parse_json(self._text(key, "[]"))
        except ValueError:
            return []
        return [n for n in names if isinstance(n, str)] if isinstance(names, list) else []

    @property
    def view(self) -> str:
        """The key of the last tab."""
        return self._text("view")

    @view.setter
    def view(self, name: str) -> None:
        self._store.setValue("view", name)

    @property
    def results(self) -> Path | None:
        """The folder of the last results, if it still exists."""
        text = self._text("results")
        return Path(text) if text and is_folder(Path(text)) else None

    @results.setter
    def results(self, folder: Path | None) -> None:
        self._store.setValue("results", str(folder or ""))

    def recent_models(self) -> list[ModelSource]:
        """Return the recently opened models of all windows, the newest first."""
        self._store.sync()
        found = []
        for text in self._names("recent_models"):
            with contextlib.suppress(ValueError):
                found.append(ModelSource.model_validate_json(text))
        return found[:RECENT]

    def add_recent_model(self, source: ModelSource) -> None:
        self._put_first("recent_models", source, self.recent_models, ModelSource.model_dump_json)

    def recent(self) -> list[str]:
        """Return the recent folders of results that still exist, the newest first."""
        self._store.sync()
        return [p for p in self._names("recent") if is_folder(Path(p))][:RECENT]

    def add_recent(self, folder: Path) -> None:
        self._put_first("recent", str(folder), self.recent, str)

    def told(self) -> list[str]:
        """Return the keys of interrupted runs that need not be offered again."""
        self._store.sync()
        return self._names("told")

    def add_told(self, name: str) -> None:
        self._put_first("told", name, self.told, str, TOLD)

    def _put_first(
        self, key: str, one: Any, there: Callable[[], list], text: Callable[[Any], str], most: int = RECENT
    ) -> None:
        """Put one entry first in a list that other windows change too."""
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError):  # what cannot be kept is known until the window closes
                stack.enter_context(held(Path(self._store.fileName()).with_name(".settings.lock"), PATIENCE_S))
            ones = [one, *(other for other in there() if other != one)][:most]
            self._store.setValue(key, json.dumps([text(o) for o in ones]))
            self._store.sync()

    # -- layout --------------------------------------------------------------------------------------------
    def layout(self, key: str) -> QByteArray | None:
        value = self._store.value(f"layout/{key}")
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def keep_layout(self, **states: QByteArray) -> None:
        for key, state in states.items():
            self._store.setValue(f"layout/{key}", state)

    def forget_layout(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._store.remove(f"layout/{key}")

    def save(self) -> None:
        self._store.sync()
