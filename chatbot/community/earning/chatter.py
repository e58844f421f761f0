"""What talk earns: a payment for every so many messages that count.

Of one person one message counts in so many seconds, in whatever rooms of a community they write; a
command does not, nor what says the same as the one before.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.community.earning.payments import TALK, Due
from chatbot.community.earning.settings import EARNINGS
from chatbot.rooms.lru import remember
from chatbot.settings.lists import raised

if TYPE_CHECKING:
    from chatbot.community.earning.payments import Payments
    from chatbot.kernel.game import Seat
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Line, Room

COMMAND = "!"
REMEMBERED = 50_000  # people and how much they have said


@dataclass(frozen=True, slots=True)
class _Talk:
    at: float  # of the last message that counted
    said: str
    count: int  # since the last payment


class Chatter:
    def __init__(self, payments: Payments, watch: Watch) -> None:
        self._payments, self._watch = payments, watch
        self._talk: OrderedDict[tuple[str, Seat], _Talk] = OrderedDict()

    async def heard(self, room: Room, line: Line, *, live: bool) -> None:
        """Count a message that is talk, and pay for it if it is its turn."""
        earnings = EARNINGS.of(room)
        key = self._payments.community(room), self._payments.person(line.seat)
        rate, former = earnings.talk if live else earnings.talk_offline, self._talk.get(key)
        if not rate or not self._counts(line, former, earnings.talk_gap):
            return
        count = 1 if former is None else former.count + 1
        remember(self._talk, key, _Talk(self._watch.now(), _plain(line), count), REMEMBERED)
        if count < earnings.talk_messages:
            return
        roles = raised(room, line.accounts, line.roles)
        due = Due(line.seat, earnings.share(rate, roles), TALK, line.id, line.name)
        await self._payments.pay(room, [due])
        remember(self._talk, key, _Talk(self._watch.now(), _plain(line), 0), REMEMBERED)

    def _counts(self, line: Line, former: _Talk | None, gap: int) -> bool:
        return former is None or (self._watch.now() >= former.at + gap and _plain(line) != former.said)


def talks(line: Line) -> bool:
    """Whether a line is talk that all can read, and no command."""
    return bool(line.text) and not line.private and not line.text.startswith(COMMAND)


def _plain(line: Line) -> str:
    return " ".join(line.text.casefold().split())
