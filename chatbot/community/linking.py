"""Codes by which a person shows that they use an account, or a community that it owns a channel.

A code is issued to one account in private, and typed with another, wherever that is.
"""

from __future__ import annotations

from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.ledger.changes import ChangeSet
from chatbot.ledger.codes import CodeKind, OneTimeCodes, TooManyTries, WrongCode

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.rooms.line import Line
    from chatbot.rooms.request import Request

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # no two look alike; 31**10 is about 8 * 10**14
LENGTH = 10  # letters of a code
VALID = timedelta(minutes=10)
OFFER_VALID = timedelta(minutes=1)  # in which a link must be confirmed

LINK = CodeKind("link", LETTERS, LENGTH, VALID)
LINK_OFFER = CodeKind("link-offer", LETTERS, LENGTH, OFFER_VALID)
BRIDGE = CodeKind("bridge", LETTERS, LENGTH, VALID)


async def read_code(codes: OneTimeCodes, line: Line, code: str) -> str:
    """Return the value of a code that is typed in a line.

    Raises:
        Refusal: the code is wrong or has expired, or the account has typed too many wrong ones.
    """
    try:
        _, value = await codes.look(line.account, code, line.id)
    except WrongCode:
        raise Refusal(Message("code-wrong")) from None
    except TooManyTries as error:
        raise Refusal(Message("code-tries", {"minutes": ceil(error.wait / 60)})) from None
    return value


async def spend_code(codes: OneTimeCodes, code: str, line: str) -> None:
    """Use a code up by a line.

    Raises:
        Refusal: another line has, since it was looked at.
    """
    if not await codes.take(code, line):
        raise Refusal(Message("code-wrong"))


def new_change_set(request: Request, room: str, community: str, at: datetime, part: str = "") -> ChangeSet:
    """Return a change set without changes, which are known when it is written.

    `part` tells several change sets of one line apart.
    """
    line = request.line
    identity = f"change-set:{line.id}:{part}".rstrip(":")
    return ChangeSet(identity, room, community, at, line.home, line.name, ())


def platform(name: str) -> str:
    """Return the display name of a platform."""
    return name.capitalize()
