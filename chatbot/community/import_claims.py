"""Hands on what was brought along for a name, when the platform tells whose name it is."""

from __future__ import annotations

from collections import OrderedDict
from math import inf
from typing import TYPE_CHECKING

from chatbot.ledger.people import Account
from chatbot.rooms.lru import remember

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.ledger.imports import Placeholders
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Line

ASKED = 60.0  # seconds for which it is remembered that nobody is waited for
REMEMBERED = 50_000  # logins that were looked up


class ImportClaims:
    """A name that is shown proves nothing; a login is one's own, as long as one has it."""

    def __init__(self, placeholders: Placeholders, watch: Watch) -> None:
        self._placeholders, self._watch = placeholders, watch
        self._none = -inf  # until when nobody is waited for
        self._done: OrderedDict[tuple[Account, Seat], bool] = OrderedDict()

    def may_wait(self, line: Line) -> bool:
        """Whether something may wait for who speaks; where it was looked up of late, nothing does."""
        key = _login(line), line.home
        return bool(line.login) and self._watch.now() >= self._none and key not in self._done

    async def heard(self, line: Line) -> None:
        if not self.may_wait(line) or not await self._waiting():
            return
        login = _login(line)
        await self._placeholders.inherit(login, line.home, self._watch.date())
        remember(self._done, (login, line.home), True, REMEMBERED)

    async def _waiting(self) -> bool:
        if await self._placeholders.waiting():
            return True
        self._none = self._watch.now() + ASKED
        return False


def _login(line: Line) -> Account:
    return Account(line.account.platform, line.login.casefold())
