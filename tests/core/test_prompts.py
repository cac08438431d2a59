import os.path

import pytest

from core import prompts


@pytest.mark.parametrize("name", prompts.names())
def test_built_in_sets_hold_distinct_prompts(name):
    found = prompts.texts(name)
    assert len(set(found)) == len(found) >= 8


def deal(name, count, seed=1):
    deck = prompts.Deck(name, seed)
    return [deck[i] for i in range(count)]


def test_no_prompt_of_a_run_is_like_another():
    found = deal("chat", 7)
    assert len({p.text for p in found}) == 7
    assert len({p.filler[:80] for p in found}) == 7
    assert deal("chat", 7) == found
    assert deal("chat", 7, seed=2) != found


@pytest.mark.parametrize("name", [*prompts.names(), "one.txt"])
def test_a_set_that_is_too_small_is_dealt_again_with_other_words(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.txt").write_text("What is a dynamometer?\n")
    count = 4 * len(prompts.Deck(name, 1)) + 3
    found = deal(name, count)
    shared = len(os.path.commonprefix([p.text for p in found]))  # noqa: RUF071  (text, not paths)
    assert len({p.text[shared : shared + 40] for p in found}) == count  # not even the beginnings agree, ...
    assert (shared > 200) == (name == "shared_prefix")  # ... but where they are meant to
    assert all(p.text not in p.filler for p in found)
    own = len(prompts.Deck(name, 1))
    if own > 3:
        assert found[0].filler[:80] != found[own].filler[:80]


def test_own_files(tmp_path):
    (tmp_path / "a.txt").write_text("One?\n\n  Two?\n")
    (tmp_path / "b.jsonl").write_text('"One?"\n{"text": "Two?", "id": 3}\n')
    for name in ("a.txt", "b.jsonl"):
        assert prompts.texts(str(tmp_path / name)) == ["One?", "Two?"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.jsonl", "{", "line 1: not JSON"),
        ("x.jsonl", '"a"\n[1]', "line 2: expected"),
        ("x.jsonl", '"a"\n{"text": "a\\ud800b"}', r"x\.jsonl, line 2: \\ud800 is half of a surrogate pair"),
        ("x.jsonl", "[" * 100_000, "line 1: it is nested too deeply"),
        ("x.jsonl", "9" * 5000, "line 1: it holds a number that is too long"),
        ("x.txt", " \n", "holds no prompt"),
        ("x.txt", b"\xff", "not UTF-8"),
        ("x.csv", "a", "no built-in set"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(prompts.PromptError, match=words):
        prompts.texts(str(path))


def test_only_a_line_feed_ends_a_line(tmp_path):
    text = "one\u2028and\x85the\x0bsame"
    (tmp_path / "a.jsonl").write_text(f'"{text.replace(chr(11), "")}"\r\n"two"\n', "utf-8")
    assert prompts.texts(str(tmp_path / "a.jsonl")) == [text.replace("\x0b", ""), "two"]
    (tmp_path / "a.txt").write_text(f"{text}\ntwo\n", "utf-8")
    assert prompts.texts(str(tmp_path / "a.txt")) == [text, "two"]


@pytest.mark.parametrize(("name", "content"), [("a.txt", "One?\n"), ("a.jsonl", '"One?"\n')])
def test_a_byte_order_mark_is_no_text(tmp_path, name, content):
    (tmp_path / name).write_text(content, "utf-8-sig")
    assert prompts.texts(str(tmp_path / name)) == ["One?"]


@pytest.mark.parametrize("name", ["a\0b.txt", "x" * 300 + ".txt", "."])
def test_names_that_no_file_has(name):
    with pytest.raises(prompts.PromptError, match=r"workload\.prompts"):
        prompts.texts(name)


def test_an_unknown_set_names_those_that_exist():
    with pytest.raises(prompts.PromptError, match="chat"):
        prompts.texts("chatt")
    with pytest.raises(prompts.PromptError, match="cannot be read"):
        prompts.texts("absent.txt")
