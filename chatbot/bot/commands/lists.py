"""The commands `!regular` and `!exclude`, by which moderators name members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chatbot.bot.arguments import KnownMember, Why
from chatbot.bot.command import command
from chatbot.kernel.game import Role, Seat
from chatbot.kernel.say import Message, Name, Say
from chatbot.rooms.request import Request
from chatbot.rooms.settings.changes import Actor
from chatbot.rooms.settings.lists import EXCLUDED, LONGEST_NAME, REGULARS, known_bot
from chatbot.settings.fields import NO, YES

if TYPE_CHECKING:
    from chatbot.community.members import CommunityMembers
    from chatbot.rooms.settings.changes import SettingsChanges, Wanted


class ListCommands:
    """Answers `!regular` and `!exclude`."""

    def __init__(self, settings_changes: SettingsChanges, members: CommunityMembers) -> None:
        self._settings_changes, self._members = settings_changes, members

    @command("regular", Role.MODERATOR)
    async def regular(
        self, request: Request, member: KnownMember, off: bool = False, why: Why = ""
    ) -> Sequence[Say]:
        name = " ".join(self._members.name(member).split())[:LONGEST_NAME]
        accounts = [str(each) for each in self._members.people.accounts(member)]
        listed_accounts = [each for each in accounts if each in REGULARS.of(request.room)]
        entries: dict[str, str | None] = (
            dict.fromkeys(listed_accounts) if off else {} if listed_accounts else {accounts[0]: name}
        )
        changes = await self._settings_changes.change(Actor.of(request, why), {REGULARS.name: entries})
        message = ("regular-not" if off else "regular-now") if changes else "named-already"
        return [_answer(request, message, member)]

    @command("exclude", Role.MODERATOR)
    async def exclude(
        self, request: Request, member: KnownMember, off: bool = False, why: Why = ""
    ) -> Sequence[Say]:
        inclusion = NO if known_bot(self._members.name(member)) else None
        exclusions, account = EXCLUDED.of(request.room), str(self._members.people.accounts(member)[0])
        accounts = map(str, self._members.people.ever(member))
        removals: dict[str, str | None] = {each: None for each in accounts if exclusions.get(each) == YES}
        settings: Wanted = {EXCLUDED.name: {**removals, account: inclusion} if off else {account: YES}}
        changes = await self._settings_changes.change(Actor.of(request, why), settings)
        message = ("excluded-not" if off else "excluded-now") if changes else "named-already"
        return [_answer(request, message, member)]


def _answer(request: Request, message: str, seat: Seat) -> Say:
    return request.answer(Message(message, {"who": Name(seat)}))
