"""What the window wraps, it wraps between words: a label keeps a figure and its unit on one line."""

from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel

from app.help import markdown_document
from app.widgets.basics import Wrapped, caption, label


def test_a_label_that_wraps_ties_what_it_shows_and_says_what_was_set(qapp):
    for made in (label("69 % of 9.0 GB/s", 12, wrap=True), caption("", wrap=True)):
        made.setText("needs 650 MiB")
        assert isinstance(made, Wrapped)
        assert made.text() == "needs 650 MiB"
        assert QLabel.text(made) == "needs 650\u00a0MiB"


def test_a_page_ties_its_words_and_leaves_its_code(qapp):
    document = QTextDocument()
    markdown_document.write(document, "Within ±3 % of A:\n\n`--until 3 s`\n")
    text = document.toRawText()
    assert "±3\u00a0%" in text
    assert "--until 3 s" in text
