"""Codes by which somebody shows in a chat that the page that asks for a desk is theirs.

A page that was logged in by a code of its platform may be a stranger's, who has talked somebody into
confirming that: so the same account types another code in a chat that it moderates, before the page may do
what its moderators may. Codes are in memory alone, for three minutes, and work once.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.ledger.people import Account

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.runtime.clock import Watch

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"  # without I, L and O, which are taken for each other and for digits
LENGTH = 6
LASTS = 180.0  # seconds
MOST_WAITING = 1000  # codes at once; the oldest ends for the next one


@dataclass(slots=True)
class _Code:
    session: str
    account: Account
    until: float  # time of the watch
    is_typed: bool = False


class DeskCodes:
    """The codes that wait to be typed, and those that were."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._codes: dict[str, _Code] = {}

    def make(self, session: str, account: Account) -> str:
        """Return a code for the session of an account, in the place of one that it had."""
        self._drop(lambda each: each.session == session)
        if len(self._codes) >= MOST_WAITING:
            del self._codes[next(iter(self._codes))]
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._codes[code] = _Code(session, account, self._watch.now() + LASTS)
        return code

    def type(self, text: str, account: Account) -> None:
        """Take note that an account has typed a code in a chat where it moderates.

        Raises:
            Refusal: there is no such code, or it is that of another account.
        """
        self._drop(lambda _: False)
        code = self._codes.get(text.upper())
        if code is None or code.account != account or code.is_typed:
            raise Refusal(Message("desk-code-unknown"))
        code.is_typed = True

    def take(self, session: str) -> bool | None:
        """Return whether the code of a session was typed, which counts once; None: it has none any more."""
        self._drop(lambda _: False)
        code = next((each for each in self._codes.values() if each.session == session), None)
        if code is not None and code.is_typed:
            self._drop(lambda each: each is code)
        return None if code is None else code.is_typed

    def _drop(self, which: Callable[[_Code], bool]) -> None:
        now = self._watch.now()
        self._codes = {
            code: each for code, each in self._codes.items() if each.until > now and not which(each)
        }
