"""Permissions and cooldowns of commands, which are checked before a command is run.

`permissions` holds the least role that a command requires, `cooldowns` how often it may be used. Moderators
change them like every setting, or by `!permit` and `!cooldown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.bot.command import BotCommand, first_word
from chatbot.bot.cooldowns import EXPECTED_COOLDOWN, NO_COOLDOWN, OPENING_COOLDOWN, Cooldown, Use, Uses
from chatbot.bot.routing import table_for, topic_of
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message, Quote
from chatbot.kernel.suggestions import unknown
from chatbot.rooms.channel import Privacy
from chatbot.rooms.request import at_least
from chatbot.rooms.scopes import MODERATE, OWN, PERSON, PLAY, READ
from chatbot.rooms.settings.lists import standing
from chatbot.settings.fields import DEFAULT, Entries, of_game, wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from chatbot.bot.command import AnyCommand
    from chatbot.bot.command_index import CommandIndex
    from chatbot.kernel.say import Arguments
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch
    from chatbot.settings.fields import Chooser

PERMISSIONS, COOLDOWNS = "permissions", "cooldowns"
"""The groups of settings that this module reads."""

STARTERS = "starters"  # the setting of a game of the least role that opens a table
ROLES = tuple(each.value for each in Role)
_EXPECTED_ROLE = Message("expects-one-of", {"choices": ", ".join(ROLES)})


class Access:
    """Checks permissions and cooldowns; `command_index` returns the index of all commands."""

    def __init__(self, command_index: Callable[[], CommandIndex], watch: Watch) -> None:
        self._command_index, self._uses = command_index, Uses(watch)
        self.permissions = Entries(
            PERMISSIONS,
            self._permission_entry,
            _EXPECTED_ROLE,
            ("give", "regular"),
            default=lambda word: self._default_role(word).value,
            least=Role.BROADCASTER,
            words=("permit",),
            single=True,
            remark=self.restricted_game,
        )
        self.cooldowns = Entries(
            COOLDOWNS,
            self._cooldown_entry,
            EXPECTED_COOLDOWN,
            ("top", "5/60"),
            default=lambda word: str(self._default_cooldown(word)),
            words=("cooldown",),
            single=True,
        )

    # Checks

    def admit(self, request: Request, any_command: AnyCommand) -> Use | None:
        """Check whether a command may be used, and return the use to pass to `passed` once it was accepted.

        Raises:
            Refusal: the sender may not use it, or not now.
        """
        word = first_word(any_command)
        self.check(request, word)
        cooldown = self.cooldown(request.room, word)
        if cooldown == NO_COOLDOWN or not _counts(request, any_command):
            return None
        use = Use(request.room.id, word, request.line.seat, cooldown)
        self._uses.require(use)
        return use

    def passed(self, use: Use | None) -> Callable[[], None]:
        """Record that a command was accepted, and return a function that reverts this."""
        return _nothing if use is None else self._uses.note(use)

    def check(self, request: Request, word: str) -> None:
        """Check that the sender of a request may use the command of a word; a program, by its scopes, too.

        It is checked here, and not where the line was received: what a line means is decided by aliases,
        invitations and tables, `credits` with the right words behind it is a command of moderators, and the
        `rain` of whoever may grant is a grant.

        Raises:
            Refusal: the role is too low, or the program was not made for it.
        """
        least = self.least(request.room, word)
        if least is not Role.VIEWER:  # which everybody is
            _require(least, standing(request.room, request.line))
        if request.line.scopes is not None:
            self._check_scope(request.room, word, request.line.scopes)

    def scope(self, room: Chooser, any_command: AnyCommand) -> str:
        """Return the scope that a program needs for a command in a room."""
        return self._scope(room, first_word(any_command))

    def _scope(self, room: Chooser, word: str) -> str:
        bot_command = self._command_index().bot_command(word)
        if bot_command is not None and bot_command.scope:
            return bot_command.scope
        least = self.least(room, word)
        if least.covers(Role.MODERATOR):
            return OWN if least is Role.BROADCASTER else MODERATE
        return READ if bot_command is not None and bot_command.reads else PLAY

    def _check_scope(self, room: Room, word: str, scopes: Collection[str]) -> None:
        """Check that a program with these scopes was made for the command of a word.

        Raises:
            Refusal: it was not.
        """
        scope = self._scope(room, word)
        if scope == PERSON:
            raise Refusal(Message("token-person"))
        if scope not in scopes:
            raise Refusal(Message("token-lacks", {"scope": scope}))

    def require(self, room: Room, word: str, role: Role) -> None:
        """Check that a role may use a command.

        Raises:
            Refusal: the role is too low.
        """
        _require(self.least(room, word), role)

    def least(self, room: Chooser, word: str) -> Role:
        """Return the least role that a command requires in a room."""
        choice = self.permissions.of(room).get(word)
        return self._default_role(word) if choice is None else Role(choice)

    def cooldown(self, room: Room, word: str) -> Cooldown:
        """Return the cooldown of a command in a room.

        The default applies only where answers to one member are public: there they distract everybody, and
        use up the few messages that the platform allows.
        """
        choice = self.cooldowns.of(room).get(word)
        if choice is not None:
            return Cooldown.read(choice) or NO_COOLDOWN
        if all(each.manner.private is Privacy.ALL for each in room.channels):
            return NO_COOLDOWN
        return self._default_cooldown(word)

    def words(self) -> Iterator[str]:
        """Yield the first word of every command, which is its key in the settings."""
        command_index = self._command_index()
        yield from (each.word for each in command_index.bot_commands)
        for kit in command_index.kits.values():
            yield from (
                each.word for each in kit.chat.commands if command_index.bot_command(each.word) is None
            )

    def _default_role(self, word: str) -> Role:
        bot_command = self._command_index().bot_command(word)
        return Role.VIEWER if bot_command is None else bot_command.least

    def _default_cooldown(self, word: str) -> Cooldown:
        bot_command = self._command_index().bot_command(word)
        game_command = self._command_index().command(word)
        if bot_command is not None:
            return bot_command.cooldown
        opens = game_command is not None and not game_command[0].seating.shared and game_command[1].opens
        return OPENING_COOLDOWN if opens else NO_COOLDOWN

    # Settings

    def _permission_entry(self, key: str, text: str) -> tuple[str, str]:
        word, role = self.word_of(key), text.lower()
        if role not in ROLES:
            raise wrong(word, text, _EXPECTED_ROLE)
        return word, role

    def _cooldown_entry(self, key: str, text: str) -> tuple[str, str]:
        word = self.word_of(key)
        bot_command, cooldown = self._command_index().bot_command(word), Cooldown.read(text)
        if bot_command is not None and bot_command.least.covers(Role.MODERATOR):
            raise Refusal(Message("limit-of-moderators", {"word": f"!{word}"}))
        if bot_command is not None and bot_command.agrees:
            raise Refusal(Message("limit-never", {"word": f"!{word}"}))
        if cooldown is None:
            raise wrong(word, text, EXPECTED_COOLDOWN)
        return word, str(cooldown)

    def restricted_game(self, room: Chooser, word: str) -> Message | None:
        """Return what to say of a restricted command that opens tables; None of any other.

        The same command joins, so whoever restricts it shuts out players. The setting `starters`, which games
        have as a rule, limits only who opens a table, and is what is usually meant.
        """
        game_command, least = self._command_index().command(word), self.least(room, word)
        if (
            least is Role.VIEWER
            or game_command is None
            or not game_command[1].opens
            or STARTERS not in of_game(game_command[0]).keys
        ):
            return None
        args: Arguments = {
            "word": f"!{word}",
            "role": at_least(least),
            "set": f"!set {game_command[0].name} {STARTERS} {least.value}",
            "permit": f"!permit {word} {DEFAULT}",
        }
        return Message("permit-opening", args)

    def word_of(self, text: str) -> str:
        """Return the first word of a command, given by any of its words, with or without `!`.

        Raises:
            Refusal: there is no such command.
        """
        word, command_index = text.lower().removeprefix("!"), self._command_index()
        any_command = command_index.bot_command(word) or command_index.command(word)
        if any_command is None:
            words = [each.word for each in command_index.bot_commands]
            raise unknown(Message("command-unknown", {"word": Quote(text)}), word, words)
        return first_word(any_command)


def _require(least: Role, role: Role) -> None:
    if not role.covers(least):
        raise Refusal(Message("not-allowed", {"role": at_least(least)}))


def _nothing() -> None:
    """Revert nothing."""


def _counts(request: Request, any_command: AnyCommand) -> bool:
    """Whether a cooldown applies: not to questions about a game, nor to moves at the sender's own table."""
    if isinstance(any_command, BotCommand):
        return True
    kit, command = any_command
    if topic_of(kit, command, request.words):
        return False
    if kit.seating.shared or not command.opens:
        return True
    table = table_for(request.room, kit, command, request.line, request.words)
    return table is None or table.over
