"""Asks a platform something over HTTP, so that no trouble on the way tells what was sent or answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp

if TYPE_CHECKING:
    from collections.abc import Iterator

TIMEOUT = aiohttp.ClientTimeout(total=10)


class Unreachable(Exception):  # noqa: N818  (it may pass, and whoever asked decides what then)
    """A platform gave no answer that can be used; the same may work later."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What a platform said; its content may hold secrets."""

    status: int
    content: Mapping[str, Any] = field(repr=False)
    date: str = ""  # by the platform's clock, as HTTP writes it

    @property
    def message(self) -> str:
        return str(self.content.get("message") or self.content.get("error") or "").lower()


async def ask(
    session: aiohttp.ClientSession,
    method: str,
    address: str,
    body: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpAnswer:
    """Send one request. No secret belongs in the address: it is not followed elsewhere, but it may be logged.

    Raises:
        Unreachable: there was no answer, or none that is ours to read.
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
        raise Unreachable(f"{address} is busy or broken (it answers {status})")
    return HttpAnswer(status, _json(content, address, status), date)


@contextmanager
def expecting(address: str) -> Iterator[None]:
    """Read an answer; what is not as documented is no answer.

    Raises:
        Unreachable: it is not.
    """
    try:
        yield
    except (LookupError, TypeError, ValueError):  # they would tell what was read
        raise Unreachable(f"{address} answers what nobody can read") from None


def _json(content: bytes, address: str, status: int) -> Mapping[str, Any]:
    """Read an object; an empty answer is an empty one."""
    try:
        read = json.loads(content or b"{}")
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise Unreachable(f"{address} answers what nobody can read ({status})")
    return read
