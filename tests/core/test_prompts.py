import pytest

from core import prompts


@pytest.mark.parametrize("name", prompts.names())
def test_built_in_sets_hold_distinct_prompts(name):
    found = prompts.texts(name)
    assert len(set(found)) == len(found) >= 8


def test_a_round_never_repeats_the_warm_up_or_another_round():
    rounds, warm = prompts.schedule("chat", 5, seed=1)
    assert len({p.text for p in [*rounds, *warm]}) == 7
    assert len({p.filler[:80] for p in rounds}) == 5
    assert prompts.schedule("chat", 5, seed=1) == (rounds, warm)
    assert prompts.schedule("chat", 5, seed=2) != (rounds, warm)


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


def test_an_unknown_set_names_those_that_exist():
    with pytest.raises(prompts.PromptError, match="chat"):
        prompts.texts("chatt")
    with pytest.raises(prompts.PromptError, match="cannot be read"):
        prompts.texts("absent.txt")
