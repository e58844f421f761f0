"""Commands that change one setting: `!enable`, `!disable`, `!talk`, `!pause`, `!unpause`, `!alias`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Choices, GameOfWords, Shown, Suggested, Text, Why
from chatbot.bot.command import command
from chatbot.bot.command_index import ALIASES
from chatbot.bot.commands.settings import OFF, setting_changed
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message, Quote, Say, Talk
from chatbot.rooms.availability import GAMES
from chatbot.rooms.line import SIGN
from chatbot.rooms.request import Request, as_typed
from chatbot.rooms.settings.changes import Actor
from chatbot.settings.fields import DEFAULT, NO, YES
from chatbot.settings.room import HABITS

if TYPE_CHECKING:
    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges

TALK, PAUSED = "talk", "paused"  # settings of the room
LEVELS = tuple(each.value for each in Talk)


class Shortcuts:
    """Answers the commands that change one setting."""

    def __init__(self, kits: Mapping[str, AnyKit], settings_changes: SettingsChanges) -> None:
        self._kits, self._settings_changes = kits, settings_changes

    @command("enable", Role.MODERATOR)
    async def enable(self, request: Request, game: GameOfWords, why: Why = "") -> Sequence[Say]:
        return await self._put(request, why, GAMES, game.name, YES)

    @command("disable", Role.MODERATOR)
    async def disable(self, request: Request, game: GameOfWords, why: Why = "") -> Sequence[Say]:
        return await self._put(request, why, GAMES, game.name, NO)

    @command("talk", Role.MODERATOR)
    async def talk(
        self,
        request: Request,
        level: Annotated[str, Choices(LEVELS), Shown("|".join(LEVELS))],
        why: Why = "",
    ) -> Sequence[Say]:
        return await self._put(request, why, HABITS.name, TALK, level)

    @command("pause", Role.MODERATOR)
    async def pause(self, request: Request, why: Why = "") -> Sequence[Say]:
        return await self._put(request, why, HABITS.name, PAUSED, YES)

    @command("unpause", Role.MODERATOR)
    async def unpause(self, request: Request, why: Why = "") -> Sequence[Say]:
        return await self._put(request, why, HABITS.name, PAUSED, NO)

    def _aliases(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return list(room.settings(ALIASES))

    def _commands(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        """Suggest what an alias can stand for, and the word that removes it."""
        return [*(each.word for kit in self._kits.values() for each in kit.chat.commands), OFF]

    @command("alias", Role.MODERATOR)
    async def alias(
        self,
        request: Request,
        new: Annotated[str, Suggested(_aliases)],
        old: Annotated[Text, Suggested(_commands), Shown(f"OLD | NEW {OFF}")],
        why: Why = "",
    ) -> Sequence[Say]:
        new, old = new.lower().removeprefix(SIGN), as_typed(request.line, old)
        stands_for = request.room.settings(ALIASES).get(new)
        if old.lower() == OFF:
            old = DEFAULT
        elif stands_for is not None:
            raise Refusal(Message("alias-there", {"word": Quote(new), "old": Quote(str(stands_for))}))
        return await self._put(request, why, ALIASES, new, old)

    async def _put(self, request: Request, why: str, group: str, key: str, value: str) -> Sequence[Say]:
        before, after = await self._settings_changes.put(Actor.of(request, why), group, key, value)
        return [setting_changed(request, group, before, after)]
