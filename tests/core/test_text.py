import pytest

from core.text import unseen, visible


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
