import json
import os.path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine.base.prompt_framing import Frame, is_cut, prompt_ids
from core.prompts import prompt_files, run_prompts
from core.prompts.prompt_lengths import lengths
from core.protocol.commands import Prompt
from core.run.round_plan import Rounds, first_plan
from core.spec import prompt_sets
from core.spec.experiment import Experiment
from core.spec.workload import Workload
from tests.core import build


@pytest.mark.parametrize("name", run_prompts.names())
def test_built_in_sets_hold_distinct_prompts(name):
    found = run_prompts.texts(name)
    assert len(set(found)) == len(found) >= 20
    assert prompt_sets.ABOUT[name].endswith(".")


def test_every_file_of_prompts_is_a_set():
    folder = prompt_sets.files("resources") / "prompts"
    assert run_prompts.names() == sorted(f.name.removesuffix(".jsonl") for f in folder.iterdir())


def test_no_two_long_contexts_share_a_passage():
    parts = [part for text in run_prompts.texts("long_context") for part in text.split("\n\n")]
    assert len(set(parts)) == len(parts)
    assert min(map(len, run_prompts.texts("long_context"))) > 6000


def test_the_filler_is_as_long_as_the_workload_needs_and_never_says_a_thing_twice():
    for name in run_prompts.names():
        deck = run_prompts.Deck(name, 1, 32)
        shortest = min(len(deck[i].filler) for i in range(4))
        assert 32 * run_prompts.CHARACTERS <= shortest < 32 * run_prompts.CHARACTERS + 10_000
        parts = [p for p in run_prompts.Deck(name, 1)[0].filler.split("\n\n") if len(p) > 100]
        assert len(set(parts)) == len(parts)


def deal(name, count, seed=1):
    deck = run_prompts.Deck(name, seed)
    return [deck[i] for i in range(count)]


def test_no_prompt_of_a_run_is_like_another():
    found = deal("chat", 7)
    assert len({p.text for p in found}) == 7
    assert len({p.filler[:80] for p in found}) == 7
    assert deal("chat", 7) == found
    assert deal("chat", 7, seed=2) != found


@pytest.mark.parametrize("name", [*run_prompts.names(), "one.txt"])
def test_a_set_that_is_too_small_is_dealt_again_with_other_words(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.txt").write_text("What is a dynamometer?\n")
    count = 4 * len(run_prompts.Deck(name, 1)) + 3
    found = deal(name, count)
    shared = len(os.path.commonprefix([p.text for p in found]))  # noqa: RUF071  (text, not paths)
    assert len({p.text[shared : shared + 40] for p in found}) == count  # not even the beginnings agree, ...
    assert (shared > 200) == (name == "shared_prefix")  # ... but where they are meant to
    assert all(p.text not in p.filler for p in found)
    own = len(run_prompts.Deck(name, 1))
    if own > 3:
        assert found[0].filler[:80] != found[own].filler[:80]


SYSTEM = "You are a careful clerk who answers in one sentence and never guesses. " * 20
CHINESE = "你是一名细心的职员，只用一句话回答，从不猜测。" * 20


@pytest.mark.parametrize(
    ("lines", "shared"),
    [
        ([SYSTEM + "Why?", SYSTEM + "What for?"], [len(SYSTEM), len(SYSTEM)]),
        ([CHINESE + "为什么？", CHINESE + "做什么？"], [len(CHINESE), len(CHINESE)]),
        (["Why is it so?", "Why not?", "Who?"], [4, 4, 0]),
        ([SYSTEM + "A", SYSTEM + "B", CHINESE + "A", CHINESE + "B", "C"], [len(SYSTEM)] * 2 + [len(CHINESE)] * 2 + [0]),
        (["one", "one more", "one more"], [0, 0]),  # in whole words; twice is once
        (["only this"], [0]),
    ],
)
def test_what_another_prompt_begins_with_as_well(tmp_path, lines, shared):
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    deck = run_prompts.Deck(str(path), 1)
    found = {p.text: p.shared for p in (deck[i] for i in range(len(deck)))}
    assert [found[line] for line in dict.fromkeys(lines)] == shared


class Bytes:
    """An id for each byte."""

    def encode(self, text, add_special_tokens=True):
        return list(text.encode())


@pytest.mark.parametrize("lines", [2, 7])
@pytest.mark.parametrize("tokens", [24, 100, 900, 3000])
def test_prompts_that_begin_alike_stay_different_however_short_they_are_cut(tmp_path, lines, tokens):
    path = tmp_path / "p.jsonl"
    texts = [f"{system}{n}: {word} {n}?" for system in (SYSTEM, CHINESE) for n, word in enumerate(["Who"] * lines)]
    path.write_text("\n".join(map(json.dumps, texts)))
    for name in (str(path), "shared_prefix"):
        deck = run_prompts.Deck(name, 1, tokens)
        found = [tuple(prompt_ids(Bytes(), Frame([], []), deck[i], tokens)) for i in range(len(deck))]
        assert {len(ids) for ids in found} == {tokens}
        assert len(set(found)) == len(found)


def test_what_is_shared_is_kept_at_the_beginning_where_the_own_text_leaves_room():
    frame, prompt = Frame([1], [2]), Prompt(text="a" * 100 + "question", shared=100)
    assert prompt_ids(Bytes(), frame, prompt, 42) == [1, *b"a" * 32, *b"question", 2]
    assert prompt_ids(Bytes(), frame, prompt, 12) == [1, *b"a" * 5, *b"quest", 2]  # half of the room for either
    assert prompt_ids(Bytes(), frame, prompt, 108) == [1, *b"a" * 98, *b"question", 2]
    little = Prompt(text="Write " + "b" * 100, shared=6)
    assert prompt_ids(Bytes(), frame, little, 22) == [1, *b"Write bbbbbbbbbbbbbb", 2]  # cut at its end as ever


def test_two_rounds_with_one_prompt_are_told_once():
    workload = Workload(trials=3)
    rounds = Rounds(workload, first_plan(Experiment(workload=workload, variant=[{"name": "a"}])))

    def asked(number, ids):
        found = next(e for e in build.trial("a", number, 10) if e.event == "trial_done")
        return [e.text for e in rounds.told(found.model_copy(update={"prompt_ids": ids}))]

    assert asked(0, [1, 2]) == asked(1, [1, 3]) == asked(0, [1, 2]) == []
    assert asked(3, [1, 2]) == []  # the baseline again, with the prompts of its first pass
    assert asked(2, [1, 3])[0].startswith("rounds 2 and 3 have one and the same prompt of 2 tokens")
    assert asked(1, [1, 2]) == []


@pytest.mark.parametrize(("name", "lines"), [("chat", 0), ("p.txt", 1)])
def test_prompts_of_one_s_own_that_are_cut_are_told_once(tmp_path, monkeypatch, name, lines):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.txt").write_text("What is that?\nAnd that?\n")
    workload = Workload(trials=3, prompts=name, prompt_tokens=24)
    rounds = Rounds(workload, first_plan(Experiment(workload=workload, variant=[{"name": "a"}])))
    whole, cut = (
        next(e for e in build.trial("a", n, 10, cut=n, prompt_ids=[n]) if e.event == "trial_done") for n in (0, 1)
    )
    said = [e.text for done in (whole, cut, cut) for e in rounds.told(done)]
    assert len(said) == lines
    assert all(text.startswith("prompts of p.txt are cut: ") for text in said)


def test_a_prompt_is_cut_where_its_own_text_has_no_room():
    frame = Frame([1] * 10, [2])
    assert not is_cut(Bytes(), frame, Prompt(text="x" * 9, filler="y" * 99), 20)
    assert is_cut(Bytes(), frame, Prompt(text="x" * 10), 20)


def test_own_files(tmp_path):
    (tmp_path / "a.txt").write_text("One?\n\n  Two?\n")
    (tmp_path / "b.jsonl").write_text('"One?"\n{"text": "Two?", "id": 3}\n')
    asked = [{"prompt": "One?", "answer": "1"}, {"prompt": [{"role": "user", "content": "Two?"}]}]
    (tmp_path / "c.jsonl").write_text("\n".join(json.dumps(one) for one in asked))
    for name in ("a.txt", "b.jsonl", "c.jsonl"):
        assert run_prompts.texts(str(tmp_path / name)) == ["One?", "Two?"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.jsonl", "{", "line 1: not JSON"),
        ("x.jsonl", '"a"\n[1]', "line 2: expected"),
        ("x.jsonl", '"a"\n{"text": "a\\ud800b"}', r"x\.jsonl, line 2: \\ud800 is half of a surrogate pair"),
        ("x.jsonl", "[" * 100_000, "line 1: it is nested too deeply"),
        ("x.jsonl", "9" * 5000, "line 1: it holds a number that is too long"),
        ("x.json", "{}", "x.json: expected a list"),
        ("x.json", "", "x.json: expected a list"),
        ("x.json", "[]", "holds no prompt"),
        ("x.json", '[{"conversations": []}]', "holds no prompt"),
        ("x.json", '[\n{"conversations": []},\n{"turns": 3}]', r"entry 2 \(line 3\): expected a string"),
        ("x.json", '[{"conversations": [{"from": "gpt"}, 3]}]', r"entry 1 \(line 1\), turn 2: expected"),
        ("x.json", '[{"conversations": [{"from": "human", "value": 3}]}]', 'turn 1: "value" must be a string'),
        ("x.json", '["a"\n"b"]', r"entry 2 \(line 2\): not JSON: expected a comma"),
        ("x.json", '["a", nope]', r"entry 2 \(line 1\): not JSON"),
        ("x.json", '["a"', "expected a comma or the end"),
        ("x.json", '["a"] ["b"]', "more after the end of the list"),
        ("x.json", "[" * 100_000, "it is nested too deeply"),
        ("x.json", "[" + "9" * 5000, "it holds a number that is too long"),
        ("x.json", b'["\xff"]', "not UTF-8"),
        ("x.txt", "a" * 1_000_001, "line 1: the prompt has 1,000,001 characters; 1,000,000 are the most"),
        ("x.txt", " \n", "holds no prompt"),
        ("x.txt", b"\xff", "not UTF-8"),
        ("x.csv", "a", "no built-in set"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(run_prompts.PromptError, match=words):
        run_prompts.texts(str(path))


def test_only_a_line_feed_ends_a_line(tmp_path):
    text = "one\u2028and\x85the\x0bsame"
    (tmp_path / "a.jsonl").write_text(f'"{text.replace(chr(11), "")}"\r\n"two"\n', "utf-8")
    assert run_prompts.texts(str(tmp_path / "a.jsonl")) == [text.replace("\x0b", ""), "two"]
    (tmp_path / "a.txt").write_text(f"{text}\ntwo\n", "utf-8")
    assert run_prompts.texts(str(tmp_path / "a.txt")) == [text, "two"]


@pytest.mark.parametrize(("name", "content"), [("a.txt", "One?\n"), ("a.jsonl", '"One?"\n')])
def test_a_byte_order_mark_is_no_text(tmp_path, name, content):
    (tmp_path / name).write_text(content, "utf-8-sig")
    assert run_prompts.texts(str(tmp_path / name)) == ["One?"]


@pytest.mark.parametrize("name", ["a\0b.txt", "x" * 300 + ".txt", "."])
def test_names_that_no_file_has(name):
    with pytest.raises(run_prompts.PromptError, match=r"workload\.prompts"):
        run_prompts.texts(name)


def test_an_unknown_set_names_those_that_exist():
    with pytest.raises(run_prompts.PromptError, match="chat"):
        run_prompts.texts("chatt")
    with pytest.raises(run_prompts.PromptError, match="cannot be read"):
        run_prompts.texts("absent.txt")


def share_gpt(*questions):
    return [
        {"id": f"c{i}", "conversations": [{"from": "human", "value": q}, {"from": "gpt", "value": "Yes."}]}
        for i, q in enumerate(questions)
    ]


def test_of_a_conversation_the_first_human_turn_is_the_prompt(tmp_path):
    late = {"conversations": [{"from": "system", "value": "Be kind."}, {"from": "human", "value": " Second? "}]}
    chat = {"messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Third?"}]}
    dumb = {"conversations": [{"from": "gpt", "value": "Nobody asked."}]}
    found = [*share_gpt("First?"), late, dumb, chat, "Fourth?", {"text": "Fifth?"}]
    (tmp_path / "a.json").write_text(json.dumps(found, indent=1))
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, found)))
    for name in ("a.json", "a.jsonl"):
        assert run_prompts.read(str(tmp_path / name)) == (["First?", "Second?", "Third?", "Fourth?", "Fifth?"], False)


def test_a_long_file_is_read_piece_by_piece_and_no_further_than_needed(tmp_path, monkeypatch):
    monkeypatch.setattr(prompt_files, "CHUNK", 7)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(share_gpt(*(f"Question {i}?" for i in range(40))), indent=2))
    assert run_prompts.texts(str(path)) == [f"Question {i}?" for i in range(40)]
    path.write_text(json.dumps(share_gpt("1?", "2?", "3?", "4?"))[:-1] + ", and here it breaks")
    assert run_prompts.read(str(path), 3) == (["1?", "2?", "3?"], True)
    (tmp_path / "a.txt").write_text("1?\n2?\n3?\n\n")
    assert run_prompts.read(str(tmp_path / "a.txt"), 3) == (["1?", "2?", "3?"], False)
    found, more = run_prompts.read("chat", 5)
    assert (len(found), more) == (5, True)


def test_what_is_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(prompt_files, "ITEM", 50)
    monkeypatch.setattr(prompt_files, "CHUNK", 20)
    monkeypatch.setattr(prompt_files, "ALTOGETHER", 15)
    for name, content, words in (
        ("a.json", json.dumps(share_gpt("x" * 90)), "entry 1 .*longer than 50 characters"),
        ("a.txt", "x" * 90, "line 1: it is longer than 50 characters"),
        ("a.txt", "first line\nsecond line", "line 2: the prompts up to here"),
    ):
        (tmp_path / name).write_text(content)
        with pytest.raises(run_prompts.PromptError, match=words):
            run_prompts.texts(str(tmp_path / name))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["conversations", "messages", "from", "role", "value", "content", "text"]), inner
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(value=JSON, cut=st.integers(0, 200), suffix=st.sampled_from(prompt_files.SUFFIXES), junk=st.binary(max_size=12))
def test_no_file_whatever_is_in_it_does_more_than_be_refused(tmp_path_factory, value, cut, suffix, junk):
    path = tmp_path_factory.mktemp("any") / f"a{suffix}"
    path.write_bytes(json.dumps([value, value]).encode()[:cut] + junk)
    try:
        found = run_prompts.texts(str(path))
    except run_prompts.PromptError as error:
        assert str(path) in str(error)  # noqa: PT017  (most are refused, some are not)
    else:
        assert found == [text.strip() for text in found if text.strip()]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip), min_size=1, max_size=6))
def test_every_prompt_comes_out_of_a_file_as_it_was_written(tmp_path_factory, questions):
    folder = tmp_path_factory.mktemp("any")
    (folder / "a.json").write_text(json.dumps(share_gpt(*questions), ensure_ascii=False), "utf-8", newline="")
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, questions)), "utf-8")
    for name in ("a.json", "a.jsonl"):
        assert run_prompts.texts(str(folder / name)) == [q.strip() for q in questions]


@given(st.lists(st.integers(1, 100_000), min_size=1, max_size=50))
def test_every_length_is_in_one_bin(of):
    found = lengths(of)
    assert sum(b.count for b in found.bins) == found.count == len(of)
    assert found.bins[0].low <= found.shortest <= found.median <= found.longest
    assert len(found.bins) <= 14
    ends = [b.high for b in found.bins[:-1]]
    assert ends == [b.low for b in found.bins[1:]]


def test_one_long_prompt_does_not_hide_how_long_the_others_are():
    found = lengths([*range(10, 109), 100_000])
    assert (found.bins[0].low, found.bins[0].count) == (10, 10)
    assert (found.bins[-1].high, found.bins[-1].count) == (None, 10)
    assert lengths([]) is None
