"""The command `!overlay`, which tells the broadcaster alone the address of the overlay of their stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Choices, Shown, Why
from chatbot.bot.command import command
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message, Say
from chatbot.keys.overlay_keys import path_of
from chatbot.rooms.channel import Privacy
from chatbot.rooms.request import Request, usage
from chatbot.rooms.settings.changes import Actor

if TYPE_CHECKING:
    from chatbot.keys.overlay_keys import OverlayKeys
    from chatbot.rooms.settings.changes import SettingsChanges


NEW = "new"


class OverlayCommand:
    """The command `!overlay`."""

    def __init__(self, keys: OverlayKeys, settings_changes: SettingsChanges) -> None:
        self._keys, self._settings_changes = keys, settings_changes

    @command("overlay", Role.BROADCASTER)
    async def overlay(
        self, request: Request, new: Annotated[str, Choices((NEW,)), Shown(NEW)] = "", why: Why = ""
    ) -> Sequence[Say]:
        """Tell the address; a new one makes the former a dead one, which a stream may have shown."""
        if new.lower() not in {"", NEW}:
            raise usage("overlay", f"[{NEW}]")
        if not self._keys.server:
            raise Refusal(Message("stream-nowhere"))
        if request.manner.private is not Privacy.ALL:
            raise Refusal(Message("stream-elsewhere"))
        key = await self._replace(request, why) if new else await self._keys.of(request.room.id)
        message = Message("stream-renewed" if new else "stream-address", {"address": self._address(key)})
        return [replace(request.whisper(message), secret=True)]

    def _address(self, key: str) -> str:
        return self._keys.server + path_of(key)

    async def _replace(self, request: Request, why: str) -> str:
        actor, changes = Actor.of(request, why), self._settings_changes
        return await self._keys.replace_by(changes.changes, changes.change_set(actor, []), request.batch)
