"""The one parser of whole numbers and of amounts that people type. ASCII only, never a float."""

from __future__ import annotations

import re

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Quote

MOST = 10**15
"""The largest amount that is accepted anywhere: far from the 2**63 where databases give up."""

_AMOUNT = re.compile(r"([0-9]{1,16})([km%]?)", re.ASCII | re.IGNORECASE)
_WHOLE = re.compile(r"[0-9]{1,16}", re.ASCII)
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}


def read_whole(text: str, least: int, most: int) -> int:
    """Read a whole number within limits.

    Raises:
        Refusal: it is no whole number, or outside the limits.
    """
    if _WHOLE.fullmatch(text) and least <= int(text) <= most:
        return int(text)
    raise Refusal(Message("not-a-number", {"text": Quote(text), "least": least, "most": most}))


def read_amount(text: str, purse: int, wrong: str = "not-an-amount") -> int:
    """Read `69`, `5k`, `1m`, `25%`, `half` or `all`, the last three of `purse`.

    Shares are rounded down and at least 1; whether the purse covers the amount is not asked here. `wrong` is
    the message that says what can be written.

    Raises:
        Refusal: it is no amount, or less than 1, or more than `MOST`.
    """
    credits_meant = _read(text.strip().lower(), purse)
    if credits_meant is None:
        raise Refusal(Message(wrong, {"text": Quote(text)}))
    if not 1 <= credits_meant <= MOST:
        raise Refusal(Message("amount-out-of-range", {"text": Quote(text), "most": MOST}))
    return credits_meant


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
