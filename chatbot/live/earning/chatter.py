"""What talk earns: a payment for every so many messages that count.

Of one person one message counts in so many seconds, in whatever rooms of a community they write; a
command does not, nor what says the same as the one before.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.live.earning.earnings import EARNINGS
from chatbot.live.earning.lists import raised
from chatbot.live.earning.paymaster import TALK, Due
from chatbot.live.newest import remember

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.live.earning.paymaster import Paymaster
    from chatbot.live.room import Line, Room
    from chatbot.live.watch import Watch

COMMAND = "!"
REMEMBERED = 50_000  # people and how much they have said


@dataclass(frozen=True, slots=True)
class _Talk:
    at: float  # of the last message that counted
    said: str
    count: int  # since the last payment


class Chatter:
    def __init__(self, paymaster: Paymaster, watch: Watch) -> None:
        self._paymaster, self._watch = paymaster, watch
        self._talk: OrderedDict[tuple[str, Seat], _Talk] = OrderedDict()

    async def heard(self, room: Room, line: Line, *, live: bool) -> None:
        earnings = EARNINGS.of(room)
        key = self._paymaster.community(room), self._paymaster.person(line.seat)
        rate, former = earnings.talk if live else earnings.talk_offline, self._talk.get(key)
        if not rate or not self._counts(line, former, earnings.talk_gap):
            return
        count = 1 if former is None else former.count + 1
        remember(self._talk, key, _Talk(self._watch.now(), _plain(line), count), REMEMBERED)
        if count < earnings.talk_messages:
            return
        roles = raised(room, line.accounts, line.roles)
        due = Due(line.seat, earnings.share(rate, roles), TALK, line.id, line.name)
        await self._paymaster.pay(room, [due])
        remember(self._talk, key, _Talk(self._watch.now(), _plain(line), 0), REMEMBERED)

    def _counts(self, line: Line, former: _Talk | None, gap: int) -> bool:
        if line.private or line.text.startswith(COMMAND) or not line.text:
            return False
        return former is None or (self._watch.now() >= former.at + gap and _plain(line) != former.said)


def _plain(line: Line) -> str:
    return " ".join(line.text.casefold().split())
