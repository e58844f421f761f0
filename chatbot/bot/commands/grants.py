"""Grants: credits that moderators create for members or take from them. `!grant`, `!take`, `!credits set`.

Each is recorded as a change with its reason, and `!undo` reverses it. What a moderator grants on a day above
the setting `grant_confirm` waits for the `!confirm` of another one, and `!audit mint` lists all grants.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from chatbot.bot.arguments import Grammar, TypedWords
from chatbot.bot.command import command
from chatbot.bot.commands.give import SHARES
from chatbot.community.grants import DAY, allotment
from chatbot.community.members import MOST_WORDS, Unknown
from chatbot.kernel.amounts import (
    MOST,
    amount_first,
    read_amount,
    require_whole_groups,
    without_sign,
)
from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Arguments, Credits, Message, Name, Quote, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import GRANT, Entry, Posting
from chatbot.ledger.changes import CONFIRMED, MONEY, Change, Work
from chatbot.ledger.limits import GrantLimitReached
from chatbot.rooms.languages import currency_names
from chatbot.rooms.request import NOTICE, Check, Request, as_typed, usage
from chatbot.rooms.settings.changes import Actor
from chatbot.settings.community import TERMS
from chatbot.speech.spans import lasting, midnight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.community.confirmations import Confirmations
    from chatbot.community.members import CommunityMembers
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.runtime.clock import Watch

ARGUMENTS = "@name AMOUNT [REASON]"


WHOLE = "10", "50", "100"
"""Amounts that are suggested for `!grant`, which takes no shares."""


def _options(*amounts: str) -> tuple[Option, ...]:
    return (
        Option("member", Kind.MEMBER, required=True),
        Option("amount", Kind.AMOUNT, required=True, suggest=(lambda *_: amounts) if amounts else None),
        Option("reason", Kind.TEXT),
    )


NOTHING = "0"  # what `!credits set` alone can bring a wallet to

Direction: TypeAlias = Literal["grant", "take"]

CONFIRMING = "grant"  # the word of the command that whoever confirms a grant must be allowed to use
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


@dataclass(frozen=True, slots=True)
class _Confirmation:
    """The consent to a grant of so many credits, by the person `by`."""

    credits: int
    by: Seat


class Grants:
    """Answers `!grant`, `!take`, and `!credits set`, which needs the rights of both."""

    def __init__(
        self,
        settings_changes: SettingsChanges,
        members: CommunityMembers,
        watch: Watch,
        check: Check,
        confirmations: Confirmations,
    ) -> None:
        self._settings_changes, self._members, self._watch = settings_changes, members, watch
        self._check, self._confirmations = check, confirmations

    @command("grant", Role.MODERATOR, bare=True)
    async def grant(
        self, request: Request, words: Annotated[TypedWords, Grammar(ARGUMENTS, _options(*WHOLE))] = ()
    ) -> Sequence[Say]:
        return await self._execute(request, await self._read(request, "grant", words))

    @command("take", Role.MODERATOR, bare=True)
    async def take(
        self, request: Request, words: Annotated[TypedWords, Grammar(ARGUMENTS, _options(*SHARES))] = ()
    ) -> Sequence[Say]:
        return await self._execute(request, await self._read(request, "take", words))

    @command(SET, Role.MODERATOR, bare=True, typed="credits set")
    async def set(
        self, request: Request, words: Annotated[TypedWords, Grammar(SET_ARGUMENTS, _options())] = ()
    ) -> Sequence[Say]:
        for word in DIRECTIONS:
            self._check(request, word)
        return await self._execute(request, await self._read(request, SET, words))

    async def _read(self, request: Request, word: str, words: TypedWords) -> _Order:
        """Parse the name, which may be several words, the amount and the reason.

        Raises:
            Refusal: the amount is missing or wrong, or no member has that name.
        """
        first_error: Unknown | None = None
        for place in _amounts_in(request, words):
            try:
                return await self._order(request, word, words, place)
            except Unknown as error:
                first_error = first_error or error
        if first_error is not None:
            raise first_error
        for place, each in enumerate(words[1:], 1):
            if any(char.isdigit() for char in each):
                # It was meant as an amount, and this says why it is none.
                _require_no_debt(request, word, words, place)
                read_amount(each, 1, "not-an-amount" if word == "take" else "grant-amount")
        raise usage("credits set", SET_ARGUMENTS) if word == SET else usage(word, ARGUMENTS)

    async def _order(self, request: Request, word: str, words: TypedWords, place: int) -> _Order:
        seat = await self._members.find_wallet(request, " ".join(words[:place]))
        amount, rest = amount_first(words[place:], currency_names(request.room))
        require_whole_groups((amount, *rest), "grant-spaced")
        reason = as_typed(request.line, " ".join(rest)).removeprefix("--").strip()
        return _Order(word, self._members.people.ties.root(seat), amount, reason)

    async def _execute(
        self, request: Request, order: _Order, confirmation: _Confirmation | None = None
    ) -> Sequence[Say]:
        wallet = purses.wallet(request.room.community, order.seat)
        balance = await request.batch.unit.balance(wallet)  # which is contradicted if it has changed
        direction, amount = _movement(request, order, balance)
        if confirmation is not None and (direction, amount) != (GRANT, confirmation.credits):
            raise Refusal(Message("grant-changed", {"who": Name(order.seat)}))
        try:
            done = await self._move(request, order, balance, direction, amount, confirmation)
        except GrantLimitReached as limit:
            return self._beyond(request, order, amount, limit.granted, confirmation)
        return _answers(request, order, direction, amount, confirmation) if done else []

    async def _move(
        self,
        request: Request,
        order: _Order,
        balance: int,
        direction: Direction,
        amount: int,
        confirmation: _Confirmation | None,
    ) -> bool:
        """Move the credits and record the change; return False if this line was executed before.

        Raises:
            GrantLimitReached: it is more than may be granted, or granted without a confirmation.
        """
        room, at = request.room, self._watch.date()
        wallet, mint = purses.wallet(room.community, order.seat), purses.mint(room.community)
        source, target = (mint, wallet) if direction == GRANT else (wallet, mint)
        # Of the command, which a line gives once: what it moves may be the other way when it is read again.
        entry, name = Entry(source, target, amount, direction), f"{order.word}:{request.line.id}"
        posting = Posting(name, room.community, at, request.line.seat, (entry,), expects={wallet: balance})
        after = balance + amount if direction == GRANT else balance - amount
        changes = [Change(MONEY, order.seat, old=str(balance), new=str(after), posting=name)]
        if confirmation is not None:
            changes.append(Change(CONFIRMED, confirmation.by))
        change_set = self._settings_changes.change_set(Actor.of(request, order.reason), changes)
        own = allotment(self._members.people, room, request.line.home, at, confirmed=confirmation is not None)
        check = partial(own.check, amount=amount) if direction == GRANT else None
        work = Work(posting=posting, check=check)
        return await self._settings_changes.changes.make(change_set, work, request.batch)

    def _beyond(
        self,
        request: Request,
        order: _Order,
        amount: int,
        granted_today: int,
        confirmation: _Confirmation | None,
    ) -> Sequence[Say]:
        """Ask somebody else to confirm what is more than the sender may grant alone.

        `granted_today` is what they have granted on this day.

        Raises:
            Refusal: it is more than anybody may grant.
        """
        terms = TERMS.of(request.room)
        if confirmation is not None or granted_today + amount > terms.grant_daily:
            at = self._watch.date()
            args: Arguments = {
                "most": Credits(terms.grant_daily),
                "left": Credits(max(terms.grant_daily - granted_today, 0)),
                "wait": lasting(ceil((midnight(at) + DAY - at).total_seconds())),
            }
            raise Refusal(Message("grant-daily", args))

        async def act(confirming: Request) -> Sequence[Say]:
            confirmed_request = replace(request, batch=confirming.batch)
            return await self._execute(confirmed_request, order, _Confirmation(amount, confirming.line.seat))

        question = Message(
            "grant-ask", {**_arguments(request, order, amount), "most": Credits(terms.grant_confirm)}
        )
        return self._confirmations.ask_another(request, CONFIRMING, [order.seat], question, act)


def _amounts_in(request: Request, words: TypedWords) -> Iterator[int]:
    """Yield the places of words that can be the amount: it follows a name of at least one word."""
    names = currency_names(request.room)
    for place in range(1, min(len(words), MOST_WORDS + 1)):
        amount, _ = amount_first(words[place:], names)
        with suppress(Refusal):
            if amount != NOTHING:
                read_amount(amount, 1)
            yield place


def _require_no_debt(request: Request, word: str, words: TypedWords, place: int) -> None:
    """Let pass the word of a place unless somebody grants less than nothing, as other bots allow it.

    Raises:
        Refusal: they do; it names the command that takes credits away.
    """
    text = words[place]
    amount = without_sign(text)
    if word == GRANT and amount is not None and not text.startswith("+"):
        name = as_typed(request.line, " ".join(words[:place]))
        args = {"text": Quote(text), "command": Quote(f"!take {name} {amount}")}
        raise Refusal(Message("grant-signed", args))


def _movement(request: Request, order: _Order, balance: int) -> tuple[Direction, int]:
    """Return which way how many credits move; of `!credits set` it is the difference.

    Raises:
        Refusal: that is too much or nothing, or a share of the balance, which cannot be granted.
    """
    if order.word == SET:
        direction, amount = _difference(order, balance)
    else:
        direction = "grant" if order.word == "grant" else "take"
        amount = (
            read_whole_amount(order.amount) if direction == "grant" else read_amount(order.amount, balance)
        )
    most = TERMS.of(request.room).grant_most
    if amount > most:
        raise Refusal(Message("grant-most", {"most": Credits(most)}))
    if direction == "take" and amount > balance:
        raise Refusal(Message("take-short", {"who": Name(order.seat), "balance": Credits(balance)}))
    return direction, amount


def _difference(order: _Order, balance: int) -> tuple[Direction, int]:
    new_balance = 0 if order.amount == NOTHING else read_whole_amount(order.amount)
    if new_balance == balance:
        raise Refusal(Message("credits-set-same", {"who": Name(order.seat), "balance": Credits(balance)}))
    return ("grant", new_balance - balance) if new_balance > balance else ("take", balance - new_balance)


def read_whole_amount(text: str) -> int:
    """Read an amount that is no share.

    Raises:
        Refusal: it is one, or no amount.
    """
    if read_amount(text, 0) != read_amount(text, MOST):
        raise Refusal(Message("grant-share", {"text": Quote(text)}))
    return read_amount(text, 0)


def _answers(
    request: Request, order: _Order, direction: Direction, amount: int, confirmation: _Confirmation | None
) -> Sequence[Say]:
    """Return the answer; if it is private, the member whose balance has changed gets it too.

    What somebody else has confirmed is told to the room, as the question was.
    """
    args = _arguments(request, order, amount)
    if confirmation is not None:
        by: Arguments = {**args, "by": Name(confirmation.by)}
        return [Say(Message("granted-confirmed", by), event="granted", everywhere=True)]
    answer = request.answer(Message("granted" if direction == GRANT else "taken", args))
    return [answer, replace(answer, to=order.seat, event=NOTICE)] if answer.to else [answer]


def _arguments(request: Request, order: _Order, amount: int) -> Arguments:
    return {
        "moderator": Name(request.line.seat),
        "who": Name(order.seat),
        "amount": Credits(amount),
        "reason": because(order.reason),
    }


def because(reason: str) -> Message:
    """Return the reason of a payment as it is told after it."""
    return Message("because", {"reason": Quote(reason)}) if reason else Message("nothing")
