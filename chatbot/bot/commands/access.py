"""The commands `!permit` and `!cooldown`, which say who may use a command, and how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.access import ROLES
from chatbot.bot.arguments import Choices, CommandWord, Shown, Suggested, Why, offering
from chatbot.bot.command import command
from chatbot.bot.cooldowns import OFF
from chatbot.kernel.game import Role
from chatbot.kernel.say import Message, Say
from chatbot.rooms.request import Request, at_least
from chatbot.rooms.settings.changes import Actor
from chatbot.settings.fields import DEFAULT

if TYPE_CHECKING:
    from chatbot.bot.access import Access
    from chatbot.kernel.say import Arguments
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.settings.fields import Entries

EVERY_ROLE = *ROLES, DEFAULT


class AccessCommands:
    """Answers `!permit` and `!cooldown`."""

    def __init__(self, access: Access, settings_changes: SettingsChanges) -> None:
        self._access, self._settings_changes = access, settings_changes

    def _words(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return list(self._access.words())

    @command("permit", Role.BROADCASTER)
    async def permit(
        self,
        request: Request,
        command: Annotated[CommandWord, Suggested(_words)],
        role: Annotated[str, Choices(EVERY_ROLE), Shown(" | ".join(EVERY_ROLE))] = "",
        why: Why = "",
    ) -> Sequence[Say]:
        word = await self._change(request, self._access.permissions, command, role, why)
        least = self._access.least(request.room, word)
        args: Arguments = {"word": f"!{word}", "role": at_least(least)}
        usual = Message("permit-all" if least is Role.VIEWER else "permit-is", args)
        return [request.answer(self._access.restricted_game(request.room, word) or usual)]

    @command("cooldown", Role.MODERATOR)
    async def cooldown(
        self,
        request: Request,
        command: Annotated[CommandWord, Suggested(_words)],
        value: Annotated[
            str,
            offering("5/30", "0/60", "0/0/3", OFF, DEFAULT),
            Shown(f"ROOM/MEMBER[/USES] | {OFF} | {DEFAULT}"),
        ] = "",
        why: Why = "",
    ) -> Sequence[Say]:
        word = await self._change(request, self._access.cooldowns, command, value, why)
        parts = self._access.cooldown(request.room, word).parts
        limits = [request.answer(Message(each, {"word": f"!{word}", **args})) for each, args in parts]
        return limits or [request.answer(Message("cooldown-none", {"word": f"!{word}"}))]

    async def _change(self, request: Request, group: Entries, command: str, value: str, why: str) -> str:
        """Change the setting of a command, if a value is given, and return the command's first word."""
        word = self._access.word_of(command)
        if value:
            await self._settings_changes.put(Actor.of(request, why), group.name, word, value.lower())
        return word
