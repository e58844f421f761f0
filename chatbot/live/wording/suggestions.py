"""What may have been meant by a word that nobody knows: it must be close, for most words are for others."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING

from chatbot.kernel import supplies
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST = 4  # letters of a word that is compared with others
_CLOSE = 0.8  # of `difflib`: one letter of five left out, doubled or exchanged, two letters swapped


def near(word: str, known: Iterable[str]) -> str:
    """Find the one of those known that is close to a word; nothing where none is."""
    low = word.lower()
    longer = {each for each in known if len(each) >= SHORTEST}
    close = get_close_matches(low, longer, 1, _CLOSE) if len(low) >= SHORTEST else []
    return close[0] if close and close[0] != low else ""


def foreign(word: str) -> bool:
    """Whether other bots in the same chats answer to a word."""
    return word.lower() in _others()


def unknown(told: Message, word: str, known: Iterable[str]) -> Refusal:
    """Refuse a word that is none, and say what may have been meant."""
    close = near(word, known)
    return Refusal(Message("unknown-but-near", {"told": told, "near": close}) if close else told)


@cache
def _others() -> frozenset[str]:
    return supplies.listed("others")
