"""Payments to many at once: `!grant here`, `!grant regulars`, `!rain`, `!credits set all`.

Each is one posting and one entry of the audit, and one `!undo` takes it back. What a moderator grants is
minted, and limited as a grant of the whole sum; a member's own rain is a gift out of their wallet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import AmountText, Grammar, TypedWords, offering
from chatbot.bot.command import command
from chatbot.bot.commands.give import SHARES
from chatbot.bot.commands.grants import CONFIRMING, DIRECTIONS, NOTHING, WHOLE, because, read_whole_amount
from chatbot.community.crowds import MOST_PAID, MOST_SHOWERED, require_bounded
from chatbot.community.grants import DAY, allotment
from chatbot.kernel.amounts import amount_first, require_whole_groups
from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import GRANT, Entry, Posting, instalments
from chatbot.ledger.changes import CONFIRMED, CROWD, MONEY, Change, Work
from chatbot.ledger.limits import GrantLimitReached
from chatbot.rooms.languages import currency_names
from chatbot.rooms.request import Check, Request, as_typed, usage
from chatbot.rooms.scopes import GIVE
from chatbot.rooms.settings.changes import Actor
from chatbot.rooms.settings.lists import standing
from chatbot.settings.community import TERMS
from chatbot.speech.spans import lasting, midnight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.community.confirmations import Confirmations
    from chatbot.community.crowds import Crowds
    from chatbot.community.giving import Giving
    from chatbot.community.members import CommunityMembers
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.purses import Purse
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.runtime.clock import Watch

HERE, REGULARS, ALL, RAIN = (f"{CROWD}{each}" for each in ("here", "regulars", "all", "rain"))
SET_ALL = "creditssetall"  # the word of the command; it may be typed as three words
TAKE = "take"

ARGUMENTS, SET_ARGUMENTS = "AMOUNT [REASON]", "AMOUNT [-- REASON]"
_OPTIONS = (
    Option("amount", Kind.AMOUNT, required=True, suggest=lambda *_: WHOLE),
    Option("reason", Kind.TEXT),
)
_SET_OPTIONS = Option("amount", Kind.AMOUNT, required=True), Option("reason", Kind.TEXT)


@dataclass(frozen=True, slots=True)
class _Payment:
    """What each of some people gets: `word` is the command, `crowd` the subject of the audit."""

    word: str
    crowd: str
    people: tuple[Seat, ...]
    amount: int
    reason: str

    @property
    def total(self) -> int:
        """All that is made."""
        return self.amount * len(self.people)


class CrowdPayments:
    """Answers `!grant here`, `!grant regulars`, `!rain` and `!credits set all`."""

    def __init__(
        self,
        settings_changes: SettingsChanges,
        members: CommunityMembers,
        crowds: Crowds,
        giving: Giving,
        ledger: Ledger,
        watch: Watch,
        check: Check,
        confirmations: Confirmations,
    ) -> None:
        self._settings_changes, self._members, self._crowds = settings_changes, members, crowds
        self._giving, self._ledger, self._watch = giving, ledger, watch
        self._check, self._confirmations = check, confirmations

    @command("granthere", Role.MODERATOR, bare=True, typed="grant here")
    async def here(
        self, request: Request, words: Annotated[TypedWords, Grammar(ARGUMENTS, _OPTIONS)] = ()
    ) -> Sequence[Say]:
        self._check(request, CONFIRMING)
        amount, reason = _read(request, "grant here", ARGUMENTS, words)
        people = tuple(await self._crowds.present(request.room, request.line.home))
        return await self._grant(request, _Payment("granthere", HERE, people, amount, reason))

    @command("grantregulars", Role.MODERATOR, bare=True, typed="grant regulars")
    async def regulars(
        self, request: Request, words: Annotated[TypedWords, Grammar(ARGUMENTS, _OPTIONS)] = ()
    ) -> Sequence[Say]:
        self._check(request, CONFIRMING)
        amount, reason = _read(request, "grant regulars", ARGUMENTS, words)
        people = tuple(await self._crowds.regulars(request.room, request.line.home))
        return await self._grant(request, _Payment("grantregulars", REGULARS, people, amount, reason))

    @command("rain", bare=True, scope=GIVE)
    async def rain(self, request: Request, amount: Annotated[AmountText, offering(*SHARES)]) -> Sequence[Say]:
        people = await self._crowds.present(request.room, request.line.home)
        if self._may_grant(request):
            share = read_whole_amount(amount) // len(people)
            if not share:
                raise Refusal(Message("rain-too-little", {"count": len(people)}))
            return await self._grant(request, _Payment("rain", RAIN, tuple(people), share, ""))
        giver = self._members.people.ties.root(request.line.seat)
        shower = await self._giving.shower(request, giver, people[:MOST_SHOWERED], amount)
        if shower is None:
            return []  # the line was delivered again, and was answered the first time
        args: Arguments = {
            "who": Name(giver),
            "amount": Credits(shower.share),
            "count": len(shower.takers),
            "full": shower.full,
        }
        return [Say(Message("rained", args), event="rained", everywhere=True)]

    @command(SET_ALL, Role.MODERATOR, bare=True, typed="credits set all")
    async def set_all(
        self, request: Request, words: Annotated[TypedWords, Grammar(SET_ARGUMENTS, _SET_OPTIONS)] = ()
    ) -> Sequence[Say]:
        """Ask for confirmation; the confirming line sets the balances as they are then."""
        for word in DIRECTIONS:
            self._check(request, word)
        amount, reason = _read(request, "credits set all", SET_ARGUMENTS, words, least=0)
        wallets = await self._wallets(request)

        async def act(confirming: Request) -> Sequence[Say]:
            return await self._set(confirming, amount, reason)

        args: Arguments = {"count": len(wallets), "amount": Credits(amount)}
        return self._confirmations.ask(request, SET_ALL, Message("credits-set-all-ask", args), act)

    def _may_grant(self, request: Request) -> bool:
        """Return whether the rain of somebody is minted: of who may grant."""
        if not standing(request.room, request.line).covers(Role.MODERATOR):
            return False
        try:
            self._check(request, CONFIRMING)
        except Refusal:
            return False
        return True

    # Grants

    async def _grant(
        self, request: Request, payment: _Payment, confirmed_by: Seat | None = None
    ) -> Sequence[Say]:
        """Grant everybody their amount, or ask somebody else, as for a grant of the whole sum.

        Raises:
            Refusal: it is more than may be moved at once, or granted on a day.
        """
        most = TERMS.of(request.room).grant_most
        if payment.total > most:
            raise Refusal(Message("crowd-most", {"total": Credits(payment.total), "most": Credits(most)}))
        community = request.room.community
        mint = purses.mint(community)
        wallets = [purses.wallet(community, each) for each in payment.people]
        entries = [Entry(mint, each, payment.amount, GRANT) for each in wallets]
        try:
            done = await self._write(request, payment, entries, {}, payment.total, confirmed_by)
        except GrantLimitReached as limit:
            return self._beyond(request, payment, limit.granted, confirmed_by)
        return [_told(request, payment, confirmed_by)] if done else []

    def _beyond(
        self, request: Request, payment: _Payment, granted_today: int, confirmed_by: Seat | None
    ) -> Sequence[Say]:
        """Ask somebody else to confirm what is more than the sender may grant alone.

        Raises:
            Refusal: it is more than anybody may grant.
        """
        terms = TERMS.of(request.room)
        if confirmed_by is not None or granted_today + payment.total > terms.grant_daily:
            at = self._watch.date()
            args: Arguments = {
                "most": Credits(terms.grant_daily),
                "left": Credits(max(terms.grant_daily - granted_today, 0)),
                "wait": lasting(ceil((midnight(at) + DAY - at).total_seconds())),
            }
            raise Refusal(Message("grant-daily", args))

        async def act(confirming: Request) -> Sequence[Say]:
            confirmed = replace(request, batch=confirming.batch)
            return await self._grant(confirmed, self._without(payment, confirming), confirming.line.seat)

        asked: Arguments = {**_arguments(request, payment), "most": Credits(terms.grant_confirm)}
        question = Message("crowd-ask", {**asked, "crowd": _crowd(payment)})
        return self._confirmations.ask_another(request, CONFIRMING, payment.people, question, act)

    def _without(self, payment: _Payment, confirming: Request) -> _Payment:
        """Leave out whoever confirms, as the sender is: nobody makes credits for themselves together."""
        if standing(confirming.room, confirming.line) is Role.BROADCASTER:
            return payment
        own = self._members.people.ties.everyone(confirming.line.home)
        return replace(payment, people=tuple(each for each in payment.people if each not in own))

    async def _write(
        self,
        request: Request,
        payment: _Payment,
        entries: Sequence[Entry],
        expects: Mapping[Purse, int],
        minted: int,
        confirmed_by: Seat | None,
    ) -> bool:
        """Write one posting and one entry of the audit; return False if this line was executed before.

        Raises:
            GrantLimitReached: it is more than may be granted, or granted without a confirmation.
        """
        room, at = request.room, self._watch.date()
        name = f"{payment.word}:{request.line.id}"
        posting = Posting(name, room.community, at, request.line.seat, tuple(entries), expects)
        count = str(len(payment.people))
        changes = [Change(MONEY, payment.crowd, count, new=f"+{payment.amount}", posting=name)]
        if confirmed_by is not None:
            changes.append(Change(CONFIRMED, confirmed_by))
        change_set = self._settings_changes.change_set(Actor.of(request, payment.reason), changes)
        confirmed = confirmed_by is not None
        own = allotment(self._members.people, room, request.line.home, at, confirmed=confirmed)
        check = partial(own.check, amount=minted) if minted else None
        work = Work(posting=posting, check=check)
        return await self._settings_changes.changes.make(change_set, work, request.batch)

    # One balance for all

    async def _wallets(self, request: Request) -> list[tuple[Seat, int]]:
        """Return everybody who is ranked, with their balances.

        Raises:
            Refusal: there are too many, or nobody.
        """
        without = await self._members.excluded(request.room)
        wallets = await self._ledger.top(request.room.community, MOST_PAID + 1, without=without)
        require_bounded(wallets)
        if not wallets:
            raise Refusal(Message("crowd-nobody"))
        return wallets

    async def _set(self, request: Request, amount: int, reason: str) -> Sequence[Say]:
        community = request.room.community
        mint, entries = purses.mint(community), list[Entry]()
        wallets = [purses.wallet(community, seat) for seat, _ in await self._wallets(request)]
        balances = await request.batch.unit.balances(wallets)
        for wallet in wallets:
            change = amount - balances[wallet]
            source, target = (mint, wallet) if change > 0 else (wallet, mint)
            entries += instalments(source, target, abs(change), GRANT if change > 0 else TAKE)
        if not entries:
            raise Refusal(Message("credits-set-all-same", {"amount": Credits(amount)}))
        minted = sum(each.credits for each in entries if each.source == mint)
        payment = _Payment(SET_ALL, ALL, tuple(each.seat for each in wallets), amount, reason)
        most = TERMS.of(request.room).grant_most
        if minted > most:
            raise Refusal(Message("crowd-most", {"total": Credits(minted), "most": Credits(most)}))
        expects = {each: balances[each] for each in wallets}
        try:
            done = await self._write(request, payment, entries, expects, minted, None)
        except GrantLimitReached:
            terms = TERMS.of(request.room)
            args: Arguments = {"total": Credits(minted), "most": Credits(terms.grant_confirm)}
            raise Refusal(Message("crowd-most", args)) from None
        return [_told(request, payment, None)] if done else []


def _read(request: Request, word: str, arguments: str, words: TypedWords, least: int = 1) -> tuple[int, str]:
    """Return the amount and the reason that words state.

    Raises:
        Refusal: the amount is missing or wrong.
    """
    if not words:
        raise usage(word, arguments)
    amount, rest = amount_first(words, currency_names(request.room))
    require_whole_groups((amount, *rest), "grant-spaced")
    reason = as_typed(request.line, " ".join(rest)).removeprefix("--").strip()
    return (0 if amount == NOTHING and not least else read_whole_amount(amount)), reason


def _told(request: Request, payment: _Payment, confirmed_by: Seat | None) -> Say:
    """Return what the room is told, for the payment concerns all of it."""
    by = Message("crowd-by", {"by": Name(confirmed_by)}) if confirmed_by else Message("nothing")
    args: Arguments = {**_arguments(request, payment), "crowd": _crowd(payment), "by": by}
    message = "credits-set-all" if payment.crowd == ALL else "crowd-granted"
    return Say(Message(message, args), event="granted", everywhere=True)


def _crowd(payment: _Payment) -> Message:
    name = payment.crowd.removeprefix(CROWD)
    return Message(f"crowd-who-{name}", {"count": len(payment.people)})


def _arguments(request: Request, payment: _Payment) -> Arguments:
    return {
        "moderator": Name(request.line.seat),
        "amount": Credits(payment.amount),
        "total": Credits(payment.total),
        "reason": because(payment.reason),
    }
