"""Finds the room in which somebody is, among those that all processes run.

A message to the bot alone arrives where the platform sends it, and belongs to the table of its writer, which
any process may run. Everybody is asked, and whoever does not answer in time knows nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from chatbot.cluster.carrier import Away
from chatbot.cluster.remote_chat import RemoteChat
from chatbot.rooms.channel import Channel

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.cluster.carrier import Carrier
    from chatbot.cluster.owning import Owning
    from chatbot.ledger.people import Account
    from chatbot.ledger.store.duties import Duties
    from chatbot.rooms.registry import Whereabouts

PATIENCE = 0.5  # seconds for which answers are waited for


class _Search:
    """Somebody who is looked for, and what others have answered."""

    def __init__(self, processes: int) -> None:
        self._missing, self.answers = processes, list[Mapping[str, Any]]()
        self.over = asyncio.Event()
        if not processes:
            self.over.set()

    def take(self, answer: Mapping[str, Any]) -> None:
        self._missing -= 1
        if answer["room"] is not None:
            self.answers.append(answer)
        if not self._missing or answer["plays"]:
            self.over.set()


class WhereaboutsSearch:
    """Asks all processes where somebody is, and answers what they ask."""

    def __init__(self, bot: Bot, carrier: Carrier, process: int, duties: Duties, owning: Owning) -> None:
        self._bot, self._carrier, self._process = bot, carrier, process
        self._duties, self._owning = duties, owning
        self._numbers, self._searches = count(1), dict[int, _Search]()

    async def find(self, account: Account, own: Whereabouts | None) -> str | None:
        """Return the channel in which somebody plays, or else spoke last, whose room is open here then."""
        others = [each for each in self._duties.members if each.id != self._process]
        number, search = next(self._numbers), _Search(len(others))
        self._searches[number] = search
        try:
            asked = {"where": account, "number": number, "from": self._process}
            await self._carrier.announce(asked)
            with suppress(TimeoutError):
                await asyncio.wait_for(search.over.wait(), PATIENCE)
        finally:
            del self._searches[number]
        now = self._bot.watch.now()
        best = max(search.answers, key=lambda each: (each["plays"], -each["age"]), default=None)
        if best is None or (own is not None and now - own.spoke <= best["age"] and not best["plays"]):
            return None if own is None else own.channel.id
        await self._open(best)
        return str(best["room"][2])

    async def answer(self, value: Mapping[str, Any]) -> None:
        """Tell another process where somebody is, in the rooms that are run here."""
        account = value["where"]
        found: Whereabouts | None = None
        with suppress(SQLAlchemyError, OSError, TimeoutError):
            await self._bot.people.meet([account])
            found = self._bot.whereabouts_here(account)
        reply: dict[str, object] = {"at": value["number"], "room": None, "plays": False}
        if found is not None and not found.room.elsewhere:
            adapter = found.channel.adapter
            hearer = adapter.process if isinstance(adapter, RemoteChat) else self._process
            reply |= {
                "room": (found.room.id, found.room.community, found.channel.id, found.channel.platform),
                "plays": found.plays,
                "age": self._bot.watch.now() - found.spoke,
                "manner": found.channel.manner,
                "hearer": hearer,
            }
        with suppress(Away):
            await self._carrier.ask(value["from"], reply)

    def take(self, value: Mapping[str, Any]) -> None:
        """Take an answer; one that comes too late is nobody's."""
        search = self._searches.get(value["at"])
        if search is not None:
            search.take(value)

    async def _open(self, found: Mapping[str, Any]) -> None:
        room, community, channel, platform = found["room"]
        if not self._bot.rooms.has(channel):
            remote = Channel(channel, platform, self._owning.remote(found["hearer"]), found["manner"])
            await self._owning.open_remote(room, community, remote, found["hearer"])
