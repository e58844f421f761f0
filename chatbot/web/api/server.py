"""Serve the endpoints: find out who calls, whether they may, and answer once for each key of a change."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import web
from pydantic import BaseModel, TypeAdapter, ValidationError
from sqlalchemy.exc import SQLAlchemyError
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.ledger.api_answers import KeyedRequest
from chatbot.web.api.admission import Visit
from chatbot.web.api.endpoints import PREFIX, Call, NotHeard, SpecialEndpoint
from chatbot.web.api.errors import UNCACHED, error_text, refuse, refuses
from chatbot.web.api.once import KEY_FORM, AnswerLost, ApiAnswer, KeyGivenTwice, KeyInUse, id_of
from chatbot.web.callers import evidence_of
from chatbot.web.listener import listener_of
from chatbot.web.login import body_of
from chatbot.web.principals import TOKEN

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.rooms.room import Room
    from chatbot.web.api.admission import Admission
    from chatbot.web.api.endpoints import Endpoint
    from chatbot.web.api.imports import ImportJobs
    from chatbot.web.api.once import OnceByKey
    from chatbot.web.carrying.bridge import PageBridge
    from chatbot.web.principals import Platforms, Principal, RoomStanding

UNANSWERED = "The database does not answer now; try again."

log = structlog.get_logger(__name__)


class CallerRoom(TypedDict):
    """A room in which a caller is known, and as what."""

    id: str
    title: str
    platforms: list[str]
    role: str
    language: str


class CallerInfo(TypedDict):
    """Who calls; `csrf` is what a page repeats with each change, `scopes` null where nothing limits it."""

    name: str
    account: str
    kind: str
    csrf: str
    scopes: list[str] | None
    rooms: list[CallerRoom]


ME = SpecialEndpoint("GET", f"{PREFIX}/me", "Read who you are, in which rooms, and as what.", CallerInfo)
_CALLER = TypeAdapter(CallerInfo)


class EndpointServer:
    """The endpoints of all rooms, and who the caller is."""

    def __init__(
        self,
        bot: Bot,
        admission: Admission,
        platforms: Platforms | None,
        endpoints: Sequence[Endpoint],
        once: OnceByKey,
        jobs: ImportJobs,
        bridge: PageBridge | None = None,
    ) -> None:
        """`bridge` leads to the rooms of other processes; None: there are none."""
        self._bot, self._admission, self._jobs, self._bridge = bot, admission, jobs, bridge
        self._platforms, self.endpoints, self._once = platforms, endpoints, once

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the endpoints to the pages of a listener."""
        router.add_get(ME.address, partial(answer_visit, self._tell_caller))
        for each in self.endpoints:
            router.add_route(each.method, each.address, partial(answer_visit, partial(self._serve, each)))

    async def close(self) -> None:
        """End what goes on by itself."""
        await self._jobs.close()

    async def _tell_caller(self, visit: Visit) -> web.StreamResponse:
        """Tell a caller who they are, in which rooms they are known, and as what."""
        principal = await self._admission.caller(visit)
        is_carried = listener_of(visit.request).evidence is not None
        standings = await self._admission.standings(principal, here=is_carried)
        rooms = [self._described(self._bot.rooms[each], standing) for each, standing in standings.items()]
        if self._bridge is not None and not is_carried:
            others = await self._bridge.ask_others(visit.request, evidence_of(principal), ME.address)
            # What is known here of rooms that others run counts where these do not answer.
            known = {each["id"]: each for each in rooms if not self._bridge.runs(each["id"])}
            known |= {each["id"]: each for answer in others.values() for each in answer["rooms"]}
            rooms = [*(each for each in rooms if self._bridge.runs(each["id"])), *known.values()]
        content = CallerInfo(
            name=principal.name,
            account=str(principal.account),
            kind=principal.kind,
            csrf=principal.csrf,
            scopes=sorted(principal.scopes) if principal.scopes is not None else None,
            rooms=sorted(rooms, key=lambda each: each["title"]),
        )
        body = _CALLER.dump_json(content)
        return web.Response(body=body, content_type="application/json", headers=UNCACHED)

    def _described(self, room: Room, standing: RoomStanding) -> CallerRoom:
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

    async def _serve(self, endpoint: Endpoint, visit: Visit) -> web.StreamResponse:
        principal = await self._admission.caller(visit, changes=endpoint.method != "GET")
        request = visit.request
        if self._bridge is not None:
            if endpoint.body:
                _require_size(request, endpoint.largest_body)
            answer = await self._bridge.forward(
                request, request.match_info["room"], evidence_of(principal), has_body=bool(endpoint.body)
            )
            if answer is not None:
                return answer
        room, standing = await self._admission.place(endpoint, visit, principal)
        key = _key(request, principal) if endpoint.changes else ""
        given = await _body(request, endpoint.largest_body) if endpoint.body else {}
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
            refuse(web.HTTPServiceUnavailable, UNANSWERED)
        text = self._bot.outbox.text(Message(message), room=call.room)
        raise refuses(web.HTTPConflict, text, id=message)

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
            return ApiAnswer(503, error_text(UNANSWERED).encode(), is_final=False)
        return ApiAnswer(200, endpoint.result_type.dump_json(endpoint.result_type.validate_python(result)))

    def _refused(self, room: Room, message: Message, status: int) -> ApiAnswer:
        text = self._bot.outbox.text(message, room=room)
        return ApiAnswer(status, error_text(text, id=message.id).encode())


async def answer_visit(
    answer: Callable[[Visit], Awaitable[web.StreamResponse]], request: web.Request
) -> web.StreamResponse:
    """Answer a request, by an error too, with the headers that its answer has in any case."""
    visit = Visit(request)
    try:
        response = await answer(visit)
    except web.HTTPException as error:
        error.headers.update(visit.headers)
        raise
    if not response.prepared:
        response.headers.update({**visit.headers, **response.headers})
    return response


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
        refuse(web.HTTPBadRequest, f"{'.'.join(map(str, first['loc'])) or 'request'}: {first['msg']}")


def _key(request: web.Request, principal: Principal) -> str:
    """Return the key of a change; empty: a page gives none.

    Raises:
        HTTPBadRequest: it is no key, or a program gives none.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None and principal.kind != TOKEN:
        return ""
    if key is None or KEY_FORM.fullmatch(key) is None:
        refuse(
            web.HTTPBadRequest,
            "A change needs a header Idempotency-Key of 1 to 100 printable characters without spaces.",
        )
    return key


def _require_size(request: web.Request, most: int) -> None:
    """Require that a request says of how many bytes its body is, and that these are at most `most`.

    Raises:
        HTTPBadRequest: it does not, or they are more.
    """
    if request.content_length is None or request.content_length > most:
        raise _no_body(most)


async def _body(request: web.Request, most: int) -> dict[str, Any]:
    """Return the JSON object that was sent, of `most` bytes.

    Raises:
        HTTPBadRequest: there is none.
    """
    try:
        return await body_of(request, most)
    except web.HTTPBadRequest:
        raise _no_body(most) from None


def _no_body(most: int) -> web.HTTPException:
    return refuses(
        web.HTTPBadRequest, f"The body of this request is a JSON object of at most {most:,} bytes."
    )


def _digest(request: web.Request, given: dict[str, Any]) -> str:
    """Return the hash of what is asked for, however its JSON is written."""
    asked = [request.method, request.path, sorted(request.query.items()), given]
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _response(answer: ApiAnswer) -> web.Response:
    headers = {**UNCACHED, **({"Retry-After": str(answer.retry_after)} if answer.retry_after else {})}
    return web.Response(
        status=answer.status, body=answer.body, content_type="application/json", headers=headers
    )
