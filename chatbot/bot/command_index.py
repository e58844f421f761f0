"""The index of all commands by their words, and the aliases that rooms define."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.bot.arguments import Lookup
from chatbot.bot.command import commands_of
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import find_kit
from chatbot.kernel.lobby import START, Start
from chatbot.kernel.say import Message, Quote
from chatbot.rooms.line import SIGN
from chatbot.settings.fields import Entries

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence

    from chatbot.bot.command import AnyCommand, BotCommand
    from chatbot.kernel.commands import Command, Option
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.line import Line
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room

ALIASES = "aliases"
LONGEST_ALIAS = 25  # characters of an alias

# A number, time or cooldown as an East Asian keyboard may type it, alone or joined to a word.
_WIDE = re.compile(
    r"(?<!\S)(?=\S*[\uff10-\uff19])(?:[a-z_]+=?)?[0-9\uff10-\uff19]"
    r"[0-9\uff10-\uff19,\uff0c/\uff0f%\uff05dhmsk\uff4b\uff4d일시간분초]*(?!\S)",
    re.IGNORECASE,
)
_NARROW = {each: each - 0xFEE0 for each in range(0xFF01, 0xFF5F)}
_JOINED = re.compile(r"([a-z]+)([0-9].*)", re.ASCII | re.IGNORECASE)


class Aliases:
    """The aliases of rooms: `group` is the settings group of words and the commands that they stand for.

    An alias never stands for another alias.
    """

    def __init__(self, command_index: CommandIndex) -> None:
        self._command_index = command_index
        example = "go", next(iter(command_index.kits.values())).word
        self.group = Entries(ALIASES, self._entry, Message("expects-command"), example, words=("alias",))

    def resolve(self, room: Room, line: Line) -> Line:
        """Return a line with its alias replaced by the command.

        As moderators define aliases, a broadcaster who uses one acts with the rights of a moderator.
        """
        text = self.written_out(room, line.text)
        if text == line.text:
            return line
        if line.role is not Role.BROADCASTER:
            return replace(line, text=text)
        return replace(line, text=text, role=Role.MODERATOR, badges=line.roles)

    def written_out(self, room: Room, text: str) -> str:
        """Replace the alias that a text begins with, with or without the sign, if it is one.

        A command of two words, such as `!back out`, is none of an alias that is the first of them.
        """
        command_text = text.removeprefix(SIGN)
        word, rest = _split_word(command_text)
        stands_for = self.group.of(room).get(word.lower())
        if stands_for is None or self._answers(self._command_index.split(command_text)[0]):
            return text
        return f"{SIGN if text.startswith(SIGN) else ''}{stands_for}{rest}"

    def _entry(self, key: str, text: str) -> tuple[str, str]:
        word, old = key.lower().removeprefix(SIGN), " ".join(text.removeprefix(SIGN).split())
        if not word.isalnum() or len(word) > LONGEST_ALIAS:
            raise Refusal(Message("alias-wrong", {"word": Quote(key), "most": LONGEST_ALIAS}))
        if self._answers(word) or self._command_index.split(word)[0] != word:
            raise Refusal(Message("alias-taken", {"word": Quote(word)}))
        first, arguments = self._command_index.split(old)
        if not self._answers(first):
            raise Refusal(Message("command-unknown", {"word": Quote(text)}))
        bot_command = self._command_index.bot_command(first)
        if bot_command is not None and bot_command.agrees:
            raise Refusal(Message("alias-never", {"word": f"!{bot_command.word}"}))
        if bot_command is not None and arguments and bot_command.is_bare(arguments):
            raise Refusal(Message("alias-bare", {"word": f"!{bot_command.word}"}))
        return word, old

    def _answers(self, word: str) -> bool:
        return (
            self._command_index.bot_command(word) is not None or self._command_index.command(word) is not None
        )


def _split_word(text: str) -> tuple[str, str]:
    """Split a text without its sign into its first word and the rest."""
    word = text.split(maxsplit=1)[0] if text and not text[0].isspace() else ""
    return word, text[len(word) :]


class CommandIndex:
    """Finds the command of a word, ignoring case.

    The bot's own are those that `parts` declare, in this order; `find` looks up the members that they name.

    Raises:
        ValueError: a command of a game has the word of another one, or, without sharing it, of the bot.
    """

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        parts: Iterable[object],
        groups: Container[str],
        find: Callable[[Request, str], Awaitable[Seat]],
    ) -> None:
        self.kits, self._groups = kits, groups
        lookup = Lookup(kits, find, self.split)
        self.bot_commands = tuple(each for part in parts for each in commands_of(part, lookup))
        self._by_word = {word: each for each in self.bot_commands for word in (each.word, *each.aliases)}
        game_commands = [
            (word, (kit, command))
            for kit in kits.values()
            for command in kit.chat.commands
            for word in (command.word, *command.aliases)
        ]
        self._shared_commands = {
            word: game_command for word, game_command in game_commands if word in self._by_word
        }
        self._commands = {
            word: game_command for word, game_command in game_commands if word not in self._by_word
        }
        clashes = [
            word for word, (_, command) in game_commands if word in self._by_word and command.shares is None
        ]
        if clashes:
            raise ValueError(f"a game and the bot both answer to {sorted(clashes)}")
        twice = [word for word, count in Counter(word for word, _ in game_commands).items() if count > 1]
        if twice:
            raise ValueError(f"two commands of games answer to {sorted(twice)}")

    def answering(self, room: Room, seat: Seat, word: str, words: Sequence[str]) -> AnyCommand | None:
        """Return the command of a word, given the words after it.

        A word that a game shares with the bot is for the bot if it is followed by the name of a group of
        settings. Otherwise it is for the game if the words look like it, or if the seat is playing.
        """
        shared_command, bot_command = self._shared_commands.get(word.lower()), self.bot_command(word)
        if shared_command is None:
            return bot_command or self.command(word)
        kit, command = shared_command
        matches = command.shares is not None and command.shares(words)
        return (
            shared_command
            if not self._names(words) and (matches or room.playing_at(kit, seat) is not None)
            else bot_command
        )

    def invitation(self, room: Room, seat: Seat, word: str) -> tuple[AnyKit, Command] | None:
        """Return the command of a game that takes a word as an answer to an invitation of the seat.

        None if there is no such invitation, or the word is that of a game at which the seat plays.
        """
        own = self.command(word)
        table = None if own is None else room.playing_at(own[0], seat)
        if own is None or (table is not None and seat in table.players()):
            return None
        asking = (kit for kit in self.kits.values() if _is_invited(room, kit, seat))
        game_commands = ((kit, command) for kit in asking for command in kit.chat.commands)
        return next((each for each in game_commands if _is_answer(each[1], word.lower())), None)

    def starting(self, room: Room, seat: Seat, word: str) -> tuple[AnyKit, Command] | None:
        """Return the command of the game in whose lobby a seat is alone, if the word begins it."""
        if word.lower() != START:
            return None
        tables = [table for table in room.tables.values() if not table.over]
        mine = (each for each in tables if Start(seat) in each.menu(seat, 0))
        return next(((each.kit, each.kit.chat.commands[0]) for each in mine), None)

    def _names(self, words: Sequence[str]) -> bool:
        """Whether the first of these words names a group of settings or a game."""
        first = words[0].lower() if words else ""
        return first in self._groups or find_kit(self.kits, first) is not None

    def bot_command(self, word: str) -> BotCommand | None:
        """Return the command of the bot itself that has a word."""
        return self._by_word.get(word.lower())

    def command(self, word: str) -> tuple[AnyKit, Command] | None:
        """Return the command of a game that has a word, unless the bot has one of the same word."""
        return self._commands.get(word.lower())

    def played(self, word: str) -> tuple[AnyKit, Command] | None:
        """Return the command of a game that has a word, even if the bot has one of the same word."""
        return self._shared_commands.get(word.lower()) or self.command(word)

    def split(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Split a text without its sign into the word of a command and its arguments.

        `!back out` and `!heist69` are accepted too; a space after the sign is no command.
        """
        if not text or text[0].isspace():
            return "", ()
        word, *words = _narrowed(text).split()
        if words and self.bot_command(word) and self.bot_command(word + words[0]):
            word += words.pop(0)  # `!season end` is a command beside `!season`
            if words and self.bot_command(word + words[0]):
                word += words.pop(0)  # and `!credits set all` one beside `!credits set`
            return word, tuple(words)
        if self._is_known(word):
            return word, tuple(words)
        if words and self._is_known(word + words[0]):
            return word + words[0], tuple(words[1:])
        match = _JOINED.fullmatch(word)
        if match and self._is_known(match[1]):
            return match[1], (match[2], *words)
        return word, tuple(words)

    def _is_known(self, word: str) -> bool:
        return self.bot_command(word) is not None or self.command(word) is not None

    def secret(self, line: str) -> bool:
        """Whether a typed line is a command that should be sent in private."""
        game_command = self.command(line.removeprefix("!").partition(" ")[0])
        return game_command is not None and game_command[1].secret

    def confidential(self, line: str) -> bool:
        """Whether a typed line may have to be sent in private, if the kind of table is not known yet."""
        word, _ = self.split(line.removeprefix("!"))
        game_command = self.command(word) or self._shared_commands.get(word.lower())
        if game_command is None:
            return False
        kit, command = game_command
        return command.secret or (kit.seating.ever_private and not command.opens)

    def suggest(self, room: Room, word: str, option: str, values: Mapping[str, str]) -> Sequence[str]:
        """Return suggested values for an option, given the other options; empty if there are none."""
        bot_command, game_command = self.bot_command(word), self.command(word)
        if bot_command is not None:
            return _suggestions(bot_command.options, option, room, values)
        if game_command is not None:
            kit, command = game_command
            return _suggestions(command.options, option, room.rules(kit), values)
        return ()


def _is_invited(room: Room, kit: AnyKit, seat: Seat) -> bool:
    table = room.place(kit, seat)
    return table is not None and not table.over and seat in kit.seating.invited(table.state)


def _is_answer(command: Command, word: str) -> bool:
    return any(option.answers and word in option.choices for option in command.options)


def _narrowed(text: str) -> str:
    """Replace fullwidth digits, which look like others where they are quoted, in words that are numbers."""
    return text if text.isascii() else _WIDE.sub(lambda match: match[0].translate(_NARROW), text)


def _suggestions(
    options: Sequence[Option], name: str, rules: object, values: Mapping[str, str]
) -> Sequence[str]:
    suggests = next((each.suggest for each in options if each.name == name), None)
    return suggests(rules, values) if suggests else ()
