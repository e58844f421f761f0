"""Serve the endpoints: find out who calls, whether they may, and answer once for each key of a change."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import structlog
from aiohttp import web
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal
from chatbot.keys.asking import Unreachable
from chatbot.web.api.endpoints import PREFIX, Call
from chatbot.web.login import body_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.bot.bot import Bot
    from chatbot.rooms.room import Room
    from chatbot.web.api.endpoints import Endpoint
    from chatbot.web.callers import Callers
    from chatbot.web.principals import Platforms, Principal, RoomStanding, RoomStandings

LARGEST_BODY = 65_536  # bytes of JSON
UNCACHED = {"Cache-Control": "no-store"}

log = structlog.get_logger(__name__)


class EndpointServer:
    """The endpoints of all rooms, and who the caller is."""

    def __init__(
        self,
        bot: Bot,
        callers: Callers,
        standings: RoomStandings,
        platforms: Platforms | None,
        endpoints: Sequence[Endpoint],
    ) -> None:
        self._bot, self._callers, self._standings = bot, callers, standings
        self._platforms, self.endpoints = platforms, endpoints

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the endpoints to the pages of a listener."""
        router.add_get(f"{PREFIX}/me", self._tell_caller)
        for each in self.endpoints:
            router.add_route(each.method, each.address, partial(self._serve, each))

    async def close(self) -> None:
        """Nothing is open between two requests."""

    async def _tell_caller(self, request: web.Request) -> web.StreamResponse:
        """Tell a caller who they are, in which rooms they are known, and as what."""
        principal = await self._callers.of(request)
        standings = await _asking(self._standings.among(principal, list(self._bot.rooms.values())))
        rooms = [self._described(self._bot.rooms[each], standing) for each, standing in standings.items()]
        content = {
            "name": principal.name,
            "account": str(principal.account),
            "kind": principal.kind,
            "csrf": principal.csrf,
            "scopes": sorted(principal.scopes) if principal.scopes is not None else None,
            "rooms": sorted(rooms, key=lambda each: each["title"]),
        }
        return web.json_response(content, headers=UNCACHED)

    def _described(self, room: Room, standing: RoomStanding) -> dict[str, Any]:
        titles = [
            each.id if self._platforms is None else self._platforms.title(each.id) for each in room.channels
        ]
        return {
            "id": room.id,
            "title": " + ".join(titles),
            "platforms": [each.platform for each in room.channels],
            "role": standing.role.value,
            "language": self._bot.outbox.languages.language(room),
        }

    async def _serve(self, endpoint: Endpoint, request: web.Request) -> web.StreamResponse:
        changes = endpoint.method != "GET"
        principal = await (self._callers.changing(request) if changes else self._callers.of(request))
        room = self._bot.rooms.get(request.match_info["room"])
        standing = None if room is None else await _asking(self._standings.of(principal, room))
        if room is None or standing is None:
            _refuse(web.HTTPNotFound, "There is no such room, or nobody knows you there.")
        self._require_allowed(endpoint, principal, room, standing)
        call = Call(
            principal,
            room,
            standing,
            {name: each for name, each in request.match_info.items() if name != "room"},
            _checked(endpoint.query, dict(request.query)),
            _checked(endpoint.body, await body_of(request, LARGEST_BODY)) if endpoint.body else None,
            request.headers.get("Idempotency-Key", ""),
        )
        try:
            result = await endpoint.answer(call)
        except Refusal as refusal:
            text = self._bot.outbox.text(refusal.message, room=room)
            _refuse(web.HTTPUnprocessableEntity, text, id=refusal.message.id)
        except (SQLAlchemyError, OSError):
            log.exception("an endpoint could not answer", path=endpoint.path)
            _refuse(web.HTTPServiceUnavailable, "The database does not answer now; try again.")
        body = endpoint.result_type.dump_json(endpoint.result_type.validate_python(result))
        return web.Response(body=body, content_type="application/json", headers=UNCACHED)

    def _require_allowed(
        self, endpoint: Endpoint, principal: Principal, room: Room, standing: RoomStanding
    ) -> None:
        if principal.scopes is not None and endpoint.scope not in {"", *principal.scopes}:
            _refuse(web.HTTPForbidden, f"This token lacks the scope {endpoint.scope}.")
        if endpoint.word and not standing.role.covers(self._bot.parts.access.least(room, endpoint.word)):
            _refuse(web.HTTPForbidden, "Your role in this room does not reach for that.")


async def _asking(work: Any) -> Any:
    """Wait for what a platform says of somebody."""
    try:
        return await work
    except Unreachable as failure:
        _refuse(web.HTTPServiceUnavailable, f"Your role cannot be asked for now: {failure}.")


def _checked(model: type[BaseModel] | None, given: dict[str, Any]) -> BaseModel | None:
    """Read what was given as a model.

    Raises:
        HTTPBadRequest: it is something else.
    """
    if model is None:
        return None
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        _refuse(web.HTTPBadRequest, f"{'.'.join(map(str, first['loc'])) or 'request'}: {first['msg']}")


def _refuse(kind: type[web.HTTPException], text: str, **more: str) -> NoReturn:
    """Answer by an error that programs can read."""
    raise kind(text=json.dumps({"error": text, **more}, ensure_ascii=False), content_type="application/json")
