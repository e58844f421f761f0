"""Find the rooms in which an account has a seat: those that it was seen in, and no others.

A room of Discord may be hidden from most members of its server, so that it is shown to nobody who was not
there; the chats of Twitch are open to all, and whoever is a member of one keeps their seat over a restart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.kernel.game import Role, Seat
from chatbot.keys.asking import Unreachable
from chatbot.ledger.people import Account
from chatbot.ledger.web_sessions import SEAT_BY_CODE, SEATS
from chatbot.rooms.channel import Channel
from chatbot.rooms.room import Room
from chatbot.tables.seating import plays_at
from chatbot.web.listener import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from aiohttp import web

    from chatbot.bot.bot import Bot
    from chatbot.ledger.web_sessions import WebSession
    from chatbot.web.carrying.bridge import PageBridge
    from chatbot.web.principals import Platforms, Roles

PLACES = "/seat/places"
"""The address at which other processes ask where an account has seats here."""

OPEN_TO_ALL = frozenset({"twitch"})  # platforms whose chats anybody may read
MOST_ROOMS = 20  # of one seat, those where they play first, then the latest


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """A room in which an account has a seat, and the channel and the account by which they speak there."""

    room: Room
    channel: Channel
    account: Account
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A room that somebody can choose: whether they play there, and how many seconds ago they spoke last."""

    room: str
    title: str
    plays: bool
    silent: float


class SeatRooms:
    """Finds rooms of accounts, and as what these act there.

    `bridge` leads to those that other processes run; None: there are none.
    """

    def __init__(
        self, bot: Bot, roles: Roles, platforms: Platforms | None, bridge: PageBridge | None = None
    ) -> None:
        self._bot, self._roles, self._platforms, self._bridge = bot, roles, platforms, bridge

    async def of(self, account: Account) -> list[SeatPlace]:
        """Return the rooms of an account, those first in which it plays, then those where it spoke last."""
        bot = self._bot
        await bot.people.meet([account])
        if not bot.people.met(account):
            return []
        home = bot.people.home(account)
        seats = bot.members.linked_accounts.seats(home)
        places = [each for room in list(bot.rooms.values()) for each in self._in(room, account, home)]
        readable = [each.room.community for each in places if each.channel.platform in OPEN_TO_ALL]
        communities = await bot.members.known_in(readable, seats)
        known = [
            (plays_anywhere(each.room, each.seat), each.room.spoke.get(each.seat, 0.0), each)
            for each in places
            if plays_anywhere(each.room, each.seat)
            or each.seat in each.room.spoke
            or (each.channel.platform in OPEN_TO_ALL and each.room.community in communities)
        ]
        known.sort(key=lambda each: each[:2], reverse=True)
        return [each for *_, each in known[:MOST_ROOMS]]

    def here(self, places: Sequence[SeatPlace]) -> list[SeatChoice]:
        """Return these places as what can be chosen."""
        now = self._bot.watch.now()
        return [
            SeatChoice(
                each.room.id,
                self.title(each),
                plays_anywhere(each.room, each.seat),
                now - each.room.spoke.get(each.seat, 0.0),
            )
            for each in places
        ]

    async def choices(
        self, request: web.Request, session: WebSession, places: Sequence[SeatPlace]
    ) -> list[SeatChoice]:
        """Return the rooms of all processes in which somebody has a seat, in the order of `of`.

        `places` are those of this process. A process that does not answer has none.
        """
        if self._bridge is None:
            return self.here(places)
        answers = await self._bridge.ask_others(request, evidence_of(session), PLACES)
        return self.merged(places, [SeatChoice(*row) for rows in answers.values() for row in rows])

    def merged(self, places: Sequence[SeatPlace], others: Sequence[SeatChoice]) -> list[SeatChoice]:
        """Return places of this process with rooms of others, in the order of `of`."""
        own = self.here(places)
        here = {each.room for each in own}
        choices = [*own, *{each.room: each for each in others if each.room not in here}.values()]
        choices.sort(key=lambda each: (not each.plays, each.silent))
        return choices[:MOST_ROOMS]

    def _in(self, room: Room, account: Account, home: Seat) -> Iterator[SeatPlace]:
        """Yield the place of a person in a room, by the account at hand or else by one that is linked."""
        people = self._bot.people
        accounts = [account, *(each for each in people.accounts(home) if each != account)]
        for each in accounts:
            channels = [channel for channel in room.channels if channel.platform == each.platform]
            if channels and not room.elsewhere:
                seat = self._bot.members.linked_accounts.at(room, each)
                yield SeatPlace(room, channels[0], each, seat)
                return

    async def role(self, session: WebSession, place: SeatPlace) -> Role:
        """Return as what somebody plays in a room; by a code, as a viewer."""
        community = None if self._platforms is None else self._platforms.community(place.channel.id)
        if session.kind == SEAT_BY_CODE or community is None or place.account != session.login.account:
            return Role.VIEWER
        try:
            roles = await self._roles.of(session.login.account)
        except Unreachable:
            return Role.VIEWER
        return roles.get(community, Role.VIEWER)

    def title(self, place: SeatPlace) -> str:
        """Return what people call a room."""
        return (
            place.channel.id
            if self._platforms is None
            else " + ".join(self._platforms.title(each.id) for each in place.room.channels)
        )


def plays_anywhere(room: Room, seat: Seat) -> bool:
    """Whether somebody plays at an open table of a room, or is invited to one."""
    return any(
        plays_at(table, seat) or seat in table.kit.seating.invited(table.state)
        for table in room.tables.values()
        if not table.over
    )


def evidence_of(session: WebSession) -> Evidence:
    """Return by what another process finds out whose seat it is."""
    return Evidence(seat=session.id) if session.kind in SEATS else Evidence(session=session.id)
