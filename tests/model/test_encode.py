"""Tokens and their places, checked against the text itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.runtime import Runtime, spans, well_formed

SHIPPED = Runtime.load()


def utf16(text: str) -> bytes:
    return text.encode("utf-16-le")


@given(st.text(max_size=60))
def test_spans_cover_the_text_exactly_and_are_in_order(text):
    tokens = SHIPPED.encode(text)
    units = utf16(text)
    reached = 0
    for token in tokens:
        assert units[2 * token.start : 2 * token.end].decode("utf-16-le") == token.text
        assert token.start <= reached <= token.end  # no gap, and never backwards
        reached = token.end
    assert reached == len(units) // 2


@given(st.text(max_size=60))
def test_ids_decode_to_the_text(text):
    assert SHIPPED.tokenizer.decode([token.id for token in SHIPPED.encode(text)]) == text


def test_the_default_sentence_has_the_pieces_that_the_chapter_shows():
    words = [token.text for token in SHIPPED.encode("The king turned sharply to Alice and said")]
    assert words == ["The", " king", " turn", "ed", " sh", "ar", "p", "ly", " to", " Alice", " and", " said"]


def test_the_tokens_of_one_emoji_share_one_span():
    tokens = SHIPPED.encode("a😀b")
    assert [(t.text, t.start, t.end) for t in tokens] == [("a", 0, 1), *[("😀", 1, 3)] * 4, ("b", 3, 4)]


def test_typed_text_never_becomes_a_special_token():
    tokens = SHIPPED.encode("<|endoftext|>")
    assert "".join(token.text for token in tokens) == "<|endoftext|>"
    assert len(tokens) > 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\ud800b", "a\ufffdb"), ("\udc00", "\ufffd"), ("\ud83d\ude00", "😀"), ("né", "né")],
)
def test_lone_surrogates_become_the_replacement_character(text, expected):
    assert well_formed(text) == expected


def test_a_token_that_touches_two_characters_spans_both():
    assert [(t.text, t.start, t.end) for t in spans("né!", [0, 1, 2], [2, 1, 1])] == [
        ("né", 0, 2),
        ("é", 1, 2),
        ("!", 2, 3),
    ]
