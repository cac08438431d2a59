"""The commands of the palette: all menu actions, the variants, the settings, the glossary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from app.base.theme import theme
from app.palette.command_palette import Command
from app.palette.disabled_reasons import why_not
from app.session.session import Session


def _tr(text: str) -> str:
    return QCoreApplication.translate("Palette", text)


def plain(text: str) -> str:
    """Return the text of an action or a menu without its mnemonic and dots; Chinese has the mnemonic apart."""
    text = re.sub(r"\(&\w\)", "", text)
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").removesuffix("…").removesuffix("...")


def of_menus(bar: QMenuBar, session: Session) -> list[Command]:
    """Return every action with the path of its menus; dynamic menus are filled first."""
    found: list[Command] = []
    for top in bar.actions():
        menu = top.menu()
        if isinstance(menu, QMenu):
            found += _of_menu(menu, plain(top.text()), session, "")
    return found


def _of_menu(menu: QMenu, path: str, session: Session, closed: str) -> list[Command]:
    """Return a menu's actions; `closed` says why the menu is disabled."""
    menu.aboutToShow.emit()
    found: list[Command] = []
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            shut = "" if action.isEnabled() else why_not(session, inner.objectName())
            found += _of_menu(inner, f"{path} ▸ {plain(action.text())}", session, closed or shut)
        elif _is_command(action):
            found.append(_command(action, path, session, closed, menu.objectName()))
    return found


def _is_command(action: QAction) -> bool:
    """Return whether an action is a command and no placeholder of an empty list."""
    named = bool(action.objectName()) or action.isEnabled()
    return named and not action.isSeparator() and action.isVisible() and bool(action.text())


def _command(action: QAction, path: str, session: Session, closed: str, menu: str) -> Command:
    """Return the command of an action. The names of `menu` and action in the code find it in every language."""
    key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    reason = closed if action.isEnabled() else why_not(session, action.objectName())
    also = f"{menu} {action.objectName().removeprefix('variant_')}".replace("_", " ").strip()
    return Command(plain(action.text()), path, action.trigger, key, reason, also)


def of_variants(session: Session) -> list[Command]:
    """Return a command per variant that selects it."""
    variants = session.experiment.variants if session.experiment is not None else ()
    place = _tr("Variants")
    return [
        Command(f"{theme.letter(session.draft_index(v.name))}  {v.name}", place, partial(session.select, v.name))
        for v in variants
    ]


#: Other names that people use, by names in the code. English, since the window's own texts are found anyway.
ALSO = {
    "language": "english chinese 中文 简体 translation locale",
    "theme": "dark light appearance colours colors",
    "concurrency": "parallel simultaneous users requests load batch",
    "rate": "requests per second qps rps load poisson",
    "prompt_tokens": "input length context",
    "new_tokens": "output length max tokens generate",
    "trials": "rounds repeats repetitions",
    "until_pct": "precision confidence stop early",
    "budget_s": "time limit seconds",
    "temperature": "sampling greedy",
    "threads": "cpu cores omp",
    "runs": "results folder output directory",
    "margin": "equivalence threshold",
}


def of_words(words: Iterable[tuple[str, str, str]], show: Callable[[str], object]) -> list[Command]:
    """Return a command per (key, title, place) that calls `show` with the key; of equal titles, the first. The key
    finds it in every language."""
    found: dict[tuple[str, str], Command] = {}
    for key, title, place in words:
        also = " ".join(filter(None, [key.replace("_", " "), key, ALSO.get(key, "")]))
        found.setdefault((title, place), Command(title, place, partial(show, key), also=also))
    return list(found.values())
