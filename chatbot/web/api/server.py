"""Serve the endpoints: find out who calls, whether they may, and answer once for each key of a change."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NoReturn

import structlog
from aiohttp import web
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.keys.asking import Unreachable
from chatbot.ledger.api_answers import KeyedRequest
from chatbot.web.api.endpoints import PREFIX, Call, NotHeard
from chatbot.web.api.once import KEY_FORM, AnswerLost, ApiAnswer, KeyGivenTwice, KeyInUse, id_of
from chatbot.web.login import body_of
from chatbot.web.principals import TOKEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.bot.bot import Bot
    from chatbot.rooms.room import Room
    from chatbot.web.api.endpoints import Endpoint
    from chatbot.web.api.once import OnceByKey
    from chatbot.web.callers import Callers
    from chatbot.web.principals import Platforms, Principal, RoomStanding, RoomStandings

LARGEST_BODY = 65_536  # bytes of JSON
UNANSWERED = "The database does not answer now; try again."
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
        once: OnceByKey,
    ) -> None:
        self._bot, self._callers, self._standings = bot, callers, standings
        self._platforms, self.endpoints, self._once = platforms, endpoints, once

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
        find = self._callers.changing if endpoint.method != "GET" else self._callers.of
        principal = await find(request)
        room = self._bot.rooms.get(request.match_info["room"])
        standing = None if room is None else await _asking(self._standings.of(principal, room))
        if room is None or standing is None:
            _refuse(web.HTTPNotFound, "There is no such room, or nobody knows you there.")
        self._require_allowed(endpoint, principal, room, standing)
        key = _key(request, principal) if endpoint.changes else ""
        given = await body_of(request, LARGEST_BODY) if endpoint.body else {}
        call = Call(
            principal,
            room,
            standing,
            {name: each for name, each in request.match_info.items() if name != "room"},
            _checked(endpoint.query, dict(request.query)),
            _checked(endpoint.body, given),
            id_of(principal.id, key or secrets.token_urlsafe(16)),
            bool(key),
        )
        if not key:
            return _response(await self._answer(endpoint, call))
        keyed = KeyedRequest(principal.id, key, _digest(request, given))
        return _response(await self._answer_once(keyed, endpoint, call))

    async def _answer_once(self, keyed: KeyedRequest, endpoint: Endpoint, call: Call) -> ApiAnswer:
        """Answer a change by its key.

        Raises:
            HTTPConflict: the key is in use, was given to another request, or its answer is lost.
            HTTPServiceUnavailable: the database does not answer.
        """
        try:
            work = partial(self._answer, endpoint, call)
            return await self._once.answer(keyed, work, resumes=endpoint.resumes)
        except KeyInUse:
            message = "key-in-use"
        except KeyGivenTwice:
            message = "key-of-another"
        except AnswerLost:
            message = "answer-lost"
        except (SQLAlchemyError, OSError):
            log.exception("a key could not be looked up")
            _refuse(web.HTTPServiceUnavailable, UNANSWERED)
        text = self._bot.outbox.text(Message(message), room=call.room)
        raise _refusal(web.HTTPConflict, text, id=message)

    async def _answer(self, endpoint: Endpoint, call: Call) -> ApiAnswer:
        """Do what is asked for."""
        try:
            result = await endpoint.answer(call)
        except Refusal as refusal:
            return self._refused(call.room, refusal.message, 422)
        except NotHeard:
            answer = self._refused(call.room, Message("not-heard"), 503)
            return replace(answer, is_final=False, is_nothing_done=True, retry_after=1)
        except (SQLAlchemyError, OSError):
            log.exception("an endpoint could not answer", path=endpoint.path)
            return ApiAnswer(503, _error(UNANSWERED).encode(), is_final=False)
        return ApiAnswer(200, endpoint.result_type.dump_json(endpoint.result_type.validate_python(result)))

    def _refused(self, room: Room, message: Message, status: int) -> ApiAnswer:
        text = self._bot.outbox.text(message, room=room)
        return ApiAnswer(status, _error(text, id=message.id).encode())

    def _require_allowed(
        self, endpoint: Endpoint, principal: Principal, room: Room, standing: RoomStanding
    ) -> None:
        if principal.scopes is not None and endpoint.scope not in {"", *principal.scopes}:
            _refuse(web.HTTPForbidden, f"This token lacks the scope {endpoint.scope}.")
        if endpoint.by_page and principal.kind == TOKEN:
            _refuse(web.HTTPForbidden, "Only somebody at the desk may do that, and no program.")
        least = self._bot.parts.access.least(room, endpoint.word) if endpoint.word else endpoint.least
        if not standing.role.covers(least):
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


def _key(request: web.Request, principal: Principal) -> str:
    """Return the key of a change; empty: a page gives none.

    Raises:
        HTTPBadRequest: it is no key, or a program gives none.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None and principal.kind != TOKEN:
        return ""
    if key is None or KEY_FORM.fullmatch(key) is None:
        _refuse(
            web.HTTPBadRequest,
            "A change needs a header Idempotency-Key of 1 to 100 printable characters without spaces.",
        )
    return key


def _digest(request: web.Request, given: dict[str, Any]) -> str:
    """Return the hash of what is asked for, however its JSON is written."""
    asked = [request.method, request.path, sorted(request.query.items()), given]
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _response(answer: ApiAnswer) -> web.Response:
    headers = {**UNCACHED, **({"Retry-After": str(answer.retry_after)} if answer.retry_after else {})}
    return web.Response(
        status=answer.status, body=answer.body, content_type="application/json", headers=headers
    )


def _error(text: str, **more: str) -> str:
    """Return an error as programs read it."""
    return json.dumps({"error": text, **more}, ensure_ascii=False)


def _refuse(kind: type[web.HTTPException], text: str, **more: str) -> NoReturn:
    """Answer by an error that programs can read."""
    raise _refusal(kind, text, **more)


def _refusal(kind: type[web.HTTPException], text: str, **more: str) -> web.HTTPException:
    return kind(text=_error(text, **more), content_type="application/json", headers=UNCACHED)
