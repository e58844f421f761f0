"""Which commands somebody may use now, for pages and suggestions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.bot.command import first_word, other_words
from chatbot.kernel.game import Role
from chatbot.rooms.availability import offered
from chatbot.rooms.settings.lists import standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.bot.access import Access
    from chatbot.bot.command import AnyCommand
    from chatbot.bot.command_index import Aliases, CommandIndex
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room


class UsableCommands:
    """Lists commands by what a room offers and a role permits."""

    def __init__(self, command_index: CommandIndex, access: Access, aliases: Aliases) -> None:
        self._command_index, self._access, self._aliases = command_index, access, aliases

    def by_role(self, room: Room, role: Role) -> Iterator[AnyCommand]:
        """Yield the commands that a role may use: those of games, then others by their default role."""
        kits = [
            kit for kit in self._command_index.kits.values() if offered(room, kit) or room.playing(kit.name)
        ]
        own = sorted(self._command_index.bot_commands, key=lambda each: list(Role).index(each.least))
        commands: list[AnyCommand] = [*((kit, each) for kit in kits for each in kit.chat.commands), *own]
        return (each for each in commands if role.covers(self._access.least(room, first_word(each))))

    def words(self, room: Room, line: Line) -> dict[str, str]:
        """Map the words that a sender may use now, most common first, to the first words of commands."""
        usable = list(self.by_role(room, standing(room, line)))
        first = {first_word(each): first_word(each) for each in usable}
        aliases = {word: word for word in self._aliases.group.of(room)}
        others = {word: first_word(each) for each in usable for word in other_words(each)}
        return first | aliases | {word: command for word, command in others.items() if word not in first}
