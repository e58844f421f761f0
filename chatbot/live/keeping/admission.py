"""What keepers do about commands: say who may use one, and how often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Role
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Message, Say
from chatbot.live.asked import Asked, Service, reasoned, usage
from chatbot.live.keeping.clerk import DEFAULT, Hand
from chatbot.live.keeping.limits import OFF, Limit
from chatbot.live.keeping.permits import word_of
from chatbot.live.wording.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.kernel.say import Arguments
    from chatbot.live.keeping.clerk import Clerk
    from chatbot.live.keeping.porter import Porter
    from chatbot.live.room import Room

ROLES = " | ".join((*(each.value for each in Role), DEFAULT))
PERMIT = f"COMMAND [{ROLES}]"
COOLDOWN = f"COMMAND [ROOM/MEMBER[/USES] | {OFF} | {DEFAULT}]"


class Admission:
    """`porter` gives who lets commands in: it knows them all, these included."""

    def __init__(self, clerk: Clerk, porter: Callable[[], Porter]) -> None:
        self._clerk, self._porter = clerk, porter
        command = Option("command", Kind.WORD, required=True, suggest=self._commands)
        role = Option("role", Kind.WORD, choices=(*(each.value for each in Role), DEFAULT))
        value = Option("value", Kind.WORD, suggest=_values)
        self.services = (
            Service("permit", self._permit, PERMIT, Role.BROADCASTER, (command, role)),
            Service("cooldown", self._cooldown, COOLDOWN, Role.MODERATOR, (command, value)),
        )

    def _commands(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return list(self._porter().permits.words())

    async def _permit(self, asked: Asked) -> Sequence[Say]:
        permits = self._porter().permits
        word = await self._changed(asked, permits.group.name, "permit", PERMIT)
        least = permits.least(asked.room, word)
        told: Arguments = {"word": f"!{word}", "role": Message(f"role-{least.value}")}
        return [asked.answer(Message("permit-all" if least is Role.VIEWER else "permit-is", told))]

    async def _cooldown(self, asked: Asked) -> Sequence[Say]:
        limits = self._porter().limits
        word = await self._changed(asked, limits.group.name, "cooldown", COOLDOWN)
        limit = limits.of(asked.room, word)
        told = [asked.answer(Message(each, {"word": f"!{word}", **args})) for each, args in _parts(limit)]
        return told or [asked.answer(Message("cooldown-none", {"word": f"!{word}"}))]

    async def _changed(self, asked: Asked, group: str, command: str, arguments: str) -> str:
        """Change the row of a command, if somebody says to what; give the command's first word."""
        asked, why = reasoned(asked)
        if len(asked.words) not in {1, 2}:
            raise usage(command, arguments)
        word = word_of(self._porter().guide, asked.words[0])
        if len(asked.words) == 2:
            await self._clerk.put(Hand.of(asked, why), group, word, asked.words[1].lower())
        return word


def _values(room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return ("5/30", "0/60", "0/0/3", OFF, DEFAULT)


def _parts(limit: Limit) -> Iterator[tuple[str, Arguments]]:
    if limit.room:
        yield "cooldown-room", {"wait": lasting(limit.room)}
    if limit.member:
        yield "cooldown-member", {"wait": lasting(limit.member)}
    if limit.uses:
        yield "cooldown-uses", {"uses": limit.uses}
