"""The one parser of whole numbers and of amounts that people type. ASCII only, never a float.

Thousands may have commas between them, if each group is whole. What could mean two numbers is none: a dot and
a comma part thousands in one country and fractions in the next, and a blank parts the words of a command.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Quote

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

MOST = 10**15
"""The largest amount that is accepted anywhere: far from the 2**63 where databases give up."""

_AMOUNT = re.compile(r"([0-9]{1,16})([km%]?)", re.ASCII | re.IGNORECASE)
_WHOLE = re.compile(r"[0-9]{1,16}", re.ASCII)
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3}){1,5}", re.ASCII)
_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?: [0-9]{3}){1,5}", re.ASCII)
_UNCLEAR = re.compile(r"[0-9]{1,16}(?:[.,'’_][0-9]{0,16}){1,9}[km]?|[.,][0-9]{1,16}[km]?", re.ASCII)
_SIGNED = re.compile("[-+\N{MINUS SIGN}\N{EN DASH}](.{1,30})")
# What people can mean as an amount, whether it is one or not. Digits alone may be another number.
_MEANT = r"[-+\u2212\u2013]?[0-9][0-9.,'’_]*[km%]?|half|all"
_WORDED = re.compile(_MEANT, re.ASCII | re.IGNORECASE)
_KEYED = re.compile(rf"(?:[a-z_]+=)?(?:{_MEANT})", re.ASCII | re.IGNORECASE)
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}
_LONGEST_WORDS = 4  # of a name of credits


def read_whole(text: str, least: int, most: int) -> int:
    """Read a whole number within limits.

    Raises:
        Refusal: it is no whole number, or outside the limits.
    """
    digits = ungrouped(text)
    if _WHOLE.fullmatch(digits) and least <= int(digits) <= most:
        return int(digits)
    raise Refusal(Message("not-a-number", {"text": Quote(text), "least": least, "most": most}))


def read_amount(text: str, purse: int, wrong: str = "not-an-amount") -> int:
    """Read `69`, `1,000`, `5k`, `1m`, `25%`, `half` or `all`, the last three of `purse`.

    Shares are rounded down and at least 1; whether the purse covers the amount is not asked here. `wrong` is
    the message that says what can be written.

    Raises:
        Refusal: it is no amount, or less than 1, or more than `MOST`.
    """
    plain = text.strip()
    plain = plain.lower() if plain.isascii() else plain  # the sign of Kelvin becomes a k
    credits_meant = _read(ungrouped(plain), purse)
    if credits_meant is None:
        raise Refusal(_explanation(plain, text, wrong))
    if not 1 <= credits_meant <= MOST:
        raise Refusal(Message("amount-out-of-range", {"text": Quote(text), "most": MOST}))
    return credits_meant


def ungrouped(text: str) -> str:
    """Return a number such as `1,000` without the commas between its thousands; any other text as it is."""
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text


def plain_amount(text: str) -> str:
    """Return `1,000` or `5k` in digits alone, and any other text as it is."""
    match = _AMOUNT.fullmatch(ungrouped(text))
    if match is None or match[2] == "%":
        return text
    return str(int(match[1]) * _UNITS[match[2].lower()])


def is_worded(text: str) -> bool:
    """Whether a word is meant as an amount and nothing else, as `5k`, `half` or `1,000` are, but not `50`."""
    return _WORDED.fullmatch(text) is not None and not text.isdigit()


def without_sign(text: str) -> str | None:
    """Return the amount behind a sign, as in `-50`; None: there is no sign, or no amount."""
    match = _SIGNED.fullmatch(text)
    return match[1] if match and match[1].isascii() and _read(ungrouped(match[1].lower()), 1) else None


def require_whole_groups(words: Sequence[str], wrong: str = "amount-spaced") -> None:
    """Let pass words that do not begin with a number with blanks between its thousands: it is several words.

    `wrong` is the message that says so.

    Raises:
        Refusal: they do, as `1 000`.
    """
    text = " ".join(takewhile(_WHOLE.fullmatch, words))
    if _GROUPS.fullmatch(text):
        number = text.replace(" ", "")
        raise Refusal(Message(wrong, {"text": Quote(text), "number": number}))


def without_currency(words: Sequence[str], names: AbstractSet[str]) -> tuple[str, ...]:
    """Return words without the name of credits behind an amount, as in `20 credits` or `20크레딧`.

    `names` are casefolded, and may have several words.
    """
    plain_words, rest = list[str](), tuple(words)
    while rest:
        word, rest = amount_first(rest, names)
        plain_words.append(word)
    return tuple(plain_words)


def amount_first(words: Sequence[str], names: AbstractSet[str]) -> tuple[str, tuple[str, ...]]:
    """Return the first of these words and those behind it, without the name of credits if it is an amount."""
    first, *rest = words
    if not _KEYED.fullmatch(first):
        match = _amount_with_name(frozenset(names)).fullmatch(first)
        return (first if match is None else match[1]), tuple(rest)
    longest_first = range(min(len(rest), _LONGEST_WORDS), 0, -1)
    counts = (count for count in longest_first if " ".join(rest[:count]).casefold() in names)
    return first, tuple(rest[next(counts, 0) :])


def _read(text: str, purse: int) -> int | None:
    if text == "all":
        return max(purse, 1)
    if text == "half":
        return max(purse // 2, 1)
    match = _AMOUNT.fullmatch(text)
    if match is None:
        return None
    number, unit = int(match[1]), match[2].lower()
    if unit == "%":
        return max(purse * number // 100, 1) if 1 <= number <= 100 else None
    return number * _UNITS[unit]


def _explanation(plain: str, text: str, wrong: str) -> Message:
    """Say why a text is no amount, as far as it can be told what was meant."""
    bare = without_sign(plain)
    if bare is not None:
        return Message("amount-signed", {"text": Quote(text), "amount": bare})
    return Message("amount-unclear" if _UNCLEAR.fullmatch(plain) else wrong, {"text": Quote(text)})


@lru_cache(maxsize=512)
def _amount_with_name(names: frozenset[str]) -> re.Pattern[str]:
    """Match an amount and a name without a blank between them; a form of Discord has `_` for each blank."""
    letters = [each for each in names if not each[0].isdigit()]
    longest_first = sorted(map(re.escape, letters), key=len, reverse=True)
    alternatives = "|".join(longest_first).replace("\\ ", "[ _]")
    amount = r"(?:[a-z_]+=)?(?:[0-9][0-9.,]*[km%]?|half(?=_)|all(?=_))"
    return re.compile(rf"({amount})_?(?:{alternatives})", re.IGNORECASE)
