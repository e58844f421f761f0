"""Pays what members have earned, each thing once, whatever comes twice and whoever restarts.

The id of a payment names what was earned, by a person and not by a seat: two accounts of one person that
were ever linked earn what is limited only once, also what one of them, or a community that was united since,
was paid for before.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chatbot.community.earning.settings import EARNINGS
from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Exhausted, Posting
from chatbot.settings.lists import barred
from chatbot.speech.spans import midnight

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from chatbot.community.members import CommunityMembers
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.limits import Incomes
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room

WATCH, TALK, RAID = "watch", "talk", "raid"
FOLLOW, SUBSCRIBE, CHEER, CLAIM = "follow", "subscribe", "cheer", "claim"
DAY = timedelta(days=1)
LIMITED = WATCH, TALK, RAID  # what a day has a most of: anybody can go on with it all day


@dataclass(frozen=True, slots=True)
class Due:
    """What somebody has earned; `mark` is what can be paid to a person once, or to anybody if `shared`.

    What is paid once in a `channel` is so whatever community that belongs to, and whomever the person `home`
    whose account earned it is linked with.
    """

    seat: Seat
    credits: int
    why: str
    mark: str = ""
    name: str = ""
    shared: bool = False
    channel: str = ""
    home: Seat | None = None


class Payments:
    def __init__(
        self,
        ledger: Ledger,
        incomes: Incomes,
        members: CommunityMembers,
        watch: Watch,
        holder: Callable[[str], str],
    ) -> None:
        """`holder` names the community that holds the wallets of another."""
        self._ledger, self._incomes, self._watch = ledger, incomes, watch
        self._members, self._people, self._holder = members, members.people, holder
        self._alone: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # by community

    def earns(self, room: Room, seat: Seat, name: str = "") -> bool:
        """Whether somebody earns at all: neither they nor whom they were ever linked to is excluded."""
        known = name or self._members.name(seat)
        return not barred(room, seat, self._people.ever(seat), known)

    def person(self, seat: Seat) -> Seat:
        return self._people.person(seat)

    def community(self, room: Room) -> str:
        """Name the community in whose wallets a room pays: united ones are one."""
        return self._holder(room.community)

    async def pay(self, room: Room, dues: Sequence[Due]) -> Counter[str]:
        """Pay; tell the credits that each seat has got now: what was paid before is not paid again."""
        earned = [each for each in dues if each.credits > 0 and self.earns(room, each.seat, each.name)]
        limited = any(each.why in LIMITED for each in earned) and EARNINGS.of(room).daily_most > 0
        others = {each: self._others(room, each) for each in earned}
        if not limited and not any(others.values()):
            return await self._post(room, earned)
        async with self._alone[self.community(room)]:
            asked = {each for some in others.values() for each in some}
            made = await self._incomes.made(asked) if asked else set[str]()
            due = [each for each in earned if made.isdisjoint(others[each])]
            return await self._post(room, await self._clipped(room, due) if limited else due)

    async def earned(self, room: Room, seat: Seat, why: str, start: datetime, end: datetime) -> bool:
        """Whether a person has earned something so from a moment on, up to another."""
        had = await self._incomes.between(start, end, self._wallets(room, seat), [why])
        return any(had.values())

    async def _post(self, room: Room, dues: Sequence[Due]) -> Counter[str]:
        made: Counter[str] = Counter()
        answers = await asyncio.gather(
            *(self._ledger.post(self._posting(room, each)) for each in dues), return_exceptions=True
        )
        for due, answer in zip(dues, answers, strict=True):
            if isinstance(answer, Exhausted) and due.why != CLAIM:
                continue  # nobody has asked for it: what they say is heard all the same
            if isinstance(answer, BaseException):
                raise answer
            made[due.seat] += due.credits if answer else 0
        return made

    def _posting(self, room: Room, due: Due) -> Posting:
        community, person = self.community(room), self.person(due.seat)
        wallet = purses.wallet(community, self._people.root(due.seat))
        entry = Entry(purses.mint(community), wallet, due.credits, due.why)
        return Posting(self._id(room, due), community, self._watch.date(), person, (entry,))

    def _id(self, room: Room, due: Due) -> str:
        if due.shared:
            return f"{due.why}:{due.mark}"
        if due.channel:
            return _named(due, _plain(due.channel), due.home or due.seat)
        return _named(due, self.community(room), self.person(due.seat))

    def _others(self, room: Room, due: Due) -> set[str]:
        """List the other ids by which the same may have been paid to the same person."""
        if due.shared:
            return set()
        places = [_plain(due.channel)] if due.channel else self._people.united(room.community)
        seats = {due.home or due.seat, *self._people.everyone(due.seat)}
        return {_named(due, place, seat) for place in places for seat in seats} - {self._id(room, due)}

    async def _clipped(self, room: Room, dues: Sequence[Due]) -> list[Due]:
        """Leave of each only what its person may still earn on this day."""
        most = EARNINGS.of(room).daily_most
        wallets = {each.seat: self._wallets(room, each.seat) for each in dues if each.why in LIMITED}
        today, everyones = midnight(self._watch.date()), {each for own in wallets.values() for each in own}
        had = await self._incomes.between(today, today + DAY, everyones, LIMITED)
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

    def _wallets(self, room: Room, seat: Seat) -> list[Purse]:
        """Name every wallet into which a person has earned."""
        own, united = self._people.everyone(seat), self._people.united(room.community)
        return [purses.wallet(community, each) for community in united for each in own]


def _named(due: Due, place: str, seat: Seat) -> str:
    return ":".join(filter(None, (due.why, place, seat, due.mark)))


def _plain(channel: str) -> str:
    """Give a channel's id as a word without a colon: a streamer's own seat is called as their chat is."""
    return channel.replace(":", "-")
