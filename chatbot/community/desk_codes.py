"""Codes by which somebody shows in a chat that the page that asks for a desk is theirs.

A page that was logged in by a code of its platform may be a stranger's, who has talked somebody into
confirming that: so the same account types another code in a chat that it moderates, before the page may do
what its moderators may. Codes count for three minutes, and work once.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.ledger.codes import CodeKind, OneTimeCodes, TooManyTries, WrongCode

if TYPE_CHECKING:
    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import Watch

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"  # without I, L and O, which are taken for each other and for digits
LENGTH = 6
LASTS = 180.0  # seconds
MOST_WAITING = 1000  # codes at once; the oldest ends for the next one
DESK = CodeKind("desk", LETTERS, LENGTH, timedelta(seconds=LASTS), MOST_WAITING)


class DeskCodes:
    """The codes that wait to be typed, and those that were; each belongs to a session of a browser."""

    def __init__(self, store: Store, watch: Watch) -> None:
        self._codes = OneTimeCodes(store, watch, DESK)

    async def make(self, session: str, account: Account) -> str:
        """Return a code for the session of an account, in the place of one that it had."""
        return await self._codes.issue(session, str(account), account)

    async def type(self, code: str, account: Account, line: str) -> None:
        """Take note that an account has typed a code, by a line in a chat where it moderates.

        Raises:
            Refusal: there is no such code, it is that of another account, or this one has tried too many.
        """
        try:
            _, owner = await self._codes.look(account, code, line)
        except TooManyTries:
            raise Refusal(Message("seat-code-tries")) from None
        except WrongCode:
            raise Refusal(Message("desk-code-unknown")) from None
        if owner != str(account) or not await self._codes.take(code, line):
            raise Refusal(Message("desk-code-unknown"))

    async def take(self, session: str) -> bool | None:
        """Return whether the code of a session was typed, which counts once; None: it has none any more."""
        state = await self._codes.state(session)
        if state is None:
            return None
        is_typed, _ = state
        return is_typed and await self._codes.drop(session)
