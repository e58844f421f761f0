"""What an endpoint of the interface is: its address, what it takes and gives, and who may use it.

One declaration is checked against requests, served, and described to programs (OpenAPI 3.1). Whether somebody
may use an endpoint is decided by the role that a command of the bot takes in that room, so that whoever may
not type `!audit` does not read the audit here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, TypeAdapter

from chatbot.kernel.game import Role
from chatbot.rooms.room import Room
from chatbot.web.principals import Principal, RoomStanding

PREFIX = "/api/1"
LARGEST_BODY = 65_536  # bytes of JSON, where an endpoint does not say otherwise


class EndpointQuery(BaseModel):
    """What stands behind the question mark of an address; each endpoint has its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class EndpointBody(BaseModel):
    """What a change is told, as JSON; each endpoint has its own."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


@dataclass(frozen=True, slots=True)
class Call:
    """One request to an endpoint, by somebody who may make it.

    `id` is that of what it does: unique, or if it `has_key` the same for the same key of a caller. Then it
    may have been taken before, with an answer that is not known.
    """

    principal: Principal
    room: Room
    standing: RoomStanding
    path: dict[str, str]  # the other parts of the address, by name
    query: Any  # of the type that the endpoint declares
    body: Any
    id: str = ""
    has_key: bool = False


class NotHeard(Exception):  # noqa: N818  (the name says what happened)
    """The bot takes nothing now, or too much came at once; nothing was done."""


@dataclass(frozen=True)
class Endpoint:
    """An endpoint of a room: a method and an address below that of the room.

    `word` is the command whose role it takes; empty: that of `least` is enough. `scope` is the one
    that a program needs. One that `looks` changes nothing, whatever its method, and takes no key.
    """

    method: str
    path: str  # such as `/settings/{group}`
    summary: str
    answer: Callable[[Call], Awaitable[object]]
    result: Any  # the type of what it answers
    word: str = ""
    scope: str = ""
    query: type[EndpointQuery] = EndpointQuery
    body: type[EndpointBody] | None = None
    looks: bool = False
    least: Role = Role.VIEWER
    resumes: bool = False  # whether the id of a call keeps it from doing twice what it did before a crash
    by_page: bool = False  # whether only somebody at the desk may use it, and no program
    largest_body: int = LARGEST_BODY  # bytes of JSON

    @property
    def changes(self) -> bool:
        """Whether it changes something, so that it is done once for each key."""
        return self.method != "GET" and not self.looks

    @property
    def address(self) -> str:
        """The address with the names of its parts in braces."""
        return f"{PREFIX}/rooms/{{room}}{self.path}"

    @cached_property
    def result_type(self) -> TypeAdapter[Any]:
        """What checks and describes the result."""
        return TypeAdapter(self.result)


class DeclaredEndpoint(Protocol):
    """What is known of an endpoint without serving it: who may use it, and what programs are told of it."""

    @property
    def method(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def result(self) -> Any: ...

    @property
    def word(self) -> str: ...

    @property
    def scope(self) -> str: ...

    @property
    def query(self) -> type[EndpointQuery]: ...

    @property
    def body(self) -> type[EndpointBody] | None: ...

    @property
    def least(self) -> Role: ...

    @property
    def by_page(self) -> bool: ...

    @property
    def changes(self) -> bool: ...


@dataclass(frozen=True)
class SpecialEndpoint:
    """An endpoint that is of no room, or answers by something else than one JSON text."""

    method: str
    address: str
    summary: str
    result: Any
    word: str = ""
    scope: str = ""
    query: type[EndpointQuery] = EndpointQuery
    body: type[EndpointBody] | None = None
    least: Role = Role.VIEWER
    by_page: bool = False
    changes: bool = False
