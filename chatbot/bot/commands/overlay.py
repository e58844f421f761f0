"""The command `!overlay`, which tells the broadcaster alone the address of the overlay of their stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.bot.command import command
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message, Say
from chatbot.keys.overlay_keys import path_of
from chatbot.rooms.channel import Privacy
from chatbot.rooms.request import Request

if TYPE_CHECKING:
    from chatbot.keys.overlay_keys import OverlayKeys


class OverlayCommand:
    """The command `!overlay`."""

    def __init__(self, keys: OverlayKeys) -> None:
        self._keys = keys

    @command("overlay", Role.BROADCASTER, reads=True)
    async def overlay(self, request: Request) -> Sequence[Say]:
        if not self._keys.server:
            raise Refusal(Message("stream-nowhere"))
        if request.manner.private is not Privacy.ALL:
            raise Refusal(Message("stream-elsewhere"))
        address = self._keys.server + path_of(await self._keys.of(request.room.id))
        return [replace(request.whisper(Message("stream-address", {"address": address})), secret=True)]
