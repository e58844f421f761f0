"""Titles that a community gives its members by their credits, such as `100 Rookie, 1000 Regular`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.kernel.amounts import MOST
from chatbot.speech.safe import safe_text

if TYPE_CHECKING:
    from collections.abc import Sequence

NONE = "none"  # what is typed for no titles at all
MOST_TITLES = 20
LONGEST_TITLE = 30  # characters
_TITLE = re.compile(r"([0-9]{1,16})\s+(\S.*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class NamedRank:
    """What somebody with at least so many credits is called."""

    credits: int
    name: str


def checked(text: str) -> str:
    """Normalize titles as they are typed: an amount and a name each, with commas between, or `none`.

    Raises:
        ValueError: one has no amount or no name, a name cannot be shown as it is or is longer than
            `LONGEST_TITLE`, the amounts do not rise, or there are more than `MOST_TITLES`.
    """
    ranks = _read(text)
    amounts = [each.credits for each in ranks]
    if len(ranks) > MOST_TITLES or amounts != sorted(set(amounts)):
        raise ValueError("not titles by rising amounts")
    return ", ".join(f"{each.credits} {each.name}" for each in ranks) or NONE


def find(text: str, balance: int) -> tuple[NamedRank | None, NamedRank | None]:
    """Return the title of somebody with a balance, and the next one; None: there is none."""
    below, above = _divided(_read(text), balance)
    return (below[-1] if below else None), (above[0] if above else None)


def _divided(titles: Sequence[NamedRank], balance: int) -> tuple[Sequence[NamedRank], Sequence[NamedRank]]:
    count = sum(each.credits <= balance for each in titles)
    return titles[:count], titles[count:]


def _read(text: str) -> Sequence[NamedRank]:
    plain = text.strip()
    return [] if plain.lower() in {"", NONE} else [_title(each.strip()) for each in plain.split(",")]


def _title(text: str) -> NamedRank:
    match = _TITLE.fullmatch(text)
    if match is None:
        raise ValueError("not an amount and a name")
    amount, name = int(match[1]), safe_text(match[2], LONGEST_TITLE + 1)
    if amount > MOST or not 0 < len(name) <= LONGEST_TITLE:
        raise ValueError("too large an amount, or not a name of few characters")
    return NamedRank(amount, name)
