"""Words that open a table: a number of the game's own and a stake, in any order with their keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chatbot.kernel import stakes
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STAKE = "stake"

_WHOLE = re.compile(r"[0-9]{1,16}", re.ASCII)
_AMOUNT = re.compile(r"[0-9]+[km%]|half|all", re.ASCII | re.IGNORECASE)


def told(words: Sequence[str], own: str, unknown: str) -> Mapping[str, str]:
    """Find what each word is about, as in `6 50` or `stake=50 6`.

    The first number without a key is the game's own; `unknown` is the message that quotes a wrong word.

    Raises:
        Refusal: a word is about nothing, or about what was told before.
    """
    found: dict[str, str] = {}
    for word in words:
        meaning = _meaning(word, own, found)
        if meaning is None or meaning[0] in found:
            raise Refusal(Message(unknown, {"text": Quote(word)}))
        found[meaning[0]] = meaning[1]
    return found


def stake(found: Mapping[str, str], purse: int) -> int | None:
    """Read the stake among the words; None: nothing was said of it.

    Raises:
        Refusal: it is no amount.
    """
    return stakes.read(found[STAKE], purse) if STAKE in found else None


def _meaning(word: str, own: str, found: Mapping[str, str]) -> tuple[str, str] | None:
    name, keyed, text = word.partition("=")
    if keyed and name.lower() in (own, STAKE):
        return name.lower(), text
    if _AMOUNT.fullmatch(word):
        return STAKE, word
    if _WHOLE.fullmatch(word):
        return STAKE if own in found else own, word
    return None
