"""How people write quantities: a time as `90s`, `2m` or `1m30s`, a share as `5` or `5%`.

An amount of credits may be written as `1,000`, `5k` or `20 credits`. `plain` is the one reader of each unit.
Chat, forms and files use it by the descriptors of settings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chatbot.kernel.amounts import plain_amount, without_currency

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS: Mapping[str, int] = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}
"""The units of time, and how many seconds each has."""

PERCENT = "percent"
CREDITS = "credits"

_TIME = re.compile(
    r"(?:([0-9]{1,6}) ?(?:d|days?|일))? ?"
    r"(?:([0-9]{1,6}) ?(?:h|hr|hrs|hours?|시간))? ?"
    r"(?:([0-9]{1,6}) ?(?:m|mins?|minutes?|분))? ?"
    r"(?:([0-9]{1,8}) ?(?:s|secs?|seconds?|초))?",
    re.ASCII | re.IGNORECASE,
)
_SHARE = re.compile(r"([0-9]{1,16}(?:\.[0-9]{1,16})?) ?(?:%|percent|퍼센트)", re.ASCII | re.IGNORECASE)
_NAMES = frozenset({"credit", "credits", "크레딧"})  # those of a room are known in its chat alone
_LETTERS = "d", "h", "m", "s"


def plain(text: str, unit: str) -> str:
    """Return a quantity as a plain number of its unit, or the text as it is if it has no form of the unit.

    A time that is no whole number of the unit, as 90 seconds are of minutes, is returned as it is.
    """
    if unit in SECONDS:
        seconds = read_time(text)
        fits = seconds is not None and seconds % SECONDS[unit] == 0
        return str((seconds or 0) // SECONDS[unit]) if fits else text
    if unit == CREDITS:
        return _plain_credits(text)
    share = _SHARE.fullmatch(text) if unit == PERCENT else None
    return share[1] if share else text


def _plain_credits(text: str) -> str:
    words = without_currency(text.split(), _NAMES)
    amount = plain_amount(words[0]) if len(words) == 1 else text
    return amount if amount.isdecimal() else text


def read_time(text: str) -> int | None:
    """Return the seconds of a time with units, such as `1h`, `1m30s` or `2분`; None: it is none."""
    match = _TIME.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        return None
    return sum(int(count or 0) * size for count, size in zip(match.groups(), _sizes(), strict=True))


def as_time(count: int, unit: str) -> str:
    """Write a count of a unit of time in the largest units, such as `1m30s`; 0 is `0` of its own unit."""
    left, parts = count * SECONDS[unit], list[str]()
    for letter, size in zip(_LETTERS, _sizes(), strict=True):
        amount, left = divmod(left, size)
        if amount:
            parts.append(f"{amount}{letter}")
    return "".join(parts) or f"0{unit[0]}"


def _sizes() -> tuple[int, ...]:
    """Return the seconds of the units of time, the largest first."""
    return tuple(sorted(SECONDS.values(), reverse=True))
