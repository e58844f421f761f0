"""Commands of earning: `!claim`, `!regular` and `!exclude`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.community.earning.payments import CLAIM, Due
from chatbot.community.earning.settings import EARNINGS, SHIPPED
from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Credits, Message, Name, Say
from chatbot.rooms.request import BotCommand, reasoned, usage
from chatbot.rooms.settings.changes import Actor
from chatbot.rooms.settings.lists import EXCLUDED, LONGEST_NAME, REGULARS, all_roles, known_bot
from chatbot.settings.fields import NO, YES
from chatbot.speech.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chatbot.community.earning.audience import Attendance
    from chatbot.community.earning.payments import Payments
    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Arguments
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges, Wanted
    from chatbot.runtime.clock import Watch

SECONDS_AN_HOUR = 3600
OFF = "off"
ARGUMENTS = "@name [off]"


class DailyClaims:
    """Answers `!claim`; `live` returns whether a room's stream is on."""

    def __init__(
        self, payments: Payments, attendance: Attendance, watch: Watch, live: Callable[[Room], bool]
    ) -> None:
        self._payments, self._attendance, self._watch, self._live = payments, attendance, watch, live
        self.services = (BotCommand("claim", self._claim, aliases=("daily",)),)

    async def _claim(self, request: Request) -> Sequence[Say]:
        room, line = request.room, request.line
        share = await self._share(request)
        self._require_claimable(request, share)
        length = (await self._payments.earnings(room, line.seat)).claim_hours * SECONDS_AN_HOUR
        number, elapsed = divmod(int(self._watch.date().timestamp()), length)
        if await self._claimed(request, number * length, length):
            raise Refusal(Message("claimed-already", {"time": lasting(length - elapsed)}))
        shipped = await self._shipped(request, length)
        due = Due(line.seat, share, shipped, CLAIM, str(number), line.name)
        share = (await self._payments.pay(room, [due]))[line.seat]
        if not share:
            raise Refusal(Message("claimed-already", {"time": lasting(length - elapsed)}))
        args: Arguments = {
            "who": Name(line.seat),
            "credits": Credits(share),
            "time": lasting(length - elapsed),
        }
        return [request.answer(Message("claimed", args))]

    async def _claimed(self, request: Request, start: int, length: int) -> bool:
        """Return whether the sender has claimed in a period, even if the setting had another length then."""
        first, last = (datetime.fromtimestamp(each, UTC) for each in (start, start + length))
        return await self._payments.earned(request.room, request.line.seat, CLAIM, first, last)

    async def _shipped(self, request: Request, length: int) -> int:
        """Return what the settings that ship would pay the sender now, who claims once in `length` seconds.

        A longer time than theirs counts as several claims; of a shorter one, only the first of theirs does.
        """
        usual = SHIPPED.claim_hours * SECONDS_AN_HOUR
        if length >= usual:
            return SHIPPED.claim * (length // usual)
        start = int(self._watch.date().timestamp()) // usual * usual
        span = datetime.fromtimestamp(start, UTC), datetime.fromtimestamp(start + usual, UTC)
        paid = await self._payments.shipped(request.room, request.line.seat, CLAIM, *span)
        return max(SHIPPED.claim - paid, 0)

    def _require_claimable(self, request: Request, share: int) -> None:
        """Check that the sender may claim their share now.

        Raises:
            Refusal: they earn nothing, there is nothing to claim, or the stream is off.
        """
        if request.words:
            raise usage("claim", "")
        if not self._payments.earns(request.room, request.line.seat, request.line.name):
            raise Refusal(Message("earns-nothing"))
        if not share:
            raise Refusal(Message("claim-none"))
        if EARNINGS.of(request.room).claim_live and not self._live(request.room):
            raise Refusal(Message("claim-live-only"))

    async def _share(self, request: Request) -> int:
        room, line, roles = request.room, request.line, request.line.roles
        if line.private:  # platforms send it without badges
            roles |= (await self._attendance.roles(room, [line.seat]))[line.seat]
        earnings = await self._payments.earnings(room, line.seat)
        return earnings.share(earnings.claim, all_roles(room, line.accounts, roles))


def _suggest_off(_: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return (OFF,)


_OPTIONS = Option("member", Kind.MEMBER, required=True), Option("off", Kind.WORD, suggest=_suggest_off)


class ListCommands:
    """Answers `!regular` and `!exclude`."""

    def __init__(self, settings_changes: SettingsChanges, members: CommunityMembers) -> None:
        self._settings_changes, self._members = settings_changes, members
        self.services = (
            BotCommand("regular", self._regular, ARGUMENTS, Role.MODERATOR, _OPTIONS),
            BotCommand("exclude", self._exclude, ARGUMENTS, Role.MODERATOR, _OPTIONS),
        )

    async def _regular(self, request: Request) -> Sequence[Say]:
        request, why = reasoned(request)
        text, off = _parse("regular", request)
        seat = await self._members.find(request, text)
        name = " ".join(self._members.name(seat).split())[:LONGEST_NAME]
        accounts = [str(each) for each in self._members.people.accounts(seat)]
        named = [each for each in accounts if each in REGULARS.of(request.room)]
        entries: dict[str, str | None] = dict.fromkeys(named) if off else {} if named else {accounts[0]: name}
        changed = await self._settings_changes.change(Actor.of(request, why), {REGULARS.name: entries})
        message = ("regular-not" if off else "regular-now") if changed else "named-already"
        return [_answer(request, message, seat)]

    async def _exclude(self, request: Request) -> Sequence[Say]:
        request, why = reasoned(request)
        text, off = _parse("exclude", request)
        seat = await self._members.find(request, text)
        included = NO if known_bot(self._members.name(seat)) else None
        listed, account = EXCLUDED.of(request.room), str(self._members.people.accounts(seat)[0])
        accounts = map(str, self._members.people.ever(seat))
        removed: dict[str, str | None] = {each: None for each in accounts if listed.get(each) == YES}
        wanted: Wanted = {EXCLUDED.name: {**removed, account: included} if off else {account: YES}}
        changed = await self._settings_changes.change(Actor.of(request, why), wanted)
        message = ("excluded-not" if off else "excluded-now") if changed else "named-already"
        return [_answer(request, message, seat)]


def _parse(word: str, request: Request) -> tuple[str, bool]:
    """Return the name of a member, and whether `off` follows it."""
    words = request.words
    off = len(words) > 1 and words[-1].lower() == OFF
    name = " ".join(words[:-1] if off else words)
    if not name:
        raise usage(word, ARGUMENTS)
    return name, off


def _answer(request: Request, message: str, seat: Seat) -> Say:
    return request.answer(Message(message, {"who": Name(seat)}))
