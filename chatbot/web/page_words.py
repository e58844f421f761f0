"""Serve the words of pages, in the language of the program or that of a viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from chatbot.invocation import with_invocations
from chatbot.kernel.say import Message
from chatbot.speech.words import ENGLISH
from chatbot.web.listener import listener_of, require_this_machine

if TYPE_CHECKING:
    from chatbot.delivery.outbox import Outbox

PUBLIC = frozenset({"enter", "desk", "seat", "board", "replay"})
"""What the ids of words begin with that every page may show."""

BESIDE = {"seat": ("seat-", "page-")}
"""What else the ids begin with that a page is given: a seat has the tables and moves of the local page."""

LOCAL = frozenset({"setup"})  # these name where the program lies


class PageWords:
    """The words of pages, of which each asks for its own by what their ids begin with."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the words to the pages of a listener."""
        router.add_get("/words/{page}", self._tell)

    async def _tell(self, request: web.Request) -> web.StreamResponse:
        page = request.match_info["page"]
        if page in LOCAL:
            require_this_machine(request)
        elif page not in PUBLIC:
            raise web.HTTPNotFound(text="There is no such page.\n")
        outbox = self._outbox
        language = request.query.get("language", "")
        if not language and outbox.languages.default.language == ENGLISH:  # which nobody need have chosen
            language = request.query.get("browser", "")
        words = outbox.languages.named(language)
        named = sorted(each for each in words.ids if each.startswith(BESIDE.get(page, f"{page}-")))
        ids = [each for each in named if not words.placeholders(each)]  # the others are said in chats
        texts = {each: words.text(Message(each), str) for each in ids}
        if listener_of(request).is_here(request):  # commands name where the program lies
            texts = {each: with_invocations(text) for each, text in texts.items()}
        response = web.json_response({"language": words.language, "words": texts})
        response.enable_compression()
        return response
