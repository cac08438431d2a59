"""Text in pieces: nothing is lost, doubled or taken back, wherever the pieces are cut."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from core.engine.serve.detokenize import Detokenizer
from tests.core.tiny import tiny_tokenizer


def metaspace_tokenizer() -> PreTrainedTokenizerFast:
    """As sentencepiece does it: spaces are a mark that the first word loses, and what is unknown is bytes."""
    pieces = ["<unk>", *(f"<0x{i:02X}>" for i in range(256)), "▁", *"▁a ▁the ▁tide s t i d e .".split()]
    tokenizer = Tokenizer(
        models.BPE(vocab={p: i for i, p in enumerate(pieces)}, merges=[], unk_token="<unk>", byte_fallback=True)
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace()])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, clean_up_tokenization_spaces=False)


BYTES, WORDS = tiny_tokenizer(), metaspace_tokenizer()


def pieces(tokenizer: PreTrainedTokenizerFast, ids: list[int], cuts: list[int]) -> list[str]:
    """What is said when the ids arrive in portions of these sizes, and at the end."""
    detokenizer, said = Detokenizer(tokenizer), []
    for cut in cuts:
        said.append(detokenizer.add(ids[:cut]))
        ids = ids[cut:]
    said.append(detokenizer.add(ids))
    return [*said, detokenizer.rest(tokenizer.decode(detokenizer._ids))]


@given(st.text(max_size=30), st.lists(st.integers(0, 7), max_size=20))
def test_bytes_of_any_text(text: str, cuts: list[int]) -> None:
    said = pieces(BYTES, BYTES.encode(text), cuts)
    assert "".join(said) == text
    assert "\ufffd" in text or not any("\ufffd" in piece for piece in said)


@given(st.text("aestid. 日é🦉", max_size=30), st.lists(st.integers(0, 7), max_size=20))
def test_words_with_marks_for_spaces(text: str, cuts: list[int]) -> None:
    ids = WORDS.encode(text)
    said = pieces(WORDS, ids, cuts)
    assert "".join(said) == WORDS.decode(ids)
    assert not any("\ufffd" in piece for piece in said)


@settings(max_examples=200)
@given(st.lists(st.integers(0, 255), max_size=40), st.lists(st.integers(0, 7), max_size=20))
def test_nonsense_comes_out_whole(ids: list[int], cuts: list[int]) -> None:
    """A random model writes bytes that are no text."""
    assert "".join(pieces(BYTES, ids, cuts)) == BYTES.decode(ids)


def test_a_character_waits_for_its_last_byte() -> None:
    owl = list("an 🦉!".encode())
    detokenizer = Detokenizer(BYTES)
    assert detokenizer.add(owl[:5]) == "an "
    assert detokenizer.add(owl[5:6]) == ""
    assert detokenizer.add(owl[6:7]) == "🦉"
    assert detokenizer.add(owl[7:]) == "!"


def test_spaces_stay_between_words_and_only_there() -> None:
    the, tide = WORDS.convert_tokens_to_ids(["▁the", "▁tide"])
    detokenizer = Detokenizer(WORDS)
    assert [detokenizer.add([token]) for token in (the, tide, tide)] == ["the", " tide", " tide"]
