"""A request as one process carries it to another: what its handler reads, and what was found out about it.

Cookies and tokens stay where they came: what is carried is the id of the session or the token that was found
by them, which the other process looks up again. Whether somebody asks from this machine, by TLS or for a page
of this server, can only be known where they are connected, and so it is told; the other process believes it,
as it believes whatever the carrier brings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chatbot.web.listener import Evidence, PageListener, listener_of

if TYPE_CHECKING:
    from aiohttp import web

CARRIED = frozenset({"host", "origin", "content-type", "idempotency-key", "if-none-match", "x-rabble-csrf"})
"""The headers that handlers read, beside those that prove who asks."""

LONGEST_TARGET = 8190  # characters of a path with its query; no line that aiohttp reads may be longer
_METHOD = re.compile(r"GET|POST|DELETE|PUT|PATCH")
_TARGET = re.compile(r"/[\x21-\x7e]*")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")


@dataclass(frozen=True, slots=True)
class CarriedRequest:
    """A request for a room; an empty `room` is none that only one process could answer for.

    `wants_socket` says that it opens a WebSocket, `size` of how many bytes its body is, and `note` what was
    found out for its handler.
    """

    method: str
    target: str  # the path and the query, as they were sent
    headers: Mapping[str, str]
    room: str
    evidence: Evidence
    visitor: str
    is_here: bool
    is_secure: bool
    is_own_origin: bool
    is_public: bool
    wants_socket: bool = False
    size: int = 0
    note: str = ""

    @classmethod
    def of(
        cls,
        request: web.Request,
        room: str,
        evidence: Evidence,
        *,
        target: str = "",
        wants_socket: bool = False,
        size: int = 0,
        note: str = "",
    ) -> CarriedRequest:
        """Return what is carried of a request; `target` in the place of its own asks for something else."""
        listener = listener_of(request)
        headers = {name.lower(): each for name, each in request.headers.items() if name.lower() in CARRIED}
        return cls(
            "GET" if target or request.method == "HEAD" else request.method,
            target or request.raw_path,
            headers,
            room,
            evidence,
            listener.visitor(request),
            listener.is_here(request),
            listener.is_secure(request),
            listener.is_own_origin(request.headers.get("Origin", "")),
            listener.public,
            wants_socket,
            size,
            note,
        )

    def head(self) -> dict[str, Any]:
        """Return it as what a stream is opened with."""
        return {
            "method": self.method,
            "target": self.target,
            "headers": dict(self.headers),
            "room": self.room,
            "evidence": (self.evidence.session, self.evidence.seat, self.evidence.token),
            "visitor": self.visitor,
            "here": self.is_here,
            "secure": self.is_secure,
            "own": self.is_own_origin,
            "public": self.is_public,
            "socket": self.wants_socket,
            "size": self.size,
            "note": self.note,
        }

    @classmethod
    def read(cls, head: Mapping[str, Any]) -> CarriedRequest:
        """Return the request with which a stream was opened.

        Raises:
            ValueError: it is none.
        """
        try:
            session, seat, token = head["evidence"]
            request = cls(
                head["method"],
                head["target"],
                {str(name): str(each) for name, each in head["headers"].items()},
                str(head["room"]),
                Evidence(str(session), str(seat), str(token)),
                str(head["visitor"]),
                head["here"] is True,
                head["secure"] is True,
                head["own"] is True,
                head["public"] is True,
                head["socket"] is True,
                int(head["size"]),
                str(head["note"]),
            )
            is_sound = (
                _METHOD.fullmatch(request.method)
                and _TARGET.fullmatch(request.target)
                and len(request.target) <= LONGEST_TARGET
                and request.headers.keys() <= CARRIED
                and all(_VALUE.fullmatch(each) for each in request.headers.values())
                and request.size >= 0
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"a request that was carried is none: {error!r}") from error
        if not is_sound:
            raise ValueError("a request that was carried is none")
        return request

    def written(self) -> bytes:
        """Return its head as HTTP/1.1."""
        headers = {**self.headers, "content-length": str(self.size)} if self.size else self.headers
        lines = [
            f"{self.method} {self.target} HTTP/1.1",
            *(f"{name}: {each}" for name, each in headers.items()),
        ]
        return ("\r\n".join([*lines, "", ""])).encode("utf-8", errors="surrogateescape")


class CarriedListener(PageListener):
    """The listener of a request that was carried here, which says what the one says at which it arrived."""

    def __init__(self, request: CarriedRequest) -> None:
        super().__init__("", 0, ("", ""), public=request.is_public)
        self.evidence, self.note = request.evidence, request.note
        self._request = request

    def is_own_origin(self, origin: str) -> bool:  # noqa: ARG002  (it was compared where it arrived)
        return self._request.is_own_origin

    def is_secure(self, request: web.Request) -> bool:  # noqa: ARG002
        return self._request.is_secure

    def is_here(self, request: web.Request) -> bool:  # noqa: ARG002
        return self._request.is_here

    def visitor(self, request: web.Request) -> str:  # noqa: ARG002
        return self._request.visitor
