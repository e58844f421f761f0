"""Tell whoever asks by which way they have reached a listener, so that `chatbot doctor` can judge a proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from chatbot.web.listener import FORWARDED, listener_of

if TYPE_CHECKING:
    from chatbot.web.listener import PageListener

PATH = "/reached"
PROGRAM = "rabble"
"""What the answer begins with, so that another server that answers there is told apart."""


class ReachedPage:
    """One address that says what has arrived: nothing that the asker did not send."""

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add it to the pages of a listener."""
        router.add_get(PATH, self._tell)

    async def close(self) -> None:
        """Nothing is open between two requests."""

    async def _tell(self, request: web.Request) -> web.StreamResponse:
        listener = listener_of(request)
        forwarded = [each.lower() for each in request.headers if each.lower().startswith(FORWARDED)]
        content = {
            "program": PROGRAM,
            "public": listener.public,
            "secure": listener.is_secure(request),
            "tells_visitor": listener.visitor(request) != (request.remote or ""),
            "forwarded": sorted(set(forwarded)),
        }
        return web.json_response(content, headers={"Cache-Control": "no-store"})


async def serve_reached(listener: PageListener) -> None:
    """Let a listener serve this alone, in the place of a bot that does not run.

    Raises:
        Failure: the address is in use, or is no address of this machine.
    """
    application = listener.application()
    ReachedPage().add_to(application.router)
    await listener.start(application)
