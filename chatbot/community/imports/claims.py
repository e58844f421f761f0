"""Pays imported balances that wait for a name to the members who have it, when they first send a line."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from math import inf
from typing import TYPE_CHECKING

from chatbot.ledger.people import Account
from chatbot.runtime.limits import remember

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.ledger.imports.placeholders import Placeholders
    from chatbot.rooms.line import Line
    from chatbot.runtime.clock import Watch

EMPTY_VALID = 60.0  # seconds for which it is remembered that no balance is waiting
REMEMBERED = 20_000  # logins that were looked up


class ImportClaims:
    """Pays imported balances to the accounts that have their logins.

    A display name proves nothing, but a login is unique on its platform.
    """

    def __init__(self, placeholders: Placeholders, watch: Watch) -> None:
        self._placeholders, self._watch = placeholders, watch
        self._empty_until = -inf  # on the watch: no balance is waiting until then
        self._asking = asyncio.Lock()  # lines of many rooms at once ask the database only once
        self._looked_up: OrderedDict[tuple[Account, Seat], bool] = OrderedDict()

    def may_wait(self, line: Line) -> bool:
        """Return whether a balance may be waiting for the sender; False if it was looked up recently."""
        if not line.login or self._watch.now() < self._empty_until:
            return False
        return (_login(line), line.home) not in self._looked_up

    async def pay(self, line: Line) -> None:
        """Pay the sender of a line a balance that waits for their login."""
        if not self.may_wait(line) or not await self._waiting():
            return
        login = _login(line)
        await self._placeholders.inherit(login, line.home, self._watch.date())
        remember(self._looked_up, (login, line.home), True, REMEMBERED)

    async def _waiting(self) -> bool:
        async with self._asking:
            return self._watch.now() >= self._empty_until and await self._ask()

    async def _ask(self) -> bool:
        if await self._placeholders.waiting():
            return True
        self._empty_until = self._watch.now() + EMPTY_VALID
        return False


def _login(line: Line) -> Account:
    return Account(line.account.platform, line.login.casefold())
