"""What processes tell all others, so that each forgets what it knew: settings, who is who, books in doubt.

What is announced is not kept. Who missed it learns of persons and unions by their version, which it looks at,
and is refused what it decides by an older one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.store.engines import reason
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.cluster.carrier import Carrier
    from chatbot.ledger.changes import Change
    from chatbot.ledger.people import Account
    from chatbot.rooms.room import Room

REFRESH = 1.0  # seconds between two looks at whether somebody was linked by another process

log = structlog.get_logger(__name__)


class SharedChanges:
    """Tells others what this process has changed, and takes what they tell; `start` runs something beside."""

    def __init__(
        self, bot: Bot, carrier: Carrier, process: int, start: Callable[[Awaitable[object]], None]
    ) -> None:
        self._bot, self._carrier, self._process, self._start = bot, carrier, process, start
        self.close_seats: Callable[[Account], Awaitable[object]] | None = None  # None: there are no pages
        self.read_webhooks: Callable[[], Awaitable[object]] | None = None
        self._followed = -1  # the version of who is who as of which rooms are joined and parted
        self._refreshes = Periodic(bot.watch, REFRESH, self._refresh)

    def start(self) -> None:
        """Tell of changes from now on, and look at those of others now and then."""
        parts = self._bot.parts
        parts.settings_changes.listeners.append(self._note_change)
        parts.bridges.listeners.append(self._note_people)
        parts.people.listeners.append(self._note_people)
        parts.receipts.unopened = parts.control.unopened
        self._refreshes.start()

    def stop(self) -> None:
        """Look no more."""
        self._refreshes.stop()

    def tell_doubt(self, communities: Collection[str], *, halted: bool) -> None:
        """Have all processes stop the games of communities whose books are in doubt, or all games."""
        self._tell({"doubted": tuple(sorted(communities)), "halted": halted})

    def tell_seats_ended(self, account: Account) -> None:
        """Have all processes close the open seats of an account, whose sessions have ended."""
        self._tell({"seats-ended": account})

    def tell_webhooks_changed(self) -> None:
        """Have all processes read the webhooks anew."""
        self._tell({"webhooks": True})

    async def take(self, value: Mapping[str, Any]) -> None:
        """Take what a process tells all others, if it is of this kind."""
        match value:
            case {"changed": community}:
                await self._reload(community)
            case {"seats-ended": account} if self.close_seats is not None:
                await self.close_seats(account)
            case {"webhooks": True} if self.read_webhooks is not None:
                await self.read_webhooks()
            case {"people": _}:
                await self._refresh()
            case {"doubted": _, "halted": True}:
                await self._bot.control.halt()
            case {"doubted": communities}:
                await self._bot.control.doubt(communities)

    def _note_change(self, room: Room, _: Sequence[Change]) -> None:
        self._tell({"changed": room.community})

    def _note_people(self) -> None:
        self._tell({"people": True})

    def _tell(self, value: Mapping[str, object]) -> None:
        self._start(self._carrier.announce({**value, "from": self._process}))

    async def _refresh(self) -> None:
        """Learn of links and unions that other processes have made; a unit that does not know is refused."""
        try:
            await self._bot.people.load()
            version = self._bot.people.as_of
            if version != self._followed:
                await self._bot.parts.bridges.follow()
                self._followed = version
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            log.debug("who is who cannot be looked at", why=reason(error))

    async def _reload(self, community: str) -> None:
        """Read the settings of a community again, and of those that are united with it."""
        holder = self._bot.parts.bridges.holder
        rooms = [each for each in self._bot.rooms.values() if holder(each.community) == holder(community)]
        for room in rooms:
            with suppress(SQLAlchemyError, OSError):
                await self._bot.parts.settings_changes.load(room)
