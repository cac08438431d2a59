"""The guide in Help: it names what the window shows, in both languages, and wears the theme; F1 opens the page of the
view; its links lead on."""

import re

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction, QDesktopServices, QKeySequence, QShortcut, QTextCursor, QTextDocument, QTextTable

from app.base.language import language
from app.base.theme import theme
from app.help import help_view, markdown_document
from app.help.help_actions import FIRST_PAGE
from app.help.help_view import KEY, HelpWindow
from app.shell.view_registry import KEYS, views
from app.text.reference_entries import entries
from tests.app.conftest import experiment
from tests.tools.documents import LANGUAGES, manual, prose
from tests.tools.translations import TRANSLATIONS
from tests.tools.translations import entries as translated

SOURCES = [entry for file in sorted(TRANSLATIONS.glob("*.ts")) for entry in translated(file)]


@pytest.fixture
def speak(qapp):
    """Switch the language; English again in the end."""
    yield lambda code: language.apply(qapp, code)
    language.apply(qapp, "en")


def bare(text):
    """The words of a control without its underlined letter and its dots."""
    text = re.sub(r"\(&\w\)", "", text).replace("&", "")
    return text.strip().removeprefix("≈ ").removesuffix("…")


def templates():
    """Each text of the window as a pattern, with its translation."""
    found = []
    for entry in SOURCES:
        parts = re.split(r"\{(\w+)\}", bare(entry.text))
        names = parts[1::2]
        if "".join(parts[::2]).strip() and len(set(names)) == len(names):  # not the bare "{0}"
            pattern = "".join(f"(?P<g{p}>.+)" if i % 2 else re.escape(p) for i, p in enumerate(parts))
            found.append((re.compile(pattern), re.sub(r"\{(\w+)\}", r"{g\1}", bare(entry.translation))))
    return found


def test_what_the_guide_calls_by_name_is_on_screen_in_both_languages():
    """Bold is a text of the window, in English and, in the same places of the other page, its translation."""
    known = templates()
    for page, text in manual("en").items():
        english, chinese = (
            [part.strip() for bold in re.findall(r"\*\*(.+?)\*\*", prose(t)) for part in bold.split("▸")]
            for t in (text, manual("zh_CN")[page])
        )
        wanted = []
        for part in english:
            hits = [(found, shown) for pattern, shown in known if (found := pattern.fullmatch(part))]
            plain = [shown for found, shown in hits if not found.groupdict()]
            wanted.append({*plain} or {shown.format(**found.groupdict()) for found, shown in hits})
            assert wanted[-1], f"{page}: the window has no {part!r}"
        rest = list(chinese)
        for names, part in sorted(zip(wanted, english, strict=True), key=lambda x: len(x[0])):
            said = next((c for c in rest if c in names), None)
            assert said is not None, f"{page}: {part!r} is {names} in Chinese, and there are {rest}"
            rest.remove(said)
        assert rest == [], page


def test_pages_come_first_in_the_language_of_the_window(qtbot, speak):
    for code, title, group in (("en", "A first comparison", "Guide"), ("zh_CN", "第一次对比", "指南")):
        speak(code)
        found = entries()
        assert (found[0].title, found[0].group) == (title, group)
        assert [e.key for e in found if e.group == group] == [e.key for e in found[: len(manual(code))]]
        window = HelpWindow()
        qtbot.addWidget(window)
        window.show_entry("guide:presets")
        assert window.text.toPlainText().startswith("Presets" if code == "en" else "预设")
        window.search.setText("materialize int8" if code == "en" else "剪枝 验证")
        assert "guide:presets" in [window.list.item(row).data(KEY) for row in range(window.list.count())]


@pytest.mark.parametrize("code", LANGUAGES)
def test_pages_are_read_whole_and_their_links_have_ends(code, speak):
    speak(code)
    known = {entry.key: entry for entry in entries()}
    document, links = QTextDocument(), set()
    for page in (e for e in known.values() if e.is_markdown):
        markdown_document.write(document, page.body)
        shown = document.toPlainText()
        assert not re.search(r"\*\*|`|\]\(|<!--", shown), f"{page.key}: marks of Markdown are left in {shown}"
        for block in markdown_document._blocks(document):
            links |= {f.format.anchorHref() for f in block.textFormats() if f.format.isAnchor()}
    assert {link for link in links if "://" not in link} <= set(known)
    assert {"guide:sure", "metric:kld_mean", "strategy:quantization.int4_weight_only"} <= links


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_page_wears_the_theme(qapp, mode):
    theme.apply(qapp, mode)
    document = QTextDocument()
    markdown_document.write(
        document, "# T\n\nSee [it](guide:sure), `x`.\n\n| a |\n|---|\n| b |\n\n```\none\n\ntwo\n```\n\nend\n"
    )
    formats = {}
    for block in markdown_document._blocks(document):
        for run in block.textFormats():
            formats[block.text()[run.start : run.start + run.length]] = (
                run.format.font().families()[0], run.format.font().pixelSize(), run.format.foreground().color().name()
            )  # fmt: skip
    text, accent = theme.color("text").name(), theme.color("accent").name()
    assert formats["T"] == ("Inter", 20, text)
    assert formats["it"] == ("Inter", 13, accent)
    assert formats["x"] == formats["one"] == formats["two"] == ("JetBrains Mono", 12, text)
    table, code = document.rootFrame().childFrames()
    assert isinstance(table, QTextTable)
    assert table.format().borderBrush().color() == theme.color("line")
    assert code.frameFormat().background().color() == theme.color("sunken")
    inside = QTextCursor(document)
    inside.setPosition(code.firstPosition())
    inside.setPosition(code.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
    assert inside.selectedText().split("\u2029") == ["one", "", "two"]
    theme.apply(qapp, "light")


def test_links_lead_on_and_those_out_of_the_window_show_where(qtbot, monkeypatch):
    opened = []
    monkeypatch.setattr(help_view.QDesktopServices, "openUrl", opened.append)
    assert help_view.QDesktopServices is QDesktopServices
    window = HelpWindow()
    qtbot.addWidget(window)
    window.show_entry("guide:reading")
    window.text.anchorClicked.emit(QUrl("guide:sure"))
    assert window.list.currentItem().text() == "How sure is it?"
    window.text.anchorClicked.emit(QUrl("metric:kld_mean"))
    assert window.list.currentItem().data(KEY) == "metric:kld_mean"
    window.back()
    window.back()
    assert window.list.currentItem().data(KEY) == "guide:reading"
    window.text.anchorClicked.emit(QUrl("https://example.org/a"))
    assert opened == [QUrl("https://example.org/a")]
    assert window.list.currentItem().data(KEY) == "guide:reading"
    document = QTextDocument()
    markdown_document.write(document, "[there](https://example.org/a)")
    (run,) = document.begin().textFormats()
    assert run.format.toolTip() == "https://example.org/a"


@pytest.mark.demo
def test_f1_opens_the_page_of_what_is_on_screen(still_window):
    window = still_window
    assert {FIRST_PAGE, *(view.manual_page for view in views())} <= set(manual())
    (guide,) = [a for a in window.findChildren(QAction) if a.objectName() == "show_help"]
    assert guide.shortcut() == QKeySequence("F1")
    window.centre.first_start.open_guide.emit()
    shown = window.doing.help.help
    assert shown.list.currentItem().data(KEY) == "guide:first-comparison"
    window.session.open_experiment(experiment())
    for view, page in (("quality", "quality"), ("compare", "reading")):
        window.centre.show_view(view)
        guide.trigger()
        assert shown.list.currentItem().data(KEY) == f"guide:{page}"
    window.doing.help.show_reference()
    assert shown.list.currentItem().data(KEY).startswith("strategy:")
    window.doing.find_command()
    window.doing.palette.line.setText("how sure is it")
    assert window.doing.palette.model.commands[0].title == "How sure is it?"
    window.doing.palette.close()


@pytest.mark.demo
def test_every_key_of_the_page_is_one_of_the_window(still_window):
    """And every key of the menus stands on it."""
    window = still_window
    rows = re.findall(r"^\| ([^|]+) \| (?:[^|]+) \|$", prose(manual()["keyboard"]).split("## ")[0], re.MULTILINE)
    named = {key for row in rows for key in re.split(r",(?= ) ?", row.strip()) if key not in ("key", "---")}
    held = {a.shortcut().toString() for a in window.findChildren(QAction)}
    held |= {s.key().toString() for s in window.findChildren(QShortcut)}
    views = {f"Ctrl+{n}" for n in range(1, len(KEYS) + 1)}
    span = {f"Ctrl+1 to Ctrl+{len(KEYS)}"}
    assert span <= named
    assert views <= held
    assert named - span <= held
    assert [key for key in held - views if key not in manual()["keyboard"]] == []
