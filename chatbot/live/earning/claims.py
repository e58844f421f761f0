"""The daily claim: `!claim`, once in every period of the calendar."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Credits, Message, Name
from chatbot.live.asked import Service, usage
from chatbot.live.earning.earnings import EARNINGS
from chatbot.live.earning.lists import raised
from chatbot.live.earning.paymaster import CLAIM, Due
from chatbot.live.wording.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.kernel.say import Arguments, Say
    from chatbot.live.asked import Asked
    from chatbot.live.earning.paymaster import Paymaster
    from chatbot.live.room import Room
    from chatbot.live.watch import Watch

HOUR = 3600  # seconds


class Claims:
    """`live` tells whether a room's stream is on."""

    def __init__(self, paymaster: Paymaster, watch: Watch, live: Callable[[Room], bool]) -> None:
        self._paymaster, self._watch, self._live = paymaster, watch, live
        self.services = (Service("claim", self._claim, aliases=("daily",)),)

    async def _claim(self, asked: Asked) -> Sequence[Say]:
        room, line = asked.room, asked.line
        self._admit(asked)
        length = EARNINGS.of(room).claim_hours * HOUR
        number, gone = divmod(int(self._watch.date().timestamp()), length)
        share = self._share(asked)
        if await self._claimed(asked, number * length, length):
            raise Refusal(Message("claimed-already", {"time": lasting(length - gone)}))
        made = await self._paymaster.pay(room, [Due(line.seat, share, CLAIM, str(number), line.name)])
        if not made[line.seat]:
            raise Refusal(Message("claimed-already", {"time": lasting(length - gone)}))
        args: Arguments = {"who": Name(line.seat), "credits": Credits(share), "time": lasting(length - gone)}
        return [asked.answer(Message("claimed", args))]

    async def _claimed(self, asked: Asked, start: int, length: int) -> bool:
        """Whether somebody has claimed in this period, though periods may have been others then."""
        span = [datetime.fromtimestamp(each, UTC) for each in (start, start + length)]
        return await self._paymaster.earned(asked.room, asked.line.seat, CLAIM, span[0], span[1])

    def _admit(self, asked: Asked) -> None:
        """Let pass who may claim at all.

        Raises:
            Refusal: they may not, or not now.
        """
        if asked.words:
            raise usage("claim", "")
        if not self._paymaster.earns(asked.room, asked.line.seat, asked.line.name):
            raise Refusal(Message("earns-nothing"))
        if not self._share(asked):
            raise Refusal(Message("claim-none"))
        if EARNINGS.of(asked.room).claim_live and not self._live(asked.room):
            raise Refusal(Message("claim-live-only"))

    @staticmethod
    def _share(asked: Asked) -> int:
        earnings, line = EARNINGS.of(asked.room), asked.line
        return earnings.share(earnings.claim, raised(asked.room, line.accounts, line.roles))
