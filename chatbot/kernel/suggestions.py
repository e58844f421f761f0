"""What may have been meant by a word that nobody knows: it must be close, for most words are for others."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import cache
from typing import TYPE_CHECKING

from chatbot.kernel import supplies
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST = 4  # letters of a word that is compared with others
_CLOSE = 0.8  # of `difflib`: one letter of five left out, doubled or exchanged, two letters swapped


def near(word: str, words: Iterable[str]) -> str:
    """Find the one of these words that is closest to a word; nothing where none is close.

    Of several that are as close it is the one that is listed first.
    """
    low = word.lower()
    longer = [each for each in words if len(each) >= SHORTEST] if len(low) >= SHORTEST else []
    close = max(longer, key=lambda each: _closeness(low, each), default=low)
    return close if close != low and _closeness(low, close) >= _CLOSE else ""


def foreign(word: str) -> bool:
    """Whether other bots in the same chats answer to a word."""
    return word.lower() in _others()


def unknown(message: Message, word: str, words: Iterable[str]) -> Refusal:
    """Refuse a word that is none, and say what may have been meant."""
    close = near(word, words)
    return Refusal(Message("unknown-but-near", {"told": message, "near": close}) if close else message)


def _closeness(word: str, other: str) -> float:
    return SequenceMatcher(None, other, word).ratio()


@cache
def _others() -> frozenset[str]:
    return supplies.listed("others")
