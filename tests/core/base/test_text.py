import pytest

from core.base.visible_text import look, unseen, visible


@pytest.mark.parametrize("text", ["plain", "é 变体 🚀", "1\u2009234", "=1+1", "[bold]x[/bold]", "two\nlines\ta tab"])
def test_what_can_be_seen_stays(text):
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\x1b[31mred", "\\x1b[31mred"), ("a\u2028b", "a\\u2028b"), ("\u202eabc", "\\u202eabc"), ("\ud800", "\\ud800")],
)
def test_what_acts_on_a_terminal_is_escaped(text, shown):
    assert visible(text) == shown
    assert unseen(text)


@pytest.mark.parametrize("other", ["a\u200bb", "\ufeffab", "a\u00adb", "a\ufe0fb", " ab ", "a\u3164b"])
def test_names_that_look_the_same_have_one_look(other):
    assert look(other) == look("ab")


@pytest.mark.parametrize("other", ["a b", "AB", "abc", "a²", "変体", "🚀"])
def test_what_the_eye_tells_apart_is_different(other):
    assert look(other) not in (look("ab"), look("a2"), "")
