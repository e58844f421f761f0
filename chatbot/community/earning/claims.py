"""The daily claim: `!claim`, once in every period of the calendar."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.community.earning.payments import CLAIM, Due
from chatbot.community.earning.settings import EARNINGS
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Credits, Message, Name
from chatbot.rooms.request import Service, usage
from chatbot.settings.lists import raised
from chatbot.speech.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.community.earning.payments import Payments
    from chatbot.kernel.say import Arguments, Say
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room

HOUR = 3600  # seconds


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
