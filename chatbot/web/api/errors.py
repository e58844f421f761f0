"""Errors as programs read them: JSON with one sentence, and the id of the message where there is one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NoReturn, NotRequired

from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

if TYPE_CHECKING:
    from aiohttp import web

UNCACHED = {"Cache-Control": "no-store"}


class ApiError(TypedDict):
    """Why something was not done: a sentence, and the id of its message where programs may tell it apart."""

    error: str
    id: NotRequired[str]


def error_text(text: str, **more: str) -> str:
    """Return an error as JSON."""
    return json.dumps({"error": text, **more}, ensure_ascii=False)


def refuse(kind: type[web.HTTPException], text: str, **more: str) -> NoReturn:
    """Answer by an error."""
    raise refuses(kind, text, **more)


def refuses(kind: type[web.HTTPException], text: str, **more: str) -> web.HTTPException:
    """Return the error that answers so."""
    return kind(text=error_text(text, **more), content_type="application/json", headers=UNCACHED)
