"""Sends HTTP requests to platforms with errors that never contain what was sent or received."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import aiohttp

if TYPE_CHECKING:
    from collections.abc import Iterator

JsonObject: TypeAlias = Mapping[str, Any]  # JSON has no static type; `expecting` guards its use

TIMEOUT = aiohttp.ClientTimeout(total=10)  # seconds; a platform that is well takes less than one


class Unreachable(Exception):  # noqa: N818  (it may be temporary, and the caller decides what follows)
    """A platform gave no usable response; the same request may succeed later."""


class Declined(Unreachable):
    """A platform does answer, but not with what was asked for: it is not to be asked again soon."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The response of a platform; its content may hold secrets."""

    status: int
    content: JsonObject = field(repr=False)
    date: str = ""  # the header Date: the time of the platform's clock

    @property
    def message(self) -> str:
        """The error message in small letters; empty if there is none."""
        return str(self.content.get("message") or self.content.get("error") or "").lower()


async def ask(
    session: aiohttp.ClientSession,
    method: str,
    address: str,
    body: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpAnswer:
    """Send one request. The address must hold no secret: redirects are not followed, but it may be logged.

    Raises:
        Declined: its status is 429.
        Unreachable: there was no response within 10 seconds, its status is at least 500, or its body is not a
            JSON object.
    """
    try:
        async with session.request(
            method, address, data=body, headers=headers, timeout=TIMEOUT, allow_redirects=False
        ) as response:
            status, date = response.status, response.headers.get("Date", "")
            content = await response.read()
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        raise Unreachable(f"{address} does not answer ({type(error).__name__})") from None
    if status == 429 or status >= 500:
        kind = Declined if status == 429 else Unreachable
        raise kind(f"{address} is busy or broken (it answers {status})")
    return HttpAnswer(status, _json(content, address, status), date)


@contextmanager
def expecting(address: str) -> Iterator[None]:
    """Guard code that reads a response of `address`.

    Raises:
        Unreachable: the code raised LookupError, TypeError or ValueError: the response is not as documented.
    """
    try:
        yield
    except (LookupError, TypeError, ValueError):  # whose messages would show the response
        raise Unreachable(f"{address} answers what nobody can read") from None


def _json(content: bytes, address: str, status: int) -> JsonObject:
    """Parse a JSON object; an empty body is an empty object."""
    try:
        read = json.loads(content or b"{}")
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise Unreachable(f"{address} answers what nobody can read ({status})")
    return read
