"""Who may use a command, and how often: two tables of settings by its word, asked before anything answers.

`permissions` holds the least role that a command takes, `cooldowns` how often it may be used. Keepers change
them as they change every setting, or by `!permit` and `!cooldown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Message, Quote, Say
from chatbot.kernel.suggestions import unknown
from chatbot.live.asked import Asked, Service, first_word, reasoned, usage
from chatbot.live.earning.lists import standing
from chatbot.live.keeping import cooldowns
from chatbot.live.keeping.clerk import DEFAULT, Hand
from chatbot.live.keeping.cooldowns import APART, NO_COOLDOWN, OFF, READING, Cooldown, Use, Uses
from chatbot.live.meant import table_for, topic_of
from chatbot.live.room import Privacy
from chatbot.settings.groups import Entries
from chatbot.settings.values import wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.kernel.say import Arguments
    from chatbot.live.asked import Found
    from chatbot.live.guide import Guide
    from chatbot.live.keeping.clerk import Clerk
    from chatbot.live.room import Room
    from chatbot.live.watch import Watch

ROLES = tuple(each.value for each in Role)
PERMIT = f"COMMAND [{' | '.join((*ROLES, DEFAULT))}]"
COOLDOWN = f"COMMAND [ROOM/MEMBER[/USES] | {OFF} | {DEFAULT}]"
_ROLES = Message("expects-one-of", {"choices": ", ".join(ROLES)})


class Access:
    """`guide` gives who knows all commands, these included."""

    def __init__(self, guide: Callable[[], Guide], clerk: Clerk, watch: Watch) -> None:
        self._guide, self._clerk, self._uses = guide, clerk, Uses(watch)
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
            cooldowns.EXPECTED,
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

    def admit(self, asked: Asked, found: Found) -> Use | None:
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
        guide = self._guide()
        yield from (each.word for each in guide.services)
        for kit in guide.kits.values():
            yield from (each.word for each in kit.commands if guide.service(each.word) is None)

    def _usual_role(self, word: str) -> Role:
        service = self._guide().service(word)
        return Role.VIEWER if service is None else service.least

    def _usual_cooldown(self, word: str) -> Cooldown:
        service, found = self._guide().service(word), self._guide().command(word)
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
        service, cooldown = self._guide().service(word), Cooldown.read(text)
        if service is not None and service.least.covers(Role.MODERATOR):
            raise Refusal(Message("limit-of-keepers", {"word": f"!{word}"}))
        if cooldown is None:
            raise wrong(word, text, cooldowns.EXPECTED)
        return word, str(cooldown)

    def _word_of(self, text: str) -> str:
        """Give the first word of a command that somebody names, with its mark or without, or by another word.

        Raises:
            Refusal: there is no such command.
        """
        word, guide = text.lower().removeprefix("!"), self._guide()
        found = guide.service(word) or guide.command(word)
        if found is None:
            words = [each.word for each in guide.services]
            raise unknown(Message("command-unknown", {"word": Quote(text)}), word, words)
        return first_word(found)

    # What keepers say about them

    def _commands(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return list(self.words())

    async def _permit(self, asked: Asked) -> Sequence[Say]:
        word = await self._changed(asked, self.permissions, "permit", PERMIT)
        least = self.least(asked.room, word)
        told: Arguments = {"word": f"!{word}", "role": Message(f"role-{least.value}")}
        return [asked.answer(Message("permit-all" if least is Role.VIEWER else "permit-is", told))]

    async def _cooldown(self, asked: Asked) -> Sequence[Say]:
        word = await self._changed(asked, self.cooldowns, "cooldown", COOLDOWN)
        parts = self.cooldown(asked.room, word).parts
        told = [asked.answer(Message(each, {"word": f"!{word}", **args})) for each, args in parts]
        return told or [asked.answer(Message("cooldown-none", {"word": f"!{word}"}))]

    async def _changed(self, asked: Asked, group: Entries, command: str, arguments: str) -> str:
        """Change the row of a command, if somebody says to what; give the command's first word."""
        asked, why = reasoned(asked)
        if len(asked.words) not in {1, 2}:
            raise usage(command, arguments)
        word = self._word_of(asked.words[0])
        if len(asked.words) == 2:
            await self._clerk.put(Hand.of(asked, why), group.name, word, asked.words[1].lower())
        return word


def _nothing() -> None:
    """Take nothing back."""


def _values(room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return ("5/30", "0/60", "0/0/3", OFF, DEFAULT)


def _counts(asked: Asked, found: Found) -> bool:
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
