"""Asks Twitch every two minutes who is in the chats of streams that are on, and hands that to the house.

Where Twitch will not tell, the house goes by who talks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException

from cogs.twitch.lines import account_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from twitchio import Client

    from chatbot.bot.house import House
    from chatbot.keys.ring import Key
    from chatbot.ledger.people import Account
    from chatbot.rooms.clock import Alarm
    from cogs.twitch.channels import Chat

EVERY = 120.0  # seconds
PAGE = 1000  # people in one answer, the most that Twitch gives
ADVISED = 86_400.0  # seconds between two words to the operator
SCOPE = "moderator:read:chatters"  # of the bot, which must also be a moderator there

log = structlog.get_logger(__name__)


class ChatterPoll:
    def __init__(self, client: Client, bot: Key, house: House, chats: Collection[Chat]) -> None:
        self._client, self._bot, self._house, self._chats = client, bot, house, chats
        self._alarm: Alarm | None = None
        self._stopped = False

    def start(self) -> None:
        self._alarm = self._house.watch.ring(EVERY, self._tick)

    def stop(self) -> None:
        self._stopped = True
        if self._alarm is not None:
            self._alarm.cancel()

    async def _tick(self) -> None:
        try:
            for chat in list(self._chats):
                if self._house.rooms.at(chat.channel.id).live and not self._stopped:
                    await self._look(chat)
        finally:
            if not self._stopped:
                self.start()

    async def _look(self, chat: Chat) -> None:
        if SCOPE not in self._bot.scopes:
            self._advise(chat, "run `chatbot connect twitch --bot` again")
            return
        try:
            people = await self._people(chat)
        except HTTPException as error:
            moderator = error.status in {401, 403}
            self._advise(chat, f"type /mod {self._bot.login}" if moderator else f"status {error.status}")
        else:
            await self._house.watching(chat.channel.id, people)

    async def _people(self, chat: Chat) -> dict[Account, str]:
        """List who is there but the bot, by the names of their accounts."""
        channel = self._client.create_partialuser(chat.broadcaster)
        found = await channel.fetch_chatters(moderator=self._bot.user_id, first=PAGE)
        people = {each.id: each.name or each.id async for each in found.users}
        if self._bot.user_id != chat.broadcaster:
            people.pop(self._bot.user_id, None)
        return {account_of(user): name for user, name in people.items()}

    def _advise(self, chat: Chat, advice: str) -> None:
        if chat.news(f"chatters: {advice}", self._house.watch.now(), ADVISED):
            log.warning(
                "Twitch does not tell who watches, so only those who talk earn by it",
                channel=chat.login,
                advice=advice,
            )
