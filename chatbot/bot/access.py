"""Permissions and cooldowns of commands, which are checked before a command is run.

`permissions` holds the least role that a command requires, `cooldowns` how often it may be used. Moderators
change them like every setting, or by `!permit` and `!cooldown`.

Only accepted commands count towards a cooldown, and cooldowns apply to everybody. The last uses are in memory
only.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, TypeVar

from chatbot.bot.routing import table_for, topic_of
from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Message, Quote, Say
from chatbot.kernel.suggestions import unknown
from chatbot.kernel.units import plain
from chatbot.rooms.channel import Privacy
from chatbot.rooms.request import BotCommand, Request, at_least, first_word, reasoned, usage
from chatbot.rooms.settings.changes import Actor
from chatbot.rooms.settings.lists import standing
from chatbot.runtime.limits import remember
from chatbot.settings.fields import DEFAULT, Entries, of_game, wrong
from chatbot.speech.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.bot.command_index import CommandIndex
    from chatbot.kernel.say import Arguments
    from chatbot.rooms.request import Found
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.runtime.clock import Watch
    from chatbot.settings.fields import Chooser

K = TypeVar("K")
V = TypeVar("V")

OFF = "off"
DAY = 86_400  # seconds
LONGEST_COOLDOWN = DAY  # seconds
MOST_USES = 1000  # in a day
STARTERS = "starters"  # the setting of a game of the least role that opens a table
REMEMBERED = 10_000  # members and commands whose last uses are stored
_EXPECTED_COOLDOWN = Message("expects-cooldown", {"longest": LONGEST_COOLDOWN, "most": MOST_USES})
_COOLDOWN = re.compile(r"([0-9]{1,8})(?:/([0-9]{1,8})(?:/([0-9]{1,4}))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cooldown:
    """Seconds between two uses in the whole room and by a member, and uses of a member in 24 hours.

    0 stands for no limit.
    """

    room: int = 0
    member: int = 0
    uses: int = 0

    @classmethod
    def read(cls, text: str) -> Cooldown | None:
        """Parse `30` (of a member), `5/60` (of the room, of a member), `5/60/3` (and uses) or `off`.

        A time may have units, as in `30s` or `5s/1m/3`.
        Return None if the text is none of these, or a limit is too large.
        """
        if text.lower() == OFF:
            return NO_COOLDOWN
        times, uses = text.split("/")[:2], text.split("/")[2:]
        match = _COOLDOWN.fullmatch("/".join([*(plain(each, "seconds") for each in times), *uses]))
        if match is None:
            return None
        first, *more = (int(each) for each in match.groups() if each is not None)
        cooldown = cls(first, *more) if more else cls(member=first)
        valid = max(cooldown.room, cooldown.member) <= LONGEST_COOLDOWN and cooldown.uses <= MOST_USES
        return cooldown if valid else None

    def __str__(self) -> str:
        if self == NO_COOLDOWN:
            return OFF
        return f"{self.room}/{self.member}" + (f"/{self.uses}" if self.uses else "")

    @property
    def parts(self) -> Iterator[tuple[str, Arguments]]:
        """Yield its limits, each as the id of a message and its arguments."""
        if self.room:
            yield "cooldown-room", {"wait": lasting(self.room)}
        if self.member:
            yield "cooldown-member", {"wait": lasting(self.member)}
        if self.uses:
            yield "cooldown-uses", {"uses": self.uses}


NO_COOLDOWN = Cooldown()
READING_COOLDOWN, OPENING_COOLDOWN = Cooldown(member=5), Cooldown(member=30)
"""Defaults: for commands that only read, and for those that open a table in games with several tables."""


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a command that has a cooldown."""

    room: str
    word: str
    seat: Seat
    cooldown: Cooldown


class Uses:
    """The times of the last uses of commands."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._rooms: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._members: OrderedDict[tuple[str, str, Seat], deque[float]] = OrderedDict()

    def require(self, use: Use) -> None:
        """Check that a use is allowed now.

        Raises:
            Refusal: one of the limits has not expired.
        """
        left, message = max(self._waits(use))
        if left > 0:
            args: Arguments = {
                "word": f"!{use.word}",
                "wait": lasting(ceil(left)),
                "seconds": ceil(left),
                "uses": use.cooldown.uses,
            }
            raise Refusal(Message(message, args))

    def note(self, use: Use) -> Callable[[], None]:
        """Record a use, and return a function that reverts this, for a command that fails to commit."""
        now = self._watch.now()
        room_key, member_key = (use.room, use.word), (use.room, use.word, use.seat)
        last, former = self._rooms.get(room_key), self._members.get(member_key)
        remember(self._rooms, room_key, now, REMEMBERED)
        times = deque([*(former or ()), now], max(use.cooldown.uses, 1))
        remember(self._members, member_key, times, REMEMBERED)

        def revert() -> None:
            _restore(self._rooms, room_key, last)
            _restore(self._members, member_key, former)

        return revert

    def _waits(self, use: Use) -> Iterator[tuple[float, str]]:
        """Yield the seconds that are left of each limit, and the message that says so."""
        now, cooldown = self._watch.now(), use.cooldown
        times = self._members.get((use.room, use.word, use.seat), deque())
        last = self._rooms.get((use.room, use.word))
        yield (0.0 if last is None else last + cooldown.room - now), "limit-room"
        yield (times[-1] + cooldown.member - now if times else 0.0), "limit-member"
        if 0 < cooldown.uses <= len(times):
            yield times[-cooldown.uses] + DAY - now, "limit-uses"


def _restore(known: OrderedDict[K, V], key: K, former: V | None) -> None:
    if former is None:
        known.pop(key, None)
    else:
        remember(known, key, former, REMEMBERED)


ROLES = tuple(each.value for each in Role)
PERMIT_ARGUMENTS = f"COMMAND [{' | '.join((*ROLES, DEFAULT))}]"
COOLDOWN_ARGUMENTS = f"COMMAND [ROOM/MEMBER[/USES] | {OFF} | {DEFAULT}]"
_EXPECTED_ROLE = Message("expects-one-of", {"choices": ", ".join(ROLES)})


class Access:
    """Checks permissions and cooldowns, and offers the commands that change them.

    `command_index` returns the index of all commands, including those of this class.
    """

    def __init__(
        self, command_index: Callable[[], CommandIndex], settings_changes: SettingsChanges, watch: Watch
    ) -> None:
        self._command_index, self._settings_changes, self._uses = command_index, settings_changes, Uses(watch)
        self.permissions = Entries(
            "permissions",
            self._permission_entry,
            _EXPECTED_ROLE,
            ("give", "regular"),
            default=lambda word: self._default_role(word).value,
            least=Role.BROADCASTER,
            words=("permit",),
            single=True,
            remark=self._restricted_game,
        )
        self.cooldowns = Entries(
            "cooldowns",
            self._cooldown_entry,
            _EXPECTED_COOLDOWN,
            ("top", "5/60"),
            default=lambda word: str(self._default_cooldown(word)),
            words=("cooldown",),
            single=True,
        )
        command = Option("command", Kind.WORD, required=True, suggest=self._commands)
        role = Option("role", Kind.WORD, choices=(*ROLES, DEFAULT))
        value = Option("value", Kind.WORD, suggest=_values)
        self.services = (
            BotCommand("permit", self._permit, PERMIT_ARGUMENTS, Role.BROADCASTER, (command, role)),
            BotCommand("cooldown", self._cooldown, COOLDOWN_ARGUMENTS, Role.MODERATOR, (command, value)),
        )

    # Checks

    def admit(self, request: Request, found: Found) -> Use | None:
        """Check whether a command may be used, and return the use to pass to `passed` once it was accepted.

        Raises:
            Refusal: the sender may not use it, or not now.
        """
        word = first_word(found)
        self.require(request.room, word, standing(request.room, request.line))
        cooldown = self.cooldown(request.room, word)
        if cooldown == NO_COOLDOWN or not _counts(request, found):
            return None
        use = Use(request.room.id, word, request.line.seat, cooldown)
        self._uses.require(use)
        return use

    def passed(self, use: Use | None) -> Callable[[], None]:
        """Record that a command was accepted, and return a function that reverts this."""
        return _nothing if use is None else self._uses.note(use)

    def require(self, room: Room, word: str, role: Role) -> None:
        """Check that a role may use a command.

        Raises:
            Refusal: the role is too low.
        """
        least = self.least(room, word)
        if not role.covers(least):
            raise Refusal(Message("not-allowed", {"role": at_least(least)}))

    def least(self, room: Chooser, word: str) -> Role:
        """Return the least role that a command requires in a room."""
        chosen = self.permissions.of(room).get(word)
        return self._default_role(word) if chosen is None else Role(chosen)

    def cooldown(self, room: Room, word: str) -> Cooldown:
        """Return the cooldown of a command in a room.

        The default applies only where answers to one member are public: there they distract everybody, and
        use up the few messages that the platform allows.
        """
        chosen = self.cooldowns.of(room).get(word)
        if chosen is not None:
            return Cooldown.read(chosen) or NO_COOLDOWN
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
        bot_command, found = self._command_index().bot_command(word), self._command_index().command(word)
        if bot_command is not None:
            return READING_COOLDOWN if bot_command.reads and bot_command.least is Role.VIEWER else NO_COOLDOWN
        opens = found is not None and not found[0].seating.shared and found[1].opens
        return OPENING_COOLDOWN if opens else NO_COOLDOWN

    # Settings

    def _permission_entry(self, key: str, text: str) -> tuple[str, str]:
        word, role = self._word_of(key), text.lower()
        if role not in ROLES:
            raise wrong(word, text, _EXPECTED_ROLE)
        return word, role

    def _cooldown_entry(self, key: str, text: str) -> tuple[str, str]:
        word = self._word_of(key)
        bot_command, cooldown = self._command_index().bot_command(word), Cooldown.read(text)
        if bot_command is not None and bot_command.least.covers(Role.MODERATOR):
            raise Refusal(Message("limit-of-moderators", {"word": f"!{word}"}))
        if bot_command is not None and bot_command.agrees:
            raise Refusal(Message("limit-never", {"word": f"!{word}"}))
        if cooldown is None:
            raise wrong(word, text, _EXPECTED_COOLDOWN)
        return word, str(cooldown)

    def _word_of(self, text: str) -> str:
        """Return the first word of a command, given by any of its words, with or without `!`.

        Raises:
            Refusal: there is no such command.
        """
        word, command_index = text.lower().removeprefix("!"), self._command_index()
        found = command_index.bot_command(word) or command_index.command(word)
        if found is None:
            words = [each.word for each in command_index.bot_commands]
            raise unknown(Message("command-unknown", {"word": Quote(text)}), word, words)
        return first_word(found)

    # Commands

    def _commands(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return list(self.words())

    async def _permit(self, request: Request) -> Sequence[Say]:
        word = await self._changed(request, self.permissions, "permit", PERMIT_ARGUMENTS)
        least = self.least(request.room, word)
        args: Arguments = {"word": f"!{word}", "role": at_least(least)}
        usual = Message("permit-all" if least is Role.VIEWER else "permit-is", args)
        return [request.answer(self._restricted_game(request.room, word) or usual)]

    def _restricted_game(self, room: Chooser, word: str) -> Message | None:
        """Return what to say of a restricted command that opens tables; None of any other.

        The same command joins, so whoever restricts it shuts out players. The setting `starters`, which games
        have as a rule, limits only who opens a table, and is what is usually meant.
        """
        found, least = self._command_index().command(word), self.least(room, word)
        if (
            least is Role.VIEWER
            or found is None
            or not found[1].opens
            or STARTERS not in of_game(found[0]).keys
        ):
            return None
        args: Arguments = {
            "word": f"!{word}",
            "role": at_least(least),
            "set": f"!set {found[0].name} {STARTERS} {least.value}",
            "permit": f"!permit {word} {DEFAULT}",
        }
        return Message("permit-opening", args)

    async def _cooldown(self, request: Request) -> Sequence[Say]:
        word = await self._changed(request, self.cooldowns, "cooldown", COOLDOWN_ARGUMENTS)
        parts = self.cooldown(request.room, word).parts
        limits = [request.answer(Message(each, {"word": f"!{word}", **args})) for each, args in parts]
        return limits or [request.answer(Message("cooldown-none", {"word": f"!{word}"}))]

    async def _changed(self, request: Request, group: Entries, command: str, arguments: str) -> str:
        """Change the setting of a command, if a value is given, and return the command's first word."""
        request, why = reasoned(request)
        named, values = self._command_index().split(" ".join(request.words).removeprefix("!"))
        if not named or len(values) > 1:
            raise usage(command, arguments)
        word = self._word_of(named)
        for value in values:
            await self._settings_changes.put(Actor.of(request, why), group.name, word, value.lower())
        return word


def _nothing() -> None:
    """Revert nothing."""


def _values(room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return ("5/30", "0/60", "0/0/3", OFF, DEFAULT)


def _counts(request: Request, found: Found) -> bool:
    """Whether a cooldown applies: not to questions about a game, nor to moves at the sender's own table."""
    if isinstance(found, BotCommand):
        return True
    kit, command = found
    if topic_of(kit, command, request.words):
        return False
    if kit.seating.shared or not command.opens:
        return True
    table = table_for(request.room, kit, command, request.line, request.words)
    return table is None or table.over
