"""Codes by which a person shows that they use an account, or a community that it owns a channel.

A code is issued to one account in private, and typed with another. Codes are kept in memory only: a restart
voids them.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Generic, TypeVar

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.ledger.changes import ChangeSet
from chatbot.runtime.limits import remember

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.ledger.people import Account
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # no two look alike; 31**10 is about 8 * 10**14
LENGTH = 10  # letters of a code
VALID = 600.0  # seconds for which a code is valid
TRIES = 5  # wrong codes that an account may type in that time
REMEMBERED = 10_000  # accounts whose wrong codes are counted, the latest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Issued(Generic[T]):
    owner: str
    value: T
    until: float  # on the watch


class Codes(Generic[T]):
    """One-time codes that stand for values; a new code voids the former one of its owner."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._issued: dict[str, _Issued[T]] = {}
        self._wrong: OrderedDict[Account, list[float]] = OrderedDict()  # when each typed wrong codes

    def issue(self, owner: str, value: T) -> str:
        """Return a new code for a value."""
        now = self._watch.now()
        self._issued = {
            code: each for code, each in self._issued.items() if each.until > now and each.owner != owner
        }
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._issued[code] = _Issued(owner, value, now + VALID)
        return code

    def read(self, account: Account, text: str) -> T:
        """Return the value of a code that an account has typed.

        Raises:
            Refusal: the code is wrong or has expired, or the account has typed too many wrong ones.
        """
        wrong = self._recent_mistakes(account)
        issued = self._issued.get(text.upper())
        if issued is None or issued.until <= self._watch.now():
            remember(self._wrong, account, [*wrong, self._watch.now()], REMEMBERED)
            raise Refusal(Message("code-wrong"))
        return issued.value

    def spend(self, text: str) -> None:
        """Void a code."""
        self._issued.pop(text.upper(), None)

    def _recent_mistakes(self, account: Account) -> list[float]:
        """Return when an account has typed wrong codes that count, in seconds of the watch.

        Raises:
            Refusal: these are too many.
        """
        now = self._watch.now()
        wrong = [each for each in self._wrong.get(account, ()) if each > now - VALID]
        if len(wrong) >= TRIES:
            raise Refusal(Message("code-tries", {"minutes": ceil((wrong[0] + VALID - now) / 60)}))
        return wrong


def new_change_set(request: Request, room: Room, at: datetime, part: str = "") -> ChangeSet:
    """Return a change set without changes, which are known when it is written.

    `part` tells several change sets of one line apart.
    """
    line = request.line
    identity = f"change-set:{line.id}:{part}".rstrip(":")
    return ChangeSet(identity, room.id, room.community, at, line.home, line.name, ())


def platform(name: str) -> str:
    """Return the display name of a platform."""
    return name.capitalize()
