"""Whom a community's moderators have named: its regulars, and those who earn nothing and rank nowhere."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from chatbot.kernel import supplies
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import of_house
from chatbot.kernel.say import Message, Quote
from chatbot.ledger.people import Account
from chatbot.settings.fields import YES, YES_OR_NO, Entries, Scope, wrong, yes_or_no

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.rooms.room import Line, Room

LONGEST_NAME = 100  # characters
_NAMED = Message("expects-name", {"most": LONGEST_NAME})


def _account(key: str) -> str:
    try:
        return str(Account.read(key))
    except ValueError:
        raise Refusal(Message("expects-account", {"key": Quote(key)})) from None


def _regular(key: str, text: str) -> tuple[str, str]:
    account, name = _account(key), " ".join(text.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise wrong(account, text, _NAMED)
    return account, name


def _excluded(key: str, text: str) -> tuple[str, str]:
    account = _account(key)
    return account, yes_or_no(account, text)


REGULARS = Entries("regulars", _regular, _NAMED, ("twitch:4242", "Ann"), Scope.COMMUNITY, words=("regular",))
"""Account -> name, on the day when it was written down."""

EXCLUDED = Entries(
    "excluded", _excluded, YES_OR_NO, ("twitch:4242", YES), Scope.COMMUNITY, words=("exclude",)
)
"""Account -> whether it is; `no` lets a known bot take part."""


def regular(room: Room, accounts: Iterable[Account]) -> bool:
    """Whether moderators call somebody a regular: by any account of the same person."""
    return not REGULARS.of(room).keys().isdisjoint(map(str, accounts))


def excluded(room: Room, account: Account | None, name: str) -> bool:
    """Whether somebody earns nothing and ranks nowhere: by their moderators' word, or else as a known bot."""
    said = None if account is None else EXCLUDED.of(room).get(str(account))
    return known_bot(name) if said is None else said == YES


def barred(room: Room, seat: Seat, accounts: Sequence[Account], name: str) -> bool:
    """Whether somebody of several accounts is excluded: each of them is as good as the others."""
    return of_house(seat) or any(excluded(room, each, name) for each in accounts or (None,))


@cache
def bots() -> frozenset[str]:
    """List the names of bots that chats know, in small letters."""
    return supplies.listed("bots")


def known_bot(name: str) -> bool:
    """Whether this is, as a whole and whatever its case, the name of a bot that chats know."""
    return name.casefold() in bots()


def raised(room: Room, accounts: Iterable[Account], roles: Iterable[Role]) -> frozenset[Role]:
    """Add what a community's moderators made of somebody to what the platform says."""
    own = {Role.REGULAR} if regular(room, accounts) else set[Role]()
    return frozenset({Role.VIEWER, *own, *roles})


def standing(room: Room, line: Line) -> Role:
    """Tell the highest role of a speaker: the platform's, or that of a regular."""
    own = Role.REGULAR if regular(room, line.accounts) else Role.VIEWER
    return max(own, line.role, key=list(Role).index)
