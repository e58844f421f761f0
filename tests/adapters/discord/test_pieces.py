"""A text that is too long for one message is cut at words into messages of about the same length."""

from __future__ import annotations

import pytest

from cogs.discord.lines import LONGEST, pieces


def test_a_text_that_fits_stays_whole() -> None:
    for text in ("", "hello", "x" * LONGEST):
        assert pieces(text) == [text]


@pytest.mark.parametrize("word", ["word", "w" * 60, "단어", "🎲🎲"])
def test_a_long_text_is_cut_at_words_and_loses_none(word: str) -> None:
    words = [word] * (5 * LONGEST // (2 * len(word)))
    found = pieces(" ".join(words))
    assert " ".join(found).split() == words
    assert all(len(each.encode("utf-16-le")) // 2 <= LONGEST for each in found)
    assert max(map(len, found)) <= 2 * min(map(len, found))


def test_what_has_no_words_is_cut_anywhere() -> None:
    text = "x" * (2 * LONGEST + 1)
    assert "".join(pieces(text)) == text
    assert {len(each) for each in pieces(text)} <= set(range(LONGEST // 2, LONGEST + 1))
