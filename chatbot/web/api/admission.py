"""Let callers in: who they are, how often they ask, which room they mean, and whether their role reaches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import web

from chatbot.keys.asking import Unreachable
from chatbot.web.api.errors import refuse, refuses
from chatbot.web.api.request_limits import OF_CALLER, OF_STRANGER, RequestLimit
from chatbot.web.listener import listener_of
from chatbot.web.principals import TOKEN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.bot.bot import Bot
    from chatbot.rooms.room import Room
    from chatbot.web.api.endpoints import DeclaredEndpoint
    from chatbot.web.callers import Callers
    from chatbot.web.principals import Principal, RoomStanding, RoomStandings


@dataclass(slots=True)
class Visit:
    """A request under way; `headers` are those that its answer has in any case."""

    request: web.Request
    headers: dict[str, str] = field(default_factory=dict)


class Admission:
    """Tells who calls, and lets them do what they may."""

    def __init__(self, bot: Bot, callers: Callers, standings: RoomStandings) -> None:
        self._bot, self._callers, self._standings = bot, callers, standings
        self._of_callers = RequestLimit(bot.watch, "caller", OF_CALLER)
        self._of_strangers = RequestLimit(bot.watch, "stranger", OF_STRANGER)

    async def caller(self, visit: Visit, *, changes: bool = False) -> Principal:
        """Return who calls; with `changes`, only if no page of another server can have asked.

        Raises:
            HTTPUnauthorized, HTTPForbidden: as `Callers`.
            HTTPTooManyRequests: they ask too often.
        """
        request = visit.request
        find = self._callers.changing if changes else self._callers.of
        try:
            principal = await find(request)
        except web.HTTPUnauthorized as error:
            self._count(visit, self._of_strangers, listener_of(request).visitor(request))
            raise refuses(web.HTTPUnauthorized, (error.text or "").strip()) from None
        except web.HTTPForbidden as error:
            raise refuses(web.HTTPForbidden, (error.text or "").strip()) from None
        self._count(visit, self._of_callers, principal.id)
        return principal

    async def place(
        self, declaration: DeclaredEndpoint, visit: Visit, principal: Principal
    ) -> tuple[Room, RoomStanding]:
        """Return the room that a caller means, and as what they act there.

        Raises:
            HTTPNotFound: they are not known in it.
            HTTPForbidden: they may not do that.
        """
        room = self._bot.rooms.get(visit.request.match_info["room"])
        standing = None if room is None else await asking(self._standings.of(principal, room))
        if room is None or standing is None:
            refuse(web.HTTPNotFound, "There is no such room, or nobody knows you there.")
        self._require_allowed(declaration, principal, room, standing)
        return room, standing

    async def may_stay(self, declaration: DeclaredEndpoint, principal: Principal, room_id: str) -> bool:
        """Return whether somebody may still use what goes on; True where their platform cannot be asked."""
        room = self._bot.rooms.get(room_id)
        try:
            standing = None if room is None else await self._standings.of(principal, room)
        except Unreachable:
            return True
        return standing is not None and standing.role.covers(declaration.least)

    async def standings(self, principal: Principal, *, here: bool = False) -> Mapping[str, RoomStanding]:
        """Return as what somebody acts in each of the rooms that are open, by the id of the room.

        `here` are those that this process runs.
        """
        rooms = [each for each in self._bot.rooms.values() if not (here and each.elsewhere)]
        among = self._standings.among(principal, rooms)
        standings: Mapping[str, RoomStanding] = await asking(among)
        return standings

    def _count(self, visit: Visit, limit: RequestLimit, caller: str) -> None:
        if listener_of(visit.request).evidence is not None:
            return  # it was counted where it arrived
        quota = limit.take(caller)
        visit.headers.update(quota.headers)
        if quota.retry_after:
            refuse(web.HTTPTooManyRequests, f"That is asked too often; try again in {quota.retry_after} s.")

    def _require_allowed(
        self, declaration: DeclaredEndpoint, principal: Principal, room: Room, standing: RoomStanding
    ) -> None:
        if principal.scopes is not None and declaration.scope not in {"", *principal.scopes}:
            refuse(web.HTTPForbidden, f"This token lacks the scope {declaration.scope}.")
        if declaration.by_page and principal.kind == TOKEN:
            refuse(web.HTTPForbidden, "Only somebody at the desk may do that, and no program.")
        word = declaration.word
        least = self._bot.parts.access.least(room, word) if word else declaration.least
        if not standing.role.covers(least):
            refuse(web.HTTPForbidden, "Your role in this room does not reach for that.")


async def asking(work: Any) -> Any:
    """Wait for what a platform says of somebody.

    Raises:
        HTTPServiceUnavailable: it cannot be asked.
    """
    try:
        return await work
    except Unreachable as failure:
        refuse(web.HTTPServiceUnavailable, f"Your role cannot be asked for now: {failure}.")
