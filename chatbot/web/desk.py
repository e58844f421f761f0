"""Serve the page of the desk, which is a client of the interface like any other."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from aiohttp import web

_PAGE = Path(str(files("chatbot.web") / "static" / "desk.html"))


class DeskPage:
    """The page of the desk, in which people log in themselves."""

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the page to those of a listener."""
        router.add_get("/desk", self._show)

    async def close(self) -> None:
        """Nothing is open between two requests."""

    async def _show(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002
        return web.FileResponse(_PAGE)
