"""The paymaster: pays what members have earned, each thing once, whatever comes twice and whoever restarts.

The id of a payment names what was earned, by a person and not by a seat: two accounts of one person that
were ever linked earn what is limited only once.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chatbot.kernel.game import Seat
from chatbot.live.earnings import EARNINGS
from chatbot.live.lists import barred
from chatbot.live.spans import midnight
from chatbot.wallets import accounts
from chatbot.wallets.posting import Entry, Posting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.live.guests import Guests
    from chatbot.live.room import Room
    from chatbot.live.watch import Watch
    from chatbot.wallets.incomes import Incomes
    from chatbot.wallets.ledger import Ledger

WATCH, TALK, RAID = "watch", "talk", "raid"
FOLLOW, SUBSCRIBE, CHEER, CLAIM = "follow", "subscribe", "cheer", "claim"
LIMITED = WATCH, TALK, RAID  # what a day has a most of: anybody can go on with it all day
REASONS = *LIMITED, FOLLOW, SUBSCRIBE, CHEER, CLAIM
"""Why credits were earned, as the ledger has it."""


@dataclass(frozen=True, slots=True)
class Due:
    """What somebody has earned; `mark` is what can be paid to a person once, or to anybody if `shared`."""

    seat: Seat
    credits: int
    why: str
    mark: str = ""
    name: str = ""
    shared: bool = False


class Paymaster:
    def __init__(
        self, ledger: Ledger, incomes: Incomes, guests: Guests, watch: Watch, holder: Callable[[str], str]
    ) -> None:
        """`holder` names the community that holds the wallets of another."""
        self._ledger, self._incomes, self._watch = ledger, incomes, watch
        self._guests, self._people, self._holder = guests, guests.identities, holder
        self._alone: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # by community

    def earns(self, room: Room, seat: Seat, name: str = "") -> bool:
        """Whether somebody earns at all: neither they nor whom they were ever linked to is excluded."""
        known = name or self._guests.name(seat)
        return not barred(room, self._people.everyone(seat), known)

    def person(self, seat: Seat) -> Seat:
        return self._people.person(seat)

    def community(self, room: Room) -> str:
        """Name the community in whose wallets a room pays: united ones are one."""
        return self._holder(room.community)

    async def pay(self, room: Room, dues: Sequence[Due]) -> Counter[str]:
        """Pay; tell the credits that each seat has got now: what was paid before is not paid again."""
        earned = [each for each in dues if each.credits > 0 and self.earns(room, each.seat, each.name)]
        if not any(each.why in LIMITED for each in earned) or not EARNINGS.of(room).daily_most:
            return await self._post(room, earned)
        async with self._alone[self.community(room)]:
            return await self._post(room, await self._clipped(room, earned))

    async def _post(self, room: Room, dues: Sequence[Due]) -> Counter[str]:
        made: Counter[str] = Counter()
        answers = await asyncio.gather(
            *(self._ledger.post(self._posting(room, each)) for each in dues), return_exceptions=True
        )
        for due, answer in zip(dues, answers, strict=True):
            if isinstance(answer, BaseException):
                raise answer
            made[due.seat] += due.credits if answer else 0
        return made

    def _posting(self, room: Room, due: Due) -> Posting:
        community, person = self.community(room), self.person(due.seat)
        wallet = accounts.wallet(community, self._people.root(due.seat))
        entry = Entry(accounts.mint(community), wallet, due.credits, due.why)
        whose = "" if due.shared else f":{community}:{person}"
        mark = f":{due.mark}" if due.mark else ""
        return Posting(f"{due.why}{whose}{mark}", community, self._watch.date(), person, (entry,))

    async def _clipped(self, room: Room, dues: Sequence[Due]) -> list[Due]:
        """Leave of each only what its person may still earn on this day."""
        most = EARNINGS.of(room).daily_most
        wallets = {each.seat: self._wallets(room, each.seat) for each in dues if each.why in LIMITED}
        today = midnight(self._watch.date())
        had = await self._incomes.since(today, {each for own in wallets.values() for each in own}, LIMITED)
        left = {
            self.person(seat): max(0, most - sum(had[each] for each in own)) for seat, own in wallets.items()
        }
        clipped = []
        for due in dues:
            if due.why in LIMITED:
                person = self.person(due.seat)
                due = replace(due, credits=min(due.credits, left[person]))  # noqa: PLW2901
                left[person] -= due.credits
            clipped.append(due)
        return [each for each in clipped if each.credits]

    def _wallets(self, room: Room, seat: Seat) -> list[str]:
        """Name every wallet into which a person has earned."""
        own, united = self._people.everyone(seat), self._people.united(room.community)
        return [accounts.wallet(community, each) for community in united for each in own]
