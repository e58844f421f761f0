"""Files that come with a message, as Discord takes them: in parts, beside the message itself."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import web

    from tests.fakes.discord_world import Json

LARGEST = 10 * 1024 * 1024  # bytes of a file, where nobody boosts
MOST = 10  # files of a message
FILES = "files"  # where `body_of` puts them

_NAME = re.compile(rb'name="([^"]+)"')


async def body_of(request: web.Request) -> Any:
    """Read what was sent: the bytes of its files, by their number, stand in it as `files`."""
    raw = await request.read()
    if not request.content_type.startswith("multipart/"):
        return json.loads(raw) if raw else None
    boundary = request.headers["Content-Type"].partition("boundary=")[2].strip('"').encode()
    parts = dict(_part(each) for each in raw.split(b"--" + boundary)[1:-1])
    body: Json = json.loads(parts.pop("payload_json"))
    files = {int(name.removeprefix("files[").rstrip("]")): content for name, content in parts.items()}
    (body.get("data") or body)[FILES] = files
    return body


def wrong_files(body: Json, known: list[Json]) -> str | None:
    """Name what is wrong with the files of a message that has these attachments already."""
    files, told = body.get(FILES) or {}, body.get("attachments") or []
    ids = {str(each["id"]) for each in told}
    strange = ids - {str(each) for each in files} - {each["id"] for each in known}
    if strange or len(told) > MOST or any(len(each) > LARGEST for each in files.values()):
        return "attachments"
    if any(len(each.get("description") or "") > 1024 for each in told):
        return "description"
    names = {each["filename"] for each in (told if "attachments" in body else known)}
    images = [(each.get("image") or {}).get("url", "") for each in body.get("embeds") or []]
    wanted = {each.removeprefix("attachment://") for each in images if each.startswith("attachment://")}
    return None if wanted <= names else "image"


def attached(body: Json, known: list[Json], next_id: Callable[[], int]) -> list[Json]:
    """List the attachments of a message after this; those that it keeps come with their old ids."""
    if "attachments" not in body:
        return known
    files, before = body.get(FILES) or {}, {each["id"]: each for each in known}
    return [
        before.get(str(each["id"])) or _attachment(each, str(next_id()), files[int(each["id"])])
        for each in body["attachments"] or []
    ]


def _attachment(told: Json, number: str, content: bytes) -> Json:
    return {
        "id": number,
        "filename": told["filename"],
        "description": told.get("description"),
        "size": len(content),
        "url": f"https://cdn.test/{number}/{told['filename']}",
        "proxy_url": f"https://media.test/{number}/{told['filename']}",
        "content_type": "image/png",
    }


def _part(raw: bytes) -> tuple[str, bytes]:
    head, _, content = raw.partition(b"\r\n\r\n")
    found = _NAME.search(head)
    assert found, head
    return found[1].decode(), content.removesuffix(b"\r\n")
