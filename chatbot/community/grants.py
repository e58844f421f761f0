"""What moderators give members out of nothing, and take from them: noted, and taken back by `!undo`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Literal, TypeAlias

from chatbot.community.giving import amounts
from chatbot.community.members import MOST_WORDS, Unknown
from chatbot.kernel.amounts import MOST, read_amount
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Arguments, Credits, Message, Name, Quote, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Moved, Posting
from chatbot.ledger.changes import MONEY, Change, Work
from chatbot.ledger.limits import GRANT, Allotment, Spent
from chatbot.rooms.request import NOTICE, Request, Service, usage
from chatbot.settings.changes import Actor
from chatbot.settings.community import TERMS
from chatbot.speech.spans import lasting, midnight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from chatbot.community.members import CommunityMembers
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.clock import Watch
    from chatbot.settings.changes import SettingsChanges

ARGUMENTS = "@name AMOUNT [REASON]"
_OPTIONS = (
    Option("member", Kind.MEMBER, required=True),
    Option("amount", Kind.AMOUNT, required=True, suggest=amounts),
    Option("reason", Kind.TEXT),
)

Way: TypeAlias = Literal["grant", "take"]


@dataclass(frozen=True, slots=True)
class _Order:
    """What a moderator has typed."""

    way: Way
    seat: Seat
    amount: str
    reason: str


class Grants:
    def __init__(
        self, ledger: Ledger, settings_changes: SettingsChanges, members: CommunityMembers, watch: Watch
    ) -> None:
        self._ledger, self._settings_changes, self._members, self._watch = (
            ledger,
            settings_changes,
            members,
            watch,
        )
        self.services = (
            Service("grant", self._grant, ARGUMENTS, Role.MODERATOR, _OPTIONS),
            Service("take", self._take, ARGUMENTS, Role.MODERATOR, _OPTIONS),
        )

    async def _grant(self, asked: Request) -> Sequence[Say]:
        return await self._do(asked, await self._read(asked, "grant"))

    async def _take(self, asked: Request) -> Sequence[Say]:
        return await self._do(asked, await self._read(asked, "take"))

    async def _read(self, asked: Request, way: Way) -> _Order:
        """Tell the name, which may be several words, from the amount and the reason.

        Raises:
            Refusal: there is no amount, or nobody of that name.
        """
        unknown: Unknown | None = None
        for place in _amounts_in(asked.words):
            try:
                return await self._ordered(asked, way, place)
            except Unknown as error:
                unknown = unknown or error
        raise unknown or usage(way, ARGUMENTS)

    async def _ordered(self, asked: Request, way: Way, place: int) -> _Order:
        words = asked.words
        seat = await self._members.find(asked, " ".join(words[:place]))
        reason = " ".join(words[place + 1 :]).removeprefix("--").strip()
        return _Order(way, self._members.people.root(seat), words[place], reason)

    async def _do(self, asked: Request, order: _Order) -> Sequence[Say]:
        wallet = purses.wallet(asked.room.community, order.seat)
        while True:
            held = await self._ledger.balance(wallet)
            amount = _decided(asked, order, held)
            try:
                done = await self._move(asked, order, held, amount)
            except Moved:
                continue  # the purse has changed since: what was meant is looked at again
            return _told(asked, order, amount) if done else []

    async def _move(self, asked: Request, order: _Order, held: int, amount: int) -> bool:
        """Move the credits and note it; False: this very line has done so before."""
        community, at = asked.room.community, self._watch.date()
        wallet, mint = purses.wallet(community, order.seat), purses.mint(community)
        source, target = (mint, wallet) if order.way == "grant" else (wallet, mint)
        entry, name = Entry(source, target, amount, order.way), f"{order.way}:{asked.line.id}"
        posting = Posting(name, community, at, asked.line.seat, (entry,), expects={wallet: held})
        after = held + amount if order.way == "grant" else held - amount
        change = Change(MONEY, order.seat, old=str(held), new=str(after), posting=name)
        deed = self._settings_changes.deed(Actor.of(asked, order.reason), [change])
        allotment = self._allotment(asked, at)
        check = partial(allotment.check, amount=amount) if order.way == GRANT else None
        try:
            return await self._settings_changes.changes.make(deed, Work(postings=[posting], check=check))
        except Spent as spent:
            wait = lasting(ceil((allotment.until - at).total_seconds()))
            args: Arguments = {"most": Credits(allotment.most), "left": Credits(spent.left), "wait": wait}
            raise Refusal(Message("grant-daily", args)) from None

    def _allotment(self, asked: Request, at: datetime) -> Allotment:
        """Say what the moderator may grant on this day, whichever of their seats and rooms they do it by."""
        people, day = self._members.people, midnight(at)
        mints = [purses.mint(each) for each in people.united(asked.room.community)]
        moderators = people.everyone(asked.line.home)
        most = TERMS.of(asked.room).grant_daily
        return Allotment(mints, moderators, most, day, day + timedelta(days=1))


def _amounts_in(words: Sequence[str]) -> Iterator[int]:
    """Find what may be the amount: a word behind a name of at least one."""
    for place in range(1, min(len(words), MOST_WORDS + 1)):
        with suppress(Refusal):
            read_amount(words[place], 1)
            yield place


def _decided(asked: Request, order: _Order, held: int) -> int:
    """Read how much is meant; shares are shares of what a member has, so that none can be granted."""
    if order.way == "grant" and read_amount(order.amount, 0) != read_amount(order.amount, MOST):
        raise Refusal(Message("grant-share", {"text": Quote(order.amount)}))
    amount, most = read_amount(order.amount, held), TERMS.of(asked.room).grant_most
    if amount > most:
        raise Refusal(Message("grant-most", {"most": Credits(most)}))
    if order.way == "take" and amount > held:
        raise Refusal(Message("take-short", {"who": Name(order.seat), "balance": Credits(held)}))
    return amount


def _told(asked: Request, order: _Order, amount: int) -> Sequence[Say]:
    """Tell it where it was done; whom it makes richer or poorer hears of what was whispered too."""
    args: Arguments = {
        "moderator": Name(asked.line.seat),
        "who": Name(order.seat),
        "amount": Credits(amount),
        "reason": Message("because", {"reason": Quote(order.reason)}) if order.reason else Message("nothing"),
    }
    told = asked.answer(Message("granted" if order.way == "grant" else "taken", args))
    return [told, replace(told, to=order.seat, event=NOTICE)] if told.to else [told]
