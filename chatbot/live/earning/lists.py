"""Whom a community's keepers have named: its regulars, and those who earn nothing and rank nowhere."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from chatbot.kernel import supplies
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.kit import of_house
from chatbot.kernel.say import Message, Quote
from chatbot.settings.groups import Entries, Scope
from chatbot.settings.values import YES, YES_OR_NO, wrong, yes_or_no

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.live.room import Line, Room

LONGEST_NAME = 100  # characters
_NAMED = Message("expects-name", {"most": LONGEST_NAME})


def _seat(key: str) -> str:
    platform, _, number = key.partition(":")
    if not platform or not number or key.split() != [key]:
        raise Refusal(Message("expects-seat", {"key": Quote(key)}))
    return key


def _regular(key: str, text: str) -> tuple[str, str]:
    seat, name = _seat(key), " ".join(text.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise wrong(seat, text, _NAMED)
    return seat, name


def _excluded(key: str, text: str) -> tuple[str, str]:
    seat = _seat(key)
    return seat, yes_or_no(seat, text)


REGULARS = Entries("regulars", _regular, _NAMED, ("twitch:4242", "Ann"), Scope.COMMUNITY, words=("regular",))
"""Seat -> name, on the day when it was written down."""

EXCLUDED = Entries(
    "excluded", _excluded, YES_OR_NO, ("twitch:4242", YES), Scope.COMMUNITY, words=("exclude",)
)
"""Seat -> whether it is; `no` lets a known bot take part."""


def regular(room: Room, seats: Iterable[Seat]) -> bool:
    """Whether keepers call somebody a regular: by any seat of the same person."""
    return not REGULARS.of(room).keys().isdisjoint(seats)


def excluded(room: Room, seat: Seat, name: str) -> bool:
    """Whether somebody earns nothing and ranks nowhere: by their keepers' word, or else as a known bot."""
    said = EXCLUDED.of(room).get(seat)
    return of_house(seat) or (known_bot(name) if said is None else said == YES)


def barred(room: Room, seats: Iterable[Seat], name: str) -> bool:
    """Whether somebody of several seats is excluded: each of them is as good as the others."""
    return any(excluded(room, each, name) for each in seats)


@cache
def bots() -> frozenset[str]:
    """List the names of bots that chats know, in small letters."""
    return supplies.listed("bots")


def known_bot(name: str) -> bool:
    """Whether this is, as a whole and whatever its case, the name of a bot that chats know."""
    return name.casefold() in bots()


def raised(room: Room, seats: Iterable[Seat], roles: Iterable[Role]) -> frozenset[Role]:
    """Add what a community's keepers made of somebody of several seats to what the platform says."""
    own = {Role.REGULAR} if regular(room, seats) else set[Role]()
    return frozenset({Role.VIEWER, *own, *roles})


def standing(room: Room, line: Line) -> Role:
    """Tell the highest role of a speaker: the platform's, or that of a regular."""
    own = Role.REGULAR if regular(room, line.seats) else Role.VIEWER
    return max(own, line.role, key=list(Role).index)
