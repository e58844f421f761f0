"""The command `!claim`, by which members take their daily credits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.bot.command import command
from chatbot.community.earning.payments import CLAIM, Due
from chatbot.community.earning.settings import EARNINGS, SHIPPED
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Credits, Message, Name, Say
from chatbot.rooms.request import Request
from chatbot.rooms.scopes import PERSON
from chatbot.rooms.settings.lists import all_roles
from chatbot.speech.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.community.earning.audience import Attendance
    from chatbot.community.earning.payments import Payments
    from chatbot.kernel.say import Arguments
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

SECONDS_AN_HOUR = 3600


class DailyClaims:
    """Answers `!claim`; `live` returns whether a room's stream is on."""

    def __init__(
        self, payments: Payments, attendance: Attendance, watch: Watch, live: Callable[[Room], bool]
    ) -> None:
        self._payments, self._attendance, self._watch, self._live = payments, attendance, watch, live

    @command("claim", aliases=("daily",), scope=PERSON)
    async def claim(self, request: Request) -> Sequence[Say]:
        room, line = request.room, request.line
        share = await self._share(request)
        self._require_claimable(request, share)
        length = (await self._payments.earnings(room, line.seat)).claim_hours * SECONDS_AN_HOUR
        number, elapsed = divmod(int(self._watch.date().timestamp()), length)
        if await self._has_claimed(request, number * length, length):
            raise Refusal(Message("claimed-already", {"time": lasting(length - elapsed)}))
        shipped = await self._shipped(request, length)
        due = Due(line.seat, share, shipped, CLAIM, str(number), line.name)
        share = (await self._payments.pay(request.batch, room, [due]))[line.seat]
        if not share:
            raise Refusal(Message("claimed-already", {"time": lasting(length - elapsed)}))
        args: Arguments = {
            "who": Name(line.seat),
            "credits": Credits(share),
            "time": lasting(length - elapsed),
        }
        return [request.answer(Message("claimed", args))]

    async def _has_claimed(self, request: Request, start: int, length: int) -> bool:
        """Return whether the sender has claimed in a period, even if the setting had another length then."""
        first, last = (datetime.fromtimestamp(each, UTC) for each in (start, start + length))
        return await self._payments.has_earned(request.room, request.line.seat, CLAIM, first, last)

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
