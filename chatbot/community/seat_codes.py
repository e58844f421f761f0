"""Codes by which a browser becomes somebody's seat: its page shows six letters, and who types them is it.

Somebody can be talked into typing a stranger's code. So what it opens is small (`SEAT_BY_CODE`), it is told
where it was typed, and a word ends it. Whoever tries codes at random binds a stranger's browser to
themselves,
and gains nothing by that; their tries are limited all the same. Codes count for three minutes, work once, and
only the browser that was shown one learns who has typed it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from chatbot.community.desk_codes import LASTS, LENGTH, LETTERS, MOST_WAITING
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.ledger.codes import CodeKind, OneTimeCodes, TooManyTries, WrongCode
from chatbot.ledger.people import Account

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import Watch

SEAT = CodeKind("seat", LETTERS, LENGTH, timedelta(seconds=LASTS), MOST_WAITING)


@dataclass(frozen=True, slots=True)
class CodeTyper:
    """Who has typed a code, and in which channel."""

    account: Account
    name: str
    channel: str


class SeatCodes:
    """The codes that wait to be typed, and those that were, until their browsers have asked for them.

    `browser` is what a browser alone holds.
    """

    def __init__(self, store: Store, watch: Watch) -> None:
        self._codes = OneTimeCodes(store, watch, SEAT)

    async def make(self, browser: str) -> str:
        """Return a code for a browser, in the place of one that it had."""
        return await self._codes.issue(_known_as(browser))

    async def type(self, code: str, typer: CodeTyper, line: str) -> None:
        """Take note of who has typed a code, by a line.

        Raises:
            Refusal: there is no such code, it was typed before, or this account has tried too many.
        """
        try:
            await self._codes.look(typer.account, code, line)
        except TooManyTries:
            raise Refusal(Message("seat-code-tries")) from None
        except WrongCode:
            raise Refusal(Message("seat-code-unknown")) from None
        value = json.dumps([*typer.account, typer.name, typer.channel])
        if not await self._codes.take(code, line, value, typer.account):
            raise Refusal(Message("seat-code-unknown"))

    async def waits(self, browser: str) -> bool:
        """Whether a browser has a code that counts."""
        return await self._codes.state(_known_as(browser)) is not None

    async def take(self, browser: str) -> CodeTyper | None:
        """Return who has typed the code of a browser, which is told once; None: nobody has."""
        state = await self._codes.state(_known_as(browser))
        if state is None or not state[0] or not await self._codes.drop(_known_as(browser)):
            return None
        platform, key, name, channel = json.loads(state[1])
        return CodeTyper(Account(platform, key), name, channel)


def _known_as(browser: str) -> str:
    """Return what the database has in the place of what a browser holds."""
    return sha256(browser.encode(errors="replace")).hexdigest()
