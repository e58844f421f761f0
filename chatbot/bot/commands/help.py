"""The commands `!help`, which explains what there is, and `!playing`, which lists the games that run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Shown, Suggested
from chatbot.bot.command import command, first_word, other_words
from chatbot.bot.commands.settings import explained
from chatbot.kernel.game import Role
from chatbot.kernel.say import Arguments, Listing, Message, Quote, Say
from chatbot.kernel.suggestions import unknown
from chatbot.rooms.availability import offered
from chatbot.rooms.request import Request, at_least, form
from chatbot.rooms.settings.lists import standing
from chatbot.settings.fields import Entries, selected
from chatbot.speech.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from chatbot.bot.command import AnyCommand
    from chatbot.bot.command_index import CommandIndex
    from chatbot.kernel.commands import Command
    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.settings.fields import Group, Groups

MORE = "more"
MOST_RUNNING = 5  # games that one answer lists; more are counted
_USEFUL = ("credits", "claim", "give", "top", "history")
_MODERATION = ("settings", "set", "text", "cancel", "undo")
# The settings of a game that a new player needs. A limit of 0 is none, and a crew of one no condition.
_LIMITS = ("default_stake", "min_stake", "max_stake", "min_crew", "lobby", "cooldown")
_NO_LIMIT = {"0": _LIMITS, "1": ("min_crew",)}


class Help:
    """Answers `!help` and `!playing`.

    `ids` are the ids of the messages that exist, as an installed game may lack some.
    `least(room, word)` returns the least role for a command, `stands_for(room, word)` the command that an
    alias stands for, or None.
    """

    def __init__(
        self,
        command_index: Callable[[], CommandIndex],
        groups: Groups,
        ids: Container[str],
        least: Callable[[Room, str], Role],
        stands_for: Callable[[Room, str], str | None],
    ) -> None:
        self._command_index, self._groups, self._ids = command_index, groups, ids
        self._least, self._stands_for = least, stands_for

    @command("help", reads=True)
    async def help(
        self,
        request: Request,
        topic: Annotated[str, Suggested(_topics), Shown(f"GAME | COMMAND | {MORE}")] = "",
        setting: Annotated[str, Suggested(_keys), Shown(f"SETTING | {MORE}")] = "",
    ) -> Sequence[Say]:
        words = [each.lower().removeprefix("!") for each in (topic, setting) if each]
        word, rest = self._command_index().split(" ".join(words))
        if len(words) == 2 and not rest:  # `!help season end`, as the command may be typed
            words = [word]
        return [request.answer(each) for each in self._answer(request, words)]

    def _topics(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return [
            *(kit.word for kit in self._games(room)),
            *(each.word for each in self._command_index().bot_commands),
        ]

    def _keys(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:
        topic = values.get("topic", "")
        group = self._groups.meant(topic)
        keys = [each.key for each in group.listed(selected(group, room))] if group else []
        return [MORE, *keys] if self._is_game(topic) else keys

    def _answer(self, request: Request, words: Sequence[str]) -> Iterator[Message]:
        match words:
            case []:
                return self._overview(request.room, standing(request.room, request.line))
            case [each] if each == MORE:
                return self._commands(request.room, standing(request.room, request.line))
            case [word]:
                return self._about(request, word)
            case [word, each] if each == MORE and self._is_game(word):
                return self._about(request, word, brief=False)
            case _:
                name, key = words
                return self._setting(request, name, key)

    @command("playing", reads=True)
    async def playing(self, request: Request) -> Sequence[Say]:
        rows = [_table_row(table) for table in request.room.tables.values() if not table.over]
        if not rows:
            return [request.answer(Message("playing-nothing"))]
        listing = Listing(tuple(rows), most=MOST_RUNNING, separator="; ")
        return [request.answer(Message("playing", {"rows": listing}))]

    # Lists

    def _overview(self, room: Room, role: Role) -> Iterator[Message]:
        games = tuple(_word(f"!{kit.word}") for kit in self._games(room))
        yield Message("help-overview", {"games": Listing(games)})
        yield Message("help-useful", {"services": self._listing(room, _USEFUL, role)})
        if role.covers(Role.MODERATOR):
            yield Message("help-keeping", {"services": self._listing(room, _MODERATION, role)})

    def _commands(self, room: Room, role: Role) -> Iterator[Message]:
        words = [each.word for each in self._command_index().bot_commands]
        yield Message("help-services", {"services": self._listing(room, words, role)})

    def _listing(self, room: Room, words: Sequence[str], role: Role) -> Listing:
        existing = (each for each in words if self._command_index().bot_command(each) is not None)
        messages = tuple(_word(f"!{each}") for each in existing if role.covers(self._least(room, each)))
        return Listing(messages, most=len(messages))

    def _games(self, room: Room) -> list[AnyKit]:
        return [kit for kit in self._command_index().kits.values() if offered(room, kit)]

    # A command or a game

    def _is_game(self, word: str) -> bool:
        """Whether a word opens a game."""
        game_command = self._command_index().played(word)
        return game_command is not None and game_command[1] is game_command[0].chat.commands[0]

    def _about(self, request: Request, word: str, *, brief: bool = True) -> Iterator[Message]:
        room = request.room
        command = self._stands_for(room, word)
        if command is not None:
            yield _standing_for(word, f"!{command}")
            word = self._command_index().split(command)[0]
        bot_command = self._command_index().bot_command(word)
        game_command = self._command_index().played(word)
        group = self._groups.meant(word)
        if bot_command is None and game_command is None and group is None:
            raise unknown(Message("help-unknown", {"text": Quote(word)}), word, self._usable_words(request))
        if bot_command is not None:
            yield from self._alias(bot_command, word)
            yield from self._explain(bot_command.word, bot_command.arguments)
            least = self._least(room, bot_command.word)
            if not standing(room, request.line).covers(least):
                yield Message("not-allowed", {"role": at_least(least)})
        if game_command is not None:
            yield from self._alias(game_command, word) if bot_command is None else ()
            if brief and self._is_game(word):
                yield self._in_brief(game_command[0])
            else:
                yield from self._game_command(room, *game_command)
        elif bot_command is None and group is not None:
            yield self._settings_of(room, group)

    @staticmethod
    def _alias(any_command: AnyCommand, word: str) -> Iterator[Message]:
        """Say which command a word is another word for, if it is."""
        if word in other_words(any_command):
            yield _standing_for(word, f"!{first_word(any_command)}")

    def _usable_words(self, request: Request) -> Sequence[str]:
        """Return the words to suggest for a mistyped one: those that the sender may use."""
        room, role = request.room, standing(request.room, request.line)
        words = (each.word for kit in self._games(room) for each in kit.chat.commands)
        own = (each.word for each in self._command_index().bot_commands)
        return [*words, *(each for each in own if role.covers(self._least(room, each))), *self._groups]

    def _in_brief(self, kit: AnyKit) -> Message:
        """Say in one message what a game is, how to join, and where the rest is."""
        about, example = f"about-{kit.name}", f"example-{kit.word}"
        args: Arguments = {
            "about": Message(about if about in self._ids else f"help-{kit.word}"),
            "example": Message(example) if example in self._ids else f"!{kit.word}",
            "word": kit.word,
        }
        return Message("help-game-rules" if "rules" in kit.chat.topics else "help-game", args)

    def _game_command(self, room: Room, kit: AnyKit, command: Command) -> Iterator[Message]:
        first = command.word == kit.word
        yield from self._explain(command.word, command.arguments)
        others = tuple(_word(f"!{each.word}") for each in kit.chat.commands[1:])
        if first and others:
            yield Message("help-answers", {"words": Listing(others)})
        limits = tuple(self._limits(room, kit)) if first else ()
        if limits:
            yield Message("help-limits", {"rows": Listing(limits)})

    def _explain(self, word: str, arguments: str) -> Iterator[Message]:
        command = form(f"!{word} {arguments}".rstrip(), self._ids)
        yield Message("help-command", {"command": command, "help": Message(f"help-{word}")})
        if f"example-{word}" in self._ids:
            yield Message("help-example", {"example": Message(f"example-{word}")})

    def _limits(self, room: Room, kit: AnyKit) -> Iterator[Message]:
        group = self._groups[kit.name]
        values = {each.key: each.value for each in group.listed(selected(group, room))}
        for key in _LIMITS:
            value = values.get(key)
            if value is not None and key not in _NO_LIMIT.get(value, ()):
                yield Message(f"limit-{key}", {"value": int(value) if value.isdecimal() else value})

    # Settings

    def _settings_of(self, room: Room, group: Group) -> Message:
        if isinstance(group, Entries):
            return Message("help-entries", {"group": group.name, "help": Message(f"setting-{group.name}")})
        keys = ", ".join(each.key for each in group.listed(selected(group, room)))
        return Message("help-group", {"group": group.name, "keys": keys})

    def _setting(self, request: Request, name: str, key: str) -> Iterator[Message]:
        group = self._groups.meant(name)
        if group is None:
            raise unknown(Message("help-unknown", {"text": Quote(name)}), name, self._usable_words(request))
        yield explained(group, group.find(selected(group, request.room), key))


def _table_row(table: Table) -> Message:
    """Return the game of a table, how many play, and how long they may take; some clocks are hidden."""
    args: Arguments = {"game": Message(f"game-{table.kit.name}"), "players": len(table.players())}
    if table.public_deadline is None:
        return Message("playing-row", args)
    left = max(ceil(table.public_deadline - table.watch.now()), 1)
    return Message("playing-row-timed", {**args, "wait": lasting(left)})


def _standing_for(word: str, command: str) -> Message:
    return Message("help-stands-for", {"word": f"!{word}", "command": Quote(command)})


def _word(word: str) -> Message:
    return Message("word", {"word": word})
