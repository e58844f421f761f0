"""The command `!overlay`, which tells the broadcaster alone the address of the overlay of their stream."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.community.linking import manner
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message
from chatbot.keys.overlay_keys import path_of
from chatbot.rooms.channel import Privacy
from chatbot.rooms.request import BotCommand, Request, usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.say import Say
    from chatbot.keys.overlay_keys import OverlayKeys


class OverlayCommand:
    """The command `!overlay`."""

    def __init__(self, keys: OverlayKeys) -> None:
        self._keys = keys
        self.services = (BotCommand("overlay", self._overlay, least=Role.BROADCASTER, reads=True),)

    async def _overlay(self, request: Request) -> Sequence[Say]:
        if request.words:
            raise usage("overlay", "")
        if not self._keys.server:
            raise Refusal(Message("stream-nowhere"))
        if manner(request).private is not Privacy.ALL:
            raise Refusal(Message("stream-elsewhere"))
        address = self._keys.server + path_of(await self._keys.of(request.room.id))
        return [replace(request.whisper(Message("stream-address", {"address": address})), secret=True)]
