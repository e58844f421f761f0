"""Grants: credits that moderators create for members or take from them. `!grant`, `!take`, `!credits set`.

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
from chatbot.rooms.request import NOTICE, Check, Request, Service, usage
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
_SET_OPTIONS = (
    Option("member", Kind.MEMBER, required=True),
    Option("amount", Kind.AMOUNT, required=True),
    Option("reason", Kind.TEXT),
)
NOTHING = "0"  # what `!credits set` alone can bring a wallet to

Direction: TypeAlias = Literal["grant", "take"]

SET = "creditsset"  # the word of the command; it may be typed as two words
SET_ARGUMENTS = "@name AMOUNT [-- REASON]"
DIRECTIONS: tuple[Direction, ...] = "grant", "take"


@dataclass(frozen=True, slots=True)
class _Order:
    """A command of a moderator; `word` is the command."""

    word: str
    seat: Seat
    amount: str  # as it was typed: it may be a share of the balance
    reason: str


class Grants:
    """Answers `!grant`, `!take` and `!credits set`, which needs the rights of both others."""

    def __init__(
        self,
        ledger: Ledger,
        settings_changes: SettingsChanges,
        members: CommunityMembers,
        watch: Watch,
        check: Check,
    ) -> None:
        self._ledger, self._settings_changes, self._members, self._watch = (
            ledger,
            settings_changes,
            members,
            watch,
        )
        self._check = check
        self.services = (
            Service("grant", self._grant, ARGUMENTS, Role.MODERATOR, _OPTIONS),
            Service("take", self._take, ARGUMENTS, Role.MODERATOR, _OPTIONS),
            Service(SET, self._set, SET_ARGUMENTS, Role.MODERATOR, _SET_OPTIONS),
        )

    async def _grant(self, request: Request) -> Sequence[Say]:
        return await self._execute(request, await self._read(request, "grant"))

    async def _take(self, request: Request) -> Sequence[Say]:
        return await self._execute(request, await self._read(request, "take"))

    async def _set(self, request: Request) -> Sequence[Say]:
        for word in DIRECTIONS:
            self._check(request, word)
        return await self._execute(request, await self._read(request, SET))

    async def _read(self, request: Request, word: str) -> _Order:
        """Parse the name, which may be several words, the amount and the reason.

        Raises:
            Refusal: the amount is missing, or no member has that name.
        """
        unknown: Unknown | None = None
        for place in _amounts_in(request.words):
            try:
                return await self._order(request, word, place)
            except Unknown as error:
                unknown = unknown or error
        if word == SET:
            raise unknown or usage("credits set", SET_ARGUMENTS)
        raise unknown or usage(word, ARGUMENTS)

    async def _order(self, request: Request, word: str, place: int) -> _Order:
        words = request.words
        seat = await self._members.find(request, " ".join(words[:place]))
        reason = " ".join(words[place + 1 :]).removeprefix("--").strip()
        return _Order(word, self._members.people.root(seat), words[place], reason)

    async def _execute(self, request: Request, order: _Order) -> Sequence[Say]:
        wallet = purses.wallet(request.room.community, order.seat)
        while True:
            held = await self._ledger.balance(wallet)
            direction, amount = _movement(request, order, held)
            try:
                done = await self._move(request, order, held, direction, amount)
            except Moved:
                continue  # the balance has changed since it was read
            return _answers(request, order, direction, amount) if done else []

    async def _move(
        self, request: Request, order: _Order, held: int, direction: Direction, amount: int
    ) -> bool:
        """Move the credits and record the change; return False if this line was executed before."""
        community, at = request.room.community, self._watch.date()
        wallet, mint = purses.wallet(community, order.seat), purses.mint(community)
        source, target = (mint, wallet) if direction == "grant" else (wallet, mint)
        # Of the command, which a line gives once: what it moves may be the other way when it is read again.
        entry, name = Entry(source, target, amount, direction), f"{order.word}:{request.line.id}"
        posting = Posting(name, community, at, request.line.seat, (entry,), expects={wallet: held})
        after = held + amount if direction == "grant" else held - amount
        change = Change(MONEY, order.seat, old=str(held), new=str(after), posting=name)
        deed = self._settings_changes.deed(Actor.of(request, order.reason), [change])
        allotment = self._allotment(request, at)
        check = partial(allotment.check, amount=amount) if direction == GRANT else None
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
            if words[place] != NOTHING:
                read_amount(words[place], 1)
            yield place


def _movement(request: Request, order: _Order, held: int) -> tuple[Direction, int]:
    """Return which way how many credits move; of `!credits set` it is the difference.

    Raises:
        Refusal: that is too much or nothing, or a share of the balance, which cannot be granted.
    """
    if order.word == SET:
        direction, amount = _difference(order, held)
    else:
        direction = "grant" if order.word == "grant" else "take"
        amount = _whole(order.amount) if direction == "grant" else read_amount(order.amount, held)
    most = TERMS.of(request.room).grant_most
    if amount > most:
        raise Refusal(Message("grant-most", {"most": Credits(most)}))
    if direction == "take" and amount > held:
        raise Refusal(Message("take-short", {"who": Name(order.seat), "balance": Credits(held)}))
    return direction, amount


def _difference(order: _Order, held: int) -> tuple[Direction, int]:
    wanted = 0 if order.amount == NOTHING else _whole(order.amount)
    if wanted == held:
        raise Refusal(Message("credits-set-same", {"who": Name(order.seat), "balance": Credits(held)}))
    return ("grant", wanted - held) if wanted > held else ("take", held - wanted)


def _whole(text: str) -> int:
    """Read an amount that is no share.

    Raises:
        Refusal: it is one, or no amount.
    """
    if read_amount(text, 0) != read_amount(text, MOST):
        raise Refusal(Message("grant-share", {"text": Quote(text)}))
    return read_amount(text, 0)


def _answers(request: Request, order: _Order, direction: Direction, amount: int) -> Sequence[Say]:
    """Return the answer; if it is private, the member whose balance has changed gets it too."""
    args: Arguments = {
        "moderator": Name(request.line.seat),
        "who": Name(order.seat),
        "amount": Credits(amount),
        "reason": Message("because", {"reason": Quote(order.reason)}) if order.reason else Message("nothing"),
    }
    answer = request.answer(Message("granted" if direction == "grant" else "taken", args))
    return [answer, replace(answer, to=order.seat, event=NOTICE)] if answer.to else [answer]
