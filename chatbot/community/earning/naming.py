"""Keepers name members: `!regular @name`, and `!exclude @name` for who shall earn and rank nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Role
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Message, Name, Say
from chatbot.rooms.request import Service, reasoned, usage
from chatbot.settings.changes import Actor
from chatbot.settings.lists import EXCLUDED, LONGEST_NAME, REGULARS, known_bot
from chatbot.settings.values import NO, YES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.game import Seat
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room
    from chatbot.settings.changes import SettingsChanges, Wanted

OFF = "off"
ARGUMENTS = "@name [off]"


def _ends(_: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return (OFF,)


_OPTIONS = Option("member", Kind.MEMBER, required=True), Option("off", Kind.WORD, suggest=_ends)


class Naming:
    def __init__(self, settings_changes: SettingsChanges, guests: CommunityMembers) -> None:
        self._settings_changes, self._guests = settings_changes, guests
        self.services = (
            Service("regular", self._regular, ARGUMENTS, Role.MODERATOR, _OPTIONS),
            Service("exclude", self._exclude, ARGUMENTS, Role.MODERATOR, _OPTIONS),
        )

    async def _regular(self, asked: Request) -> Sequence[Say]:
        asked, why = reasoned(asked)
        words, off = _meant("regular", asked)
        seat = await self._guests.find(asked, words)
        name = " ".join(self._guests.name(seat).split())[:LONGEST_NAME]
        accounts = [str(each) for each in self._guests.people.accounts(seat)]
        named = [each for each in accounts if each in REGULARS.of(asked.room)]
        own: dict[str, str | None] = dict.fromkeys(named) if off else {} if named else {accounts[0]: name}
        changed = await self._settings_changes.change(Actor.of(asked, why), {REGULARS.name: own})
        told = ("regular-not" if off else "regular-now") if changed else "named-already"
        return [_told(asked, told, seat)]

    async def _exclude(self, asked: Request) -> Sequence[Say]:
        asked, why = reasoned(asked)
        words, off = _meant("exclude", asked)
        seat = await self._guests.find(asked, words)
        as_ever = NO if known_bot(self._guests.name(seat)) else None
        listed, account = EXCLUDED.of(asked.room), str(self._guests.people.accounts(seat)[0])
        everyone = map(str, self._guests.people.ever(seat))
        own: dict[str, str | None] = {each: None for each in everyone if listed.get(each) == YES}
        wanted: Wanted = {EXCLUDED.name: {**own, account: as_ever} if off else {account: YES}}
        changed = await self._settings_changes.change(Actor.of(asked, why), wanted)
        told = ("excluded-not" if off else "excluded-now") if changed else "named-already"
        return [_told(asked, told, seat)]


def _meant(word: str, asked: Request) -> tuple[str, bool]:
    """Split the name of a member from `off`."""
    words = asked.words
    off = len(words) > 1 and words[-1].lower() == OFF
    name = " ".join(words[:-1] if off else words)
    if not name:
        raise usage(word, ARGUMENTS)
    return name, off


def _told(asked: Request, told: str, seat: Seat) -> Say:
    return asked.answer(Message(told, {"who": Name(seat)}))
