"""The faults of a fake Discord's REST side, and the limits that the real one keeps.

Rate limits are told as https://discord.com/developers/docs/topics/rate-limits says: by headers with each
answer, and with a 429 by `Retry-After`, `X-RateLimit-Scope` and a body with `retry_after` and `global`.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.discord_uploads import FILES, body_of, wrong_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.fakes.discord_world import Json

MENU = 3  # a type of component
_HTML = "<html>error code: 1015</html>"


@dataclass(eq=False)
class Fault:
    """Answers some of the next requests whose `METHOD /path` matches."""

    pattern: str
    # limited, banned, forbidden, no embeds, no files, large files, no replies, unknown, slow, cut, mute,
    # or a status
    kind: str
    times: int = 1
    seconds: float = 0.05

    def matches(self, asked: str) -> bool:
        return self.times > 0 and re.search(self.pattern, asked) is not None

    async def answer(self, request: web.Request) -> web.StreamResponse | None:
        """Give the answer instead of the real one; None: it was only slow."""
        self.times -= 1
        match self.kind:
            case "mute":
                return None
            case "slow":
                await asyncio.sleep(self.seconds)
                return None
            case "no embeds" | "no files" | "large files" | "no replies" as kind:
                return _refused_part(await body_of(request), kind)
            case "cut":
                return await self.cut(request)
            case _:
                return self._refused()

    def _refused(self) -> web.Response:
        match self.kind:
            case "limited":
                return limited(self.seconds)
            case "forbidden":
                return refusal(403, 50013, "Missing Permissions")
            case "unknown":
                return refusal(404, 10003, "Unknown Channel")
            case kind:
                status = 429 if kind == "banned" else int(kind)
                return web.Response(text=_HTML, status=status, content_type="text/html")

    async def cut(self, request: web.Request) -> web.StreamResponse:
        """Drop the connection without an answer."""
        if request.transport is not None:
            request.transport.abort()
        raise ConnectionResetError


class Bucket:
    """A rate limit of one channel, told as the real one tells it.

    See https://discord.com/developers/docs/topics/rate-limits#header-format, which names no numbers.
    """

    def __init__(self, limit: int, window: float) -> None:
        self._limit, self._window = limit, window
        self._counts: dict[str, tuple[float, int]] = {}
        self.broken = 0  # requests above the limit

    def spend(self, channel: str) -> tuple[dict[str, str], float | None]:
        """Count a request; gives the headers, and the seconds to wait where it is one too many."""
        now = asyncio.get_running_loop().time()
        began, count = self._counts.get(channel, (now, 0))
        if now >= began + self._window:
            began, count = now, 0
        self._counts[channel] = (began, count + 1)
        left = began + self._window - now
        headers = {
            "X-RateLimit-Limit": str(self._limit),
            "X-RateLimit-Remaining": str(max(self._limit - count - 1, 0)),
            "X-RateLimit-Reset-After": str(left),
            "X-RateLimit-Reset": str(time.time() + left),
            "X-RateLimit-Bucket": "messages",
        }
        over = count >= self._limit
        self.broken += over
        return headers, left if over else None


class GlobalLimit:
    """The limit of all requests of a bot together, but those of interactions: 50 in each second."""

    def __init__(self, limit: int = 50, window: float = 1.0) -> None:
        self._limit, self._window = limit, window
        self._began, self._count = 0.0, 0
        self.broken = 0  # requests above the limit

    def spend(self) -> web.Response | None:
        """Count a request; gives the refusal of one that is too many."""
        now = asyncio.get_running_loop().time()
        if now >= self._began + self._window:
            self._began, self._count = now, 0
        self._count += 1
        if self._count <= self._limit:
            return None
        self.broken += 1
        return limited(self._began + self._window - now, scope="global")


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """Answer with JSON, without the charset that the library does not expect."""
    raw = json.dumps(body).encode()
    return web.Response(body=raw, status=status, content_type="application/json", headers=headers)


def limited(seconds: float, headers: Mapping[str, str] | None = None, scope: str = "user") -> web.Response:
    """Refuse a request that is one too many; `scope` is user, global or shared."""
    everywhere = scope == "global"
    body = {"message": "You are being rate limited.", "retry_after": seconds, "global": everywhere}
    told = {"Via": "1.1 google", "Retry-After": str(math.ceil(seconds)), "X-RateLimit-Scope": scope}
    told |= {"X-RateLimit-Global": "true"} if everywhere else {}
    return answer(body, 429, {**told, **(headers or {})})


def refusal(status: int, code: int, message: str) -> web.Response:
    return answer({"code": code, "message": message}, status)


def _refused_part(body: Json, kind: str) -> web.Response | None:
    """Refuse a message for what it has with it; None: it has nothing of the kind."""
    data = body.get("data") or body
    match kind:
        case "no embeds" if data.get("embeds"):
            return refusal(403, 50013, "Missing Permissions")
        case "no files" if data.get(FILES):
            return refusal(403, 50013, "Missing Permissions")
        case "large files" if data.get(FILES):
            # https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
            return refusal(413, 40005, "Request entity too large")
        case "no replies" if data.get("message_reference"):
            return refusal(403, 160002, "Cannot reply without permission to read history")
    return None


def too_much(body: Json, known: Json | None = None) -> str | None:
    """Name a limit that a message breaks, or an edit of a `known` one.

    https://discord.com/developers/docs/resources/message#create-message tells of texts, and
    #embed-object-embed-limits there of embeds,
    https://discord.com/developers/docs/components/reference of rows, buttons and menus.
    """
    if units(body.get("content") or "") > 2000:
        return "content"
    embeds = body.get("embeds") or []
    problems = [each for each in map(_embed, embeds) if each]
    if problems or len(embeds) > 10:
        return problems[0] if problems else "embeds"
    wrong = _wrong_rows(body.get("components") or [])
    return wrong or wrong_files(body, (known or {}).get("attachments") or [])


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _embed(embed: Json) -> str | None:
    fields = embed.get("fields") or []
    parts = [
        embed.get("title") or "",
        embed.get("description") or "",
        (embed.get("footer") or {}).get("text", ""),
    ]
    parts += [each[key] for each in fields for key in ("name", "value")]
    within = (
        units(parts[0]) <= 256
        and units(parts[1]) <= 4096
        and len(fields) <= 25
        and all(0 < units(each["name"]) <= 256 and 0 < units(each["value"]) <= 1024 for each in fields)
        and sum(map(units, parts)) <= 6000
    )
    return None if within else "embed"


def _wrong_rows(rows: list[Json]) -> str | None:
    parts = [each for row in rows for each in row["components"]]
    menus = [each for each in parts if each["type"] == MENU]
    if len(rows) > 5 or any(len(row["components"]) > 5 for row in rows):
        return "rows"
    if any(each in menus and len(row["components"]) > 1 for row in rows for each in row["components"]):
        return "rows"
    names = [each["custom_id"] for each in parts]
    if any(not 0 < len(each) <= 100 for each in names) or len(set(names)) < len(names):
        return "custom_id"
    if any(not 0 < units(each["label"]) <= 80 for each in parts if each not in menus):
        return "label"
    return None if all(map(_fine_menu, menus)) else "options"


def _fine_menu(menu: Any) -> bool:
    """Whether Discord takes a menu: 1 to 25 options with values of their own, and no long texts."""
    options = menu.get("options") or []
    values = {each["value"] for each in options}
    fine = all(0 < units(each["label"]) <= 100 and 0 < units(each["value"]) <= 100 for each in options)
    return fine and 0 < len(values) == len(options) <= 25 and units(menu.get("placeholder") or "") <= 150
