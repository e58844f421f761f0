"""Commands of earning: `!claim`, and how moderators name regulars and who is excluded."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.community.earning.payments import CLAIM, Due
from chatbot.community.earning.settings import EARNINGS
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Credits, Message, Name, Say
from chatbot.rooms.request import Service, reasoned, usage
from chatbot.settings.changes import Actor
from chatbot.settings.fields import NO, YES
from chatbot.settings.lists import EXCLUDED, LONGEST_NAME, REGULARS, known_bot, raised
from chatbot.speech.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chatbot.community.earning.payments import Payments
    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Arguments
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room
    from chatbot.settings.changes import SettingsChanges, Wanted

HOUR = 3600  # seconds

OFF = "off"
ARGUMENTS = "@name [off]"


class DailyClaims:
    """`live` tells whether a room's stream is on."""

    def __init__(self, payments: Payments, watch: Watch, live: Callable[[Room], bool]) -> None:
        self._payments, self._watch, self._live = payments, watch, live
        self.services = (Service("claim", self._claim, aliases=("daily",)),)

    async def _claim(self, asked: Request) -> Sequence[Say]:
        room, line = asked.room, asked.line
        self._admit(asked)
        length = EARNINGS.of(room).claim_hours * HOUR
        number, gone = divmod(int(self._watch.date().timestamp()), length)
        share = self._share(asked)
        if await self._claimed(asked, number * length, length):
            raise Refusal(Message("claimed-already", {"time": lasting(length - gone)}))
        made = await self._payments.pay(room, [Due(line.seat, share, CLAIM, str(number), line.name)])
        if not made[line.seat]:
            raise Refusal(Message("claimed-already", {"time": lasting(length - gone)}))
        args: Arguments = {"who": Name(line.seat), "credits": Credits(share), "time": lasting(length - gone)}
        return [asked.answer(Message("claimed", args))]

    async def _claimed(self, asked: Request, start: int, length: int) -> bool:
        """Whether somebody has claimed in this period, though periods may have been others then."""
        span = [datetime.fromtimestamp(each, UTC) for each in (start, start + length)]
        return await self._payments.earned(asked.room, asked.line.seat, CLAIM, span[0], span[1])

    def _admit(self, asked: Request) -> None:
        """Let pass who may claim at all.

        Raises:
            Refusal: they may not, or not now.
        """
        if asked.words:
            raise usage("claim", "")
        if not self._payments.earns(asked.room, asked.line.seat, asked.line.name):
            raise Refusal(Message("earns-nothing"))
        if not self._share(asked):
            raise Refusal(Message("claim-none"))
        if EARNINGS.of(asked.room).claim_live and not self._live(asked.room):
            raise Refusal(Message("claim-live-only"))

    @staticmethod
    def _share(asked: Request) -> int:
        earnings, line = EARNINGS.of(asked.room), asked.line
        return earnings.share(earnings.claim, raised(asked.room, line.accounts, line.roles))


def _ends(_: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return (OFF,)


_OPTIONS = Option("member", Kind.MEMBER, required=True), Option("off", Kind.WORD, suggest=_ends)


class Naming:
    def __init__(self, settings_changes: SettingsChanges, members: CommunityMembers) -> None:
        self._settings_changes, self._members = settings_changes, members
        self.services = (
            Service("regular", self._regular, ARGUMENTS, Role.MODERATOR, _OPTIONS),
            Service("exclude", self._exclude, ARGUMENTS, Role.MODERATOR, _OPTIONS),
        )

    async def _regular(self, asked: Request) -> Sequence[Say]:
        asked, why = reasoned(asked)
        words, off = _meant("regular", asked)
        seat = await self._members.find(asked, words)
        name = " ".join(self._members.name(seat).split())[:LONGEST_NAME]
        accounts = [str(each) for each in self._members.people.accounts(seat)]
        named = [each for each in accounts if each in REGULARS.of(asked.room)]
        own: dict[str, str | None] = dict.fromkeys(named) if off else {} if named else {accounts[0]: name}
        changed = await self._settings_changes.change(Actor.of(asked, why), {REGULARS.name: own})
        told = ("regular-not" if off else "regular-now") if changed else "named-already"
        return [_told(asked, told, seat)]

    async def _exclude(self, asked: Request) -> Sequence[Say]:
        asked, why = reasoned(asked)
        words, off = _meant("exclude", asked)
        seat = await self._members.find(asked, words)
        as_ever = NO if known_bot(self._members.name(seat)) else None
        listed, account = EXCLUDED.of(asked.room), str(self._members.people.accounts(seat)[0])
        everyone = map(str, self._members.people.ever(seat))
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
