"""Lists of accounts by moderators: regulars, and those excluded from earning and rankings."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from chatbot.kernel import supplies
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Message, Quote
from chatbot.ledger.people import Account
from chatbot.settings.fields import YES, YES_OR_NO, Entries, Scope, wrong, yes_or_no

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room

LONGEST_NAME = 100  # characters
_EXPECTS_NAME = Message("expects-name", {"most": LONGEST_NAME})


def _account(key: str) -> str:
    try:
        return str(Account.read(key))
    except ValueError:
        raise Refusal(Message("expects-account", {"key": Quote(key)})) from None


def _regular(key: str, text: str) -> tuple[str, str]:
    account, name = _account(key), " ".join(text.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise wrong(account, text, _EXPECTS_NAME)
    return account, name


def _excluded(key: str, text: str) -> tuple[str, str]:
    account = _account(key)
    return account, yes_or_no(account, text)


REGULARS = Entries(
    "regulars", _regular, _EXPECTS_NAME, ("twitch:4242", "Ann"), Scope.COMMUNITY, words=("regular",)
)
"""Account -> the name that it had when it was listed."""

EXCLUDED = Entries(
    "excluded",
    _excluded,
    YES_OR_NO,
    ("twitch:4242", YES),
    Scope.COMMUNITY,
    words=("exclude",),
    single=True,
)
"""Account -> whether it is excluded; `no` lets a known bot take part."""


def regular(room: Room, accounts: Iterable[Account]) -> bool:
    """Return whether any of a person's accounts is listed as a regular."""
    regulars = REGULARS.of(room)
    return bool(regulars) and not regulars.keys().isdisjoint(map(str, accounts))


def named_regulars(room: Room) -> list[Account]:
    """Return the accounts that are listed as regulars."""
    return [Account.read(each) for each in REGULARS.of(room)]


def excluded(room: Room, account: Account | None, name: str) -> bool:
    """Return whether an account is excluded: by the list, or else as a known bot."""
    answer = None if account is None else EXCLUDED.of(room).get(str(account))
    return known_bot(name) if answer is None else answer == YES


def named_excluded(room: Room) -> list[Account]:
    """Return the accounts of which moderators have said whether they are excluded."""
    return [Account.read(each) for each in EXCLUDED.of(room)]


def barred(room: Room, seat: Seat, accounts: Sequence[Account], name: str) -> bool:
    """Return whether a person is excluded by any of their accounts, or is a player of the house."""
    return of_house(seat) or any(excluded(room, each, name) for each in accounts or (None,))


@cache
def bots() -> frozenset[str]:
    """Return the names of well-known bots, in lower case."""
    return supplies.listed("bots")


def known_bot(name: str) -> bool:
    """Return whether a name is that of a well-known bot, whatever its case."""
    return name.casefold() in bots()


def all_roles(room: Room, accounts: Iterable[Account], roles: Iterable[Role]) -> frozenset[Role]:
    """Return the roles that a platform reports, and, if listed, that of regulars."""
    regular_roles = {Role.REGULAR} if regular(room, accounts) else set[Role]()
    return frozenset({*regular_roles, *roles})


def standing(room: Room, line: Line) -> Role:
    """Return the highest role of the sender of a line: that of the platform, or that of a regular."""
    listed_role = Role.REGULAR if regular(room, line.accounts) else Role.VIEWER
    return line.role if line.role.covers(listed_role) else listed_role
