"""What a seat may say, as in a chat, in private: the commands of games, and a few that only read."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.bot.command import BotCommand
from chatbot.bot.routing import topic_of
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.ledger.books import purses
from chatbot.ledger.seat_stakes import BY_CODE, SeatStakes
from chatbot.ledger.web_sessions import SEAT_BY_CODE
from chatbot.rooms.channel import Manner
from chatbot.rooms.line import LONGEST_LINE, SIGN, Line
from chatbot.rooms.request import stake_left
from chatbot.settings.community import TERMS
from chatbot.speech.spans import midnight
from chatbot.tables.seating import plays_at

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.kernel.commands import Command
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.web_sessions import WebSession
    from chatbot.web.seat_rooms import SeatPlace, SeatRooms

MANNER = Manner()
"""How answers on the page are worded: plainly, in private, and as long as they are."""

READABLE = frozenset({"credits", "history", "top", "rank", "odds", "season", "fair", "verify"})
"""The commands of the bot itself that a seat may use: none of them changes anything."""


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """One answer to a line of a seat."""

    text: str
    refused: bool


class SeatLines:
    """Says lines of seats."""

    def __init__(self, bot: Bot, rooms: SeatRooms) -> None:
        self._bot, self._rooms, self._stakes = bot, rooms, SeatStakes(bot.parts.store)

    async def limit(self, session: WebSession, place: SeatPlace) -> int | None:
        """Return the credits that a seat may still stake today; None: as many as it has."""
        if session.kind != SEAT_BY_CODE:
            return None
        allowed = TERMS.of(place.room).seat_stakes
        if not allowed:
            return 0
        root = self._bot.people.ties.root(place.seat)
        start = midnight(self._bot.watch.date())
        staked = [
            await self._stakes.since(purses.wallet(place.room.community, each), start)
            for each in {place.seat, root}
        ]
        return max(allowed - sum(staked), 0)

    async def say(
        self, session: WebSession, place: SeatPlace, text: str, table: str | None
    ) -> list[SeatAnswer] | None:
        """Say a line, and return its answers; None: it was not heard, and nothing was done.

        Raises:
            Refusal: a seat cannot say that.
        """
        if not text.startswith(SIGN) or len(text) > LONGEST_LINE:
            raise Refusal(Message("seat-says-not"))
        limit = await self.limit(session, place)
        self._require_allowed(place, text, table, limit)
        line = Line(
            id=f"{BY_CODE if limit is not None else 'seat:'}{secrets.token_urlsafe(16)}",
            channel=place.channel.id,
            account=place.account,
            name=self._bot.members.name(place.seat)
            if place.account != session.login.account
            else session.login.name,
            role=await self._rooms.role(session, place),
            text=text,
            private=True,
            table=table,
            manner=MANNER,
            most=limit,
        )
        says = await self._bot.ask(line)
        if says is None:
            return None
        return [
            SeatAnswer(self._bot.outbox.text(each.message, room=place.room), each.event == "Refusal")
            for each in says
        ]

    def _require_allowed(self, place: SeatPlace, text: str, table: str | None, limit: int | None) -> None:
        """Require that a seat may say something at all; what a chat refuses is refused there.

        Raises:
            Refusal: it may not.
        """
        bot, room = self._bot, place.room
        written = bot.parts.aliases.written_out(room, text)
        word, words = bot.command_index.split(written.removeprefix(SIGN))
        any_command = bot.command_index.answering(room, place.seat, word, words)
        if isinstance(any_command, BotCommand):
            if any_command.word not in READABLE or not any_command.reads:
                raise Refusal(Message("seat-says-not"))
            return
        if any_command is None:
            raise Refusal(Message("seat-says-not"))
        if limit is not None:
            self._require_joined(place, any_command, words, table, limit)

    def _require_joined(
        self,
        place: SeatPlace,
        kit_and_command: tuple[AnyKit, Command],
        words: tuple[str, ...],
        table: str | None,
        limit: int,
    ) -> None:
        """Require that who was let in by a code plays where they have joined, or stakes what is allowed.

        Raises:
            Refusal: they do not.
        """
        kit, command = kit_and_command
        if command.wagers:
            raise Refusal(stake_left(limit))
        if limit > 0 or topic_of(kit, command, words):
            return
        room = place.room
        target = room.place(kit, place.seat) if table is None else room.table(table)
        if target is None or target.over or not plays_at(target, place.seat):
            raise Refusal(Message("seat-code-joins-not"))
