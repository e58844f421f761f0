"""Who may use a command, and how often: tables of settings by its word, asked before anything answers.

Only what was accepted counts, and nobody is excepted. What is remembered is gone after a restart.

`permissions` holds the least role that a command takes, `cooldowns` how often it may be used. Moderators
change them as they change every setting, or by `!permit` and `!cooldown`.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, TypeVar

from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Message, Quote, Say
from chatbot.kernel.suggestions import unknown
from chatbot.rooms.limits import remember
from chatbot.rooms.request import Request, Service, first_word, reasoned, usage
from chatbot.rooms.room import Privacy
from chatbot.settings.changes import DEFAULT, Actor
from chatbot.settings.fields import Entries, wrong
from chatbot.settings.lists import standing
from chatbot.speech.spans import lasting
from chatbot.tables.routing import table_for, topic_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.bot.command_index import CommandIndex
    from chatbot.kernel.say import Arguments
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.request import Found
    from chatbot.rooms.room import Room
    from chatbot.settings.changes import SettingsChanges

K = TypeVar("K")
V = TypeVar("V")

OFF = "off"
DAY = 86_400  # seconds
LONGEST, MOST_USES = DAY, 1000
REMEMBERED = 10_000  # members and commands whose last uses are known
EXPECTED = Message("expects-cooldown", {"longest": LONGEST, "most": MOST_USES})
_WRITTEN = re.compile(r"([0-9]{1,5})(?:/([0-9]{1,5})(?:/([0-9]{1,4}))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cooldown:
    """Seconds of rest for the whole room and for a member, and how often a member may in 24 hours.

    0 stands for no limit.
    """

    room: int = 0
    member: int = 0
    uses: int = 0

    @classmethod
    def read(cls, text: str) -> Cooldown | None:
        """Read `30` (of a member), `5/60` (of the room, of a member), `5/60/3` (and uses) or `off`."""
        if text.lower() == OFF:
            return NO_COOLDOWN
        written = _WRITTEN.fullmatch(text)
        if written is None:
            return None
        first, *more = (int(each) for each in written.groups() if each is not None)
        made = cls(first, *more) if more else cls(member=first)
        return made if max(made.room, made.member) <= LONGEST and made.uses <= MOST_USES else None

    def __str__(self) -> str:
        if self == NO_COOLDOWN:
            return OFF
        return f"{self.room}/{self.member}" + (f"/{self.uses}" if self.uses else "")

    @property
    def parts(self) -> Iterator[tuple[str, Arguments]]:
        """List its limits, each as a message and what stands in it."""
        if self.room:
            yield "cooldown-room", {"wait": lasting(self.room)}
        if self.member:
            yield "cooldown-member", {"wait": lasting(self.member)}
        if self.uses:
            yield "cooldown-uses", {"uses": self.uses}


NO_COOLDOWN = Cooldown()
READING, APART = Cooldown(member=5), Cooldown(member=30)
"""What counts where nothing is set: for what is read, and for opening a table of one's own."""


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a command that has a cooldown."""

    room: str
    word: str
    seat: Seat
    cooldown: Cooldown


class Uses:
    """Remembers when commands were used last."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._rooms: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._members: OrderedDict[tuple[str, str, Seat], deque[float]] = OrderedDict()

    def require(self, use: Use) -> None:
        """Let a use pass.

        Raises:
            Refusal: it is too early for it.
        """
        left, why = max(self._waits(use))
        if left > 0:
            told: Arguments = {"word": f"!{use.word}", "wait": lasting(ceil(left)), "uses": use.cooldown.uses}
            raise Refusal(Message(why, told))

    def note(self, use: Use) -> Callable[[], None]:
        """Let a use count from now on; give what takes that back, where it comes to nothing after all."""
        now = self._watch.now()
        place, key = (use.room, use.word), (use.room, use.word, use.seat)
        last, former = self._rooms.get(place), self._members.get(key)
        remember(self._rooms, place, now, REMEMBERED)
        own = deque([*(former or ()), now], max(use.cooldown.uses, 1))
        remember(self._members, key, own, REMEMBERED)

        def take_back() -> None:
            _put_back(self._rooms, place, last)
            _put_back(self._members, key, former)

        return take_back

    def _waits(self, use: Use) -> Iterator[tuple[float, str]]:
        """Tell the seconds that are left of each of its limits."""
        now, cooldown = self._watch.now(), use.cooldown
        own = self._members.get((use.room, use.word, use.seat), deque())
        last = self._rooms.get((use.room, use.word))
        yield (0.0 if last is None else last + cooldown.room - now), "limit-room"
        yield (own[-1] + cooldown.member - now if own else 0.0), "limit-member"
        if 0 < cooldown.uses <= len(own):
            yield own[-cooldown.uses] + DAY - now, "limit-uses"


def _put_back(known: OrderedDict[K, V], key: K, former: V | None) -> None:
    if former is None:
        known.pop(key, None)
    else:
        remember(known, key, former, REMEMBERED)


ROLES = tuple(each.value for each in Role)
PERMIT = f"COMMAND [{' | '.join((*ROLES, DEFAULT))}]"
COOLDOWN = f"COMMAND [ROOM/MEMBER[/USES] | {OFF} | {DEFAULT}]"
_ROLES = Message("expects-one-of", {"choices": ", ".join(ROLES)})


class Access:
    """`guide` gives who knows all commands, these included."""

    def __init__(
        self, command_index: Callable[[], CommandIndex], settings_changes: SettingsChanges, watch: Watch
    ) -> None:
        self._command_index, self._settings_changes, self._uses = command_index, settings_changes, Uses(watch)
        self.permissions = Entries(
            "permissions",
            self._permission,
            _ROLES,
            ("give", "regular"),
            default=lambda word: self._usual_role(word).value,
            least=Role.BROADCASTER,
            words=("permit",),
        )
        self.cooldowns = Entries(
            "cooldowns",
            self._rest,
            EXPECTED,
            ("top", "5/60"),
            default=lambda word: str(self._usual_cooldown(word)),
            words=("cooldown",),
        )
        command = Option("command", Kind.WORD, required=True, suggest=self._commands)
        role = Option("role", Kind.WORD, choices=(*ROLES, DEFAULT))
        value = Option("value", Kind.WORD, suggest=_values)
        self.services = (
            Service("permit", self._permit, PERMIT, Role.BROADCASTER, (command, role)),
            Service("cooldown", self._cooldown, COOLDOWN, Role.MODERATOR, (command, value)),
        )

    # Who, and how often

    def admit(self, asked: Request, found: Found) -> Use | None:
        """Let a command in; give what `passed` is to be told when it was accepted.

        Raises:
            Refusal: the speaker may not use it, or not now.
        """
        word = first_word(found)
        self.require(asked.room, word, standing(asked.room, asked.line))
        cooldown = self.cooldown(asked.room, word)
        if cooldown == NO_COOLDOWN or not _counts(asked, found):
            return None
        use = Use(asked.room.id, word, asked.line.seat, cooldown)
        self._uses.require(use)
        return use

    def passed(self, use: Use | None) -> Callable[[], None]:
        """Note that a command was accepted: one refused costs no cooldown. Give what takes that back."""
        return _nothing if use is None else self._uses.note(use)

    def require(self, room: Room, word: str, role: Role) -> None:
        """Let pass who may use a command.

        Raises:
            Refusal: the role is not enough.
        """
        least = self.least(room, word)
        if not role.covers(least):
            raise Refusal(Message("not-allowed", {"role": Message(f"role-{least.value}")}))

    def least(self, room: Room, word: str) -> Role:
        """Tell the least role that a command takes in a room."""
        chosen = self.permissions.of(room).get(word)
        return self._usual_role(word) if chosen is None else Role(chosen)

    def cooldown(self, room: Room, word: str) -> Cooldown:
        """Give the cooldown that counts in a room.

        What is usual counts only where answers to one person are read by all: there they cost
        everybody's attention, and the little that the platform lets the bot say.
        """
        chosen = self.cooldowns.of(room).get(word)
        if chosen is not None:
            return Cooldown.read(chosen) or NO_COOLDOWN
        if all(each.manner.private is Privacy.ALL for each in room.channels):
            return NO_COOLDOWN
        return self._usual_cooldown(word)

    def words(self) -> Iterator[str]:
        """List every command by its first word: the rows of the tables."""
        command_index = self._command_index()
        yield from (each.word for each in command_index.services)
        for kit in command_index.kits.values():
            yield from (each.word for each in kit.commands if command_index.service(each.word) is None)

    def _usual_role(self, word: str) -> Role:
        service = self._command_index().service(word)
        return Role.VIEWER if service is None else service.least

    def _usual_cooldown(self, word: str) -> Cooldown:
        service, found = self._command_index().service(word), self._command_index().command(word)
        if service is not None:
            return READING if service.reads and service.least is Role.VIEWER else NO_COOLDOWN
        opens = found is not None and found[0].apart is not None and found[1].opens
        return APART if opens else NO_COOLDOWN

    # As settings

    def _permission(self, key: str, text: str) -> tuple[str, str]:
        word, role = self._word_of(key), text.lower()
        if role not in ROLES:
            raise wrong(word, text, _ROLES)
        return word, role

    def _rest(self, key: str, text: str) -> tuple[str, str]:
        word = self._word_of(key)
        service, cooldown = self._command_index().service(word), Cooldown.read(text)
        if service is not None and service.least.covers(Role.MODERATOR):
            raise Refusal(Message("limit-of-moderators", {"word": f"!{word}"}))
        if cooldown is None:
            raise wrong(word, text, EXPECTED)
        return word, str(cooldown)

    def _word_of(self, text: str) -> str:
        """Give the first word of a command that somebody names, with its mark or without, or by another word.

        Raises:
            Refusal: there is no such command.
        """
        word, command_index = text.lower().removeprefix("!"), self._command_index()
        found = command_index.service(word) or command_index.command(word)
        if found is None:
            words = [each.word for each in command_index.services]
            raise unknown(Message("command-unknown", {"word": Quote(text)}), word, words)
        return first_word(found)

    # What moderators say about them

    def _commands(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return list(self.words())

    async def _permit(self, asked: Request) -> Sequence[Say]:
        word = await self._changed(asked, self.permissions, "permit", PERMIT)
        least = self.least(asked.room, word)
        told: Arguments = {"word": f"!{word}", "role": Message(f"role-{least.value}")}
        return [asked.answer(Message("permit-all" if least is Role.VIEWER else "permit-is", told))]

    async def _cooldown(self, asked: Request) -> Sequence[Say]:
        word = await self._changed(asked, self.cooldowns, "cooldown", COOLDOWN)
        parts = self.cooldown(asked.room, word).parts
        told = [asked.answer(Message(each, {"word": f"!{word}", **args})) for each, args in parts]
        return told or [asked.answer(Message("cooldown-none", {"word": f"!{word}"}))]

    async def _changed(self, asked: Request, group: Entries, command: str, arguments: str) -> str:
        """Change the row of a command, if somebody says to what; give the command's first word."""
        asked, why = reasoned(asked)
        if len(asked.words) not in {1, 2}:
            raise usage(command, arguments)
        word = self._word_of(asked.words[0])
        if len(asked.words) == 2:
            await self._settings_changes.put(Actor.of(asked, why), group.name, word, asked.words[1].lower())
        return word


def _nothing() -> None:
    """Take nothing back."""


def _values(room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return ("5/30", "0/60", "0/0/3", OFF, DEFAULT)


def _counts(asked: Request, found: Found) -> bool:
    """Whether a cooldown counts here: a question about a game, and a move at one's own table, are free."""
    if isinstance(found, Service):
        return True
    kit, command = found
    if topic_of(kit, command, asked.words):
        return False
    if kit.apart is None or not command.opens:
        return True
    table = table_for(asked.room, kit, command, asked.line, asked.words)
    return table is None or table.over
