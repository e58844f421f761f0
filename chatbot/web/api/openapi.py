"""Describe the interface to programs as an OpenAPI 3.1 document, which is derived from the endpoints.

There is no second description: what an endpoint checks and answers is what is written here of it.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from aiohttp import web
from pydantic import TypeAdapter

from chatbot.web.api.endpoints import PREFIX, SpecialEndpoint
from chatbot.web.api.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chatbot.kernel.game import Role
    from chatbot.web.api.endpoints import DeclaredEndpoint

DOCUMENT = SpecialEndpoint("GET", f"{PREFIX}/openapi.json", "Read this description.", dict[str, Any])
TOKEN, SESSION = "token", "session"
_REFERENCE = "#/components/schemas/{model}"
_PART = re.compile(r"{(\w+)}")
_PARTS = {
    "room": "The id of a room, as `/me` lists them.",
    "word": "The word of a command, as `/commands` lists them.",
    "group": "The name of a group of settings.",
    "preset": "The name of a preset of the game.",
    "seat": "The opaque id of a member, or `me`.",
    "id": "The id that a list tells.",
}
_STATUSES = {
    "400": "What was sent is not what the endpoint takes.",
    "401": "There is no token or session, or it does not count.",
    "403": "The role or the scopes of the caller do not reach for it.",
    "404": "There is no such room, or the caller is not known there.",
    "409": "The Idempotency-Key is in use, belongs to another request, or its answer is lost.",
    "422": "It was refused; the sentence says why, as in the chat.",
    "429": "It is asked too often; `Retry-After` says when to ask again.",
    "503": "The database or a platform does not answer now; nothing is known to be done.",
}
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "description": "Chosen by the program: the change is done once for each key, and answered alike.",
    "schema": {"type": "string", "pattern": r"^[\x21-\x7e]{1,100}$"},
}
_LIMITS = {
    "RateLimit-Policy": "How many requests a caller has in how many seconds.",
    "RateLimit": "How many are left, and in how many seconds all are there again.",
}


def openapi(declarations: Sequence[DeclaredEndpoint], version: str) -> dict[str, Any]:
    """Return the document of some endpoints, of a version of the program."""
    schemas, definitions = _schemas(declarations)
    paths: dict[str, dict[str, Any]] = {}
    for each in declarations:
        paths.setdefault(each.address, {})[each.method.lower()] = _operation(each, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rabble",
            "version": version,
            "description": (
                "What moderators and programs read and change of the rooms of the bot. Each command of the "
                "chat is used as whoever calls, with the rights of their account and no others."
            ),
        },
        "paths": paths,
        "components": {
            "schemas": definitions,
            "responses": {code: _error(told) for code, told in _STATUSES.items()},
            "headers": {
                **{name: _header(told) for name, told in _LIMITS.items()},
                "Retry-After": {
                    "description": "Seconds.",
                    "required": True,
                    "schema": {"type": "integer", "minimum": 1},
                },
            },
            "securitySchemes": {
                TOKEN: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token that is made at the desk.",
                },
                SESSION: {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "__Host-rabble",
                    "description": "A browser that is logged in at the desk.",
                },
            },
        },
    }


def least_role(declaration: DeclaredEndpoint, least_of_word: Mapping[str, Role]) -> Role:
    """Return the least role that an endpoint takes, given those of the commands."""
    return least_of_word[declaration.word] if declaration.word else declaration.least


class DescriptionServer:
    """Serves the document, which is no secret."""

    def __init__(self, declarations: Sequence[DeclaredEndpoint], version: str) -> None:
        self._text = json.dumps(openapi(declarations, version), ensure_ascii=False)

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the document to the pages of a listener."""
        router.add_get(DOCUMENT.address, partial(_show, self._text))

    async def close(self) -> None:
        """Nothing is open between two requests."""


async def _show(text: str, _: web.Request) -> web.StreamResponse:
    return web.Response(text=text, content_type="application/json")


def _schemas(declarations: Iterable[DeclaredEndpoint]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """Return the schemas of what endpoints take and give, by their types, and what these refer to."""
    results = {each.result: TypeAdapter(each.result) for each in declarations if each.result is not None}
    bodies = {each.body: TypeAdapter[Any](each.body) for each in declarations if each.body is not None}
    inputs = [
        *(((f"given {number}", "serialization", adapter)) for number, adapter in enumerate(results.values())),
        *(((f"taken {number}", "validation", adapter)) for number, adapter in enumerate(bodies.values())),
        ("error", "serialization", TypeAdapter(ApiError)),
    ]
    schemas, definitions = TypeAdapter.json_schemas(inputs, ref_template=_REFERENCE)  # type: ignore[arg-type]
    types = [*results, *bodies, ApiError]
    by_type = {kind: schemas[key, mode] for kind, (key, mode, _) in zip(types, inputs, strict=True)}  # type: ignore[index]
    return by_type, dict(definitions["$defs"])


def _operation(declaration: DeclaredEndpoint, schemas: Mapping[Any, Any]) -> dict[str, Any]:
    is_open = declaration.address == DOCUMENT.address
    limits = {} if is_open else {name: _reference("headers", name) for name in _LIMITS}
    parameters = [*_path(declaration), *_query(declaration), *([_KEY] if declaration.changes else [])]
    described: dict[str, Any] = {
        "operationId": _id(declaration),
        "summary": declaration.summary,
        "security": [] if is_open else _security(declaration),
        "responses": {
            **_success(declaration, schemas, limits),
            **({} if is_open else {code: _reference("responses", code) for code in _codes(declaration)}),
        },
    }
    if parameters:
        described["parameters"] = parameters
    if declaration.body is not None:
        content = {"application/json": {"schema": schemas[declaration.body]}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _success(
    declaration: DeclaredEndpoint, schemas: Mapping[Any, Any], limits: Mapping[str, Any]
) -> dict[str, Any]:
    """Describe the answer; an endpoint without one becomes a WebSocket, of which OpenAPI has no more."""
    if declaration.result is None:
        return {"101": {"description": "A WebSocket; each of its frames is an event of `rabble.events/1`."}}
    content = {"application/json": {"schema": schemas[declaration.result]}}
    return {"200": {"description": "It was done.", "headers": limits, "content": content}}


def _codes(declaration: DeclaredEndpoint) -> list[str]:
    of_room = {"400", "403", "404", "422"} if "{room}" in declaration.address else set()
    used = {"401", "429", "503", *of_room, *(["409"] if declaration.changes else [])}
    return [each for each in _STATUSES if each in used]


def _security(declaration: DeclaredEndpoint) -> list[dict[str, list[str]]]:
    """Say who may call; the roles of a token are its scopes (a use that OpenAPI 3.1 allows)."""
    by_token = [] if declaration.by_page else [{TOKEN: [declaration.scope] if declaration.scope else []}]
    by_session: list[dict[str, list[str]]] = [] if declaration.result is None else [{SESSION: []}]
    return [*by_token, *by_session]


def _path(declaration: DeclaredEndpoint) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "minLength": 1},
            **({"description": _PARTS[name]} if name in _PARTS else {}),
        }
        for name in _PART.findall(declaration.address)
    ]


def _query(declaration: DeclaredEndpoint) -> list[dict[str, Any]]:
    schema = declaration.query.model_json_schema()
    required = schema.get("required", ())
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "schema": _in_address({key: value for key, value in each.items() if key not in _NAMES}),
            **({"description": each["description"]} if "description" in each else {}),
        }
        for name, each in schema.get("properties", {}).items()
    ]


_NAMES = {"title", "description"}


def _in_address(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave null out: in an address, what is not given is left away."""
    kinds = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    return {**kinds[0], **{key: each for key, each in schema.items() if key != "anyOf" and each is not None}}


def _id(declaration: DeclaredEndpoint) -> str:
    """Return a name for functions of clients, such as `get_members_seat_wallet`."""
    path = declaration.address.removeprefix(f"{PREFIX}/rooms/{{room}}").removeprefix(PREFIX)
    parts = [each.strip("{}") for each in re.split(r"[/.]", path) if each]
    return "_".join([declaration.method.lower(), *parts])


def _reference(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}


def _header(told: str) -> dict[str, Any]:
    return {"description": told, "required": True, "schema": {"type": "string"}}


def _error(told: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": _REFERENCE.format(model="ApiError")}}}
    error: dict[str, Any] = {"description": told, "content": content}
    if told == _STATUSES["429"]:
        error["headers"] = {"Retry-After": _reference("headers", "Retry-After")}
    return error
