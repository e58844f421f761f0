"""Words that open a table: how long the game is and what is staked, in any order with their keys."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.kernel import stakes
from chatbot.kernel.amounts import is_worded
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Arguments, Message, Quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STAKE = "stake"

_WHOLE = re.compile(r"[0-9]{1,16}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long a game may be, what it counts that in, and the word that its messages begin with."""

    word: str  # such as chicken
    counts: str  # such as cards, which is the key of the number too
    least: int
    most: int

    def read(self, text: str) -> int:
        """Read a length as it was typed.

        Raises:
            Refusal: it is none.
        """
        return self.check(int(text) if _WHOLE.fullmatch(text) else -1)

    def check(self, length: int) -> int:
        """Let pass what can be played.

        Raises:
            Refusal: that would be too short, or too long.
        """
        if self.least <= length <= self.most:
            return length
        limits: Arguments = {"least": self.least, "most": self.most}
        raise Refusal(Message(f"{self.word}-length", limits))


def read_options(words: Sequence[str], lengths: Lengths) -> Mapping[str, str]:
    """Find what each word is about, as in `6 50` or `stake=50 6`.

    The first number without a key is the length of the game, and the next one the stake.

    Raises:
        Refusal: a word is about nothing, or about what another one was.
    """
    options: dict[str, str] = {}
    for word in words:
        meaning = _meaning(word, lengths.counts, options)
        if meaning is None:
            raise Refusal(Message(f"{lengths.word}-word", {"text": Quote(word)}))
        about, text = meaning
        if about in options:
            raise twice(word, about, options[about])
        options[about] = text
    return options


def twice(word: str, about: str, first: str) -> Refusal:
    """Refuse a word about what another one was, by its key."""
    args: Arguments = {"text": Quote(word), "about": Message(f"twice-{about}"), "first": Quote(first)}
    return Refusal(Message("twice", args))


def length(options: Mapping[str, str], lengths: Lengths) -> int | None:
    """Read the length among the words; None: nothing was said of it.

    Raises:
        Refusal: the game cannot be that long.
    """
    return lengths.read(options[lengths.counts]) if lengths.counts in options else None


def stake(options: Mapping[str, str], purse: int) -> int | None:
    """Read the stake among the words; None: nothing was said of it.

    Raises:
        Refusal: it is no amount.
    """
    return stakes.read(options[STAKE], purse) if STAKE in options else None


def _meaning(word: str, own: str, options: Mapping[str, str]) -> tuple[str, str] | None:
    name, keyed, text = word.partition("=")
    if keyed and name.lower() in (own, STAKE):
        return name.lower(), text
    if is_worded(word):
        return STAKE, word
    if _WHOLE.fullmatch(word):
        return STAKE if own in options else own, word
    return None
