"""Grants: credits that moderators create for members or take from them. `!grant`, `!take`.

Each is recorded as a change with its reason, and `!undo` reverses it.
"""

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
from chatbot.ledger.limits import GRANT, GrantLimit, GrantLimitReached
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

Direction: TypeAlias = Literal["grant", "take"]


@dataclass(frozen=True, slots=True)
class _Order:
    """A command of a moderator."""

    direction: Direction
    seat: Seat
    amount: str  # as it was typed: it may be a share of the balance
    reason: str


class Grants:
    """Answers `!grant` and `!take`."""

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

    async def _grant(self, request: Request) -> Sequence[Say]:
        return await self._execute(request, await self._read(request, "grant"))

    async def _take(self, request: Request) -> Sequence[Say]:
        return await self._execute(request, await self._read(request, "take"))

    async def _read(self, request: Request, direction: Direction) -> _Order:
        """Parse the name, which may be several words, the amount and the reason.

        Raises:
            Refusal: the amount is missing, or no member has that name.
        """
        unknown: Unknown | None = None
        for place in _amounts_in(request.words):
            try:
                return await self._order(request, direction, place)
            except Unknown as error:
                unknown = unknown or error
        raise unknown or usage(direction, ARGUMENTS)

    async def _order(self, request: Request, direction: Direction, place: int) -> _Order:
        words = request.words
        seat = await self._members.find(request, " ".join(words[:place]))
        reason = " ".join(words[place + 1 :]).removeprefix("--").strip()
        return _Order(direction, self._members.people.root(seat), words[place], reason)

    async def _execute(self, request: Request, order: _Order) -> Sequence[Say]:
        wallet = purses.wallet(request.room.community, order.seat)
        while True:
            held = await self._ledger.balance(wallet)
            amount = _amount(request, order, held)
            try:
                done = await self._move(request, order, held, amount)
            except Moved:
                continue  # the balance has changed since it was read
            return _answers(request, order, amount) if done else []

    async def _move(self, request: Request, order: _Order, held: int, amount: int) -> bool:
        """Move the credits and record the change; return False if this line was executed before."""
        community, at = request.room.community, self._watch.date()
        wallet, mint = purses.wallet(community, order.seat), purses.mint(community)
        source, target = (mint, wallet) if order.direction == "grant" else (wallet, mint)
        entry, name = Entry(source, target, amount, order.direction), f"{order.direction}:{request.line.id}"
        posting = Posting(name, community, at, request.line.seat, (entry,), expects={wallet: held})
        after = held + amount if order.direction == "grant" else held - amount
        change = Change(MONEY, order.seat, old=str(held), new=str(after), posting=name)
        deed = self._settings_changes.deed(Actor.of(request, order.reason), [change])
        allotment = self._allotment(request, at)
        check = partial(allotment.check, amount=amount) if order.direction == GRANT else None
        try:
            return await self._settings_changes.changes.make(deed, Work(postings=[posting], check=check))
        except GrantLimitReached as spent:
            wait = lasting(ceil((allotment.until - at).total_seconds()))
            args: Arguments = {"most": Credits(allotment.most), "left": Credits(spent.left), "wait": wait}
            raise Refusal(Message("grant-daily", args)) from None

    def _allotment(self, request: Request, at: datetime) -> GrantLimit:
        """Return what a moderator may grant on the day of `at`, over all seats and united communities."""
        people, day = self._members.people, midnight(at)
        mints = [purses.mint(each) for each in people.united(request.room.community)]
        moderators = people.everyone(request.line.home)
        most = TERMS.of(request.room).grant_daily
        return GrantLimit(mints, moderators, most, day, day + timedelta(days=1))


def _amounts_in(words: Sequence[str]) -> Iterator[int]:
    """Yield the places of words that can be the amount: it follows a name of at least one word."""
    for place in range(1, min(len(words), MOST_WORDS + 1)):
        with suppress(Refusal):
            read_amount(words[place], 1)
            yield place


def _amount(request: Request, order: _Order, held: int) -> int:
    """Return the credits to move.

    Raises:
        Refusal: the amount is too large, or a share of the member's balance, which cannot be granted.
    """
    if order.direction == "grant" and read_amount(order.amount, 0) != read_amount(order.amount, MOST):
        raise Refusal(Message("grant-share", {"text": Quote(order.amount)}))
    amount, most = read_amount(order.amount, held), TERMS.of(request.room).grant_most
    if amount > most:
        raise Refusal(Message("grant-most", {"most": Credits(most)}))
    if order.direction == "take" and amount > held:
        raise Refusal(Message("take-short", {"who": Name(order.seat), "balance": Credits(held)}))
    return amount


def _answers(request: Request, order: _Order, amount: int) -> Sequence[Say]:
    """Return the answer; if it is private, the member whose balance has changed gets it too."""
    args: Arguments = {
        "moderator": Name(request.line.seat),
        "who": Name(order.seat),
        "amount": Credits(amount),
        "reason": Message("because", {"reason": Quote(order.reason)}) if order.reason else Message("nothing"),
    }
    answer = request.answer(Message("granted" if order.direction == "grant" else "taken", args))
    return [answer, replace(answer, to=order.seat, event=NOTICE)] if answer.to else [answer]
